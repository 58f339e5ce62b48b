// Figures of the report against figures computed by hand.
#include "comparison.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "lines.hpp"
#include "make_report.hpp"
#include "regressions.hpp"

namespace comparison_test {

using namespace nonsmooth::bench;
using Among = Comparison::Among;

// Four problems; times in s, 0: not solved.
//        p1  p2  p3  p4
// auto    2   3   1   0
// lemke   1   6   0   0
// peer    4   -   1   0      (- : not run)
std::vector<Solve> small_run() {
  std::vector<Solve> lines = {line("p1", "lemke", 1), line("p2", "lemke", 6), line("p3", "lemke", 0), line("p4", "lemke", 0),
                              line("p1", "auto", 2),  line("p2", "auto", 3),  line("p3", "auto", 1),  line("p4", "auto", 0)};
  for (Solve solve : {line("p1", "peer", 4), line("p3", "peer", 1), line("p4", "peer", 0)}) {
    solve.peer = true;
    lines.push_back(solve);
  }
  return lines;
}

const std::vector<std::size_t> all = {0, 1, 2, 3};

TEST(Comparison, OrdersAndFinds) {
  const Comparison data(small_run());
  ASSERT_EQ(data.methods().size(), 3u);
  EXPECT_EQ(data.methods()[0].name, "auto");
  EXPECT_EQ(data.methods()[1].name, "lemke");
  EXPECT_TRUE(data.methods()[2].peer);
  EXPECT_EQ(data.method("none"), 3u);
  EXPECT_EQ(data.at(1, 2, 0), nullptr);
  EXPECT_DOUBLE_EQ(data.time(0, 1, 0), 1);
  EXPECT_TRUE(std::isinf(data.time(3, 0, 0)));
  EXPECT_EQ(data.best(0, 0, Among::own), 1u);
  EXPECT_EQ(data.best(0, 0, Among::peers), 2u);
  EXPECT_EQ(data.best(3, 0, Among::all), std::nullopt);
  EXPECT_FALSE(data.tried(1, 0, Among::peers));
}

TEST(Comparison, BestSingleMethodSolvesAll) {
  std::vector<Solve> lines = small_run();
  for (const char* problem : {"p1", "p2", "p3"}) lines.push_back(line(problem, "admm", 2));
  const Comparison data(lines);
  EXPECT_EQ(data.best_single({0, 1}, 0, 0), data.method("admm"));  // 2 and 2, lemke 1 and 6
  EXPECT_EQ(data.best_single({0}, 0, 0), data.method("lemke"));
  EXPECT_EQ(data.best_single({0, 1, 2}, 0, 0), data.method("admm"));  // lemke does not solve the third
  EXPECT_EQ(data.best_single({0, 1, 2, 3}, 0, 0), std::nullopt);
  EXPECT_EQ(data.best_single({}, 0, 0), std::nullopt);
  EXPECT_EQ(data.best_single({2}, 0, data.methods().size()), data.method("auto"));
}

TEST(Comparison, LastLineCounts) {
  const Comparison data(last_of_each({line("p", "auto", 1), line("p", "auto", 5)}));
  ASSERT_EQ(data.problems().size(), 1u);
  EXPECT_DOUBLE_EQ(data.time(0, 0, 0), 5);
}

TEST(Comparison, LinesOfOtherDataArePassedOver) {
  Solve other = line("p", "auto", 3);
  other.facts.hash = "other";
  other.facts.size = 20;
  Solve relay = line("p", "auto", 2);
  relay.facts.problem_class = "relay";
  std::size_t passed_over = 0;
  const Comparison data(last_of_each({line("p", "auto", 1), line("p", "lemke", 2), relay, other}, &passed_over));
  EXPECT_EQ(passed_over, 2u);
  ASSERT_EQ(data.methods().size(), 1u);
  ASSERT_EQ(data.problems().size(), 2u);
  EXPECT_EQ(data.problems()[1].facts.size, 20);
  EXPECT_DOUBLE_EQ(data.time(1, 0, 0), 3);
}

TEST(Comparison, LabelsTellFormsApart) {
  Solve global = line("p", "auto", 1);
  global.facts.problem_class = "global_friction";
  const Comparison data({line("p", "auto", 1), global});
  ASSERT_EQ(data.problems().size(), 2u);
  EXPECT_EQ(data.problems()[1].label, "p (global_friction)");
}

TEST(Comparison, ATimeThatIsNotToldIsNone) {
  Solve peer = line("p", "peer", 1);
  peer.peer = true;
  peer.setup = peer.solve = NAN;
  const Comparison data({peer, line("p", "auto", 1)});
  EXPECT_TRUE(std::isinf(data.time(0, data.method("peer"), 0)));
  EXPECT_TRUE(data.at(0, data.method("peer"), 0)->right());
  EXPECT_EQ(data.best(0, 0, Comparison::Among::all), data.method("auto"));
}

TEST(PerformanceProfile, OfTheProblemsThatEveryMethodWasGiven) {
  const Comparison data(small_run());
  const Field field = field_of_all_methods(data, 0, all);
  EXPECT_EQ(field.problems, (std::vector<std::size_t>{0, 2, 3}));  // not p2
  EXPECT_EQ(field.of, 4u);
  const std::vector<Distribution> profile = performance_profile(data, 0, field);
  ASSERT_EQ(profile.size(), 3u);
  EXPECT_EQ(profile[0].values, (std::vector<double>{1, 2}));  // auto: p3 fastest, p1 in twice the time
  EXPECT_EQ(profile[1].values, (std::vector<double>{1}));
  EXPECT_EQ(profile[2].values, (std::vector<double>{1, 4}));
  EXPECT_EQ(profile[0].problems, 3u);  // p4, which nobody solves, counts
}

TEST(PerformanceProfile, OfTheMethodsThatWereGivenEveryProblem) {
  const Comparison data(small_run());
  const Field field = field_of_all_problems(data, 0, all);
  EXPECT_EQ(field.methods, (std::vector<std::size_t>{0, 1}));
  const std::vector<Distribution> profile = performance_profile(data, 0, field);
  ASSERT_EQ(profile.size(), 2u);
  EXPECT_EQ(profile[0].values, (std::vector<double>{1, 1, 2}));  // auto: p2 and p3 fastest, p1 in twice the time
  EXPECT_EQ(profile[1].values, (std::vector<double>{1, 2}));
  EXPECT_EQ(profile[0].problems, 4u);
  EXPECT_DOUBLE_EQ(profile[0].share(1), 0.5);
  EXPECT_DOUBLE_EQ(profile[0].share(1.99), 0.5);
  EXPECT_DOUBLE_EQ(profile[0].share(2), 0.75);
}

// As it is not run on other classes, there is no line that says so.
TEST(PerformanceProfile, WhatAMethodDoesNotTreatItWasGiven) {
  Solve friction = line("p5", "auto", 1);
  friction.facts.problem_class = "friction";
  std::vector<Solve> lines = {friction, line("p1", "auto", 2), line("p2", "auto", 2), line("p1", "block_principal_pivoting", 1),
                              line("p2", "block_principal_pivoting", 1)};
  const Comparison whole(lines);
  EXPECT_EQ(field_of_all_methods(whole, 0, {0, 1, 2}).problems.size(), 3u);
  EXPECT_EQ(field_of_all_problems(whole, 0, {0, 1, 2}).methods.size(), 2u);
  lines.pop_back();
  const Comparison part(lines);
  EXPECT_EQ(field_of_all_methods(part, 0, {0, 1, 2}).problems, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(field_of_all_problems(part, 0, {0, 1, 2}).methods, (std::vector<std::size_t>{0}));
  const Field nothing = field_of_all_methods(Comparison({line("p1", "auto", 1), line("p2", "lemke", 1)}), 0, {0, 1});
  EXPECT_EQ(nothing.problems.size(), 0u);
}

// What solves nothing stands at 0, what was not run is not there; unsupported problems count for no method of the library.
TEST(PerformanceProfile, MethodsWithoutSuccess) {
  std::vector<Solve> lines = small_run();
  lines.push_back(line("p1", "hopeless", 0));
  lines.push_back(line("p1", "foreign", 0));
  lines.back().outcome = "unsupported";
  lines[2].outcome = "unsupported";  // lemke on p3
  const Comparison data(lines);
  const std::vector<Distribution> profile = performance_profile(data, 0, field_of_all_methods(data, 0, all));
  ASSERT_EQ(profile.size(), 4u);
  EXPECT_EQ(profile[2].label, "hopeless");
  EXPECT_DOUBLE_EQ(profile[2].share(HUGE_VAL), 0);
  const Report report = make_report(data, lines, {"A title", "auto"});
  EXPECT_EQ(report.sections[0].tables[0].rows.size(), 4u);
  EXPECT_EQ(report.sections[0].tables[0].rows[1][1].text, "2 of 3");
  std::ostringstream html;
  write_html(html, report);
  EXPECT_NE(html.str().find("hopeless"), std::string::npos);
}

TEST(AccuracyProfile, ResidualsAndProofs) {
  std::vector<Solve> lines = small_run();
  lines[7].outcome = "infeasible";  // auto on p4
  lines[7].answer = Answer::infeasible;
  lines[7].certified = true;
  const Comparison data(lines);
  const std::vector<Distribution> profile = accuracy_profile(data, 0, field_of_all_problems(data, 0, all));
  EXPECT_DOUBLE_EQ(profile[0].share(1e-16), 0.25);
  EXPECT_DOUBLE_EQ(profile[0].share(1e-8), 1);
  EXPECT_DOUBLE_EQ(profile[1].share(1e-8), 0.5);
  EXPECT_DOUBLE_EQ(profile[1].share(1e-2), 1);
}

TEST(Comparison, ProblemsWithoutAnAnswerDoNotCount) {
  Solve silent = line("p5", "auto", 0);
  silent.answer = Answer::unsolvable;
  EXPECT_TRUE(silent.right());
  Solve crashed = silent;
  crashed.outcome = "crashed";
  EXPECT_FALSE(crashed.right());
  std::vector<Solve> lines = small_run();
  lines.push_back(silent);
  EXPECT_EQ(field_of_all_methods(Comparison(lines), 0, {0, 1, 2, 3, 4}).of, 4u);
}

TEST(GeometricMean, ByHand) {
  const GeometricMean mean = geometric_mean({2, 8});
  EXPECT_DOUBLE_EQ(mean.mean, 4);
  EXPECT_EQ(mean.count, 2u);
  EXPECT_DOUBLE_EQ(mean.low, 2);  // a quarter of the resamples has 2 twice
  EXPECT_DOUBLE_EQ(mean.high, 8);
  EXPECT_TRUE(std::isnan(geometric_mean({3}).low));
  EXPECT_EQ(geometric_mean({}).count, 0u);
  const GeometricMean same = geometric_mean({3, 3, 3, 3});
  EXPECT_NEAR(same.low, 3, 1e-12);
  EXPECT_NEAR(same.high, 3, 1e-12);
}

// Of 100 ratios whose logarithms are uniform in (-1, 1): deviation 1 / sqrt(3), of the mean a tenth of that.
TEST(GeometricMean, IntervalHasTheWidthOfTheNormalOne) {
  std::vector<double> ratios;
  for (int k = 0; k < 100; ++k) ratios.push_back(std::exp((2 * k + 1) / 100.0 - 1));
  const GeometricMean mean = geometric_mean(ratios);
  EXPECT_NEAR(std::log(mean.mean), 0, 1e-12);
  EXPECT_NEAR(std::log(mean.high) - std::log(mean.low), 2 * 1.96 * 0.1 / std::sqrt(3.0), 0.03);
}

const Table& table_of(const Report& report, const std::string& section) {
  for (const Section& one : report.sections)
    if (one.title == section) return one.tables.at(0);
  throw std::runtime_error("no section " + section);
}

TEST(Report, Figures) {
  const std::vector<Solve> lines = small_run();
  const Report report = make_report(Comparison(lines), lines, {"A title", "auto"});
  const Table& glance = table_of(report, "At a glance");
  ASSERT_EQ(glance.rows.size(), 3u);
  EXPECT_EQ(glance.rows[0][1].text, "3 of 4");
  EXPECT_EQ(glance.rows[0][2].text, "75 %");
  EXPECT_EQ(glance.head[3], "fastest, of 3");
  EXPECT_EQ(glance.rows[0][3].text, "1");  // p3 together with the peer; p2 was not given to it
  EXPECT_EQ(glance.rows[2][3].text, "1");
  EXPECT_NEAR(glance.rows[0][4].sort, std::sqrt(2), 1e-12);  // auto over the best: 2 and 1
  EXPECT_EQ(glance.rows[2][1].text, "2 of 3");
  EXPECT_NEAR(glance.rows[1][5].sort, 1, 1e-12);             // lemke over auto: 1/2 and 6/3
  EXPECT_NEAR(glance.rows[2][5].sort, std::sqrt(2), 1e-12);  // peer over auto: 4/2 and 1
  const Table& families = table_of(report, "By family");
  EXPECT_NEAR(families.rows[0][4].sort, std::cbrt(2), 1e-12);  // auto over the virtual best: 2, 1, 1
  EXPECT_EQ(families.rows[0][3].text, "3");
  EXPECT_EQ(families.rows[0][5].text, "none solves all 3");
  EXPECT_EQ(families.rows[0][6].text, "2 of 3");
  EXPECT_NEAR(families.rows[0][7].sort, std::sqrt(0.5), 1e-12);  // auto over peer: 1/2, 1
  const Table& failures = table_of(report, "Where auto fails");
  ASSERT_EQ(failures.rows.size(), 1u);
  EXPECT_EQ(failures.rows[0][1].text, "p4");
  EXPECT_EQ(failures.rows[0].back().text, "none of 3");
}

TEST(Report, BestSingleMethodOfAFamily) {
  std::vector<Solve> lines = small_run();
  for (const char* problem : {"p1", "p2", "p3", "p4"}) lines.push_back(line(problem, "admm", 2));
  const Report report = make_report(Comparison(lines), lines, {"A title", "auto"});
  const Cell& cell = table_of(report, "By family").rows[0][5];
  EXPECT_NEAR(cell.sort, std::cbrt(0.75), 1e-12);  // auto 2, 3, 1 over 2, 2, 2
  EXPECT_NE(cell.text.find(" of admm, 3"), std::string::npos) << cell.text;
}

TEST(Report, NotRunIsNotNotTreated) {
  Solve friction = line("p2", "auto", 1, 1e-8, "contact");
  friction.facts.problem_class = "friction";
  Solve relay = line("p3", "auto", 1, 1e-8, "switch");
  relay.facts.problem_class = "relay";
  const std::vector<Solve> lines = {line("p1", "auto", 1), friction, relay, line("p1", "block_gauss_seidel", 1),
                                    line("p1", "block_principal_pivoting", 1)};
  const Report report = make_report(Comparison(lines), lines, {"A title", "auto"});
  const Table& families = table_of(report, "Every method by family");
  EXPECT_EQ(families.head[2], "block_gauss_seidel");
  EXPECT_EQ(families.rows[0][2].text, "1 of 1");
  EXPECT_EQ(families.rows[1][2].text, "not run");  // contact
  EXPECT_EQ(families.rows[1][3].text, "");         // block_principal_pivoting treats LCPs alone
  EXPECT_EQ(table_of(report, "At a glance").head[3], "fastest, of 1");
  EXPECT_EQ(report.facts[0].second, "3 problems in 3 families");
  EXPECT_EQ(table_of(report, "Performance profiles").caption, "Solved within a factor, tolerance 1e-08, 1 of 3 problems");
  EXPECT_EQ(table_of(report, "Performance profiles: methods given all problems").rows.size(), 2u);  // not block_gauss_seidel
  const std::vector<Solve> apart = {line("p1", "auto", 1), line("p2", "lemke", 1)};
  EXPECT_TRUE(make_report(Comparison(apart), apart, {"A title", "auto"}).sections[1].tables.empty());
}

TEST(Regressions, WhatIsAbsent) {
  const std::vector<Solve> before = {line("kept", "auto", 1), line("gone", "auto", 1), line("failed", "auto", 0),
                                     line("gone", "lemke", 1), line("gone", "auto", 1, 1e-4)};
  std::vector<Solve> now = {line("kept", "auto", 1)};
  now[0].limits.seconds = 1;
  const Regressions found = find_regressions(now, before, {});
  EXPECT_EQ(found.gone, 4u);
  ASSERT_EQ(found.count, 1u);  // the method lemke and the tolerance 1e-4 were not asked for
  EXPECT_EQ(found.section.tables[0].rows[0][0].text, "gone");
  EXPECT_EQ(found.section.tables[0].rows[0][5].text, "absent");
  EXPECT_NE(found.section.text.find("1 had other limits"), std::string::npos);
}

TEST(Regressions, StatusAndCalibratedTime) {
  const std::vector<Solve> before = {line("lost", "auto", 1), line("slower", "auto", 1), line("same", "auto", 1),
                                     line("short", "auto", 1e-3), line("changed", "auto", 1)};
  std::vector<Solve> now = {line("lost", "auto", 0),     line("slower", "auto", 4),  line("same", "auto", 2),
                            line("short", "auto", 5e-3), line("changed", "auto", 0), line("new", "auto", 0)};
  for (Solve& solve : now) solve.calibration = 2e-3;  // a machine half as fast
  now[4].facts.hash = "other";
  const Regressions found = find_regressions(now, before, {1.5, 0.01, 100});
  EXPECT_EQ(found.compared, 4u);
  ASSERT_EQ(found.count, 2u);
  EXPECT_EQ(found.section.tables[0].rows[0][0].text, "lost");
  EXPECT_EQ(found.section.tables[0].rows[1][0].text, "slower");
  EXPECT_DOUBLE_EQ(found.section.tables[0].rows[1][6].sort, 2);
  EXPECT_NEAR(found.section.tables[1].rows[0][2].sort, std::cbrt(2 * 1 * 2.5), 1e-12);
  EXPECT_EQ(find_regressions(before, before, {}).count, 0u);
}

}  // namespace comparison_test
