// Success against tolerance by number of contacts, as the literature gives it, with the published figures beside.
#include <algorithm>
#include <stdexcept>

#include "cells.hpp"
#include "make_report.hpp"

namespace nonsmooth::bench {
namespace {

struct Published {
  const char* method;
  std::vector<std::pair<double, double>> shares;  // tolerance, share solved
};

struct Sizes {
  std::int64_t least, most;
  std::vector<Published> published;
};

// Shares of problems of FCLIB: slides of a talk at Banff in 2025, read off their plots; the interior point method with power
// series: H. M. Nguyen's thesis of 2025. The last group ends at 5,840 contacts there.
const std::vector<Sizes> groups = {{11,
                                    100,
                                    {{"ADMM", {{1e-6, 1}, {1e-8, .971}, {1e-10, .953}, {1e-12, .950}, {1e-14, .939}}},
                                     {"NSGS", {{1e-6, .9967}, {1e-8, .990}, {1e-10, .967}, {1e-12, .945}, {1e-14, .925}}},
                                     {"IPM", {{1e-6, .9985}, {1e-8, .9966}, {1e-10, .994}, {1e-12, .990}, {1e-14, .982}}},
                                     {"IPM-ANM", {{1e-6, 1}, {1e-8, 1}, {1e-10, 1}, {1e-12, 1}}}}},
                                   {101,
                                    1000,
                                    {{"ADMM", {{1e-4, 1}, {1e-6, .755}, {1e-8, .608}, {1e-10, .56}, {1e-12, .53}}},
                                     {"NSGS", {{1e-4, .992}, {1e-6, .80}, {1e-8, .605}, {1e-10, .475}, {1e-12, .457}}},
                                     {"IPM", {{1e-4, .997}, {1e-6, .961}, {1e-8, .897}, {1e-10, .826}, {1e-12, .757}}},
                                     {"IPM-ANM", {{1e-4, 1}, {1e-6, 1}, {1e-8, 1}, {1e-10, 1}, {1e-12, 1}}}}},
                                   {1001,
                                    6000,
                                    {{"ADMM", {{1e-4, .89}, {1e-6, .33}, {1e-8, .15}, {1e-12, .115}}},
                                     {"NSGS", {{1e-4, .76}, {1e-6, .335}, {1e-8, .15}, {1e-12, .107}}},
                                     {"IPM", {{1e-4, .745}, {1e-6, .355}, {1e-8, .21}, {1e-12, .053}}},
                                     {"IPM-ANM", {{1e-4, .993}, {1e-6, .963}, {1e-8, .897}, {1e-12, .67}}}}}};

constexpr std::size_t published_styles[] = {2, 17, 32, 12};  // dotted, in colours of their own

bool belongs(const Facts& facts, const Sizes& sizes) {
  const bool friction = facts.problem_class == "friction" || facts.problem_class == "global_friction";
  return friction && facts.dimension == 3 && facts.contacts >= sizes.least && facts.contacts <= sizes.most;
}

std::vector<Solve> lines_of_groups(const std::vector<Solve>& lines) {
  std::vector<Solve> mine;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(mine), [](const Solve& line) {
    return line.answer != Answer::unsolvable &&
           std::any_of(groups.begin(), groups.end(), [&](const Sizes& sizes) { return belongs(line.facts, sizes); });
  });
  return mine;
}

// Stricter than the outcome, which also accepts what lies at the rounding floor.
bool solved(const Solve& solve) { return solve.right() && solve.residual <= solve.limits.tolerance; }
bool at_floor(const Solve& solve) { return solve.right() && !solved(solve); }

class AccuracyWriter {
 public:
  AccuracyWriter(const std::vector<Solve>& lines, const ReportSettings& settings)
      : lines_(lines_of_groups(lines)), data_(lines_), settings_(settings) {
    if (lines_.empty()) throw std::runtime_error("no problem of 11 to 6000 contacts with friction in space");
  }

  Report report() {
    Report report{settings_.title, facts_of(data_, lines_), {curves()}};
    for (const Sizes& sizes : groups) report.sections.push_back(table(sizes));
    report.sections.push_back(failures());
    return report;
  }

 private:
  static std::string name(const Sizes& sizes) {
    return std::to_string(sizes.least) + " to " + std::to_string(sizes.most) + " contacts";
  }

  struct Count {
    std::size_t tried = 0, solved = 0, at_floor = 0;
    double share() const { return static_cast<double>(solved) / static_cast<double>(tried); }
    double share_with_floor() const { return static_cast<double>(solved + at_floor) / static_cast<double>(tried); }
  };
  Count count_of(const Sizes& sizes, std::size_t m, std::size_t t) const {
    Count count;
    for (std::size_t p = 0; p < data_.problems().size(); ++p) {
      const Solve* solve = belongs(data_.problems()[p].facts, sizes) ? data_.at(p, m, t) : nullptr;
      if (solve == nullptr) continue;
      ++count.tried;
      count.solved += solved(*solve);
      count.at_floor += at_floor(*solve);
    }
    return count;
  }

