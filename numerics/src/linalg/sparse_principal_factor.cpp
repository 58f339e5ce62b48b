#include "linalg/sparse_principal_factor.hpp"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_size =
    200'000'000;  // 1.6 GB, and some 10 s: beyond them a method without factors is the better choice
constexpr double largest_work = 1e11;
constexpr std::int64_t smallest_blas_product = 512;  // multiplications below which a call costs more than it saves

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace

SparsePrincipalFactor::SparsePrincipalFactor(const CscMatrix& A, bool symmetric)
    : A_(A), symmetric_(symmetric), nodes_(find_supernodes(A)) {
  const std::size_t n = at(A.cols), count = at(nodes_.count());
  place_entries();
  place_panels();
  gathered_.resize(n);
  kept_column_.resize(n);
  kept_row_.resize(nodes_.row.size());
  column_count_.resize(count);
  row_count_.resize(count);
  pivot_.resize(symmetric ? 0 : n);
  local_.resize(n);
  head_.resize(count);
  next_.resize(count);
  reached_.resize(count);
}

// Columns of A + A' below the diagonal in the new order, each entry with the places of its two values.
void SparsePrincipalFactor::place_entries() {
  const std::size_t n = at(A_.cols);
  diagonal_.assign(n, -1);
  entry_start_.assign(n + 1, 0);
  const auto visit = [&](auto&& entry) {
    for (std::size_t j = 0; j < n; ++j)
      for (std::int32_t k = A_.col_start[j]; k < A_.col_start[j + 1]; ++k) {
        const std::int32_t row = nodes_.position[at(A_.row_index[at(k)])], col = nodes_.position[j];
        if (row == col)
          diagonal_[at(col)] = k;
        else if (row > col)
          entry(col, Entry{row, k, -1});
        else if (!symmetric_)
          entry(row, Entry{col, -1, k});
      }
  };
  visit([&](std::int32_t col, Entry) { ++entry_start_[at(col + 1)]; });
  std::partial_sum(entry_start_.begin(), entry_start_.end(), entry_start_.begin());
  entries_.resize(at(entry_start_.back()));
  std::vector<std::int64_t> next(entry_start_.begin(), entry_start_.end() - 1);
  visit([&](std::int32_t col, Entry entry) { entries_[at(next[at(col)]++)] = entry; });
}

void SparsePrincipalFactor::place_panels() {
  lower_start_.assign(1, 0);
  upper_start_.assign(1, 0);
  std::int64_t largest = 0;
  double work = 0;
  for (std::int32_t s = 0; s < nodes_.count(); ++s) {
    const std::int64_t columns = nodes_.columns(s), rows = nodes_.rows_below(s);
    work += static_cast<double>(columns) * static_cast<double>((columns + rows) * (columns + rows));
    lower_start_.push_back(lower_start_.back() + (columns + rows) * columns);
    upper_start_.push_back(upper_start_.back() + (symmetric_ ? 0 : rows * columns));
    // One update is of some rows of s times those of them in one other supernode.
    std::int64_t k = nodes_.start[at(s)];
    while (k < nodes_.start[at(s + 1)]) {
      const std::int32_t owner = nodes_.owner[at(nodes_.row[at(k)])];
      const std::int64_t begin = k;
      while (k < nodes_.start[at(s + 1)] && nodes_.owner[at(nodes_.row[at(k)])] == owner) ++k;
      largest = std::max(largest, (nodes_.start[at(s + 1)] - begin) * (k - begin));
    }
  }
  const std::int64_t size = lower_start_.back() + upper_start_.back();
  if (size > largest_size || work > largest_work)
    fail(NSM_TOO_LARGE,
         "the factors of a sparse matrix of %lld rows would take %lld entries and %.2g multiplications, above the limits",
         (long long)A_.cols, (long long)size, work);
  lower_.resize(at(lower_start_.back()));
  upper_.resize(at(upper_start_.back()));
  product_.resize(at(largest));
}

