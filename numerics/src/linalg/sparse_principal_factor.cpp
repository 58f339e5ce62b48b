#include "linalg/sparse_principal_factor.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/blocked_lu.hpp"
#include "linalg/lapack.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_size =
    200'000'000;  // 1.6 GB, and some 10 s: beyond them a method without factors is the better choice
constexpr double largest_work = 1e11;
constexpr std::int32_t smallest_blas_columns = 8;    // of a supernode, from which a call for several right-hand sides pays
constexpr std::int64_t smallest_blas_product = 512;  // multiplications below which a call costs more than it saves
// What is divided, and how, depends on the matrix alone: the bits are the same for any number of threads.
constexpr double smallest_divided_work = 1e7;
constexpr double least_groups = 16;
constexpr double smallest_shared_work =
    3e6;  // of a supernode: some tenths of a millisecond, what a thread that sleeps may take to wake
constexpr std::int32_t part_columns = 256, part_rows = 512, trunk = -1;

std::int32_t parts_of(std::int32_t columns) { return (columns + part_columns - 1) / part_columns; }

template <class Real>
using ConstMatrix = Eigen::Map<const Eigen::MatrixX<Real>, 0, Eigen::OuterStride<>>;
template <class Real, int M>
using RightHandSides = Eigen::Map<Eigen::Matrix<Real, Eigen::Dynamic, M, M == 1 ? Eigen::ColMajor : Eigen::RowMajor>>;

}  // namespace

SparsePrincipalFactor::SparsePrincipalFactor(const CscMatrix& A, bool symmetric, Workers* workers, std::int32_t tail)
    : A_(A),
      symmetric_(symmetric),
      workers_(workers),
      nodes_(find_supernodes(A, tail)),
      eliminated_(nodes_.count() - (tail > 0 ? 1 : 0)) {
  const std::size_t n = at(A.cols), count = at(nodes_.count());
  place_entries();
  place_panels();
  divide();
  gathered_.resize(n);
  below_.resize(at(largest_rows_));
  kept_column_.resize(n);
  kept_row_.resize(nodes_.row.size());
  column_count_.resize(count);
  row_count_.resize(count);
  solved_rows_.resize(count);
  pivot_.resize(symmetric ? 0 : n);
  head_.resize(count);
  next_.resize(count);
  reached_.resize(count);
}

// Columns of A + A' below the diagonal in the new order, each entry with the places of its two values.
void SparsePrincipalFactor::place_entries() {
  const std::size_t n = at(A_.cols);
  const std::int32_t tail = nodes_.first[at(eliminated_)];
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
        else if (col >= tail)
          entry(row, Entry{col, k, -1});
      }
  };
  visit([&](std::int32_t col, Entry) { ++entry_start_[at(col + 1)]; });
  std::partial_sum(entry_start_.begin(), entry_start_.end(), entry_start_.begin());
  entries_.resize(at(entry_start_.back()));
  std::vector<std::int64_t> next(entry_start_.begin(), entry_start_.end() - 1);
  visit([&](std::int32_t col, Entry entry) { entries_[at(next[at(col)]++)] = entry; });
}

SparsePrincipalFactor::Group& SparsePrincipalFactor::group_of(std::int32_t s) {
  const std::int32_t group = group_of_[at(s)];
  return group == trunk ? trunk_ : groups_[at(group)];
}

std::int32_t SparsePrincipalFactor::parent(std::int32_t s) const {
  return nodes_.rows_below(s) > 0 ? nodes_.owner[at(nodes_.row[at(nodes_.start[at(s)])])] : -1;
}

double SparsePrincipalFactor::work(std::int32_t s) const {
  if (s == eliminated_) return 0;
  const double columns = nodes_.columns(s), rows = nodes_.rows_below(s);
  return columns * (columns + rows) * (columns + rows);
}

double SparsePrincipalFactor::work() const {
  const auto behind = nodes_.first[at(eliminated_)];
  double sum = 0;
  for (std::int32_t s = 0; s < eliminated_; ++s) {
    const auto begin = nodes_.row.begin() + nodes_.start[at(s)], end = nodes_.row.begin() + nodes_.start[at(s + 1)];
    const double columns = nodes_.columns(s), rows = static_cast<double>(std::lower_bound(begin, end, behind) - begin);
    sum += columns * (rows * rows + columns * rows + columns * columns / 3);
  }
  return sum;
}

