#include "linalg/sparse_cholesky.hpp"

#include <algorithm>
#include <utility>

#include "core/index.hpp"
#include "linalg/sparse_product.hpp"

namespace nonsmooth {

SparseCholesky::SparseCholesky(CscMatrix A, std::int32_t columns)
    : A_(std::move(A)), columns_(at(columns)), factor_(A_, true, nullptr, columns) {}

bool SparseCholesky::factorise(Vector values) {
  A_.values = std::move(values);
  return factorise();
}

bool SparseCholesky::factorise() { return factor_.factorise(std::vector<char>(at(A_.cols), 1)); }

// The defect in extended precision (Wilkinson 1963): what a stiff body does as a whole, by forces that are small beside its own,
// is not known from a defect that is rounded like these.
void SparseCholesky::solve(std::span<double> x, std::span<double> workspace) {
  defect_.assign(x.begin(), x.end());
  factor_.solve(x);
  subtract_product(A_, x, defect_);
  std::transform(defect_.begin(), defect_.end(), workspace.begin(), [](long double d) { return static_cast<double>(d); });
  factor_.solve(workspace);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

double SparseCholesky::solve_work() const { return static_cast<double>(2 * factor_.size()); }

// Minus the Schur complement of [A C; C' 0].
double SparseCholesky::response(std::size_t i, std::size_t j) const {
  return -factor_.remainder()[std::max(i, j) + columns_ * std::min(i, j)];
}

}  // namespace nonsmooth
