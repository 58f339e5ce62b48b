#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nonsmooth/kernel/kernel.hpp"

namespace {

using namespace nonsmooth::kernel;

TEST(TimePlot, ManyPointsKeepTheirPeaks) {
  Curve curve;
  for (int k = 0; k <= 1000000; ++k) curve.add(k, k == 123456 ? 7 : k == 654321 ? -3 : std::sin(1e-4 * k));
  const auto points = curve.points();
  EXPECT_LT(points.size(), 10000u);
  double least = 0, greatest = 0;
  for (std::size_t k = 0; k < points.size(); ++k) {
    least = std::min(least, points[k].y), greatest = std::max(greatest, points[k].y);
    if (k > 0) {
      EXPECT_LT(points[k - 1].t, points[k].t);
    }
  }
  EXPECT_EQ(least, -3);
  EXPECT_EQ(greatest, 7);
}

TEST(TimePlot, TicksAreRoundAndTextIsEscaped) {
  TimePlot plot("a < b & c");
  for (int k = 0; k <= 100; ++k) {
    if (k == 0) plot.curve("q", "q[0] of <x>"), plot.curve("f", "f");
    plot.curve(0).add(0.1 * k, k);
    plot.curve(1).add(0.1 * k, k == 50 ? NAN : 1e-7 * k);
  }
  const std::string svg = plot.svg();
  for (const char* part : {"a &lt; b &amp; c", "q[0] of &lt;x&gt;", ">100</text>", ">50</text>", ">10</text>",
                           "×10<tspan dy=\"-5\" font-size=\"9\">-5</tspan>", "</svg>"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_THROW(plot.write("/no/such/folder/plot.svg"), Error);
}

// Nothing, one point, a level line.
TEST(TimePlot, DegenerateRanges) {
  TimePlot plot("nothing");
  EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
  plot.curve("a", "a");
  EXPECT_EQ(plot.svg().find("nan"), std::string::npos);
  plot.curve(0).add(0, 5);
  plot.curve(0).add(1, 5);
  const std::string svg = plot.svg();
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

}  // namespace