void SparsePrincipalFactor::place_panels() {
  lower_start_.assign(1, 0);
  upper_start_.assign(1, 0);
  double all = 0;
  for (std::int32_t s = 0; s < nodes_.count(); ++s) {
    const std::int64_t columns = nodes_.columns(s), rows = nodes_.rows_below(s);
    all += work(s);
    largest_rows_ = std::max(largest_rows_, nodes_.rows_below(s));
    lower_start_.push_back(lower_start_.back() + (columns + rows) * columns);
    upper_start_.push_back(upper_start_.back() + (symmetric_ ? 0 : rows * columns));
  }
  const std::int64_t size = lower_start_.back() + upper_start_.back();
  if (size > largest_size || all > largest_work)
    fail(NSM_TOO_LARGE,
         "the factors of a sparse matrix of %lld rows would take %lld entries and %.2g multiplications, above the limits",
         (long long)A_.cols, (long long)size, all);
  lower_.resize(at(lower_start_.back()));
  upper_.resize(at(upper_start_.back()));
}

// Groups of whole subtrees, each of a small share of the work, and the trunk above them, which is what no group has.
void SparsePrincipalFactor::divide() {
  const std::int32_t count = nodes_.count();
  Vector below(at(count), 0.0);  // work of the subtree
  double all = 0;
  for (std::int32_t s = 0; s < count; ++s) {
    all += work(s);
    below[at(s)] += work(s);
    if (parent(s) >= 0) below[at(parent(s))] += below[at(s)];
  }
  group_of_.assign(at(count), trunk);
  std::int32_t groups = 0;
  if (all > smallest_divided_work) {
    double gathered = HUGE_VAL;  // work of the present group
    for (std::int32_t s = count - 1; s >= 0; --s) {
      const std::int32_t above = parent(s);
      if (below[at(s)] > all / least_groups) continue;
      if (above >= 0 && group_of_[at(above)] != trunk) {
        group_of_[at(s)] = group_of_[at(above)];
        continue;
      }
      if (gathered + below[at(s)] > all / least_groups) {
        ++groups;
        gathered = 0;
      }
      gathered += below[at(s)];
      group_of_[at(s)] = groups - 1;
    }
  }
  groups_.resize(at(groups));
  for (std::int32_t s = 0; s < count; ++s) group_of(s).members.push_back(s);
  for (Group& group : groups_) make_room(group);
  make_room(trunk_);
}

// One update is of some rows of a supernode times those of them in a part of one other supernode. Into the trunk it comes from
// anywhere, and from all of its parts at once where there are threads.
void SparsePrincipalFactor::make_room(Group& group) {
  const bool is_trunk = &group == &trunk_;
  std::int32_t rows = 0, parts = 1;
  for (std::int32_t s = 0; s < nodes_.count(); ++s)
    if (is_trunk || &group == &group_of(s)) rows = std::max(rows, nodes_.rows_below(s));
  if (is_trunk && workers_ != nullptr)
    for (const std::int32_t s : group.members) parts = std::max(parts, parts_of(nodes_.columns(s)));
  group.local.resize(at(A_.cols));
  group.product_size = at(std::int64_t{rows} * std::min(rows, part_columns));
  group.rows = at(rows);
  group.product.resize(group.product_size * at(parts));
  group.places.resize(group.rows * at(parts));
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
  solved_rows_[at(s)] = row_behind(s, 0, nodes_.first[at(eliminated_)]);
}

// The kept part of A in the panel of s; `local` of its rows.
template <class Real>
void SparsePrincipalFactor::assemble(std::int32_t s, IndexVector& local) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  const std::int32_t* column = kept_column_.data() + nodes_.first[at(s)];
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  Real* L = lower<Real>(s);
  Real* U = upper<Real>(s);
  std::fill(L, L + std::int64_t{stride} * columns, Real{0});
  if (!symmetric_) std::fill(U, U + std::int64_t{rows} * columns, Real{0});
  for (std::int32_t c = 0; c < columns; ++c) local[at(column[c])] = c;
  for (std::int32_t r = 0; r < rows; ++r) local[at(row[r])] = columns + r;
  for (std::int32_t c = 0; c < columns; ++c) {
    const std::int32_t diagonal = diagonal_[at(column[c])];
    if (diagonal >= 0) L[c + std::int64_t{stride} * c] = static_cast<Real>(A_.values[at(diagonal)]);
    for (std::int64_t k = entry_start_[at(column[c])]; k < entry_start_[at(column[c] + 1)]; ++k) {
      const Entry& entry = entries_[at(k)];
      const std::int32_t r = local[at(entry.row)];
      if (r < 0) continue;
      if (entry.lower >= 0) L[r + std::int64_t{stride} * c] = static_cast<Real>(A_.values[at(entry.lower)]);
      if (entry.upper < 0) continue;
      if (r < columns)
        L[c + std::int64_t{stride} * r] = static_cast<Real>(A_.values[at(entry.upper)]);
      else
        U[r - columns + std::int64_t{rows} * c] = static_cast<Real>(A_.values[at(entry.upper)]);
    }
  }
}

