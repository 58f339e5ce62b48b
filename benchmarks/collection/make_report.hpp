// From the lines of runs to what a report says.
#pragma once

#include "comparison.hpp"
#include "report.hpp"

namespace nonsmooth::bench {

struct ReportSettings {
  std::string title, reference = "auto";
};

// All methods on all problems: profiles, tables by family and method.
Report make_report(const Comparison& comparison, const std::vector<Solve>& lines, const ReportSettings& settings);
// Success against tolerance by number of contacts, beside published figures (accuracy_report.cpp).
Report make_accuracy_report(const std::vector<Solve>& lines, const ReportSettings& settings);
// Time and memory against contacts (scaling_report.cpp).
Report make_scaling_report(const std::vector<Solve>& lines, const ReportSettings& settings);

// y = c x^exponent, by least squares of the logarithms; from three points on.
struct PowerLaw {
  double exponent = NAN, error = NAN;  // standard error
};
PowerLaw fit_power_law(const std::vector<std::pair<double, double>>& points);

// How much was run, within which limits, on which machine, by which build.
std::vector<std::pair<std::string, std::string>> facts_of(const Comparison& comparison, const std::vector<Solve>& lines);

}  // namespace nonsmooth::bench
