#include "linalg/sparse_cholesky.hpp"

#include <algorithm>
#include <utility>

namespace nonsmooth {

SparseCholesky::SparseCholesky(CscMatrix A) : A_(std::move(A)), factor_(A_, true) {}

bool SparseCholesky::factorise() { return factor_.factorise(std::vector<char>(static_cast<std::size_t>(A_.cols), 1)); }

void SparseCholesky::solve(std::span<double> x, std::span<double> workspace) {
  std::copy(x.begin(), x.end(), workspace.begin());
  factor_.solve(x);
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::int32_t k = A_.col_start[j]; k < A_.col_start[j + 1]; ++k) {
      const auto p = static_cast<std::size_t>(k);
      workspace[static_cast<std::size_t>(A_.row_index[p])] -= A_.values[p] * x[j];
    }
  factor_.solve(workspace);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

}  // namespace nonsmooth
