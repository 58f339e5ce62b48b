// The comparison as Markdown.
#pragma once

#include <ostream>

#include "families.hpp"
#include "runs.hpp"

namespace nonsmooth::collection {

// At one tolerance.
struct Outcome {
  std::vector<Run> own;   // the default first
  std::vector<Run> peer;  // those that ended
  double ratio() const;   // default / best certified peer; NaN if either is missing
};

struct Row {
  FamilyProblem problem;  // without its data
  std::int64_t size = 0, contacts = 0;
  std::int32_t dimension = 0;
  std::vector<Outcome> at;  // one per tolerance
  bool compared = false;    // with the peer
};

struct Report {
  std::string title, command;
  std::vector<double> tolerances;
  double seconds = 10;
  std::int64_t smallest_compared = 0;  // unknowns from which on times are compared
  bool peer = false, all_methods = false;
};

void write(std::ostream& out, const Report& report, const std::vector<Row>& rows);

}  // namespace nonsmooth::collection