void SparsePrincipalFactor::keep_rows(std::int32_t s, std::span<const char> keep) {
  const auto kept = [&](std::int32_t row) { return keep[at(nodes_.order[at(row)])] != 0; };
  std::int32_t columns = 0, rows = 0;
  for (std::int32_t j = nodes_.first[at(s)]; j < nodes_.first[at(s + 1)]; ++j)
    if (kept(j)) kept_column_[at(nodes_.first[at(s)] + columns++)] = j;
  if (columns > 0)
    for (std::int64_t k = nodes_.start[at(s)]; k < nodes_.start[at(s + 1)]; ++k)
      if (kept(nodes_.row[at(k)])) kept_row_[at(nodes_.start[at(s)] + rows++)] = nodes_.row[at(k)];
  column_count_[at(s)] = columns;
  row_count_[at(s)] = rows;
}

// The kept part of A in the panel of s; local_ of its rows.
void SparsePrincipalFactor::assemble(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  const std::int32_t* column = kept_column_.data() + nodes_.first[at(s)];
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  double* L = lower_.data() + lower_start_[at(s)];
  double* U = upper_.data() + upper_start_[at(s)];
  std::fill(L, L + std::int64_t{stride} * columns, 0.0);
  if (!symmetric_) std::fill(U, U + std::int64_t{rows} * columns, 0.0);
  for (std::int32_t c = 0; c < columns; ++c) local_[at(column[c])] = c;
  for (std::int32_t r = 0; r < rows; ++r) local_[at(row[r])] = columns + r;
  for (std::int32_t c = 0; c < columns; ++c) {
    const std::int32_t diagonal = diagonal_[at(column[c])];
    if (diagonal >= 0) L[c + std::int64_t{stride} * c] = A_.values[at(diagonal)];
    for (std::int64_t k = entry_start_[at(column[c])]; k < entry_start_[at(column[c] + 1)]; ++k) {
      const Entry& entry = entries_[at(k)];
      const std::int32_t r = local_[at(entry.row)];
      if (r < 0) continue;
      if (entry.lower >= 0) L[r + std::int64_t{stride} * c] = A_.values[at(entry.lower)];
      if (entry.upper < 0) continue;
      if (r < columns)
        L[c + std::int64_t{stride} * r] = A_.values[at(entry.upper)];
      else
        U[r - columns + std::int64_t{rows} * c] = A_.values[at(entry.upper)];
    }
  }
}

// s waits for the supernode that owns its kept row number `from`.
void SparsePrincipalFactor::queue(std::int32_t s, std::int32_t from) {
  reached_[at(s)] = from;
  if (from >= row_count_[at(s)]) return;
  const std::int32_t target = nodes_.owner[at(kept_row_[at(nodes_.start[at(s)] + from)])];
  next_[at(s)] = head_[at(target)];
  head_[at(target)] = s;
}

void SparsePrincipalFactor::apply_descendants(std::int32_t s) {
  const std::int32_t end = nodes_.first[at(s + 1)];
  for (std::int32_t d = head_[at(s)]; d != -1;) {
    const std::int32_t following = next_[at(d)], from = reached_[at(d)];
    const std::int32_t* row = kept_row_.data() + nodes_.start[at(d)];
    std::int32_t to = from;
    while (to < row_count_[at(d)] && row[to] < end) ++to;
    apply_descendant(d, s, from, to);
    queue(d, to);
    d = following;
  }
}

