// Formats: escapes, units, plots whose names do not overlap.
#include "report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>

namespace {

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
}

TEST(Report, TextIsEscaped) {
  const Report report{"a < b & c", {{"name", "\"v\""}}, {{"s", "x > y", {}, {{"", {"h|1"}, {{{"a|b <i>"}}}}}}}};
  std::ostringstream html, markdown;
  write_html(html, report);
  write_markdown(markdown, report);
  EXPECT_NE(html.str().find("<h1>a &lt; b &amp; c</h1>"), std::string::npos);
  EXPECT_NE(html.str().find("a|b &lt;i&gt;"), std::string::npos);
  EXPECT_NE(markdown.str().find("| a\\|b <i> |"), std::string::npos);
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

}  // namespace
