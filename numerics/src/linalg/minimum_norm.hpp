// Solutions of least norm of A x = b for a dense square A that is singular (complete orthogonal decomposition).
#pragma once

#include <memory>
#include <span>
#include <vector>

namespace nonsmooth {

class MinimumNorm {
 public:
  // A: order x order, column-major. Columns below `tolerance` times the largest, once the others are taken out, count as
  // dependent.
  MinimumNorm(std::span<const double> A, int order, double tolerance);
  ~MinimumNorm();
  MinimumNorm(MinimumNorm&&) noexcept;
  MinimumNorm& operator=(MinimumNorm&&) noexcept;

  int rank() const;
  // x = A^+ b or (A')^+ b, in place. Where A x = b has no solution, that of least residual.
  void solve(std::span<double> x) const;
  void solve_transposed(std::span<double> x) const;
  // An orthonormal basis of the vectors A takes to 0, one after the other.
  std::vector<double> kernel() const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace nonsmooth
