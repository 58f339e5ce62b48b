// Time and peak memory against the number of contacts, by family, with fitted exponents.
#include <algorithm>
#include <stdexcept>

#include "cells.hpp"
#include "make_report.hpp"

namespace nonsmooth::bench {
namespace {

using Points = std::vector<std::pair<double, double>>;

Cell exponent(const PowerLaw& law) {
  if (!std::isfinite(law.exponent)) return {};
  return {number_text("%.2f", law.exponent) + " +- " + number_text("%.2f", law.error), law.exponent};
}

double contacts_of(const Solve& solve) { return static_cast<double>(solve.facts.contacts); }
double megabytes_of(const Solve& solve) { return static_cast<double>(solve.peak_memory) / 1e6; }

class ScalingWriter {
 public:
  ScalingWriter(const std::vector<Solve>& lines, const ReportSettings& settings) : settings_(settings) {
    const Comparison data(lines);
    facts_ = facts_of(data, lines);
    tightest_ = data.tolerances().back();
    for (const Solve& line : lines) {
      if (line.method != settings.reference || line.limits.tolerance != tightest_ || line.facts.contacts == 0) continue;
      const auto found =
          std::find_if(series_.begin(), series_.end(), [&](const Series& one) { return one.family == line.family; });
      Series& series = found == series_.end() ? series_.emplace_back(Series{line.family, {}}) : *found;
      series.solves.push_back(line);
    }
    if (series_.empty()) throw std::runtime_error("no contact problem was given to " + settings.reference);
    for (Series& series : series_)
      std::stable_sort(series.solves.begin(), series.solves.end(),
                       [](const Solve& a, const Solve& b) { return a.facts.contacts < b.facts.contacts; });
  }

  Report report() const {
    Section memory{"Memory",
                   "Peak resident memory of the process that reads and solves the problem; about 6 MB are the program's own.",
                   {},
                   {}};
    memory.picture = "scaling-memory.svg";
    memory.plots.push_back(plot("Peak memory, MB", "MB", megabytes_of, false));
    return {settings_.title, facts_, {times(), std::move(memory), exponents(), every_problem()}};
  }

 private:
  struct Series {
    std::string family;
    std::vector<Solve> solves;  // by contacts
    template <class Value>
    Points points(Value value, bool solved) const {
      Points points;
      for (const Solve& solve : solves)
        if (solve.right() == solved && value(solve) > 0) points.emplace_back(contacts_of(solve), value(solve));
      return points;
    }
  };

  static double seconds_of(const Solve& solve) { return solve.seconds(); }

  Section times() const {
    Section section{"Time",
                    "Setup and solve by `" + settings_.reference + "` at tolerance " + tolerance_text(tightest_) +
                        ", the certificate included. Hollow points: not solved within the limit, at the time they ended.",
                    {},
                    {}};
    section.picture = "scaling-time.svg";
    section.plots.push_back(plot("Time of setup and solve, s", "s", seconds_of, true));
    return section;
  }

  template <class Value>
  Plot plot(const std::string& title, const std::string& unit, Value value, bool failures) const {
    Plot plot{title, "contacts", unit, HUGE_VAL, 0, {}, true, HUGE_VAL, 0};
    for (std::size_t k = 0; k < series_.size(); ++k) {
      Plot::Curve curve{series_[k].family, series_[k].points(value, true), k, true, Plot::Shape::line};
      if (failures) curve.beside = series_[k].points(value, false);
      const PowerLaw law = fit_power_law(curve.points);
      if (std::isfinite(law.exponent)) curve.label += ": n^" + number_text("%.2f", law.exponent);
      if (!curve.points.empty() || !curve.beside.empty()) plot.curves.push_back(std::move(curve));
    }
    for (const Plot::Curve& curve : plot.curves)
      for (const Points* points : {&curve.points, &curve.beside})
        for (const auto& [contacts, height] : *points) {
          plot.x_first = std::min(plot.x_first, contacts / 1.1);
          plot.x_last = std::max(plot.x_last, contacts * 1.1);
          plot.y_first = std::min(plot.y_first, std::pow(10, std::floor(std::log10(height))));
          plot.y_last = std::max(plot.y_last, std::pow(10, std::floor(std::log10(height)) + 1));
        }
    return plot;
  }

  Section exponents() const {
    Section section{
        "Exponents",
        "Least squares of the logarithms over what is solved, if that is three points or more, with the standard error; a time "
        "of n^1 is the same for each "
        "contact however many there are. The largest that is solved, with its time and memory, stands beside.",
        {},
        {{"", {"family", "solved", "exponent of time", "of memory", "largest solved", "its time", "its memory"}, {}}}};
    for (const Series& series : series_) {
      const Points times = series.points(seconds_of, true), memories = series.points(megabytes_of, true);
      const auto largest =
          std::find_if(series.solves.rbegin(), series.solves.rend(), [](const Solve& solve) { return solve.right(); });
      std::vector<Cell> row{{series.family},
                            {std::to_string(times.size()) + " of " + std::to_string(series.solves.size())},
                            exponent(fit_power_law(times)),
                            exponent(fit_power_law(memories))};
      if (largest == series.solves.rend())
        row.resize(7);
      else
        row.insert(row.end(), {size(largest->facts.contacts), seconds(largest->seconds()), memory(largest->peak_memory)});
      section.tables.front().rows.push_back(std::move(row));
    }
    return section;
  }

  Section every_problem() const {
    Section section{"Every problem",
                    "",
                    {},
                    {{"",
                      {"family", "contacts", "unknowns", "ends", "residual", "iterations", "finished by", "setup", "solve",
                       "time a contact", "memory"},
                      {}}}};
    for (const Series& series : series_)
      for (const Solve& solve : series.solves)
        section.tables.front().rows.push_back({{series.family},
                                               size(solve.facts.contacts),
                                               size(solve.facts.size),
                                               end(solve),
                                               residual(solve.residual),
                                               size(solve.iterations),
                                               {solve.finished_by},
                                               seconds(solve.setup),
                                               seconds(solve.solve),
                                               seconds(solve.seconds() / contacts_of(solve)),
                                               memory(solve.peak_memory)});
    return section;
  }

  const ReportSettings& settings_;
  std::vector<std::pair<std::string, std::string>> facts_;
  double tightest_ = 0;
  std::vector<Series> series_;
};

}  // namespace

PowerLaw fit_power_law(const std::vector<std::pair<double, double>>& points) {
  const double n = static_cast<double>(points.size());
  if (points.size() < 3) return {};
  double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
  for (const auto& [x, y] : points) {
    mean_x += std::log(x) / n;
    mean_y += std::log(y) / n;
  }
  for (const auto& [x, y] : points) {
    const double dx = std::log(x) - mean_x, dy = std::log(y) - mean_y;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (xx < 1e-12) return {};  // all at one place, up to rounding
  const double slope = xy / xx;
  return {slope, std::sqrt(std::max(0.0, yy - slope * xy) / (n - 2) / xx)};
}

Report make_scaling_report(const std::vector<Solve>& lines, const ReportSettings& settings) {
  return ScalingWriter(lines, settings).report();
}

}  // namespace nonsmooth::bench
