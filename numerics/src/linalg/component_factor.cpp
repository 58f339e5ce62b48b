#include "linalg/component_factor.hpp"

#include <algorithm>
#include <numeric>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/small_lu.hpp"
#include "linalg/symmetry.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t dense_limit = 64;
// Columns whose responses may be left; of fewer a solve costs more than a product even where its multiplications do not. More
// would take a gigabyte.
constexpr std::int32_t fewest_left = 400, most_prepared = 11000;
constexpr std::size_t smallest_rough = 1000;  // rows from which on refining every column costs more than all else

std::int32_t find_root(IndexVector& parent, std::int32_t i) {
  while (parent[at(i)] != i) {
    parent[at(i)] = parent[at(parent[at(i)])];  // halve the path
    i = parent[at(i)];
  }
  return i;
}

}  // namespace

IndexVector components_of(const CscMatrix& A) {
  const auto n = at(A.rows);
  IndexVector parent(n), component_of(n);
  std::iota(parent.begin(), parent.end(), 0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
      const std::int32_t a = find_root(parent, A.row_index[at(k)]), b = find_root(parent, static_cast<std::int32_t>(j));
      parent[at(std::max(a, b))] = std::min(a, b);
    }
  std::int32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto root = at(find_root(parent, static_cast<std::int32_t>(i)));
    component_of[i] = root == i ? count++ : component_of[root];
  }
  return component_of;
}

ComponentFactor::ComponentFactor(const CscMatrix& A, const char* what, const CscMatrix* C, Responses responses)
    : what_(what), C_(C), responses_(responses), component_of_(components_of(A)) {
  list_rows();
  place_factors();
  list_columns();
  factorise(A);
}

bool ComponentFactor::has_components_of(const CscMatrix& A) const { return component_of_ == components_of(A); }

void ComponentFactor::list_rows() {
  row_start_.assign(1, 0);
  for (const std::int32_t c : component_of_) {
    if (at(c) == components()) row_start_.push_back(0);
    ++row_start_[at(c) + 1];
  }
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  position_.resize(component_of_.size());
  rows_.resize(component_of_.size());
  IndexVector placed(components(), 0);
  for (std::size_t i = 0; i < component_of_.size(); ++i) {
    const std::size_t c = at(component_of_[i]);
    position_[i] = placed[c]++;
    rows_[at(row_start_[c] + position_[i])] = static_cast<std::int32_t>(i);
  }
}

void ComponentFactor::place_factors() {
  std::size_t largest = 0, entries = 0, sparse = 0;
  place_.reserve(components());
  for (std::size_t c = 0; c < components(); ++c) {
    const std::size_t n = rows(c).size();
    largest = std::max(largest, n);
    place_.push_back(n <= dense_limit ? entries : sparse++);
    if (n <= dense_limit) entries += n * n;
  }
  dense_.resize(entries);
  pivot_.resize(rows_.size());
  sparse_.resize(sparse);
  gathered_.resize(largest);
  workspace_.resize(largest);
}

void ComponentFactor::list_columns() {
  if (C_ == nullptr) return;
  columns_of_.resize(components());
  for (std::int32_t j = 0; j < C_->cols; ++j)
    for (std::int32_t k = C_->col_start[at(j)]; k < C_->col_start[at(j + 1)]; ++k) {
      IndexVector& list = columns_of_[at(component_of(C_->row_index[at(k)]))];
      if (list.empty() || list.back() != j) list.push_back(j);
    }
}

void ComponentFactor::factorise(const CscMatrix& A) {
  std::fill(dense_.begin(), dense_.end(), 0.0);
  for (std::size_t c = 0; c < components(); ++c) {
    const bool regular = rows(c).size() <= dense_limit ? factorise_dense(c, A) : factorise_sparse(c, A);
    if (!regular) fail(NSM_INVALID_VALUE, "%s is singular (in the part that holds row %d)", what_, rows(c).front());
  }
}

bool ComponentFactor::factorise_dense(std::size_t component, const CscMatrix& A) {
  const auto rows = this->rows(component);
  const std::size_t n = rows.size();
  double* own = dense_.data() + place_[component];
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
  SparseFactor& factor = sparse_[place_[component]];
  if (is_assembled_symmetric(part)) try {
      CscMatrix bordered = part;
      append_columns(component, bordered);
      const auto suits = [&](const CscMatrix& matrix) {
        return factor.cholesky != nullptr && factor.cholesky->matrix().has_pattern_of(matrix);
      };
      if (!suits(part) && !suits(bordered)) factor.cholesky = set_up_cholesky(part, bordered);
      if (factor.cholesky->factorise(factor.cholesky->columns() > 0 ? std::move(bordered.values) : part.values)) return true;
    } catch (const Error&) {  // too large: LU with its own order may do
    }
  factor.cholesky.reset();
  return factor.lu.factorise(std::move(part));
}

