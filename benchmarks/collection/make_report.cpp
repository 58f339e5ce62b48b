#include "make_report.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <tuple>

#include "cells.hpp"

namespace nonsmooth::bench {
namespace {

using Among = Comparison::Among;
using Problems = std::vector<std::size_t>;

constexpr std::size_t most_coloured = 8;
constexpr double widest_ratio = 1e4;

Cell mean(const GeometricMean& mean) {
  std::string text = ratio_text(mean.mean);
  if (std::isfinite(mean.low)) text += " [" + ratio_text(mean.low) + ", " + ratio_text(mean.high) + "]";
  return number(mean.mean, text);
}

// "12 of 14", marked where some are missing.
Cell part(std::size_t some, std::size_t of) {
  if (of == 0) return {"-", NAN};
  const auto mark = some == of ? Cell::Mark::good : some == 0 ? Cell::Mark::bad : Cell::Mark::none;
  return {std::to_string(some) + " of " + std::to_string(of), static_cast<double>(some) / static_cast<double>(of), mark};
}

template <class Key>
std::string list_text(const std::set<Key>& values) {
  std::string text;
  for (const Key& value : values) {
    if constexpr (std::is_same_v<Key, std::string>)
      text += (text.empty() ? "" : "; ") + value;
    else
      text += (text.empty() ? "" : "; ") + number_text("%g", value);
  }
  return text;
}

std::string counted_text(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + " " + (count == 1 ? one : several);
}

class Writer {
 public:
  Writer(const Comparison& comparison, const std::vector<Solve>& lines, const ReportSettings& settings)
      : data_(comparison), lines_(lines), settings_(settings), reference_(comparison.method(settings.reference)) {
    if (reference_ == comparison.methods().size()) reference_ = 0;
    all_.resize(data_.problems().size());
    std::iota(all_.begin(), all_.end(), std::size_t{0});
    for (const MethodColumn& method : data_.methods()) peers_ |= method.peer;
    for (const std::size_t p : all_) {
      const std::string& family = data_.problems()[p].family;
      if (!families_.contains(family)) family_order_.push_back(family);
      families_[family].push_back(p);
      classes_[data_.problems()[p].facts.problem_class].push_back(p);
    }
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) fields_.push_back(field_of_all_methods(data_, t, all_));
    find_styles();
  }

  Report report() {
    Report report{settings_.title, facts_of(data_, lines_), {}};
    report.sections = {at_a_glance(), profiles("Performance profiles", all_, field_of_all_methods)};
    if (std::any_of(fields_.begin(), fields_.end(), [](const Field& field) { return field.problems.size() < field.of; }))
      report.sections.push_back(profiles("Performance profiles: methods given all problems", all_, field_of_all_problems));
    for (Section section : {accuracy(), by_family(), methods_by_family(), failures()})
      report.sections.push_back(std::move(section));
    if (Section ends = crashes(); !ends.tables.front().rows.empty()) report.sections.push_back(std::move(ends));
    if (peers_) report.sections.push_back(solvers_of_peers());
    if (classes_.size() > 1)
      for (const auto& [name, problems] : classes_)
        if (problems.size() > 2) {
          report.sections.push_back(profiles("Performance profiles: " + name, problems, field_of_all_methods));
          report.sections.back().folded = report.sections.back().only_html = true;
        }
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) report.sections.push_back(every_problem(t));
    report.sections.push_back(every_solve());
    return report;
  }

 private:
  const std::string& name(std::size_t method) const { return data_.methods()[method].name; }
  std::string at_tolerance(std::size_t t) const { return "tolerance " + tolerance_text(data_.tolerances()[t]); }

  // Of the problems on which the method was tried; what concerns the best, of those that every method was given.
  struct Tally {
    std::size_t tried = 0, right = 0, fastest = 0, crashed = 0;
    std::vector<double> over_best, over_reference;
  };

  bool given_to_all(std::size_t p, std::size_t t, Among among) const {
    const auto& methods = fields_[t].methods;
    return std::all_of(methods.begin(), methods.end(),
                       [&](std::size_t m) { return !data_.belongs(m, among) || data_.given(p, m, t); });
  }