// Rows from .. to of d lie in the columns of s.
void SparsePrincipalFactor::apply_descendant(std::int32_t d, std::int32_t s, std::int32_t from, std::int32_t to) {
  const std::int32_t k = column_count_[at(d)], rows = row_count_[at(d)], columns = column_count_[at(s)];
  const double* L = lower_.data() + lower_start_[at(d)] + k;  // its rows below the diagonal block, stride k + rows
  double* target = lower_.data() + lower_start_[at(s)];
  if (symmetric_) {
    subtract_product(L, L, d, k + rows, k + rows, from, to, target, columns + row_count_[at(s)], 0);
    return;
  }
  const double* U = upper_.data() + upper_start_[at(d)];
  subtract_product(L, U, d, k + rows, rows, from, to, target, columns + row_count_[at(s)], 0);
  subtract_product(U, L, d, rows, k + rows, from, to, upper_.data() + upper_start_[at(s)], row_count_[at(s)], columns);
}

// target -= a[first .., :] b[from .. to, :]', each row of d at its place; the two strides are `rows` and `cols`. With a shift
// (the panel of U') only rows from `to` on take part: the diagonal block stands in the other panel.
void SparsePrincipalFactor::subtract_product(const double* a, const double* b, std::int32_t d, std::int32_t rows,
                                             std::int32_t cols, std::int32_t from, std::int32_t to, double* target,
                                             std::int32_t stride, std::int32_t row_shift) {
  const std::int32_t k = column_count_[at(d)], first = row_shift > 0 ? to : from;
  const std::int32_t m = row_count_[at(d)] - first, n = to - from;
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(d)];
  if (m == 0 || n == 0) return;
  if (std::int64_t{m} * n * k < smallest_blas_product) {
    for (std::int32_t j = 0; j < n; ++j) {
      double* column = target + std::int64_t{stride} * local_[at(row[from + j])] - row_shift;
      for (std::int32_t i = 0; i < m; ++i) {
        double sum = 0;
        for (std::int32_t l = 0; l < k; ++l) sum += a[first + i + std::int64_t{rows} * l] * b[from + j + std::int64_t{cols} * l];
        column[local_[at(row[first + i])]] -= sum;
      }
    }
    return;
  }
  const double one = 1, zero = 0;
  dgemm_("N", "T", &m, &n, &k, &one, a + first, &rows, b + from, &cols, &zero, product_.data(), &m);
  for (std::int32_t j = 0; j < n; ++j) {
    double* column = target + std::int64_t{stride} * local_[at(row[from + j])] - row_shift;
    const double* source = product_.data() + std::int64_t{m} * j;
    for (std::int32_t i = 0; i < m; ++i) column[local_[at(row[first + i])]] -= source[i];
  }
}

bool SparsePrincipalFactor::factorise_panel(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  double* L = lower_.data() + lower_start_[at(s)];
  const double one = 1;
  int info = 0;
  if (symmetric_) {
    dpotrf_("L", &columns, L, &stride, &info);
    if (info == 0 && rows > 0) dtrsm_("R", "L", "T", "N", &rows, &columns, &one, L, &stride, L + columns, &stride);
    return info == 0;
  }
  std::int32_t* pivot = pivot_.data() + nodes_.first[at(s)];
  dgetrf_(&columns, &columns, L, &stride, pivot, &info);
  if (info != 0) return false;
  if (rows == 0) return true;
  double* U = upper_.data() + upper_start_[at(s)];  // transposed, so that exchanges of rows are exchanges of columns
  for (std::int32_t c = 0; c < columns; ++c)
    if (pivot[c] - 1 != c)
      std::swap_ranges(U + std::int64_t{rows} * c, U + std::int64_t{rows} * (c + 1), U + std::int64_t{rows} * (pivot[c] - 1));
  dtrsm_("R", "L", "T", "U", &rows, &columns, &one, L, &stride, U, &rows);
  dtrsm_("R", "U", "N", "N", &rows, &columns, &one, L, &stride, L + columns, &stride);
  return true;
}