std::unique_ptr<SparseCholesky> ComponentFactor::set_up_cholesky(const CscMatrix& part, const CscMatrix& bordered) const {
  const auto columns = static_cast<std::int32_t>(bordered.cols - part.cols);
  if (responses_ == Responses::may_be_left && columns >= fewest_left) {
    auto own = std::make_unique<SparseCholesky>(part);
    if (columns > most_prepared || own->solve_work() < static_cast<double>(columns) * columns) return own;
  }
  return std::make_unique<SparseCholesky>(bordered, columns);
}

// Calls visit(position in the component, value) for each entry of a column of C.
template <class Visit>
void ComponentFactor::visit_column(std::size_t component, std::int32_t column, Visit&& visit) const {
  for (std::int32_t k = C_->col_start[at(column)]; k < C_->col_start[at(column) + 1]; ++k) {
    const std::int32_t row = C_->row_index[at(k)];
    if (at(component_of(row)) == component) visit(position_in_component(row), C_->values[at(k)]);
  }
}

// Those of C behind its own.
void ComponentFactor::append_columns(std::size_t component, CscMatrix& part) const {
  if (C_ == nullptr) return;
  for (const std::int32_t j : columns_of_[component]) {
    visit_column(component, j, [&](std::int32_t row, double value) {
      part.row_index.push_back(row);
      part.values.push_back(value);
    });
    part.col_start.push_back(checked_index(std::ssize(part.row_index), what_));
  }
  part.rows = part.cols = std::ssize(part.col_start) - 1;
}

void ComponentFactor::solve_column(std::size_t component, std::int32_t column) {
  const std::span<double> x = std::span<double>(gathered_).first(rows(component).size());
  std::fill(x.begin(), x.end(), 0.0);
  visit_column(component, column, [&](std::int32_t row, double value) { x[at(row)] = value; });
  solve_component_once(component, x);
}

void ComponentFactor::solve_component_once(std::size_t component, std::span<double> x) {
  if (x.size() < smallest_rough) return solve_component(component, x);
  SparseFactor& factor = sparse_[place_[component]];
  if (factor.cholesky != nullptr)
    factor.cholesky->solve_once(x);
  else
    factor.lu.solve_once(x, std::span<double>(workspace_).first(x.size()));
}

double ComponentFactor::response(std::int32_t column) {
  double sum = 0;
  for (std::size_t c = 0; c < components(); ++c)
    if (std::ranges::binary_search(columns_of_[c], column)) {
      solve_column(c, column);
      sum += product_with_gathered(c, column);
    }
  return sum;
}

double ComponentFactor::product_with_gathered(std::size_t component, std::int32_t column) const {
  double sum = 0;
  visit_column(component, column, [&](std::int32_t row, double value) { sum += value * gathered_[at(row)]; });
  return sum;
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

const SparseCholesky* ComponentFactor::prepared_by(std::size_t component) const {
  if (rows(component).size() <= dense_limit) return nullptr;
  const SparseCholesky* cholesky = sparse_[place_[component]].cholesky.get();
  return cholesky != nullptr && cholesky->columns() > 0 ? cholesky : nullptr;
}

bool ComponentFactor::is_sparse_definite() const {
  return !sparse_.empty() && std::ranges::all_of(sparse_, [](const SparseFactor& factor) { return factor.cholesky != nullptr; });
}

bool ComponentFactor::has_left(std::size_t component) const {
  if (rows(component).size() <= dense_limit || columns_of_[component].empty()) return false;
  const SparseCholesky* cholesky = sparse_[place_[component]].cholesky.get();
  return cholesky != nullptr && cholesky->columns() == 0;
}

bool ComponentFactor::has_left_responses() const {
  for (std::size_t c = 0; c < columns_of_.size(); ++c)
    if (has_left(c)) return true;
  return false;
}

std::vector<char> ComponentFactor::left_columns() const {
  std::vector<char> is_left(at(C_->cols), 0);
  for (std::size_t c = 0; c < columns_of_.size(); ++c)
    if (has_left(c))
      for (const std::int32_t j : columns_of_[c]) is_left[at(j)] = 1;
  return is_left;
}

double ComponentFactor::sparse_solve_work() const {
  double work = 0;
  for (const SparseFactor& factor : sparse_) work += factor.cholesky != nullptr ? factor.cholesky->solve_work() : 0;
  return work;
}

double ComponentFactor::sparse_work() const {
  double work = 0;
  for (const SparseFactor& factor : sparse_) work += factor.cholesky != nullptr ? factor.cholesky->work() : 0;
  return work;
}

template <class Solve>
void ComponentFactor::solve_components(std::span<double> x, Solve&& solve) {
  for (std::size_t c = 0; c < components(); ++c) {
    const auto rows = this->rows(c);
    const std::span<double> part = std::span<double>(gathered_).first(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) part[i] = x[at(rows[i])];
    solve(c, part);
    for (std::size_t i = 0; i < rows.size(); ++i) x[at(rows[i])] = part[i];
  }
}

void ComponentFactor::solve(std::span<double> x, bool transposed) {
  solve_components(x, [&](std::size_t component, std::span<double> part) { solve_component(component, part, transposed); });
}

void ComponentFactor::solve_once(std::span<double> x) {
  solve_components(x, [&](std::size_t component, std::span<double> part) { solve_component_once(component, part); });
}

}  // namespace nonsmooth