// s waits for the supernode that owns its kept row number `from`; outside the group for its end.
void SparsePrincipalFactor::queue(std::int32_t s, std::int32_t from, Group& group) {
  reached_[at(s)] = from;
  if (from >= row_count_[at(s)]) return;
  const std::int32_t target = nodes_.owner[at(kept_row_[at(nodes_.start[at(s)] + from)])];
  std::int32_t& head = &group_of(target) == &group ? head_[at(target)] : group.left;
  next_[at(s)] = head;
  head = s;
}

// The first kept row of d from `from` on that lies at or behind `end`.
std::int32_t SparsePrincipalFactor::row_behind(std::int32_t d, std::int32_t from, std::int32_t end) const {
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(d)];
  return static_cast<std::int32_t>(std::lower_bound(row + from, row + row_count_[at(d)], end) - row);
}

// What waits for s, on the columns of one part of its panel.
template <class Real>
void SparsePrincipalFactor::update_part(std::int32_t s, std::int32_t part, const IndexVector& local,
                                        const UpdateRoom<Real>& room) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)];
  const std::int32_t* column = kept_column_.data() + nodes_.first[at(s)];
  const std::int32_t begin = part * part_columns, end = begin + part_columns;
  const std::int32_t behind = nodes_.first[at(s + 1)];
  for (std::int32_t d = head_[at(s)]; d != -1; d = next_[at(d)]) {
    const Range own{reached_[at(d)], row_behind(d, reached_[at(d)], behind)};
    const Range of_part{row_behind(d, own.begin, column[begin]), end < columns ? row_behind(d, own.begin, column[end]) : own.end};
    if (of_part.size() == 0) continue;
    const std::int32_t k = column_count_[at(d)], below = row_count_[at(d)], stride = k + below;
    const Panel<Real> L{lower<Real>(d) + k, stride};  // its rows below the diagonal block
    const Target<Real> target{{lower<Real>(s), columns + rows}, 0, local.data(), room};
    if (symmetric_) {
      subtract_product(d, L, {of_part.begin, below}, L, of_part, target);
      continue;
    }
    const Panel<Real> U{upper<Real>(d), below};
    subtract_product(d, L, {own.begin, below}, U, of_part, target);
    // The diagonal block stands in the other panel.
    subtract_product<Real>(d, U, {own.end, below}, L, of_part, {{upper<Real>(s), rows}, columns, local.data(), room});
  }
}

// target -= a[i, :] b[j, :]', rows i and j of d, each row at its place.
template <class Real>
void SparsePrincipalFactor::subtract_product(std::int32_t d, const Panel<Real>& a, Range i, const Panel<Real>& b, Range j,
                                             const Target<Real>& target) {
  const std::int32_t k = column_count_[at(d)], m = i.size(), n = j.size();
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(d)];
  if (m == 0 || n == 0) return;
  if (std::int64_t{m} * n * k < smallest_blas_product) {
    std::fill_n(target.room.product, std::int64_t{m} * n, Real{0});
    for (std::int32_t c = 0; c < n; ++c)
      for (std::int32_t l = 0; l < k; ++l) {
        const Real factor = b.values[j.begin + c + std::int64_t{b.stride} * l];
        const Real* source = a.values + i.begin + std::int64_t{a.stride} * l;
        Real* sum = target.room.product + std::int64_t{m} * c;
        for (std::int32_t r = 0; r < m; ++r) sum[r] += source[r] * factor;
      }
  } else {
    gemm("N", "T", m, n, k, Real{1}, a.values + i.begin, a.stride, b.values + j.begin, b.stride, Real{0}, target.room.product, m);
  }
  std::int32_t* places = target.room.places;
  for (std::int32_t r = 0; r < m; ++r) places[r] = target.local[row[i.begin + r]] - target.row_shift;
  const bool in_one_run = places[m - 1] - places[0] == m - 1;  // they ascend
  for (std::int32_t c = 0; c < n; ++c) {
    Real* column = target.panel.values + std::int64_t{target.panel.stride} * target.local[row[j.begin + c]];
    const Real* source = target.room.product + std::int64_t{m} * c;
    if (in_one_run)
      for (std::int32_t r = 0; r < m; ++r) column[places[0] + r] -= source[r];
    else
      for (std::int32_t r = 0; r < m; ++r) column[places[r]] -= source[r];
  }
}

