#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "nonsmooth/kernel/kernel.hpp"

namespace time_plot_test {

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
      EXPECT_LE(points[k - 1].t, points[k].t);
    }
  }
  EXPECT_EQ(least, -3);
  EXPECT_EQ(greatest, 7);
}

// Rows before and after an event are of one instant: a peak there stays, wherever in its group it falls, up or down.
TEST(TimePlot, PeaksAtTheInstantOfAnEventStay) {
  for (const double peak : {7.0, -7.0})
    for (int place = 8000; place < 8064; ++place) {
      Curve curve;
      for (int k = 0; k < 100000; ++k) {
        if (k == place) curve.add(k, 0), curve.add(k, peak);
        curve.add(k, 0);
      }
      double found = 0;
      for (const Curve::Point& point : curve.points())
        if (point.t == place && point.y != 0) found = point.y;
      EXPECT_EQ(found, peak) << place;
    }
}

// Both points of an instant stay, in their order.
TEST(TimePlot, PointsOfOneInstantKeepTheirOrder) {
  Curve curve;
  for (int k = 0; k < 4000; ++k) curve.add(0.5 * k, 1), curve.add(0.5 * k, k % 2 == 0 ? 2 : 0);
  const auto points = curve.points();
  ASSERT_EQ(points.size(), 8000u);
  for (std::size_t k = 0; k < 4000; ++k) {
    EXPECT_EQ(points[2 * k].y, 1);
    EXPECT_EQ(points[2 * k + 1].y, k % 2 == 0 ? 2 : 0);
  }
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

std::ptrdiff_t gapsOf(const Curve& curve) {
  const auto points = curve.points();
  return std::count_if(points.begin(), points.end(), [](const Curve::Point& point) { return std::isnan(point.y); });
}

// However often groups have been merged.
TEST(TimePlot, ThinnedCurvesKeepTheirGaps) {
  for (const int every : {30000, 1111, 101}) {
    Curve curve;
    for (int k = 1; k < 100000; ++k) curve.add(k, k % every == 0 ? NAN : std::sin(1e-4 * k));
    EXPECT_EQ(gapsOf(curve), 99999 / every) << every;
    EXPECT_LT(curve.points().size(), 10000u);
  }
}

// More gaps than places: some close, the number of points stays bounded and peaks stay.
TEST(TimePlot, GapsBeyondCountAreThinnedToo) {
  Curve curve;
  for (int k = 0; k < 100000; ++k) curve.add(k, k == 34568 ? 7 : k % 2 == 0 ? 0 : NAN);
  const auto points = curve.points();
  EXPECT_LT(points.size(), 13000u);
  EXPECT_GT(gapsOf(curve), 1000);
  EXPECT_TRUE(std::any_of(points.begin(), points.end(), [](const Curve::Point& point) { return point.y == 7; }));
}

}  // namespace time_plot_test
