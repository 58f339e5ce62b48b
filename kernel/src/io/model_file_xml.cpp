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
  for (const pugi::xml_node& child : element.children()) {
    if (child.type() == pugi::node_element)
      fill(node.add(child.name(), lines.at(child.offset_debug())), child, lines);
    else if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata)
      text += child.value();
  }
  if (isBlank(text)) return;
  if (!node.children.empty())
    node.refuse(has_attributes ? "an element has attributes or text, not both" : "an element holds elements or text, not both");
  node.setText(std::move(text));
}

}  // namespace

void parseXml(std::string_view text, Document& document) {
  const Lines lines(text);
  pugi::xml_document xml;
  const pugi::xml_parse_result result = xml.load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) refuseFile(document.file, lines.at(result.offset), std::string("not well-formed XML: ") + result.description());
  pugi::xml_node root;
  for (const pugi::xml_node& child : xml.children()) {
    if (child.type() != pugi::node_element) continue;
    if (root) refuseFile(document.file, lines.at(child.offset_debug()), std::string("a second root element ") + child.name());
    root = child;
  }
  document.root = std::make_unique<Node>(document, nullptr, root.name(), lines.at(root.offset_debug()));
  fill(*document.root, root, lines);
}

}  // namespace nonsmooth::kernel::model_file
