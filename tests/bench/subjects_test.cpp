// Reports on accuracy and scaling: who counts as solved, in which group, and the exponents.
#include <gtest/gtest.h>

#include <algorithm>

#include "lines.hpp"
#include "make_report.hpp"

namespace subjects_test {

using namespace nonsmooth::bench;

Solve contact_line(const std::string& problem, std::int64_t contacts, double seconds, double tolerance = 1e-8,
                   const std::string& family = "pile") {
  Solve solve = line(problem, "auto", seconds, tolerance, family);
  solve.facts = {"friction", "0123456789abcdef", 3 * contacts, contacts, 3};
  solve.residual = seconds > 0 ? tolerance / 2 : 1e-3;
  solve.peak_memory = 1000 * contacts;
  return solve;
}

const Section& section_of(const Report& report, const std::string& title) {
  return *std::find_if(report.sections.begin(), report.sections.end(), [&](const Section& one) { return one.title == title; });
}

TEST(Accuracy, SolvedIsWhatReachesTheTolerance) {
  Solve floor = contact_line("at_floor", 30, 1, 1e-12);
  floor.residual = 1e-11;  // converged all the same: working precision
  Solve unsolvable = contact_line("none", 40, 0);
  unsolvable.answer = Answer::unsolvable;
  Solve plane = contact_line("plane", 40, 1);
  plane.facts.dimension = 2;
  const Report report =
      make_accuracy_report({contact_line("a", 10, 1), contact_line("b", 11, 1), contact_line("b", 11, 1, 1e-12),
                            contact_line("c", 100, 1), contact_line("c", 100, 0, 1e-12), contact_line("at_floor", 30, 1), floor,
                            contact_line("large", 101, 1), unsolvable, plane},
                           {});
  const Table& table = section_of(report, "11 to 100 contacts").tables.front();
  EXPECT_EQ(table.head, (std::vector<std::string>{"method", "problems", "1e-08", "1e-12"}));
  const auto texts = [&](std::size_t row) {
    std::vector<std::string> row_texts;
    for (const Cell& cell : table.rows[row]) row_texts.push_back(cell.text);
    return row_texts;
  };
  EXPECT_EQ(texts(0), (std::vector<std::string>{"auto", "3", "100.0 %", "33.3 %"}));
  EXPECT_EQ(texts(1), (std::vector<std::string>{"auto, or at the rounding floor", "3", "100.0 %", "66.7 %"}));
  EXPECT_EQ(texts(2), (std::vector<std::string>{"ADMM, published", "FCLIB", "97.1 %", "95.0 %"}));
  const Table& failures = section_of(report, "Where auto fails first").tables.front();
  ASSERT_EQ(failures.rows.size(), 1u);
  EXPECT_EQ(failures.rows[0][0].text, "c");
  EXPECT_EQ(failures.rows[0][3].text, "1e-12");
  const Section& curves = report.sections.front();
  ASSERT_EQ(curves.plots.size(), 3u);
  EXPECT_EQ(curves.plots[0].curves.size(), 6u);  // two of auto, four published
  EXPECT_EQ(curves.plots[1].curves[0].points.size(), 1u);
  EXPECT_EQ(curves.plots[2].curves.size(), 4u);  // none was run
  EXPECT_THROW(make_accuracy_report({line("p", "auto", 1)}, {}), std::runtime_error);
}

TEST(Scaling, PowersAreFound) {
  const PowerLaw square = fit_power_law({{1, 3}, {10, 300}, {100, 30000}});
  EXPECT_NEAR(square.exponent, 2, 1e-12);
  EXPECT_NEAR(square.error, 0, 1e-6);
  EXPECT_NEAR(fit_power_law({{1, 1}, {10, 10}, {10, 1000}, {100, 1000}}).exponent, 1.5, 1e-12);
  EXPECT_GT(fit_power_law({{1, 1}, {10, 10}, {10, 1000}, {100, 1000}}).error, 0.1);
  EXPECT_TRUE(std::isnan(fit_power_law({{1, 3}, {2, 6}}).exponent));
  EXPECT_TRUE(std::isnan(fit_power_law({{5, 3}, {5, 4}, {5, 5}}).exponent));
}

TEST(Scaling, CurvesAreOfWhatIsSolved) {
  Solve failed = contact_line("p2", 2000, 5);
  failed.certified = false;
  failed.outcome = "time_limit";
  const Report report =
      make_scaling_report({contact_line("p1", 1000, 1), contact_line("p3", 4000, 8), contact_line("p4", 16000, 64), failed,
                           contact_line("w1", 1000, 2, 1e-8, "wall"), contact_line("p1", 1000, 0.5, 1e-4)},
                          {});
  const Plot& times = section_of(report, "Time").plots.front();
  ASSERT_EQ(times.curves.size(), 2u);
  EXPECT_EQ(times.curves[0].label, "pile: n^1.50");
  EXPECT_EQ(times.curves[0].points.size(), 3u);
  EXPECT_EQ(times.curves[0].beside.size(), 1u);
  EXPECT_EQ(times.curves[1].label, "wall");
  EXPECT_TRUE(section_of(report, "Memory").plots.front().curves[0].beside.empty());
  const auto& rows = section_of(report, "Exponents").tables.front().rows;
  EXPECT_EQ(rows[0][1].text, "3 of 4");
  EXPECT_EQ(rows[0][2].text, "1.50 +- 0.00");
  EXPECT_EQ(rows[0][3].text, "1.00 +- 0.00");
  EXPECT_EQ(rows[0][4].text, "16000");
  EXPECT_EQ(section_of(report, "Every problem").tables.front().rows.size(), 5u);
  EXPECT_THROW(make_scaling_report({line("p", "auto", 1)}, {}), std::runtime_error);
}

}  // namespace subjects_test
