// w = F(z) and its Jacobian as the caller's callbacks.
#pragma once

#include <span>

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"

namespace nonsmooth {

struct NonlinearFunction {
  nsm_function function = nullptr;
  nsm_jacobian jacobian = nullptr;  // nullptr: finite differences
  void* user = nullptr;
  Matrix pattern;        // square, dense or CSC; values are 0
  IndexVector position;  // where the caller has each stored entry; empty: in the same order

  // pattern nullptr: dense. Only the structure is read.
  static NonlinearFunction from_callbacks(std::int64_t n, nsm_function function, nsm_jacobian jacobian, const nsm_matrix* pattern,
                                          void* user);
  std::int64_t size() const { return pattern.rows(); }
  // false, with every w a NaN, if F cannot be evaluated at z or is not finite there.
  bool evaluate(std::span<const double> z, std::span<double> w) const noexcept;
};

}  // namespace nonsmooth
