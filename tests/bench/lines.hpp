// Lines of a run, made by hand.
#pragma once

#include "solve.hpp"

namespace nonsmooth::bench {

// Solved in so many seconds; 0: not.
inline Solve line(const std::string& problem, const std::string& method, double seconds, double tolerance = 1e-8,
                  const std::string& family = "family") {
  Solve solve;
  solve.collection = "made";
  solve.problem = problem;
  solve.family = family;
  solve.answer = Answer::solvable;
  solve.facts = {"lcp", "0123456789abcdef", 10, 0, 0};
  solve.method = method;
  solve.limits = {tolerance, 10, 0};
  solve.version = "1.2.3";
  solve.build = "b1";
  solve.machine = "a machine";
  solve.certified = seconds > 0;
  solve.outcome = seconds > 0 ? "converged" : "stalled";
  solve.residual = seconds > 0 ? 1e-9 : 1e-3;
  solve.read = 0.5;
  solve.setup = seconds / 4;
  solve.solve = 3 * seconds / 4;
  solve.calibration = 1e-3;
  return solve;
}

}  // namespace nonsmooth::bench
