#include "linalg/component_factor.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "linalg/symmetry.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t dense_limit = 64;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::int32_t find_root(IndexVector& parent, std::int32_t i) {
  while (parent[at(i)] != i) {
    parent[at(i)] = parent[at(parent[at(i)])];  // halve the path
    i = parent[at(i)];
  }
  return i;
}

}  // namespace

void ComponentFactor::find_components(const CscMatrix& A) {
  const auto n = static_cast<std::size_t>(A.rows);
  IndexVector parent(n);
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
      const std::int32_t a = find_root(parent, A.row_index[at(k)]), b = find_root(parent, static_cast<std::int32_t>(j));
      parent[at(std::max(a, b))] = std::min(a, b);
    }
  component_of_.resize(n);
  position_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int32_t root = find_root(parent, static_cast<std::int32_t>(i));
    if (at(root) == i) {
      component_of_[i] = static_cast<std::int32_t>(rows_.size());
      rows_.emplace_back();
    } else {
      component_of_[i] = component_of_[at(root)];
    }
    IndexVector& rows = rows_[at(component_of_[i])];
    position_[i] = static_cast<std::int32_t>(rows.size());
    rows.push_back(static_cast<std::int32_t>(i));
  }
}

bool ComponentFactor::factorise_dense(Factor& factor, const CscMatrix& A, const IndexVector& rows) const {
  const std::size_t n = rows.size();
  factor.dense.resize(static_cast<int>(n));
  std::fill(factor.dense.matrix().begin(), factor.dense.matrix().end(), 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[at(rows[j])]; k < A.col_start[at(rows[j]) + 1]; ++k)
      factor.dense.matrix()[at(position_[at(A.row_index[at(k)])]) + j * n] = A.values[at(k)];
  return factor.dense.factorise(static_cast<int>(n));
}

bool ComponentFactor::factorise_sparse(Factor& factor, const CscMatrix& A, const IndexVector& rows) const {
  const auto n = static_cast<std::int64_t>(rows.size());
  CscMatrix part{n, n, {0}, {}, {}};
  for (std::int32_t row : rows) {
    for (std::int32_t k = A.col_start[at(row)]; k < A.col_start[at(row) + 1]; ++k) {
      part.row_index.push_back(position_[at(A.row_index[at(k)])]);
      part.values.push_back(A.values[at(k)]);
    }
    part.col_start.push_back(static_cast<std::int32_t>(part.row_index.size()));
  }
  if (is_assembled_symmetric(part)) try {
      factor.cholesky = std::make_unique<SparseCholesky>(part);
      if (factor.cholesky->factorise()) return true;
    } catch (const Error&) {  // too large: LU with its own order may do
    }
  factor.cholesky.reset();
  return factor.sparse.factorise(std::move(part));
}

ComponentFactor::ComponentFactor(const CscMatrix& A, const char* what) {
  find_components(A);
  factors_.resize(rows_.size());
  std::size_t largest = 0;
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const IndexVector& rows = rows_[c];
    largest = std::max(largest, rows.size());
    Factor& factor = factors_[c];
    factor.is_dense = rows.size() <= dense_limit;
    const bool regular = factor.is_dense ? factorise_dense(factor, A, rows) : factorise_sparse(factor, A, rows);
    if (!regular) fail(NSM_INVALID_VALUE, "%s is singular (in the part that holds row %d)", what, rows.front());
  }
  gathered_.resize(largest);
  workspace_.resize(largest);
}

void ComponentFactor::solve_component(std::size_t component, std::span<double> x, bool transposed) {
  Factor& factor = factors_[component];
  const std::span<double> workspace = std::span<double>(workspace_).first(x.size());
  if (factor.is_dense)
    transposed ? factor.dense.solve_transposed(x.data()) : factor.dense.solve(x.data());
  else if (factor.cholesky != nullptr)
    factor.cholesky->solve(x, workspace);
  else
    transposed ? factor.sparse.solve_transposed(x, workspace) : factor.sparse.solve(x, workspace);
}

void ComponentFactor::solve(std::span<double> x, bool transposed) {
  for (std::size_t c = 0; c < rows_.size(); ++c) {
    const IndexVector& rows = rows_[c];
    const std::span<double> part = std::span<double>(gathered_).first(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) part[i] = x[at(rows[i])];
    solve_component(c, part, transposed);
    for (std::size_t i = 0; i < rows.size(); ++i) x[at(rows[i])] = part[i];
  }
}

}  // namespace nonsmooth
