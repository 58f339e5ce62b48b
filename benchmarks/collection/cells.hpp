// Cells of tables, with what they are sorted by.
#pragma once

#include "report.hpp"
#include "solve.hpp"

namespace nonsmooth::bench {

inline Cell number(double value, const std::string& text) { return std::isfinite(value) ? Cell{text, value} : Cell{}; }
inline Cell count(std::size_t value) { return {std::to_string(value), static_cast<double>(value)}; }
inline Cell size(std::int64_t value) { return value > 0 ? count(static_cast<std::size_t>(value)) : Cell{}; }
inline Cell seconds(double value) { return number(value, seconds_text(value)); }
inline Cell residual(double value) { return number(value, number_text("%.1e", value)); }
inline Cell ratio(double value) { return number(value, ratio_text(value)); }
inline Cell share(double value) { return number(value, number_text("%.0f %%", 100 * value)); }
inline Cell memory(std::int64_t bytes) {
  const double megabytes = static_cast<double>(bytes) / 1e6;
  return number(megabytes, number_text("%.1f MB", megabytes));
}
inline Cell tolerance(double value) { return {tolerance_text(value), value}; }
// How the solve ended.
inline Cell end(const Solve& solve) {
  return {solve.inferred_from > 0 ? solve.outcome + " at " + tolerance_text(solve.inferred_from) : solve.outcome, NAN,
          solve.right() ? Cell::Mark::none : Cell::Mark::bad};
}

}  // namespace nonsmooth::bench
