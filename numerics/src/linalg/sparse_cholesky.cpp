#include "linalg/sparse_cholesky.hpp"

#include <algorithm>
#include <utility>

#include "core/index.hpp"

namespace nonsmooth {

SparseCholesky::SparseCholesky(CscMatrix A, std::int32_t columns)
    : A_(std::move(A)), columns_(at(columns)), factor_(A_, true, nullptr, columns) {}

bool SparseCholesky::factorise(Vector values) {
  A_.values = std::move(values);
  return factorise();
}

bool SparseCholesky::factorise() { return factor_.factorise(std::vector<char>(at(A_.cols), 1)); }

void SparseCholesky::solve(std::span<double> x, std::span<double> workspace) {
  std::copy(x.begin(), x.end(), workspace.begin());
  factor_.solve(x);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::int32_t k = A_.col_start[j]; k < A_.col_start[j + 1]; ++k)
      workspace[at(A_.row_index[at(k)])] -= A_.values[at(k)] * x[j];
  factor_.solve(workspace);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

// Minus the Schur complement of [A C; C' 0].
double SparseCholesky::response(std::size_t i, std::size_t j) const {
  return -factor_.remainder()[std::max(i, j) + columns_ * std::min(i, j)];
}

}  // namespace nonsmooth
