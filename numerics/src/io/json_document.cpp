#include "io/json_document.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t deepest = 16;       // nesting of a text that is not ours; ours has 3
constexpr std::size_t most_members = 64;  // of one object; keeps the search for duplicates cheap

// Strings that stand for numbers; NaN for all others.
double named_number(std::string_view name, std::string_view field) {
  if (name == "inf") return std::numeric_limits<double>::infinity();
  if (name == "-inf") return -std::numeric_limits<double>::infinity();
  if (field == "block_kind")
    for (std::size_t k = 0; k < std::size(block_kind_names); ++k)
      if (name == block_kind_names[k]) return static_cast<double>(k);
  return std::numeric_limits<double>::quiet_NaN();
}

std::string refusal_of_name(std::string_view field) {
  if (field != "block_kind") return "not a number";
  std::string refusal = "none of";
  for (const char* name : block_kind_names) refusal += std::string(" ") + name;
  return refusal;
}

std::string position_text(std::string_view bytes, std::size_t byte) {
  const std::string_view before = bytes.substr(0, std::min(byte, bytes.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t line_start = before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return text("line %lld, column %zu (byte %zu)", (long long)line, before.size() - line_start, byte);
}

// Receives the events of the parser. A text that breaks our rules is read to its end all the same (storing nothing more): whether
// it is ours at all is known only then.
class Receiver : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit Receiver(std::string_view bytes) : bytes_(bytes) {}

  JsonValue take() {
    const JsonValue* format = root_.find("format");
    if (format == nullptr || !format->text.starts_with("nonsmooth-"))
      fail(NSM_UNKNOWN_FORMAT, "JSON, but no \"format\": \"nonsmooth-problem\" in it");
    // Of a file of another kind, an index say, its reader tells that, not where it differs from a problem.
    const bool is_of_ours = format->text == "nonsmooth-problem" || format->text == "nonsmooth-solution";
    if (is_of_ours && !complaint_.empty()) throw Error(complaint_status_, complaint_);
    return std::move(root_);
  }

  bool null() override { return other("null"); }
  bool boolean(bool value) override { return other(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool binary(binary_t&) override { return other("binary data"); }
  bool string(string_t& value) override;
  bool start_object(std::size_t) override;
  bool start_array(std::size_t) override;
  bool key(string_t& name) override;
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t byte, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception...] parse error at line 1, column 3: reason"; our own position stands in front of every kind of error.
    std::string reason = error.what();
    const std::size_t colon = reason.find(": ");
    reason.erase(0, colon == std::string::npos ? reason.find("] ") + 2 : colon + 2);
    std::replace_if(
        reason.begin(), reason.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
    // A number that is too large is valid JSON.
    const bool overflows = dynamic_cast<const nlohmann::detail::out_of_range*>(&error) != nullptr;
    fail(NSM_BAD_FILE, "%s: %s: %.300s", position_text(bytes_, byte).c_str(), overflows ? place().c_str() : "not valid JSON",
         reason.c_str());
  }

 private:
  bool number(double value);
  bool other(const char* value);
  bool close();
  void complain(nsm_status status, std::string message);
  // The member that a value just read belongs to; nullptr outside an object of ours.
  JsonValue* new_member();
  bool skipping() const { return skipped_levels_ > 0 || !complaint_.empty(); }
  bool in_array() const { return !open_.empty() && open_.back()->kind == JsonValue::Kind::numbers; }
  bool in_object() const { return !open_.empty() && open_.back()->kind == JsonValue::Kind::object; }
  bool enter_skipped();
  // "M.values[3]"
  std::string place() const;

  std::string_view bytes_;
  JsonValue root_;
  std::vector<JsonValue*> open_;   // the containers around the next value, outermost first; only the last one ever grows
  std::vector<std::string> keys_;  // last key of each open object
  std::size_t skipped_levels_ = 0;
  std::string complaint_;
  nsm_status complaint_status_ = NSM_BAD_FILE;
};

std::string Receiver::place() const {
  std::string result;
  for (const std::string& name : keys_) result += (result.empty() ? "" : ".") + name.substr(0, 60);
  if (in_array()) result += "[" + std::to_string(open_.back()->numbers.size()) + "]";
  return result.empty() ? "top level" : result;
}

void Receiver::complain(nsm_status status, std::string message) {
  if (!complaint_.empty()) return;
  complaint_status_ = status;
  complaint_ = std::move(message);
}

JsonValue* Receiver::new_member() {
  if (!in_object()) return nullptr;
  auto& members = open_.back()->members;
  if (members.size() == most_members) {
    complain(NSM_BAD_FILE, text("%s: more than %zu fields in one object", place().c_str(), most_members));
    return nullptr;
  }
  return &members.emplace_back(JsonMember{keys_.back(), {}}).value;
}

bool Receiver::number(double value) {
  // "format" may follow a complaint, and must still be found; everything else may be dropped from there on.
  if (skipping()) return true;
  if (in_array()) {
    open_.back()->numbers.push_back(value);
  } else if (JsonValue* member = new_member()) {
    member->kind = JsonValue::Kind::number;
    member->number = value;
  }
  return true;
}

bool Receiver::other(const char* value) {
  if (!skipping())
    complain(NSM_BAD_FILE, text("%s is %s; %s expected", place().c_str(), value,
                                in_array() ? "a number" : "a number, a string, an array or an object"));
  return true;
}

bool Receiver::string(string_t& value) {
  const bool top = skipped_levels_ == 0 && open_.size() == 1 && in_object();
  if (skipping() && !(top && keys_.back() == "format" && root_.find("format") == nullptr)) return true;
  if (value.find('\0') != std::string::npos) complain(NSM_BAD_FILE, place() + " holds a NUL character");
  if (in_array()) {
    const double code = named_number(value, keys_.back());
    if (value == "nan" || value == "NaN") {
      complain(NSM_NOT_FINITE, place() + " is nan");
    } else if (std::isnan(code)) {
      complain(NSM_BAD_FILE, text("%s is \"%.40s\", %s", place().c_str(), value.c_str(), refusal_of_name(keys_.back()).c_str()));
    } else {
      open_.back()->numbers.push_back(code);
    }
  } else if (JsonValue* member = new_member()) {
    member->kind = JsonValue::Kind::text;
    member->text = std::move(value);
  }
  return true;
}

bool Receiver::key(string_t& name) {
  if (skipped_levels_ > 0) return true;
  keys_.back() = std::move(name);
  if (complaint_.empty() && open_.back()->find(keys_.back()) != nullptr)
    complain(NSM_BAD_FILE, text("%s is given twice", place().c_str()));
  return true;
}

bool Receiver::enter_skipped() {
  ++skipped_levels_;
  if (open_.size() + skipped_levels_ > deepest) fail(NSM_BAD_FILE, "%s: nested deeper than %zu levels", place().c_str(), deepest);
  return true;
}

bool Receiver::start_object(std::size_t) {
  if (skipping()) return enter_skipped();
  if (open_.empty()) {
    root_.kind = JsonValue::Kind::object;
    open_.push_back(&root_);
  } else if (in_object() && open_.size() < 2) {
    JsonValue* member = new_member();
    if (member == nullptr) return enter_skipped();
    member->kind = JsonValue::Kind::object;
    open_.push_back(member);
  } else {
    complain(NSM_BAD_FILE, place() + " is an object; a number expected");
    return enter_skipped();
  }
  keys_.emplace_back();
  return true;
}

bool Receiver::start_array(std::size_t) {
  if (skipping()) return enter_skipped();
  JsonValue* member = new_member();
  if (member == nullptr) {
    complain(NSM_BAD_FILE,
             place() + " is an array; " +
                 (open_.empty() ? "an object expected" : std::string("a number expected (a matrix is ") + matrix_form + ")"));
    return enter_skipped();
  }
  member->kind = JsonValue::Kind::numbers;
  open_.push_back(member);
  return true;
}

bool Receiver::close() {
  if (skipped_levels_ > 0) {
    --skipped_levels_;
    return true;
  }
  if (in_object()) keys_.pop_back();
  open_.back()->numbers.shrink_to_fit();
  open_.pop_back();
  return true;
}

}  // namespace

const JsonValue* JsonValue::find(std::string_view name) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

JsonValue parse_json_document(std::string_view bytes) {
  Receiver receiver(bytes);
  nlohmann::json::sax_parse(bytes.begin(), bytes.end(), &receiver);
  // The parser takes a NUL for the end of the text, whatever follows it.
  if (const std::size_t end = bytes.find('\0'); end != std::string_view::npos)
    fail(NSM_BAD_FILE, "%s: not valid JSON: a NUL byte", position_text(bytes, end + 1).c_str());
  return receiver.take();
}

}  // namespace nonsmooth
