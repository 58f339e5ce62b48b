#include "methods/infeasibility.hpp"

#include <algorithm>

#include "certificate/certificate.hpp"

namespace nonsmooth {
namespace {
constexpr double proof_tolerance = 1e-9;
}

void InfeasibilitySearch::resize(int n) {
  y_.resize(static_cast<std::size_t>(n));
  workspace_.resize(2 * static_cast<std::size_t>(n));
  if (n > largest_order) return;
  capacity_ = n;
  nnls_.resize(n + 1, 2 * n);
  x_.resize(2 * static_cast<std::size_t>(n));
  rhs_.assign(static_cast<std::size_t>(n) + 1, 0.0);
  rhs_.back() = -1;
  free_.assign(2 * static_cast<std::size_t>(n), 0);
}

std::span<const double> InfeasibilitySearch::find(const Equilibration& lcp, const Inclusion& view) {
  const int n = lcp.n(), rows = n + 1;
  if (n > capacity_) return {};
  const std::span<double> A = nnls_.matrix();
  std::fill(A.begin(), A.end(), 0.0);
  for (int j = 0; j < n; ++j) {
    std::fill_n(workspace_.begin(), n, 0.0);
    lcp.add_column(j, 1, workspace_.data());
    for (int i = 0; i < n; ++i)
      A[static_cast<std::size_t>(j + std::ptrdiff_t{i} * rows)] = workspace_[static_cast<std::size_t>(i)];
  }
  for (int i = 0; i < n; ++i) {
    A[static_cast<std::size_t>(n + std::ptrdiff_t{i} * rows)] = lcp.q()[static_cast<std::size_t>(i)];
    A[static_cast<std::size_t>(i) + static_cast<std::size_t>(n + i) * static_cast<std::size_t>(rows)] = 1;
  }
  nnls_.solve(rows, 2 * n, rhs_, free_, x_);
  return verify(std::span<const double>(x_).first(static_cast<std::size_t>(n)), lcp, view);
}

std::span<const double> InfeasibilitySearch::verify(std::span<const double> scaled, const Equilibration& lcp,
                                                    const Inclusion& view) {
  lcp.unscale_row_multiplier(scaled, y_);
  for (double& entry : y_) entry = std::max(entry, 0.0);
  if (!proves_infeasible(*view.M, *view.q, y_, proof_tolerance, workspace_)) return {};
  return y_;
}

}  // namespace nonsmooth
