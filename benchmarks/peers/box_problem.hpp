// What the LCP solvers of rigid-body engines take: A x = b + w with lo <= x <= hi, w >= 0 at lo, w <= 0 at hi, w = 0 between; A
// dense by rows, lo <= 0 <= hi.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nonsmooth::peers {

struct BoxProblem {
  std::size_t size = 0;
  std::vector<double> A, b, lo, hi;
  std::vector<double> origin;  // z = origin + x: where 0 lies outside of [lo, hi], x counts from its nearest bound
  bool symmetric = false;
  bool orthant = true;  // every row: lo = 0, hi infinite
  bool bounded = true;  // no bound is infinite

  std::vector<double> z_of(const double* x) const;
};

// LCPs, mixed LCPs, relays and variational inequalities over boxes are such problems. None if the problem is not: cones of
// friction are no boxes. None either if A would not fit: more than `largest` unknowns.
std::optional<BoxProblem> read_box_problem(const std::string& problem_class, const char* file, std::size_t largest = 4000);

}  // namespace nonsmooth::peers