// The rows below the diagonal block, some at a time.
template <class Real>
void SparsePrincipalFactor::solve_with_block(std::int32_t s, Workers* workers) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  Real* L = lower<Real>(s);
  Real* U = upper<Real>(s);
  const std::int32_t parts = (rows + part_rows - 1) / part_rows;
  run_tasks(workers, symmetric_ ? parts : 2 * parts, [&](std::int64_t task) {
    const std::int32_t begin = static_cast<std::int32_t>(task % parts) * part_rows, count = std::min(part_rows, rows - begin);
    Real* below = L + columns + begin;
    if (symmetric_)
      trsm("R", "L", "T", "N", count, columns, L, stride, below, stride);
    else if (task < parts)
      trsm("R", "U", "N", "N", count, columns, L, stride, below, stride);
    else
      trsm("R", "L", "T", "U", count, columns, L, stride, U + begin, rows);
  });
}

template <class Real>
bool SparsePrincipalFactor::factorise_panel(std::int32_t s, Workers* workers, Patience* patience) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  Real* L = lower<Real>(s);
  if (symmetric_) {
    if (!potrf("L", columns, L, stride)) return false;
  } else {
    std::int32_t* pivot = pivot_.data() + nodes_.first[at(s)];
    if (!factorise_blocked(L, columns, stride, pivot, workers, patience)) return false;
    Real* U = upper<Real>(s);  // transposed, so that exchanges of rows are exchanges of columns
    for (std::int32_t c = 0; c < columns; ++c)
      if (pivot[c] - 1 != c)
        std::swap_ranges(U + std::int64_t{rows} * c, U + std::int64_t{rows} * (c + 1), U + std::int64_t{rows} * (pivot[c] - 1));
  }
  solve_with_block<Real>(s, workers);
  return true;
}

template <class Real>
bool SparsePrincipalFactor::eliminate(std::int32_t s, std::span<const char> keep, Group& group) {
  Workers* workers = &group == &trunk_ && work(s) > smallest_shared_work ? workers_ : nullptr;
  Patience* patience = &group == &trunk_ ? patience_ : nullptr;  // asked by the thread that wants the factors alone
  if (patience != nullptr && work(s) > smallest_shared_work && !patience->lasts()) return false;
  keep_rows(s, keep);
  if (column_count_[at(s)] == 0) return true;
  assemble<Real>(s, group.local);
  const std::size_t rooms = std::max<std::size_t>(1, group.product.size() / std::max<std::size_t>(1, group.product_size));
  run_tasks(workers, parts_of(column_count_[at(s)]), [&](std::int64_t part) {
    const std::size_t room = at(part) % rooms;
    update_part<Real>(s, static_cast<std::int32_t>(part), group.local,
                      {group.product.as<Real>() + room * group.product_size, group.places.data() + room * group.rows});
  });
  for (std::int32_t d = head_[at(s)]; d != -1;) {
    const std::int32_t following = next_[at(d)];
    queue(d, row_behind(d, reached_[at(d)], nodes_.first[at(s + 1)]), group);
    d = following;
  }
  if (s == eliminated_) return true;
  if (!factorise_panel<Real>(s, workers, patience)) return false;
  queue(s, 0, group);
  return true;
}

template <class Real>
bool SparsePrincipalFactor::eliminate_group(Group& group, std::span<const char> keep) {
  for (std::size_t j = 0; j < group.local.size(); ++j) group.local[j] = keep[at(nodes_.order[j])] != 0 ? 0 : -1;
  return std::all_of(group.members.begin(), group.members.end(), [&](std::int32_t s) { return eliminate<Real>(s, keep, group); });
}

// Groups are shared by the threads, then the supernodes above them part by part.
template <class Real>
bool SparsePrincipalFactor::eliminate_all(std::span<const char> keep) {
  std::fill(head_.begin(), head_.end(), -1);
  for (Group& group : groups_) group.left = -1;
  run_tasks(workers_, static_cast<std::int64_t>(groups_.size()), [&](std::int64_t g) {
    Group& group = groups_[at(g)];
    group.regular = eliminate_group<Real>(group, keep);
  });
  for (const Group& group : groups_) {
    if (!group.regular) return false;
    for (std::int32_t d = group.left; d != -1;) {
      const std::int32_t following = next_[at(d)];
      queue(d, reached_[at(d)], trunk_);
      d = following;
    }
  }
  return eliminate_group<Real>(trunk_, keep);
}

