// Model files in XML: elements and attributes alike become nodes.
#include <algorithm>
#include <pugixml.hpp>

#include "io/model_file_tree.hpp"

namespace nonsmooth::kernel::model_file {
namespace {

class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1)) ends_.push_back(at);
  }
  long at(std::ptrdiff_t offset) const {
    if (offset < 0) return 0;
    return std::lower_bound(ends_.begin(), ends_.end(), static_cast<std::size_t>(offset)) - ends_.begin() + 1;
  }

 private:
  std::vector<std::size_t> ends_;
};

bool isBlank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

bool isNamespace(std::string_view attribute) { return attribute.starts_with("xmlns") || attribute.starts_with("xsi:"); }

void fill(Node& node, const pugi::xml_node& element, const Lines& lines) {
  for (const pugi::xml_attribute& attribute : element.attributes())
    if (!isNamespace(attribute.name())) node.add(attribute.name(), node.line).setText(attribute.value());
  const bool has_attributes = !node.children.empty();
  std::string text;
  pugi::xml_node_type last = pugi::node_null;
  for (const pugi::xml_node& child : element.children()) {
    const pugi::xml_node_type type = child.type();
    if (type == pugi::node_element) {
      fill(node.add(child.name(), lines.at(child.offset_debug())), child, lines);
    } else if (type == pugi::node_pcdata || type == pugi::node_cdata) {
      // Between two pieces of text a comment was: it parts words.
      if (type == pugi::node_pcdata && last == type) text += ' ';
      text += child.value();
    }
    last = type;
  }
  if (isBlank(text)) return;
  if (!node.children.empty())
    node.refuse(has_attributes ? "an element has attributes or text, not both" : "an element holds elements or text, not both");
  node.setText(std::move(text));
}

// Before pugixml has allocated them: elements, comments and texts begin or end with <, attributes have =.
void requireFew(std::string_view text, const Document& document) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '=' || (text[k] == '<' && text.substr(k + 1, 1) != "/")) ++count;
  if (count > most_nodes)
    refuseFile(document.file, 0, "more than " + std::to_string(most_nodes) + " elements, attributes and comments");
}

// &#0; would end the text of its attribute or element there.
void requireNoZero(std::string_view text, const Lines& lines, const Document& document) {
  for (std::size_t at = text.find("&#"); at != std::string_view::npos; at = text.find("&#", at + 2)) {
    std::size_t digit = at + (text.substr(at + 2, 1) == "x" ? 3 : 2);
    const std::size_t first = digit;
    while (text.substr(digit, 1) == "0") ++digit;
    if (digit > first && text.substr(digit, 1) == ";")
      refuseFile(document.file, lines.at(static_cast<std::ptrdiff_t>(at)), "a text with a character of value 0");
  }
}

// The text is UTF-8, whatever it says of itself; one that says otherwise may be meant otherwise.
void requireUtf8(const pugi::xml_node& declaration, const Document& document) {
  const std::string encoding = declaration.attribute("encoding").as_string("UTF-8");
  std::string name;
  for (const char letter : encoding) name += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  if (name != "UTF-8" && name != "US-ASCII") refuseFile(document.file, 1, "encoding " + encoding + ": model files are UTF-8");
}

}  // namespace

void parseXml(std::string_view text, Document& document) {
  requireFew(text, document);
  const Lines lines(text);
  requireNoZero(text, lines, document);
  pugi::xml_document xml;
  // As a fragment: text outside the root is kept then, so that it can be refused.
  const pugi::xml_parse_result result = xml.load_buffer(
      text.data(), text.size(), pugi::parse_default | pugi::parse_declaration | pugi::parse_fragment, pugi::encoding_utf8);
  if (!result) refuseFile(document.file, lines.at(result.offset), std::string("not well-formed XML: ") + result.description());
  pugi::xml_node root;
  for (const pugi::xml_node& child : xml.children()) {
    if (child.type() == pugi::node_declaration) requireUtf8(child, document);
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      refuseFile(document.file, lines.at(child.offset_debug()), "text outside the root element");
    if (child.type() != pugi::node_element) continue;
    if (root) refuseFile(document.file, lines.at(child.offset_debug()), std::string("a second root element ") + child.name());
    root = child;
  }
  if (!root) refuseFile(document.file, 1, "not well-formed XML: there is no root element");
  document.root = std::make_unique<Node>(document, nullptr, root.name(), lines.at(root.offset_debug()));
  fill(*document.root, root, lines);
}

}  // namespace nonsmooth::kernel::model_file
