#include "methods/frame/infeasibility.hpp"

#include <algorithm>
#include <cmath>

#include "certificate/farkas.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double dust = 1e-12;  // of the largest entry of a proof: what rounding leaves of entries that are 0

// false if there was none.
bool remove_dust(std::span<double> y) {
  double largest = 0;
  for (const double entry : y) largest = std::max(largest, std::abs(entry));
  bool found = false;
  for (double& entry : y)
    if (entry != 0 && std::abs(entry) < dust * largest) {
      entry = 0;
      found = true;
    }
  return found;
}

}  // namespace

void InfeasibilitySearch::resize(int n, bool searches) {
  const auto order = at(n);
  y_.resize(order);
  unscaled_.resize(order);
  workspace_.resize(7 * order);  // refinement_workspace() of an LCP; less of a polyhedron
  if (!searches || n > largest_order) return;
  capacity_ = n;
  nnls_.resize(n + 1, 3 * n);
  x_.resize(3 * order);
  rhs_.assign(order + 1, 0.0);
  free_.assign(3 * order, 0);
}

// Rows of the system are those with y: all of an LCP, those after the unknowns of a polyhedron.
std::span<const double> InfeasibilitySearch::find(const Equilibration& lcp, const Inclusion& view, Control& control) {
  const int n = static_cast<int>(view.size()), conditions = static_cast<int>(infeasibility_size(view)), rows = n + 1;
  if (lcp.n() > capacity_ || conditions == 0) return {};
  const int first = lcp.n() - conditions;
  double* column = nnls_.matrix().data();
  const auto append = [&](double last) {
    std::fill_n(column, n, 0.0);
    column[n] = last;
    column += rows;
    return column - rows;
  };
  for (int i = first; i < lcp.n(); ++i) {
    const auto row = at(i);
    free_[at(i - first)] = !std::isfinite(lcp.lo()[row]) && !std::isfinite(lcp.hi()[row]);  // an equality
    append(lcp.q()[row]);
  }
  for (int j = 0; j < n; ++j) {
    std::fill_n(workspace_.begin(), lcp.n(), 0.0);
    lcp.add_column(j, 1, workspace_.data());
    for (int i = 0; i < conditions; ++i) nnls_.matrix()[at(j + std::ptrdiff_t{i} * rows)] = workspace_[at(first + i)];
  }
  int columns = conditions;
  for (int j = 0; j < n; ++j)
    for (const double sign : {1.0, -1.0}) {
      const double bound = sign > 0 ? lcp.lo()[at(j)] : lcp.hi()[at(j)];
      if (!std::isfinite(bound)) continue;
      append(-sign * bound)[j] = sign;
      ++columns;
    }
  scale_last_row(columns, rows);
  rhs_[at(n)] = -1;
  nnls_.solve(rows, columns, rhs_, free_, x_, [&control] { return control.goes_on(); });
  rhs_[at(n)] = 0;
  std::fill(y_.begin(), y_.end(), 0.0);
  std::copy_n(x_.begin(), conditions, y_.begin() + first);
  return verify(y_, lcp, view, control);
}

// Scales the row of q so that its largest entry is 1, as in the equilibrated rows of M: multipliers then are of order 1 in any
// units, and what is left of a proof is not below what the search takes for 0.
void InfeasibilitySearch::scale_last_row(int columns, int rows) {
  double largest = 0;
  const auto entry = [&](int k) -> double& { return nnls_.matrix()[at(rows - 1 + std::ptrdiff_t{k} * rows)]; };
  for (int k = 0; k < columns; ++k) largest = std::max(largest, std::abs(entry(k)));
  for (int k = 0; k < columns && largest > 0; ++k) entry(k) /= largest;
}

std::span<const double> InfeasibilitySearch::verify(std::span<const double> scaled, const Equilibration& lcp,
                                                    const Inclusion& view, const Control& control) {
  lcp.unscale_row_multiplier(scaled, unscaled_);
  return verified_proof(view, control, std::span<const double>(unscaled_).last(infeasibility_size(view)), y_, workspace_);
}

std::span<const double> verified_proof(const Inclusion& view, const Control& control, std::span<const double> candidate,
                                       std::span<double> y, std::span<double> workspace) {
  const std::span<double> proof = y.first(candidate.size());
  const auto start = [&] {
    std::copy(candidate.begin(), candidate.end(), proof.begin());
    clip_proof(view, proof);
  };
  const auto proves = [&] {
    return proves_infeasible(view, proof, proof_tolerance, certified_violation(view, control), workspace);
  };
  const auto proves_refined = [&] { return proves() || (refine_proof(view, proof, workspace) && proves()); };
  start();
  if (proves_refined()) return proof;
  start();
  return remove_dust(proof) && proves_refined() ? proof : std::span<double>();
}

}  // namespace nonsmooth
