// From the lines of runs to what a report says.
#pragma once

#include "comparison.hpp"
#include "report.hpp"

namespace nonsmooth::bench {

struct ReportSettings {
  std::string title, reference = "auto";
};

Report make_report(const Comparison& comparison, const std::vector<Solve>& lines, const ReportSettings& settings);

}  // namespace nonsmooth::bench
