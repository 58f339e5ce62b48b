#include "linalg/component_factor.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"
#include "linalg/small_lu.hpp"
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
  row_start_.assign(1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const auto root = at(find_root(parent, static_cast<std::int32_t>(i)));
    if (root == i) row_start_.push_back(0);
    component_of_[i] = root == i ? static_cast<std::int32_t>(components()) - 1 : component_of_[root];
    ++row_start_[at(component_of_[i]) + 1];
  }
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  position_.resize(n);
  rows_.resize(n);
  std::fill(parent.begin(), parent.end(), 0);  // from here on: rows placed so far, of each component
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t c = at(component_of_[i]);
    position_[i] = parent[c]++;
    rows_[at(row_start_[c] + position_[i])] = static_cast<std::int32_t>(i);
  }
}

bool ComponentFactor::factorise_dense(std::size_t component, const CscMatrix& A) {
  const auto rows = this->rows(component);
  const std::size_t n = rows.size(), first = dense_.size();
  place_.push_back(first);
  dense_.resize(first + n * n);
  double* own = dense_.data() + first;
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[at(rows[j])]; k < A.col_start[at(rows[j]) + 1]; ++k)
      own[at(position_[at(A.row_index[at(k)])]) + j * n] = A.values[at(k)];
  return factorise_small(own, pivot_.data() + row_start_[component], static_cast<int>(n));
}

bool ComponentFactor::factorise_sparse(std::size_t component, const CscMatrix& A) {
  const auto rows = this->rows(component);
  const auto n = static_cast<std::int64_t>(rows.size());
  CscMatrix part{n, n, {0}, {}, {}};
  for (std::int32_t row : rows) {
    for (std::int32_t k = A.col_start[at(row)]; k < A.col_start[at(row) + 1]; ++k) {
      part.row_index.push_back(position_[at(A.row_index[at(k)])]);
      part.values.push_back(A.values[at(k)]);
    }
    part.col_start.push_back(static_cast<std::int32_t>(part.row_index.size()));
  }
  place_.push_back(sparse_.size());
  SparseFactor& factor = sparse_.emplace_back();
  if (is_assembled_symmetric(part)) try {
      factor.cholesky = std::make_unique<SparseCholesky>(part);
      if (factor.cholesky->factorise()) return true;
    } catch (const Error&) {  // too large: LU with its own order may do
    }
  factor.cholesky.reset();
  return factor.lu.factorise(std::move(part));
}

ComponentFactor::ComponentFactor(const CscMatrix& A, const char* what) {
  find_components(A);
  pivot_.resize(rows_.size());
  place_.reserve(components());
  std::size_t largest = 0, entries = 0;
  for (std::size_t c = 0; c < components(); ++c) {
    const std::size_t n = rows(c).size();
    largest = std::max(largest, n);
    if (n <= dense_limit) entries += n * n;
  }
  dense_.reserve(entries);
  for (std::size_t c = 0; c < components(); ++c) {
    const bool regular = rows(c).size() <= dense_limit ? factorise_dense(c, A) : factorise_sparse(c, A);
    if (!regular) fail(NSM_INVALID_VALUE, "%s is singular (in the part that holds row %d)", what, rows(c).front());
  }
  gathered_.resize(largest);
  workspace_.resize(largest);
}

void ComponentFactor::solve_component(std::size_t component, std::span<double> x, bool transposed) {
  if (x.size() <= dense_limit) {
    const double* dense = dense_.data() + place_[component];
    const std::int32_t* pivot = pivot_.data() + row_start_[component];
    const auto solve = transposed ? solve_small_transposed : solve_small;
    return solve(dense, pivot, static_cast<int>(x.size()), x.data());
  }
  const SparseFactor& factor = sparse_[place_[component]];
  const std::span<double> workspace = std::span<double>(workspace_).first(x.size());
  if (factor.cholesky != nullptr)
    factor.cholesky->solve(x, workspace);
  else
    transposed ? factor.lu.solve_transposed(x, workspace) : factor.lu.solve(x, workspace);
}

int ComponentFactor::solved_together(std::size_t component) const {
  const bool is_large = rows(component).size() > dense_limit;
  return is_large && sparse_[place_[component]].cholesky != nullptr ? SparseCholesky::solved_together : 1;
}

void ComponentFactor::solve_together(std::size_t component, std::span<double> X) {
  if (solved_together(component) == 1) return solve_component(component, X);
  workspace_.resize(std::max(workspace_.size(), X.size()));
  sparse_[place_[component]].cholesky->solve_together(X, std::span<double>(workspace_).first(X.size()));
}

void ComponentFactor::solve(std::span<double> x, bool transposed) {
  for (std::size_t c = 0; c < components(); ++c) {
    const auto rows = this->rows(c);
    const std::span<double> part = std::span<double>(gathered_).first(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) part[i] = x[at(rows[i])];
    solve_component(c, part, transposed);
    for (std::size_t i = 0; i < rows.size(); ++i) x[at(rows[i])] = part[i];
  }
}

}  // namespace nonsmooth