bool SparsePrincipalFactor::factorise(std::span<const char> keep, Precision precision) {
  precision_ = precision;
  return precision == Precision::single ? eliminate_all<float>(keep) : eliminate_all<double>(keep);
}

// What the columns of s leave to the rows below them.
template <class Real, int M>
void SparsePrincipalFactor::subtract_below(std::int32_t s) {
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  Real* gathered = gathered_.as<Real>();
  const Real* below = below_.as<Real>();
  for (std::int32_t r = 0; r < solved_rows_[at(s)]; ++r)
    for (int j = 0; j < M; ++j) gathered[at(trunk_.local[at(row[r])]) * M + at(j)] -= below[at(r) * M + at(j)];
}

template <class Real, int M>
void SparsePrincipalFactor::forward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const Real* L = lower<Real>(s);
  Real* x = gathered_.as<Real>() + nodes_.first[at(s)] * M;
  if (!symmetric_)
    for (std::int32_t c = 0; c < columns; ++c)
      std::swap_ranges(x + c * M, x + (c + 1) * M, x + (pivot_[at(nodes_.first[at(s)] + c)] - 1) * M);
  if (M > 1 && columns >= smallest_blas_columns) {
    trsm("R", "L", "T", symmetric_ ? "N" : "U", M, columns, L, stride, x, M);
    if (rows == 0) return;
    gemm("N", "T", M, rows, columns, Real{1}, x, M, L + columns, stride, Real{0}, below_.as<Real>(), M);
    return subtract_below<Real, M>(s);
  }
  for (std::int32_t c = 0; c < columns; ++c) {
    const Real* column = L + std::int64_t{stride} * c;
    for (int j = 0; j < M && symmetric_; ++j) x[c * M + j] /= column[c];
    for (std::int32_t r = c + 1; r < columns; ++r)
      for (int j = 0; j < M; ++j) x[r * M + j] -= column[r] * x[c * M + j];
  }
  if (rows == 0 || columns == 0) return;
  RightHandSides<Real, M> below(below_.as<Real>(), rows, M);
  below.noalias() =
      ConstMatrix<Real>(L + columns, rows, columns, Eigen::OuterStride<>(stride)) * RightHandSides<Real, M>(x, columns, M);
  subtract_below<Real, M>(s);
}

template <class Real, int M>
void SparsePrincipalFactor::backward(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = solved_rows_[at(s)], stride = columns + row_count_[at(s)];
  const Real* L = lower<Real>(s);
  Real* x = gathered_.as<Real>() + nodes_.first[at(s)] * M;
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(s)];
  if (rows > 0 && columns > 0) {
    for (std::int32_t r = 0; r < rows; ++r)
      std::copy_n(gathered_.as<Real>() + at(trunk_.local[at(row[r])]) * M, M, below_.as<Real>() + at(r) * M);
    if (M > 1 && columns >= smallest_blas_columns) {
      const int stride_of_U = symmetric_ ? stride : rows;
      const Real* U = symmetric_ ? L + columns : upper<Real>(s);
      gemm("N", "N", M, columns, rows, Real{-1}, below_.as<Real>(), M, U, stride_of_U, Real{1}, x, M);
      trsm("R", symmetric_ ? "L" : "U", symmetric_ ? "N" : "T", "N", M, columns, L, stride, x, M);
      return;
    }
    const ConstMatrix<Real> U = symmetric_ ? ConstMatrix<Real>(L + columns, rows, columns, Eigen::OuterStride<>(stride))
                                           : ConstMatrix<Real>(upper<Real>(s), rows, columns, Eigen::OuterStride<>(rows));
    RightHandSides<Real, M>(x, columns, M).noalias() -= U.transpose() * RightHandSides<Real, M>(below_.as<Real>(), rows, M);
  }
  for (std::int32_t c = columns - 1; c >= 0; --c) {
    const Real* column = L + std::int64_t{stride} * c;
    Real* own = x + c * M;
    for (std::int32_t r = c + 1; r < columns && symmetric_; ++r)
      for (int j = 0; j < M; ++j) own[j] -= column[r] * x[r * M + j];
    for (int j = 0; j < M; ++j) own[j] /= column[c];
    for (std::int32_t r = 0; r < c && !symmetric_; ++r)
      for (int j = 0; j < M; ++j) x[r * M + j] -= column[r] * own[j];
  }
}