  Tally tally(std::size_t m, std::size_t t, const Problems& problems) const {
    Tally tally;
    for (const std::size_t p : problems) {
      const Solve* solve = data_.at(p, m, t);
      if (solve == nullptr || (solve->outcome == "unsupported" && !data_.methods()[m].peer)) continue;
      ++tally.tried;
      tally.right += solve->right();
      tally.crashed += solve->crashed();
      const double time = data_.time(p, m, t);
      if (!std::isfinite(time)) continue;
      if (given_to_all(p, t, Among::all)) {
        const double least = data_.time(p, *data_.best(p, t, Among::all), t);
        tally.fastest += time <= least;
        tally.over_best.push_back(time / least);
      }
      if (const double other = data_.time(p, reference_, t); std::isfinite(other)) tally.over_reference.push_back(time / other);
    }
    return tally;
  }

  Section at_a_glance() const {
    Section section{
        "At a glance",
        "Solved: a certified solution, or a verified proof that there is none where there is none; of a problem known to have "
        "neither, any end that claims nothing. Times are compared where both methods solve the problem: geometric means of the "
        "ratios, in brackets their 95 % interval (bootstrap over the problems). A problem that a method does not treat counts "
        "neither for nor against it here; in the profiles below it counts as not solved. What was not run counts nowhere: who is "
        "fastest, and by how much, is told of the problems that every method was given.",
        {},
        {}};
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
      Table table{"At " + at_tolerance(t),
                  {"method", "solved", "share", "fastest, of " + std::to_string(fields_[t].problems.size()), "time over the best",
                   "time over " + name(reference_), "both solve", "crashed or hung"},
                  {}};
      for (std::size_t m = 0; m < data_.methods().size(); ++m) {
        const Tally sums = tally(m, t, all_);
        if (sums.tried == 0) continue;
        const GeometricMean over = geometric_mean(sums.over_reference);
        Cell crashed = count(sums.crashed);
        if (sums.crashed > 0) crashed.mark = Cell::Mark::bad;
        table.rows.push_back({{name(m)},
                              part(sums.right, sums.tried),
                              share(static_cast<double>(sums.right) / static_cast<double>(sums.tried)),
                              count(sums.fastest),
                              mean(geometric_mean(sums.over_best)),
                              m == reference_ ? Cell{} : mean(over),
                              m == reference_ ? Cell{} : count(over.count),
                              crashed});
      }
      section.tables.push_back(std::move(table));
    }
    return section;
  }

  // One number per method: the reference, the peers, then those that solve most. The first have colours of their own.
  void find_styles() {
    std::vector<std::size_t> order(data_.methods().size()), solved(order.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t m = 0; m < order.size(); ++m)
      for (std::size_t t = 0; t < data_.tolerances().size(); ++t) solved[m] += tally(m, t, all_).right;
    const auto key = [&](std::size_t m) {
      return std::tuple(m != reference_, !data_.methods()[m].peer, -static_cast<double>(solved[m]));
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    for (std::size_t k = 0; k < order.size(); ++k) style_[name(order[k])] = k;
  }

  // The reference, the peers and those that solve most are coloured.
  std::vector<Plot::Curve> curves(const std::vector<Distribution>& all) const {
    std::vector<Plot::Curve> curves;
    std::vector<std::tuple<bool, std::size_t, std::size_t>> ranks;
    for (const Distribution& one : all) {
      Plot::Curve curve{one.label, {}, style_.at(one.label), false};
      for (std::size_t k = 0; k < one.values.size(); ++k)
        curve.points.emplace_back(one.values[k], static_cast<double>(k + 1) / static_cast<double>(one.problems));
      const std::size_t m = data_.method(one.label);
      ranks.emplace_back(m != reference_ && !data_.methods()[m].peer, SIZE_MAX - one.values.size(), curves.size());
      curves.push_back(std::move(curve));
    }
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t k = 0; k < std::min(most_coloured, ranks.size()); ++k) curves[std::get<2>(ranks[k])].coloured = true;
    return curves;
  }

  // "63 of 228 problems".
  static std::string size_text(const Field& field) {
    const std::string size = std::to_string(field.problems.size());
    return (field.problems.size() < field.of ? size + " of " + std::to_string(field.of) : size) + " problems";
  }

  using FieldOf = Field (*)(const Comparison&, std::size_t tolerance, const Problems&);

  Section profiles(const std::string& title, const Problems& problems, FieldOf field_of) const {
    Section section{
        title,
        "Share of the problems that a method solves within so many times the time of the fastest of these methods on each (Dolan "
        "and More 2002): at 1 how often it is the fastest, at the right end how often it gets there at all. All of these methods "
        "were given all of these problems.",
        {},
        {}};
    const std::vector<double> marks = {1, 1.5, 2, 5, 10, 100};
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
      const Field field = field_of(data_, t, problems);
      if (field.problems.empty() || field.methods.empty()) continue;
      const std::vector<Distribution> all = performance_profile(data_, t, field);
      Plot plot{"Time, " + at_tolerance(t) + ", " + size_text(field), "time / time of the fastest", "solved", 1, 10, {}};
      for (const Distribution& one : all)
        if (!one.values.empty()) plot.x_last = std::clamp(one.values.back(), plot.x_last, widest_ratio);
      plot.curves = curves(all);
      section.plots.push_back(std::move(plot));
      Table table{"Solved within a factor, " + at_tolerance(t) + ", " + size_text(field), {"method"}, {}};
      table.folded = true;
      for (const double mark : marks) table.head.push_back(number_text("%g", mark));
      table.head.emplace_back("at all");
      for (const Distribution& one : all) {
        table.rows.push_back({{one.label}});
        for (const double mark : marks) table.rows.back().push_back(share(one.share(mark)));
        table.rows.back().push_back(share(one.share(HUGE_VAL)));
      }
      section.tables.push_back(std::move(table));
    }
    if (section.tables.empty()) section.text = "There are none: no problem was given to every method, no method every problem.";
    return section;
  }

  Section accuracy() const {
    const std::size_t t = data_.tolerances().size() - 1;
    Section section{
        "Accuracy",
        "Share of the problems given to every method on which the certificate finds a residual at or below the value on the "
        "axis, whatever the method "
        "says; every method was asked for the tolerance in the title. A verified proof that there is no solution counts as 0.",
        {},
        {}};
    if (fields_[t].problems.empty()) return section;
    const std::vector<Distribution> all = accuracy_profile(data_, t, fields_[t]);
    Plot plot{"Residual, " + at_tolerance(t) + ", " + size_text(fields_[t]), "residual at most", "share", 1e-16, 1e-2, {}};
    plot.curves = curves(all);
    section.plots.push_back(std::move(plot));
    Table table{"Residual at most, " + at_tolerance(t) + ", " + size_text(fields_[t]), {"method"}, {}};
    const std::vector<double> marks = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    table.folded = true;
    for (const double mark : marks) table.head.push_back(tolerance_text(mark));
    for (const Distribution& one : all) {
      table.rows.push_back({{one.label}});
      for (const double mark : marks) table.rows.back().push_back(share(one.share(mark)));
    }
    section.tables.push_back(std::move(table));
    return section;
  }

  std::vector<double> ratios(const Problems& problems, std::size_t t, Among among) const {
    std::vector<double> ratios;
    for (const std::size_t p : problems) {
      const auto best = data_.best(p, t, among);
      const double own = data_.time(p, reference_, t);
      if (best && std::isfinite(own) && given_to_all(p, t, among)) ratios.push_back(own / data_.time(p, *best, t));
    }
    return ratios;
  }

  // Those that the reference solves and all methods of the library were given, beside the one method that serves them best.
  Cell over_best_single(const Problems& problems, std::size_t t) const {
    Problems common;
    std::copy_if(problems.begin(), problems.end(), std::back_inserter(common),
                 [&](std::size_t p) { return std::isfinite(data_.time(p, reference_, t)) && given_to_all(p, t, Among::own); });
    const auto best = data_.best_single(common, t, reference_);
    if (!best) return {common.empty() ? "" : "none solves all " + std::to_string(common.size())};
    std::vector<double> ratios;
    for (const std::size_t p : common) ratios.push_back(data_.time(p, reference_, t) / data_.time(p, *best, t));
    Cell cell = mean(geometric_mean(ratios));
    cell.text += " of " + name(*best) + ", " + std::to_string(common.size());
    return cell;
  }

  std::size_t solved_by_any(const Problems& problems, std::size_t t, Among among) const {
    return static_cast<std::size_t>(
        std::count_if(problems.begin(), problems.end(), [&](std::size_t p) { return data_.best(p, t, among).has_value(); }));
  }

  std::size_t tried_by_any(const Problems& problems, std::size_t t, Among among) const {
    return static_cast<std::size_t>(
        std::count_if(problems.begin(), problems.end(), [&](std::size_t p) { return data_.tried(p, t, among); }));
  }

  Section by_family() const {
    const std::string reference = name(reference_);
    const std::string text =
        "The virtual best takes, on each problem, the fastest method that solves it. The best single method of a family is, of "
        "those that solve whatever " +
        reference +
        " solves, the one with the least mean of times. Ratios are geometric means of times, with their 95 % interval, over the "
        "problems given to all methods concerned; behind the best single method stands how many they are.";
    Section section{"By family", text, {}, {}};
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
      Table table{"At " + at_tolerance(t),
                  {"family", "problems", "solved by " + reference, "certified by the virtual best",
                   reference + " / virtual best of this library", reference + " / best single method of this library"},
                  {}};
      if (peers_) table.head.insert(table.head.end(), {"certified by the peers' best", reference + " / peers' best"});
      const auto add = [&](const std::string& family, const Problems& problems) {
        const Tally sums = tally(reference_, t, problems);
        std::vector<Cell> row{{family},
                              count(problems.size()),
                              part(sums.right, sums.tried),
                              count(solved_by_any(problems, t, Among::own)),
                              mean(geometric_mean(ratios(problems, t, Among::own))),
                              over_best_single(problems, t)};
        if (peers_) {
          row.push_back(part(solved_by_any(problems, t, Among::peers), tried_by_any(problems, t, Among::peers)));
          row.back().mark = Cell::Mark::none;
          row.push_back(mean(geometric_mean(ratios(problems, t, Among::peers))));
        }
        table.rows.push_back(std::move(row));
      };
      for (const std::string& family : family_order_) add(family, families_.at(family));
      add("all", all_);
      section.tables.push_back(std::move(table));
    }
    return section;
  }

  // Of a method that was tried on none of the problems: whether it treats none.
  bool given_in_vain(std::size_t m, const Problems& problems) const {
    return std::all_of(problems.begin(), problems.end(), [&](std::size_t p) {
      for (std::size_t t = 0; t < data_.tolerances().size(); ++t)
        if (data_.given(p, m, t)) return true;
      return false;
    });
  }

  Section methods_by_family() const {
    Section section{"Every method by family",
                    "Problems solved, of those the method was tried on, at each tolerance from the loosest on. Empty: it treats "
                    "none of them; \"not run\": it was not given those that it treats.",
                    {},
                    {{"", {"family"}, {}}}};
    Table& table = section.tables.front();
    for (const MethodColumn& method : data_.methods()) table.head.push_back(method.name);
    for (const std::string& family : family_order_) {
      table.rows.push_back({{family}});
      for (std::size_t m = 0; m < data_.methods().size(); ++m) {
        std::string text;
        std::size_t most = 0, least = SIZE_MAX;
        for (std::size_t t = 0; t < data_.tolerances().size(); ++t) {
          const Tally sums = tally(m, t, families_.at(family));
          text += (t > 0 ? ", " : "") + std::to_string(sums.right);
          most = std::max(most, sums.tried);
          least = std::min(least, sums.right);
        }
        const double share = static_cast<double>(least) / static_cast<double>(std::max<std::size_t>(most, 1));
        const Cell none = given_in_vain(m, families_.at(family)) ? Cell{} : Cell{"not run"};
        table.rows.back().push_back(
            most == 0 ? none
                      : Cell{text + " of " + std::to_string(most), share, least == most ? Cell::Mark::good : Cell::Mark::none});
      }
    }
    return section;
  }

  // Methods that were run on the problem and treat it.
  std::size_t tried_on(std::size_t p, std::size_t t) const {
    std::size_t tried = 0;
    for (std::size_t m = 0; m < data_.methods().size(); ++m)
      if (const Solve* solve = data_.at(p, m, t)) tried += solve->outcome != "unsupported";
    return tried;
  }

  Section failures() const {
    Section section{
        "Where " + name(reference_) + " fails",
        "\"Solved by\" names the fastest that does, or how many methods were tried.",
        {},
        {{"",
          {"tolerance", "problem", "class", "unknowns", "contacts", "ends", "residual", "iterations", "last method", "solved by"},
          {}}}};
    for (std::size_t t = 0; t < data_.tolerances().size(); ++t)
      for (const std::size_t p : all_) {
        const Solve* solve = data_.at(p, reference_, t);
        if (solve == nullptr || solve->right()) continue;
        const ProblemRow& problem = data_.problems()[p];
        const auto best = data_.best(p, t, Among::all);
        section.tables.front().rows.push_back(
            {tolerance(data_.tolerances()[t]),
             {problem.label},
             {problem.facts.problem_class},
             size(problem.facts.size),
             size(problem.facts.contacts),
             end(*solve),
             residual(solve->residual),
             size(solve->iterations),
             {solve->finished_by},
             {best ? name(*best) + ", " + seconds_text(data_.time(p, *best, t)) : "none of " + std::to_string(tried_on(p, t))}});
      }
    if (section.tables.front().rows.empty()) {
      section.text = "Nowhere.";
      section.tables.clear();
    }
    return section;
  }

  Section crashes() const {
    Section section{"Crashes and hangs", "", {}, {{"", {"problem", "method", "tolerance", "end", "detail", "memory"}, {}}}};
    for (const Solve& line : lines_)
      if (line.crashed() && line.inferred_from == 0)
        section.tables.front().rows.push_back({{line.problem},
                                               {line.method},
                                               tolerance(line.limits.tolerance),
                                               {line.outcome, NAN, Cell::Mark::bad},
                                               {line.detail},
                                               memory(line.peak_memory)});
    return section;
  }

  Section solvers_of_peers() const {
    std::map<std::string, std::vector<std::array<std::size_t, 2>>> sums;  // answered, certified, at each tolerance
    for (const Solve& line : data_.solvers_of_peers()) {
      auto& sum = sums[line.method];
      sum.resize(data_.tolerances().size());
      const auto t =
          std::find(data_.tolerances().begin(), data_.tolerances().end(), line.limits.tolerance) - data_.tolerances().begin();
      auto& at = sum[static_cast<std::size_t>(t)];
      ++at[0];
      at[1] += line.certified;
    }
    Section section{"Solvers of other packages", "Certified answers, of those that came to an end.", {}, {{"", {"solver"}, {}}}};
    for (const double tolerance : data_.tolerances()) section.tables.front().head.push_back("at " + tolerance_text(tolerance));
    for (const auto& [solver, sum] : sums) {
      section.tables.front().rows.push_back({{solver}});
      for (const auto& at : sum) section.tables.front().rows.back().push_back(part(at[1], at[0]));
    }
    return section;
  }

  Section every_problem(std::size_t t) const {
    const std::string reference = name(reference_);
    Section section{"Every problem at " + at_tolerance(t), "", {}, {}};
    section.folded = true;
    Table table{"",
                {"family", "problem", "class", "unknowns", "contacts", reference + " ends", "residual", "iterations",
                 "finished by", "time", "best of this library", "its time", "ratio"},
                {}};
    table.filter = true;
    if (peers_) table.head.insert(table.head.end(), {"peers' best", "its time", "ratio"});
    for (const std::size_t p : all_) {
      const ProblemRow& problem = data_.problems()[p];
      std::vector<Cell> row{{problem.family},
                            {problem.label},
                            {problem.facts.problem_class},
                            size(problem.facts.size),
                            size(problem.facts.contacts)};
      if (const Solve* solve = data_.at(p, reference_, t); solve != nullptr)
        row.insert(
            row.end(),
            {end(*solve), residual(solve->residual), size(solve->iterations), {solve->finished_by}, seconds(solve->seconds())});
      else
        row.insert(row.end(), {{"not run"}, {}, {}, {}, {}});
      for (const Among among : {Among::own, Among::peers}) {
        if (among == Among::peers && !peers_) continue;
        const auto best = data_.best(p, t, among);
        const double time = best ? data_.time(p, *best, t) : NAN;
        std::string by = !data_.tried(p, t, among) ? "not run" : "none";
        if (best) by = among == Among::peers ? data_.at(p, *best, t)->finished_by : name(*best);
        row.insert(row.end(), {{by}, seconds(time), ratio(data_.time(p, reference_, t) / time)});
      }
      table.rows.push_back(std::move(row));
    }
    section.tables.push_back(std::move(table));
    return section;
  }

  Section every_solve() const {
    Section section{"Every solve", "", {}, {}};
    section.folded = section.only_html = true;
    Table table{"",
                {"problem", "class", "family", "unknowns", "method", "tolerance", "ends", "residual", "iterations", "finished by",
                 "read", "setup", "solve", "memory"},
                {}};
    table.filter = true;
    for (std::size_t p = 0; p < all_.size(); ++p)
      for (std::size_t t = 0; t < data_.tolerances().size(); ++t)
        for (std::size_t m = 0; m < data_.methods().size(); ++m) {
          const Solve* solve = data_.at(p, m, t);
          if (solve == nullptr) continue;
          table.rows.push_back({{data_.problems()[p].label},
                                {solve->facts.problem_class},
                                {solve->family},
                                size(solve->facts.size),
                                {name(m)},
                                tolerance(data_.tolerances()[t]),
                                end(*solve),
                                residual(solve->residual),
                                size(solve->iterations),
                                {solve->finished_by},
                                seconds(solve->read),
                                seconds(solve->setup),
                                seconds(solve->solve),
                                memory(solve->peak_memory)});
        }
    section.tables.push_back(std::move(table));
    return section;
  }

  const Comparison& data_;
  const std::vector<Solve>& lines_;
  const ReportSettings& settings_;
  std::size_t reference_;
  std::vector<Field> fields_;  // all methods, at each tolerance
  bool peers_ = false;
  Problems all_;
  std::vector<std::string> family_order_;
  std::map<std::string, Problems> families_, classes_;
  std::map<std::string, std::size_t> style_;  // of a method's curves
};

}  // namespace

