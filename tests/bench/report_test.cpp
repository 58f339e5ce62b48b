// Formats: escapes, units, plots whose names do not overlap.
#include "report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace report_test {

using namespace nonsmooth::bench;

TEST(Report, Numbers) {
  EXPECT_EQ(seconds_text(1.234e-6), "1.23 us");
  EXPECT_EQ(seconds_text(0.9999e-3), "1 ms");
  EXPECT_EQ(seconds_text(0.0123), "12.3 ms");
  EXPECT_EQ(seconds_text(12.34), "12.3 s");
  EXPECT_EQ(seconds_text(HUGE_VAL), "");
  EXPECT_EQ(ratio_text(0.0123), "0.012");
  EXPECT_EQ(ratio_text(1.234), "1.23");
  EXPECT_EQ(ratio_text(123.4), "123");
  EXPECT_EQ(tolerance_text(1e-8), "1e-08");
  EXPECT_EQ(tolerance_text(1.2e-8), "1.2e-08");
  EXPECT_EQ(tolerance_text(1.0000001e-8), "1.0000001e-08");
}

TEST(Report, TextIsEscaped) {
  const Report report{
      "a < b & c", {{"name", "\"v\""}}, {{"s <s>", "x <y> & z", {}, {{"t <t>", {"h|1"}, {{{"a|b <i>"}}, {{"c\nd\x01"}}}}}}}};
  std::ostringstream html, markdown;
  write_html(html, report);
  write_markdown(markdown, report);
  EXPECT_NE(html.str().find("<h1>a &lt; b &amp; c</h1>"), std::string::npos);
  EXPECT_NE(html.str().find("a|b &lt;i&gt;"), std::string::npos);
  EXPECT_EQ(html.str().find('\x01'), std::string::npos);
  EXPECT_EQ(markdown.str().find("# a &lt; b &amp; c\n"), 0u);
  EXPECT_NE(markdown.str().find("| a\\|b &lt;i> |\n| c d  |\n"), std::string::npos);
  EXPECT_NE(markdown.str().find("## s &lt;s>\n\nx &lt;y> &amp; z\n\nt &lt;t>:\n"), std::string::npos) << markdown.str();
}

// Curves that end at the same height.
TEST(Report, NamesOfCurvesDoNotOverlap) {
  Plot plot{"title", "x", "y", 1, 100, {}};
  for (int k = 0; k < 20; ++k) plot.curves.push_back({"method " + std::to_string(k), {{1, 0.5}, {10, 0.97}}});
  const std::string text = svg(plot);
  const std::regex name("<text x=\"[0-9.]+\" y=\"([0-9.]+)\" class=\"name\">");
  std::vector<double> places;
  for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
    places.push_back(std::stod((*found)[1]));
  ASSERT_EQ(places.size(), 20u);
  std::sort(places.begin(), places.end());
  for (std::size_t k = 1; k < places.size(); ++k) EXPECT_GE(places[k], places[k - 1] + 14.9);
  std::regex size("viewBox=\"0 0 [0-9.]+ ([0-9.]+)\"");
  std::smatch height;
  ASSERT_TRUE(std::regex_search(text, height, size));
  EXPECT_LT(places.back(), std::stod(height[1]));
}

TEST(Report, CurvesOfThirtyFiveMethodsDifferInColourOrDashes) {
  Plot plot{"title", "x", "y", 1, 100, {}};
  for (std::size_t k = 0; k < 35; ++k) plot.curves.push_back({"method " + std::to_string(k), {{1, 0.5}}, k, k < 8});
  const std::string text = svg(plot);
  const std::regex style("class=\"(curve c[0-9])\"( stroke-dasharray=\"[0-9. ]+\")?><title>");
  std::set<std::string> styles;
  for (std::sregex_iterator found(text.begin(), text.end(), style), end; found != end; ++found)
    styles.insert((*found)[1].str() + (*found)[2].str());
  EXPECT_EQ(styles.size(), 35u);
  const std::regex grey("class=\"method grey\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), grey), {}), 27);
}

// Centres of the marks of the first curve.
std::vector<std::pair<double, double>> marks_of(const std::string& text) {
  const std::size_t start = text.find("<path d=\"M", text.find("</path>"));
  const std::string path = text.substr(start, text.find("class=\"mark", start) - start);
  const std::regex mark("M([0-9.]+) ([0-9.]+)h0");
  std::vector<std::pair<double, double>> marks;
  for (std::sregex_iterator found(path.begin(), path.end(), mark), end; found != end; ++found)
    marks.emplace_back(std::stod((*found)[1]), std::stod((*found)[2]));
  return marks;
}

TEST(Report, PowersLieOnALine) {
  Plot plot{"title", "x", "y", 1, 1000, {}, true, 0.1, 1e4};
  plot.curves.push_back({"square", {{1, 1}, {10, 100}, {40, 1600}}, 0, true, Plot::Shape::line});
  const auto marks = marks_of(svg(plot));
  ASSERT_EQ(marks.size(), 3u);
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (marks[b].second - marks[a].second) / (marks[b].first - marks[a].first);
  };
  EXPECT_LT(slope(0, 1), 0);  // up
  EXPECT_NEAR(slope(0, 1), slope(0, 2), 1e-3);
  EXPECT_EQ(svg(plot).find(" %<"), std::string::npos);
}

TEST(Report, AnAxisMayRunBackwards) {
  Plot plot{"title", "tolerance", "solved", 1e-4, 1e-14, {}};
  plot.curves.push_back({"method", {{1e-4, 1}, {1e-8, 0.5}, {1e-14, 0}, {1e-15, 0}}, 0, true, Plot::Shape::line});
  const auto marks = marks_of(svg(plot));
  ASSERT_EQ(marks.size(), 3u);  // the last point is not within the axis
  EXPECT_LT(marks[0].first, marks[1].first);
  EXPECT_LT(marks[1].first, marks[2].first);
  EXPECT_LT(marks[0].second, marks[2].second);
}

TEST(Report, PicturesStandBesideMarkdown) {
  Plot plot{"title", "x", "y", 1, 10, {}};
  Section section{"s", "text", {plot, plot}, {}};
  section.picture = "p.svg";
  std::ostringstream with, without;
  write_markdown(with, {"t", {}, {section}}, "pictures");
  write_markdown(without, {"t", {}, {section}});
  EXPECT_NE(with.str().find("![s](pictures/p.svg)"), std::string::npos);
  EXPECT_EQ(without.str().find("p.svg"), std::string::npos);
  const std::string text = picture(section.plots);
  EXPECT_EQ(text.find("<svg"), 0u);
  EXPECT_NE(text.find("<style>"), std::string::npos);
  const std::regex part("<svg ");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), part), {}), 3);
}

}  // namespace report_test
