#include "io/model_file_tree.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <locale>
#include <sstream>

namespace nonsmooth::kernel::model_file {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t longest_quote = 40;

std::string inQuotes(std::string_view text) {
  const bool cut = text.size() > longest_quote;
  return "\"" + std::string(text.substr(0, longest_quote)) + (cut ? "..." : "") + "\"";
}

// Calls each word of the text, in order.
template <class Each>
void forWords(std::string_view text, std::string_view separators, Each each) {
  for (std::size_t at = 0; (at = text.find_first_not_of(separators, at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    each(text.substr(at, end - at));
    at = end;
  }
}

bool readNumber(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return false;
  if (error != std::errc::result_out_of_range) return error == std::errc();
  // Too small or too large, which from_chars does not tell: a stream gives zero, as JSON's numbers are, or fails.
  std::istringstream stream{std::string(word)};
  stream.imbue(std::locale::classic());
  return static_cast<bool>(stream >> value);
}

}  // namespace

void refuseFile(const std::string& file, long line, const std::string& what) {
  throw Error(file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what);
}

void Node::refuse(const std::string& what) const { refuseFile(document->file, line, path() + ": " + what); }

std::string Node::path() const {
  std::string own = name;
  if (const Node* id = find("id"); id != nullptr && id->value == Value::Text) {
    own += "[" + id->text + "]";
  } else if (parent != nullptr) {
    std::size_t same = 0, place = 0;
    for (const auto& sibling : parent->children)
      if (sibling->name == name) {
        ++same;
        if (sibling.get() == this) place = same;
      }
    if (same > 1) own += "[" + std::to_string(place) + "]";
  }
  return parent == nullptr ? own : parent->path() + "/" + own;
}

const Node* Node::find(std::string_view child) const {
  for (const auto& candidate : children)
    if (candidate->name == child) return candidate.get();
  return nullptr;
}

Node& Node::add(std::string child, long at_line) {
  int depth = 1;
  for (const Node* above = this; above != nullptr; above = above->parent) ++depth;
  if (depth > deepest_node) refuseFile(document->file, at_line, "elements nested deeper than " + std::to_string(deepest_node));
  children.push_back(std::make_unique<Node>(*document, this, std::move(child), at_line));
  return *children.back();
}

void Node::setText(std::string value_text) {
  text = std::move(value_text);
  value = Value::Text;
}

Node::Rows Node::rows(bool infinite) const {
  Rows result;
  if (!children.empty()) refuse("a value is needed, not an object");
  if (value == Value::Numbers) {
    result = {numbers, row_ends};
  } else {
    std::string_view left = text;
    while (!left.empty()) {
      const std::string_view row = left.substr(0, left.find(';'));
      left.remove_prefix(std::min(row.size() + 1, left.size()));
      forWords(row, blanks, [&](std::string_view word) {
        double entry = 0;
        if (!readNumber(word, entry)) refuse(inQuotes(word) + " is not a number");
        result.values.push_back(entry);
      });
      const std::size_t before = result.ends.empty() ? 0 : result.ends.back();
      if (result.values.size() > before)
        result.ends.push_back(result.values.size());
      else if (left.find_first_not_of(blanks) != std::string_view::npos)
        refuse("row " + std::to_string(result.ends.size() + 1) + " is empty");
    }
  }
  for (const double entry : result.values)
    if (std::isnan(entry) || (std::isinf(entry) && !infinite))
      refuse(std::isnan(entry) ? "nan is not a value" : "an infinite value is not allowed here");
  return result;
}

double Node::number(bool infinite) const {
  const Rows all = rows(infinite);
  if (all.values.size() != 1) refuse(std::to_string(all.values.size()) + " numbers, 1 expected");
  return all.values[0];
}

bool Node::isNumber() const {
  bool numbers_only = true;
  forWords(text, blanks, [&](std::string_view word) {
    double entry = 0;
    numbers_only = numbers_only && readNumber(word, entry);
  });
  return numbers_only;
}

Index Node::count() const {
  const double result = number();
  if (!(result >= 0 && result <= 1e9 && result == std::floor(result))) {
    char shown[32];
    const auto end = std::to_chars(shown, shown + sizeof shown, result).ptr;
    refuse(std::string(shown, end) + " is not a whole number from 0 to 1e9");
  }
  return static_cast<Index>(result);
}

bool Node::boolean() const {
  if (value == Value::Numbers) refuse("true or false is needed, not a number");
  const std::string& word = words();
  if (word != "true" && word != "false") refuse(inQuotes(word) + " is neither true nor false");
  return word == "true";
}

const std::string& Node::words() const {
  if (!children.empty()) refuse("a text is needed, not an object");
  if (value != Value::Text) refuse(value == Value::None ? "the value is missing" : "a text is needed, not a number");
  return text;
}

std::vector<std::string> Node::list() const {
  std::vector<std::string> result;
  forWords(words(), blanks, [&](std::string_view word) { result.emplace_back(word); });
  return result;
}

Vector Node::vector(bool infinite) const {
  const Rows all = rows(infinite);
  if (all.ends.size() > 1 && all.values.size() != all.ends.size())
    refuse("a vector is needed, not " + std::to_string(all.ends.size()) + " rows");
  if (all.values.empty()) refuse("the value is missing");
  return ConstVectorView(all.values.data(), static_cast<Index>(all.values.size()));
}

Matrix Node::matrix() const {
  const Rows all = rows(false);
  if (all.values.empty()) refuse("the value is missing");
  const std::size_t cols = all.ends[0];
  for (std::size_t i = 1; i < all.ends.size(); ++i)
    if (all.ends[i] - all.ends[i - 1] != cols)
      refuse("row " + std::to_string(i + 1) + " has " + std::to_string(all.ends[i] - all.ends[i - 1]) + " numbers, the first " +
             std::to_string(cols));
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      all.values.data(), static_cast<Index>(all.ends.size()), static_cast<Index>(cols));
}

}  // namespace nonsmooth::kernel::model_file
