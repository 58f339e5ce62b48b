// Model files in JSON: an object is an element; an array of objects, elements of one name; all other members are values.
#include <nlohmann/json.hpp>

#include "io/model_file_tree.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

// Characters of the text, counting lines for the handler of what they mean.
class CountingIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingIterator(const char* at, long* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  CountingIterator& operator++() {
    if (*at_ == '\n') ++*line_;
    ++at_;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
  bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  long* line_;
};

// A JSON value; numbers of an array stand in a vector of their own, so that matrices take little more than their entries.
struct Json {
  enum class Kind { Text, Number, Array, Object };
  Kind kind;
  long line;
  std::string text;
  std::vector<double> numbers;
  std::vector<Json> items;
  std::vector<std::string> keys;
};

// Gathers the events of nlohmann's parser. Pointers to open values stay valid: only the innermost one grows.
class Gatherer {
 public:
  using json = nlohmann::json;

  Gatherer(const Document& document, const long& line) : document_(document), line_(line) {}

  bool null() { refuse("null is not a value"); }
  bool boolean(bool value) { return add({Json::Kind::Text, line_, value ? "true" : "false", {}, {}, {}}); }
  bool number_integer(json::number_integer_t value) { return number(static_cast<double>(value)); }
  bool number_unsigned(json::number_unsigned_t value) { return number(static_cast<double>(value)); }
  bool number_float(json::number_float_t value, const json::string_t&) { return number(value); }
  bool string(json::string_t& value) {
    // Where names and paths are handed on as C strings they would end there.
    if (value.find('\0') != std::string::npos) refuse("a text with a character of value 0");
    return add({Json::Kind::Text, line_, std::move(value), {}, {}, {}});
  }
  bool binary(json::binary_t&) { refuse("binary data are not a value"); }
  bool start_object(std::size_t) { return open(Json::Kind::Object); }
  bool start_array(std::size_t) { return open(Json::Kind::Array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(json::string_t& name) {
    open_.back()->keys.push_back(std::move(name));
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const json::exception& error) {
    // nlohmann's message, without its number and place: the line stands in front of ours.
    const std::string full = error.what();
    const std::size_t place = full.find("column");
    const std::size_t start = place == std::string::npos ? place : full.find(": ", place);
    refuse("not well-formed JSON: " + (start == std::string::npos ? full : full.substr(start + 2)));
  }

  Json& root() { return root_.items.front(); }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    std::string path;
    for (const Json* value : open_)
      if (value->kind == Json::Kind::Object && !value->keys.empty()) path += (path.empty() ? "" : "/") + value->keys.back();
    refuseFile(document_.file, line_, (path.empty() ? "" : path + ": ") + what);
  }
  bool number(double value) {
    if (open_.empty() || open_.back()->kind != Json::Kind::Array) return add({Json::Kind::Number, line_, "", {value}, {}, {}});
    if (!open_.back()->items.empty()) refuse("numbers and other values in one array");
    open_.back()->numbers.push_back(value);
    return true;
  }
  bool add(Json value) {
    if (++values_ > most_nodes) refuse("more than " + std::to_string(most_nodes) + " values");
    Json& parent = open_.empty() ? root_ : *open_.back();
    if (!parent.numbers.empty()) refuse("numbers and other values in one array");
    parent.items.push_back(std::move(value));
    return true;
  }
  bool open(Json::Kind kind) {
    if (open_.size() > 2 * deepest_node) refuse("values nested deeper than " + std::to_string(2 * deepest_node));
    add({kind, line_, "", {}, {}, {}});
    open_.push_back(&(open_.empty() ? root_ : *open_.back()).items.back());
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const Document& document_;
  const long& line_;
  std::size_t values_ = 0;
  Json root_{Json::Kind::Array, 0, "", {}, {}, {}};
  std::vector<Json*> open_;
};

void fill(Node& node, Json& object);

void addNumbers(Node& value, const Json& row) {
  if (row.kind != Json::Kind::Array || row.numbers.empty())
    value.refuse("a row of numbers is needed at line " + std::to_string(row.line));
  value.numbers.insert(value.numbers.end(), row.numbers.begin(), row.numbers.end());
  value.row_ends.push_back(value.numbers.size());
}

// One kind of items: objects are elements of one name, texts one list, arrays the rows of a matrix.
void addArray(Node& node, const std::string& key, Json& array) {
  const auto isObject = [](const Json& item) { return item.kind == Json::Kind::Object; };
  if (!array.items.empty() && isObject(array.items.front())) {
    for (Json& item : array.items) {
      Node& child = node.add(key, item.line);
      if (!isObject(item)) child.refuse("objects and other values in one array");
      fill(child, item);
    }
    return;
  }
  if (array.items.empty() && array.numbers.empty()) {
    node.none.push_back(std::make_unique<Node>(*node.document, &node, key, array.line));
    return;
  }
  Node& value = node.add(key, array.line);
  if (!array.items.empty() && array.items.front().kind == Json::Kind::Text) {
    std::string list;
    for (const Json& item : array.items) {
      if (item.kind != Json::Kind::Text) value.refuse("texts and other values in one array");
      if (item.text.find_first_not_of(" \t\r\n") == std::string::npos) value.refuse("an empty text in an array");
      list += (list.empty() ? "" : " ") + item.text;
    }
    value.setText(std::move(list));
    return;
  }
  value.value = Node::Value::Numbers;
  if (array.items.empty()) addNumbers(value, array);
  for (const Json& row : array.items) addNumbers(value, row);
}

void fill(Node& node, Json& object) {
  for (std::size_t k = 0; k < object.items.size(); ++k) {
    const std::string& key = object.keys[k];
    Json& item = object.items[k];
    if (item.kind == Json::Kind::Array) {
      addArray(node, key, item);
      continue;
    }
    Node& child = node.add(key, item.line);
    if (item.kind == Json::Kind::Object) {
      fill(child, item);
    } else if (item.kind == Json::Kind::Text) {
      child.setText(std::move(item.text));
    } else {
      child.value = Node::Value::Numbers;
      child.numbers = std::move(item.numbers);
      child.row_ends = {1};
    }
  }
}

}  // namespace

void parseJson(std::string_view text, Document& document) {
  long line = 1;
  Gatherer gatherer(document, line);
  nlohmann::json::sax_parse(CountingIterator(text.data(), &line), CountingIterator(text.data() + text.size(), &line), &gatherer);
  Json& outer = gatherer.root();
  if (outer.kind != Json::Kind::Object || outer.keys.size() != 1 || outer.items[0].kind != Json::Kind::Object)
    refuseFile(document.file, 1, "one object {\"Model\": {...}} is needed");
  document.root = std::make_unique<Node>(document, nullptr, outer.keys[0], outer.items[0].line);
  fill(*document.root, outer.items[0]);
}

}  // namespace nonsmooth::kernel::model_file
