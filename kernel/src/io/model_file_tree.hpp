// What a model file says, whatever its syntax: a tree of named values and objects that know their places.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "nonsmooth/kernel/algebra.hpp"
#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel::model_file {

// Bounds of what is read: a file beyond them is refused before its tree is built.
inline constexpr std::size_t largest_file = std::size_t{256} << 20;
inline constexpr std::size_t most_nodes = 4'000'000;
inline constexpr int deepest_node = 16;

struct Node;

struct Document {
  std::string file;  // as messages name it
  std::string folder;
  std::unique_ptr<Node> root;
};

// An element or attribute of XML, a member of a JSON object. It has a value (text, or numbers row by row) or children.
struct Node {
  enum class Value { None, Text, Numbers };

  Node(Document& of, Node* above, std::string own_name, long at_line)
      : document(&of), parent(above), name(std::move(own_name)), line(at_line) {}

  Document* document;
  Node* parent;
  std::string name;
  long line;  // 0: unknown
  Value value = Value::None;
  std::string text;
  std::vector<double> numbers;
  std::vector<std::size_t> row_ends;
  std::vector<std::unique_ptr<Node>> children;
  std::vector<std::unique_ptr<Node>> none;  // empty arrays of JSON: no child, but a name

  // Throws Error: "FILE:LINE: Model/TimeStepping/MoreauJeanOSI/theta: WHAT".
  [[noreturn]] void refuse(const std::string& what) const;
  std::string path() const;
  const Node* find(std::string_view child) const;
  Node& add(std::string child, long at_line);
  void setText(std::string value_text);

  // The value as what a field needs; refuse it otherwise. Numbers are finite unless `infinite` are allowed.
  double number(bool infinite = false) const;
  // Is it one by its looks, for fields that take words too?
  bool isNumber() const;
  Index count() const;
  bool boolean() const;
  const std::string& words() const;
  std::vector<std::string> list() const;
  Vector vector(bool infinite = false) const;
  Matrix matrix() const;

 private:
  struct Rows {
    std::vector<double> values;
    std::vector<std::size_t> ends;
  };
  Rows rows(bool infinite) const;
};

// Node::refuse for places without a node.
[[noreturn]] void refuseFile(const std::string& file, long line, const std::string& what);

// The tree of a text; the name of the root is checked by the reader of the schema.
void parseXml(std::string_view text, Document& document);
void parseJson(std::string_view text, Document& document);

}  // namespace nonsmooth::kernel::model_file
