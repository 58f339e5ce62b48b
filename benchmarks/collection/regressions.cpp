#include "regressions.hpp"

#include <map>
#include <set>

#include "comparison.hpp"

namespace nonsmooth::bench {
namespace {

std::map<std::string, const Solve*> by_question(const std::vector<Solve>& lines) {
  std::map<std::string, const Solve*> result;
  for (const Solve& line : lines)
    if (line.solver_of.empty()) result[question_of(line)] = &line;
  return result;
}

double calibrated(const Solve& solve) { return solve.seconds() / solve.calibration; }

// What the older run has and this one has not. A solve that was right is lost if its collection is there and its method and
// tolerance were asked for; else the new run is plainly one of less.
struct Gone {
  std::size_t count = 0;
  std::vector<const Solve*> lost;
};

Gone gone_of(const std::map<std::string, const Solve*>& old, const std::map<std::string, const Solve*>& fresh) {
  std::set<std::string> collections;
  std::set<std::pair<std::string, double>> methods;
  for (const auto& [key, solve] : fresh) {
    collections.insert(solve->collection);
    methods.emplace(solve->method, solve->limits.tolerance);
  }
  Gone gone;
  for (const auto& [key, solve] : old) {
    if (fresh.contains(key)) continue;
    ++gone.count;
    if (solve->right() && collections.contains(solve->collection) && methods.contains({solve->method, solve->limits.tolerance}))
      gone.lost.push_back(solve);
  }
  return gone;
}

}  // namespace

Regressions find_regressions(const std::vector<Solve>& now, const std::vector<Solve>& before,
                             const RegressionSettings& settings) {
  Regressions result;
  Table found{"Regressions", {"problem", "class", "method", "tolerance", "before", "now", "calibrated time, now / before"}, {}};
  Table means{"Calibrated time, now / before, by method", {"method", "solves", "geometric mean", "lower end", "upper end"}, {}};
  std::map<std::string, std::vector<double>> ratios;
  std::size_t changed = 0, added = 0, limits = 0;
  const auto old = by_question(before), fresh = by_question(now);
  for (const auto& [key, latest] : fresh) {
    const Solve* const solve = latest;  // clang 14: no lambda captures a structured binding
    const auto other = old.find(key);
    if (other == old.end()) {
      ++added;
      continue;
    }
    const Solve& was = *other->second;
    if (was.facts.hash != solve->facts.hash) {
      ++changed;
      continue;
    }
    ++result.compared;
    limits += was.limits.seconds != solve->limits.seconds || was.limits.memory != solve->limits.memory;
    const auto row = [&](double ratio) {
      found.rows.push_back({{solve->problem},
                            {solve->facts.problem_class},
                            {solve->method},
                            {tolerance_text(solve->limits.tolerance), solve->limits.tolerance},
                            {was.outcome + ", " + seconds_text(was.seconds())},
                            {solve->outcome + ", " + seconds_text(solve->seconds())},
                            {ratio_text(ratio), ratio, Cell::Mark::bad}});
    };
    const bool lost = was.right() && !solve->right(), crashes = solve->crashed() && !was.crashed();
    const double ratio = was.certified && solve->certified ? calibrated(*solve) / calibrated(was) : NAN;
    if (std::isfinite(ratio)) ratios[solve->method].push_back(ratio);
    if (lost || crashes || (ratio > settings.time_ratio && was.seconds() >= settings.least_seconds)) row(ratio);
  }
  const Gone gone = gone_of(old, fresh);
  result.gone = gone.count;
  for (const Solve* was : gone.lost)
    found.rows.push_back({{was->problem},
                          {was->facts.problem_class},
                          {was->method},
                          {tolerance_text(was->limits.tolerance), was->limits.tolerance},
                          {was->outcome + ", " + seconds_text(was->seconds())},
                          {"absent", NAN, Cell::Mark::bad},
                          {}});
  result.count = found.rows.size();
  for (const auto& [method, values] : ratios) {
    const GeometricMean mean = geometric_mean(values);
    const bool slower = mean.low > settings.mean_ratio;
    result.count += slower;
    means.rows.push_back({{method},
                          {std::to_string(mean.count), static_cast<double>(mean.count)},
                          {ratio_text(mean.mean), mean.mean, slower ? Cell::Mark::bad : Cell::Mark::none},
                          {ratio_text(mean.low), mean.low},
                          {ratio_text(mean.high), mean.high}});
  }
  result.section = {
      "Against the older run",
      std::to_string(result.compared) + " solves are in both runs, " + std::to_string(added) + " only in this one, " +
          std::to_string(changed) + " on problems whose data changed, " + std::to_string(gone.count) +
          " only in the older one; " + std::to_string(limits) + " had other limits of time or memory. " +
          std::to_string(result.count) +
          " regressions: no longer solved, absent although its collection, method and tolerance are there, crashed, "
          "slower than " +
          number_text("%g", settings.time_ratio) + " times (solves of " + seconds_text(settings.least_seconds) +
          " or more), or a method whose solves have become slower by " + number_text("%g", settings.mean_ratio) +
          " in the mean. Times are in units of the calibration kernel.",
      {},
      {}};
  if (!found.rows.empty()) result.section.tables.push_back(std::move(found));
  if (!means.rows.empty()) result.section.tables.push_back(std::move(means));
  return result;
}

}  // namespace nonsmooth::bench