// gathered_ holds the kept columns of a supernode together, so that `local` now is the place of a new row in it.
void SparsePrincipalFactor::place_columns(std::int32_t s) {
  for (std::int32_t place = nodes_.first[at(s)]; place < nodes_.first[at(s)] + column_count_[at(s)]; ++place)
    trunk_.local[at(kept_column_[at(place)])] = place;
}

// In single precision for the right-hand side divided by its largest entry: residuals of a refinement may be as small as 1e-50.
template <class Real>
void SparsePrincipalFactor::solve_all(std::span<double> x) {
  Real* gathered = gathered_.as<Real>();
  double scale = 1;
  if constexpr (sizeof(Real) < sizeof(double)) {
    double largest = 0;
    for (std::int32_t s = 0; s < eliminated_; ++s)
      for (std::int32_t c = 0; c < column_count_[at(s)]; ++c)
        largest = std::max(largest, std::abs(x[at(nodes_.order[at(kept_column_[at(nodes_.first[at(s)] + c)])])]));
    if (largest > 0) scale = largest;
  }
  for (std::int32_t s = 0; s < eliminated_; ++s) {
    place_columns(s);
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c;
      gathered[at(place)] = static_cast<Real>(x[at(nodes_.order[at(kept_column_[at(place)])])] / scale);
    }
  }
  for (std::int32_t s = 0; s < eliminated_; ++s) forward<Real, 1>(s);
  for (std::int32_t s = eliminated_ - 1; s >= 0; --s) backward<Real, 1>(s);
  for (std::int32_t s = 0; s < eliminated_; ++s)
    for (std::int32_t c = 0; c < column_count_[at(s)]; ++c) {
      const std::int32_t place = nodes_.first[at(s)] + c;
      x[at(nodes_.order[at(kept_column_[at(place)])])] = scale * static_cast<double>(gathered[at(place)]);
    }
}

void SparsePrincipalFactor::solve(std::span<double> x) {
  precision_ == Precision::single ? solve_all<float>(x) : solve_all<double>(x);
}

void SparsePrincipalFactor::reserve_selections() {
  constexpr int M = selected_together;
  gathered_.resize(std::max(gathered_.size(), at(A_.cols) * M));
  below_.resize(std::max(below_.size(), at(largest_rows_) * M));
  passed_.resize(at(nodes_.count()));
  selected_.reserve(at(nodes_.count()));
}

void SparsePrincipalFactor::select(std::span<const std::int32_t> rows) {
  reserve_selections();
  std::fill(passed_.begin(), passed_.end(), char{0});
  for (const std::int32_t row : rows)
    for (std::int32_t s = nodes_.owner[at(nodes_.position[at(row)])]; s >= 0 && passed_[at(s)] == 0; s = parent(s))
      passed_[at(s)] = 1;
  selected_.clear();
  for (std::int32_t s = 0; s < eliminated_; ++s)
    if (passed_[at(s)] != 0) selected_.push_back(s);
  for (const std::int32_t s : selected_) place_columns(s);
}

template <class Real>
void SparsePrincipalFactor::solve_all_selected(std::span<const std::int32_t> rows, std::span<double> X) {
  constexpr int M = selected_together;
  Real* gathered = gathered_.as<Real>();
  const auto place_of = [&](std::int32_t row) { return trunk_.local[at(nodes_.position[at(row)])]; };
  for (const std::int32_t s : selected_)
    std::fill_n(gathered + at(nodes_.first[at(s)]) * M, at(column_count_[at(s)]) * M, Real{0});
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (place_of(rows[i]) >= 0)
      for (std::size_t j = 0; j < M; ++j) gathered[at(place_of(rows[i])) * M + j] = static_cast<Real>(X[i * M + j]);
  for (const std::int32_t s : selected_) forward<Real, M>(s);
  for (auto s = selected_.rbegin(); s != selected_.rend(); ++s) backward<Real, M>(*s);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < M; ++j)
      X[i * M + j] = place_of(rows[i]) >= 0 ? static_cast<double>(gathered[at(place_of(rows[i])) * M + j]) : 0.0;
}

void SparsePrincipalFactor::solve_selected(std::span<const std::int32_t> rows, std::span<double> X) {
  precision_ == Precision::single ? solve_all_selected<float>(rows, X) : solve_all_selected<double>(rows, X);
}

}  // namespace nonsmooth