bool SparsePrincipalFactor::factorise(std::span<const char> keep) {
  std::fill(head_.begin(), head_.end(), -1);
  for (std::size_t j = 0; j < local_.size(); ++j) local_[j] = keep[at(nodes_.order[j])] != 0 ? 0 : -1;
  for (std::int32_t s = 0; s < nodes_.count(); ++s) {
    keep_rows(s, keep);
    if (column_count_[at(s)] == 0) continue;
    assemble(s);
    apply_descendants(s);
    if (!factorise_panel(s)) return false;
    queue(s, 0);
  }
  return true;
}

template <int M>
void SparsePrincipalFactor::forward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  const double* L = lower_.data() + lower_start_[at(s)];
  double* x = gathered_.data() + nodes_.first[at(s)] * M;
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  if (!symmetric_)
    for (std::int32_t c = 0; c < columns; ++c)
      std::swap_ranges(x + c * M, x + (c + 1) * M, x + (pivot_[at(nodes_.first[at(s)] + c)] - 1) * M);
  for (std::int32_t c = 0; c < columns; ++c) {
    const double* column = L + std::int64_t{stride} * c;
    double own[M];
    for (int j = 0; j < M; ++j) {
      if (symmetric_) x[c * M + j] /= column[c];
      own[j] = x[c * M + j];
    }
    const auto subtract = [&](double factor, double* target) {
      for (int j = 0; j < M; ++j) target[j] -= factor * own[j];
    };
    for (std::int32_t r = c + 1; r < columns; ++r) subtract(column[r], x + r * M);
    for (std::int32_t r = 0; r < rows; ++r) subtract(column[columns + r], gathered_.data() + at(local_[at(row[r])]) * M);
  }
}

template <int M>
void SparsePrincipalFactor::backward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  const double* L = lower_.data() + lower_start_[at(s)];
  const double* U = symmetric_ ? L + columns : upper_.data() + upper_start_[at(s)];
  const std::int32_t upper_stride = symmetric_ ? stride : rows;
  double* x = gathered_.data() + nodes_.first[at(s)] * M;
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  for (std::int32_t c = columns - 1; c >= 0; --c) {
    double sum[M];
    std::copy_n(x + c * M, M, sum);
    const auto subtract = [&](double factor, const double* source) {
      for (int j = 0; j < M; ++j) sum[j] -= factor * source[j];
    };
    for (std::int32_t r = 0; r < rows; ++r)
      subtract(U[r + std::int64_t{upper_stride} * c], gathered_.data() + at(local_[at(row[r])]) * M);
    for (std::int32_t r = c + 1; r < columns; ++r)
      subtract(symmetric_ ? L[r + std::int64_t{stride} * c] : L[c + std::int64_t{stride} * r], x + r * M);
    for (int j = 0; j < M; ++j) x[c * M + j] = sum[j] / L[c + std::int64_t{stride} * c];
  }
}

// gathered_ holds the kept columns of a supernode together, so that local_ now is the place of a new row in it.
template <int M>
void SparsePrincipalFactor::solve_rows(std::span<double> x) {
  for (std::int32_t s = 0; s < nodes_.count(); ++s)
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c, column = kept_column_[at(place)];
      local_[at(column)] = place;
      std::copy_n(x.data() + at(nodes_.order[at(column)]) * M, M, gathered_.data() + at(place) * M);
    }
  for (std::int32_t s = 0; s < nodes_.count(); ++s) forward<M>(s);
  for (std::int32_t s = nodes_.count() - 1; s >= 0; --s) backward<M>(s);
  for (std::int32_t s = 0; s < nodes_.count(); ++s)
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c;
      std::copy_n(gathered_.data() + at(place) * M, M, x.data() + at(nodes_.order[at(kept_column_[at(place)])]) * M);
    }
}

void SparsePrincipalFactor::solve(std::span<double> x) { solve_rows<1>(x); }

void SparsePrincipalFactor::solve_together(std::span<double> X) {
  gathered_.resize(std::max(gathered_.size(), X.size()));
  solve_rows<solved_together>(X);
}

}  // namespace nonsmooth
