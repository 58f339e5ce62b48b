#include "report.hpp"

namespace nonsmooth::bench {
namespace {

// In a line: no HTML, no control characters.
std::string line_text(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return result;
}

std::string cell_text(const std::string& text) {
  std::string result;
  for (const char c : line_text(text)) result += c == '|' ? "\\|" : std::string(1, c);
  return result;
}

void write_table(std::ostream& out, const Table& table) {
  if (!table.caption.empty()) out << line_text(table.caption) << ":\n\n";
  std::string rule;
  for (const std::string& head : table.head) {
    out << "| " << cell_text(head) << ' ';
    rule += "|---";
  }
  out << "|\n" << rule << "|\n";
  for (const std::vector<Cell>& row : table.rows) {
    for (const Cell& cell : row) out << "| " << cell_text(cell.text) << ' ';
    out << "|\n";
  }
  out << '\n';
}

}  // namespace

void write_markdown(std::ostream& out, const Report& report, const std::string& pictures) {
  out << "# " << line_text(report.title) << "\n\n";
  for (const auto& [name, value] : report.facts) out << "- " << name << ": " << line_text(value) << '\n';
  for (const Section& section : report.sections) {
    if (section.only_html) continue;
    // Names of methods stand in them too: those of peers are names of files.
    const std::string title = line_text(section.title);
    out << "\n## " << title << "\n\n";
    if (!section.text.empty()) out << line_text(section.text) << "\n\n";
    if (!pictures.empty() && !section.picture.empty())
      out << "![" << title << "](" << pictures << '/' << section.picture << ")\n\n";
    for (const Table& table : section.tables) write_table(out, table);
  }
}

}  // namespace nonsmooth::bench