std::vector<std::pair<std::string, std::string>> facts_of(const Comparison& comparison, const std::vector<Solve>& lines) {
  std::set<std::string> families, machines, builds;
  std::set<double> limits;
  for (const ProblemRow& problem : comparison.problems()) families.insert(problem.family);
  for (const Solve& line : lines) {
    machines.insert(line.machine);
    if (!line.peer) builds.insert(line.version + ", build " + line.build);
    if (!line.peer) limits.insert(line.limits.seconds);
  }
  std::string tolerances;
  for (const double value : comparison.tolerances()) tolerances += (tolerances.empty() ? "" : ", ") + tolerance_text(value);
  return {{"Problems", counted_text(comparison.problems().size(), "problem", "problems") + " in " +
                           counted_text(families.size(), "family", "families")},
          {"Methods", std::to_string(comparison.methods().size())},
          {"Tolerances", tolerances},
          {"Time limit of a solve", list_text(limits) + " s"},
          {machines.size() > 1 ? "Machines (times of several are not comparable)" : "Machine", list_text(machines)},
          {builds.size() > 1 ? "Versions" : "Version", list_text(builds)}};
}

Report make_report(const Comparison& comparison, const std::vector<Solve>& lines, const ReportSettings& settings) {
  return Writer(comparison, lines, settings).report();
}

std::string number_text(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return std::isfinite(value) ? text : "";
}

std::string seconds_text(double seconds) {
  if (!std::isfinite(seconds)) return "";
  if (seconds < 0.9995e-3) return number_text("%.3g us", 1e6 * seconds);
  return seconds < 0.9995 ? number_text("%.3g ms", 1e3 * seconds) : number_text("%.3g s", seconds);
}

std::string tolerance_text(double tolerance) {
  const std::string text = number_text("%.0e", tolerance);
  return std::strtod(text.c_str(), nullptr) == tolerance ? text : shortest_text(tolerance);
}

std::string ratio_text(double ratio) { return number_text(ratio < 0.1 ? "%.3f" : ratio < 10 ? "%.2f" : "%.3g", ratio); }

}  // namespace nonsmooth::bench
