// One self-contained page: style, plots and script are in it.
#include <algorithm>

#include "markup.hpp"
#include "report.hpp"

namespace nonsmooth::bench {
namespace {

constexpr const char* style = R"(
:root { --stripe: #f6f8fa; --good: #00694e; --bad: #a63c00; }
@media screen and (prefers-color-scheme: dark) {
  :root { --paper: #14171a; --ink: #e6e9ec; --faint: #9aa4ae; --rule: #363d44; --stripe: #1c2126; --grey: #4a525b; --good: #4cc9a0; --bad: #ff9a5c;
    --c0: #fff; --c1: #ff7a1a; --c2: #4aa3df; --c3: #20c997; --c4: #e29bc4; --c5: #f0b429; --c6: #8fd0f5; }
}
body { background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 1240px; margin: 0 auto; padding: 20px; }
h1 { font-size: 26px; } h2 { font-size: 20px; margin-top: 36px; border-bottom: 1px solid var(--rule); }
p { max-width: 78ch; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 16px; } dt { color: var(--faint); } dd { margin: 0; }
summary { cursor: pointer; font-weight: 600; padding: 6px 0; }
.plots figure { max-width: 980px; margin: 8px 0 20px; }
svg { width: 100%; height: auto; }
svg .method { cursor: pointer; } svg .method:hover .curve { stroke-width: 3.6; } svg .method:hover .name { font-weight: 700; }
.hint { color: var(--faint); margin: 0; }
.scroll { overflow: auto; margin: 10px 0 18px; border: 1px solid var(--rule); }
.long { max-height: 640px; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; min-width: 100%; }
caption { text-align: left; font-weight: 600; padding: 6px 8px; }
th, td { padding: 3px 10px; text-align: left; white-space: nowrap; border-top: 1px solid var(--rule); }
td.n { text-align: right; } td.good { color: var(--good); } td.bad { color: var(--bad); font-weight: 600; }
tbody tr { background: var(--paper); } tbody tr:nth-child(even) { background: var(--stripe); }
tbody td:first-child { position: sticky; left: 0; background: inherit; }
th { position: sticky; top: 0; z-index: 1; background: var(--paper); padding: 0; } th.n { text-align: right; }
th button { all: unset; cursor: pointer; font-weight: 600; padding: 4px 10px; } th button:focus-visible { outline: 2px solid var(--c2); }
th[aria-sort="ascending"] button::after { content: " \25B2"; } th[aria-sort="descending"] button::after { content: " \25BC"; }
input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--rule); padding: 3px 8px; width: 24em; }
@media print {
  body { max-width: none; padding: 0; font-size: 11px; } .scroll { overflow: visible; max-height: none; border: 0; } .hint, label { display: none; }
  th, tbody td:first-child { position: static; } table { font-size: 9px; } figure, tr { break-inside: avoid; }
}
)";

// A click on a curve or its name colours it, or takes the colour, in all plots. A click on a head sorts, a second one the other
// way round; numbers before words, empty cells last.
constexpr const char* script = R"(
document.addEventListener('click', function (event) {
  var curve = event.target.closest('.method');
  if (curve) {
    var grey = !curve.classList.contains('grey');
    document.querySelectorAll('.method').forEach(function (other) {
      if (other.dataset.method !== curve.dataset.method) return;
      other.classList.toggle('grey', grey);
      if (!grey) other.parentNode.appendChild(other);
    });
    return;
  }
  var head = event.target.closest('th');
  if (!head) return;
  var table = head.closest('table'), body = table.tBodies[0], up = head.getAttribute('aria-sort') !== 'ascending';
  var key = function (row) {
    var cell = row.cells[head.cellIndex];
    return cell.dataset.s === undefined ? cell.textContent : Number(cell.dataset.s);
  };
  var compare = function (a, b) {
    var x = key(a), y = key(b);
    if (x === '' || y === '') return (x === '') - (y === '');
    if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1;
    var order = typeof x === 'number' ? x - y : x.localeCompare(y);
    return up ? order : -order;
  };
  table.querySelectorAll('th').forEach(function (other) { other.removeAttribute('aria-sort'); });
  head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
  Array.from(body.rows).sort(compare).forEach(function (row) { body.appendChild(row); });
});
document.addEventListener('input', function (event) {
  var words = event.target.value.toLowerCase().split(' ');
  Array.from(event.target.closest('label').parentNode.querySelector('table').tBodies[0].rows).forEach(function (row) {
    var text = row.textContent.toLowerCase();
    row.hidden = !words.every(function (word) { return text.includes(word); });
  });
});
)";

void write(std::ostream& out, const Cell& cell) {
  std::string classes;
  if (!std::isnan(cell.sort)) classes = "n";
  if (cell.mark != Cell::Mark::none) classes += cell.mark == Cell::Mark::good ? " good" : " bad";
  out << "<td";
  if (!classes.empty()) out << " class=\"" << classes << '"';
  if (!std::isnan(cell.sort)) out << " data-s=\"" << number_text("%.9g", std::clamp(cell.sort, -1e300, 1e300)) << '"';
  out << '>' << escaped(cell.text) << "</td>";
}

bool has_numbers(const Table& table, std::size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(), [&](const auto& row) { return !std::isnan(row[column].sort); });
}

void write(std::ostream& out, const Table& table) {
  out << (table.folded ? "<details><summary>" + escaped(table.caption) + "</summary>" : "<div>");
  if (table.filter) out << "<label>Rows that contain <input type=\"search\"/></label>\n";
  out << (table.filter ? "<div class=\"scroll long\"><table>\n" : "<div class=\"scroll\"><table>\n");
  if (!table.caption.empty() && !table.folded) out << "<caption>" << escaped(table.caption) << "</caption>\n";
  out << "<thead><tr>";
  for (std::size_t column = 0; column < table.head.size(); ++column)
    out << (has_numbers(table, column) ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">") << "<button type=\"button\">"
        << escaped(table.head[column]) << "</button></th>";
  out << "</tr></thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : table.rows) {
    out << "<tr>";
    for (const Cell& cell : row) write(out, cell);
    out << "</tr>\n";
  }
  out << "</tbody></table></div>" << (table.folded ? "</details>\n" : "</div>\n");
}

void write(std::ostream& out, const Section& section) {
  out << (section.folded ? "<details><summary>" : "<section><h2>") << escaped(section.title)
      << (section.folded ? "</summary>\n" : "</h2>\n");
  if (!section.text.empty()) out << "<p>" << escaped(section.text) << "</p>\n";
  if (!section.plots.empty()) {
    out << "<div class=\"plots\">\n<p class=\"hint\">A click on a name colours its curve, or takes the colour, in all "
           "plots.</p>\n";
    for (const Plot& plot : section.plots) out << "<figure>" << svg(plot) << "</figure>\n";
    out << "</div>\n";
  }
  for (const Table& table : section.tables) write(out, table);
  out << (section.folded ? "</details>\n" : "</section>\n");
}

}  // namespace

void write_html(std::ostream& out, const Report& report) {
  out << "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head><meta charset=\"utf-8\"/>\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" << escaped(report.title)
      << "</title>\n<style>" << plot_style << style << "</style></head>\n<body>\n<h1>" << escaped(report.title)
      << "</h1>\n<dl>\n";
  for (const auto& [name, value] : report.facts) out << "<dt>" << escaped(name) << "</dt><dd>" << escaped(value) << "</dd>\n";
  out << "</dl>\n";
  for (const Section& section : report.sections) write(out, section);
  out << "<script>//<![CDATA[" << script << "//]]></script>\n</body>\n</html>\n";
}

}  // namespace nonsmooth::bench