  Section curves() const {
    Section section{
        "Success against tolerance",
        "Share of the problems of a size that are solved at a tolerance: the certificate finds a residual at or below the "
        "tolerance, within the time limit. \"Or at the rounding floor\" counts too where the tolerance lies below what can be "
        "verified in double precision (docs/conventions.md). What fails at a tolerance is not run at tighter ones. Contact with "
        "Coulomb friction in space, local and global. Published: shares of the FCLIB collection, other problems than these, with "
        "their authors' residuals and time limits: slides of a talk at Banff in 2025, read off the plots to about 1 %, and for "
        "the interior point method with power series (IPM-ANM) H. M. Nguyen's thesis of 2025; the last group ends at 5,840 "
        "contacts there.",
        {},
        {}};
    section.picture = "success-against-tolerance.svg";
    for (const Sizes& sizes : groups) {
      Plot plot{name(sizes), "tolerance", "solved", 1e-4, 1e-14, {}};
      for (std::size_t m = 0; m < data_.methods().size(); ++m) add_method(plot, sizes, m);
      for (std::size_t k = 0; k < sizes.published.size(); ++k)
        plot.curves.push_back({std::string(sizes.published[k].method) + ", published", sizes.published[k].shares,
                               published_styles[k], true, Plot::Shape::line});
      section.plots.push_back(std::move(plot));
    }
    return section;
  }

  void add_method(Plot& plot, const Sizes& sizes, std::size_t m) const {
    const MethodColumn& method = data_.methods()[m];
    Plot::Curve strict{method.name + (method.peer ? ", the best of its solvers" : ""), {}, m, true, Plot::Shape::line};
    Plot::Curve floor{method.name + ", or at the rounding floor", {}, m + 14, true, Plot::Shape::line};
    bool differ = false;
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
      const Count count = count_of(sizes, m, t);
      if (count.tried == 0) continue;
      strict.points.emplace_back(data_.tolerances()[t], count.share());
      floor.points.emplace_back(data_.tolerances()[t], count.share_with_floor());
      differ |= count.at_floor > 0;
    }
    if (!strict.points.empty()) plot.curves.push_back(std::move(strict));
    if (differ) plot.curves.push_back(std::move(floor));
  }

  static Cell percent(double value) { return number(value, number_text("%.1f %%", 100 * value)); }

  Section table(const Sizes& sizes) const {
    Section section{name(sizes), "", {}, {{"", {"method", "problems"}, {}}}};
    Table& table = section.tables.front();
    for (const double value : data_.tolerances()) table.head.push_back(tolerance_text(value));
    for (std::size_t m = 0; m < data_.methods().size(); ++m) {
      std::vector<Cell> strict{{data_.methods()[m].name}, {}},
          floor{{data_.methods()[m].name + ", or at the rounding floor"}, {}};
      bool differ = false;
      for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
        const Count count = count_of(sizes, m, t);
        differ |= count.at_floor > 0;
        if (count.tried > 0) strict[1] = floor[1] = nonsmooth::bench::count(count.tried);
        strict.push_back(percent(count.share()));
        floor.push_back(percent(count.share_with_floor()));
      }
      table.rows.push_back(std::move(strict));
      if (differ) table.rows.push_back(std::move(floor));
    }
    for (const Published& published : sizes.published) {
      table.rows.push_back({{std::string(published.method) + ", published"}, {"FCLIB"}});
      for (const double value : data_.tolerances()) {
        const auto found = std::find_if(published.shares.begin(), published.shares.end(),
                                        [&](const auto& one) { return std::abs(one.first / value - 1) < 1e-6; });
        table.rows.back().push_back(found == published.shares.end() ? Cell{} : percent(found->second));
      }
    }
    return section;
  }

  // Each problem once: at the loosest tolerance at which it is neither solved nor at the floor.
  Section failures() const {
    Section section{"Where " + settings_.reference + " fails first",
                    "",
                    {},
                    {{"", {"problem", "family", "contacts", "tolerance", "ends", "residual", "last method", "time"}, {}}}};
    const std::size_t m = data_.method(settings_.reference);
    for (std::size_t p = 0; p < data_.problems().size(); ++p)
      for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
        const Solve* solve = data_.at(p, m, t);
        if (solve == nullptr || solve->right()) continue;
        const ProblemRow& problem = data_.problems()[p];
        section.tables.front().rows.push_back({{problem.label},
                                               {problem.family},
                                               size(problem.facts.contacts),
                                               tolerance(data_.tolerances()[t]),
                                               end(*solve),
                                               residual(solve->residual),
                                               {solve->finished_by},
                                               seconds(solve->seconds())});
        break;
      }
    if (section.tables.front().rows.empty()) {
      section.text = "Nowhere.";
      section.tables.clear();
    }
    return section;
  }

  std::vector<Solve> lines_;
  Comparison data_;
  const ReportSettings& settings_;
};

}  // namespace

Report make_accuracy_report(const std::vector<Solve>& lines, const ReportSettings& settings) {
  return AccuracyWriter(lines, settings).report();
}

}  // namespace nonsmooth::bench
