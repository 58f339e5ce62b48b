#include "linalg/sparse_cholesky.hpp"

#include <algorithm>
#include <utility>

namespace nonsmooth {

SparseCholesky::SparseCholesky(CscMatrix A) : A_(std::move(A)), factor_(A_, true) {}

bool SparseCholesky::factorise(Vector values) {
  A_.values = std::move(values);
  return factorise();
}

bool SparseCholesky::factorise() { return factor_.factorise(std::vector<char>(static_cast<std::size_t>(A_.cols), 1)); }

template <int M, class Solve>
void SparseCholesky::refine(std::span<double> x, std::span<double> workspace, Solve&& solve) const {
  std::copy(x.begin(), x.end(), workspace.begin());
  solve(x);
  for (std::size_t j = 0; j < x.size() / M; ++j)
    for (std::int32_t k = A_.col_start[j]; k < A_.col_start[j + 1]; ++k) {
      const auto p = static_cast<std::size_t>(k);
      double* target = workspace.data() + static_cast<std::size_t>(A_.row_index[p]) * M;
      for (std::size_t c = 0; c < M; ++c) target[c] -= A_.values[p] * x[j * M + c];
    }
  solve(workspace);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

void SparseCholesky::solve(std::span<double> x, std::span<double> workspace) {
  refine<1>(x, workspace, [&](std::span<double> b) { factor_.solve(b); });
}

void SparseCholesky::solve_together(std::span<double> X, std::span<double> workspace) {
  refine<solved_together>(X, workspace, [&](std::span<double> B) { factor_.solve_together(B); });
}

}  // namespace nonsmooth
