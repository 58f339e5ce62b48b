#include "linalg/sparse_principal_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/blocked_lu.hpp"
#include "linalg/lapack.hpp"
#include "linalg/panel_product.hpp"
#include "linalg/panel_solve.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_size =
    200'000'000;  // 1.6 GB, and some 10 s: beyond them a method without factors is the better choice
constexpr double largest_work = 1e11;
// What is divided, and how, depends on the matrix alone: the bits are the same for any number of threads.
constexpr double smallest_divided_work = 1e7;
constexpr double least_groups = 16;
constexpr double smallest_shared_work =
    3e6;  // of a supernode: some tenths of a millisecond, what a thread that sleeps may take to wake
constexpr std::int32_t narrow_columns = 48;  // up to which LAPACK's blocks gain nothing
constexpr std::int32_t part_columns = 256, part_rows = 512, trunk = -1;

std::int32_t parts_of(std::int32_t columns) { return (columns + part_columns - 1) / part_columns; }

// y -= x, of a few entries more often than of many.
template <class Real>
void subtract(const Real* __restrict x, std::int32_t n, Real* __restrict y) {
  constexpr int together = 4;
  std::int32_t i = 0;
  for (; i + together <= n; i += together)
    for (int k = 0; k < together; ++k) y[i + k] -= x[i + k];
  for (; i < n; ++i) y[i] -= x[i];
}

}  // namespace

SparsePrincipalFactor::SparsePrincipalFactor(const CscMatrix& A, bool symmetric, Workers* workers, std::int32_t tail)
    : SparsePrincipalFactor(find_supernodes(A, tail), symmetric, workers, tail) {
  entries_ = std::make_shared<ColumnEntries>(A, nodes_, symmetric, tail);
}

SparsePrincipalFactor::SparsePrincipalFactor(Supernodes nodes, std::shared_ptr<const PanelEntries> entries, Workers* workers)
    : SparsePrincipalFactor(std::move(nodes), false, workers, 0) {
  entries_ = std::move(entries);
}

SparsePrincipalFactor::SparsePrincipalFactor(Supernodes nodes, bool symmetric, Workers* workers, std::int32_t tail)
    : symmetric_(symmetric), workers_(workers), nodes_(std::move(nodes)), eliminated_(nodes_.count() - (tail > 0 ? 1 : 0)) {
  const std::size_t n = nodes_.order.size(), count = at(nodes_.count());
  place_panels();
  divide();
  gathered_.resize(n);
  below_.resize(at(largest_stride_));
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
    largest_stride_ = std::max(largest_stride_, nodes_.columns(s) + nodes_.rows_below(s));
    lower_start_.push_back(lower_start_.back() + (columns + rows) * columns);
    upper_start_.push_back(upper_start_.back() + (symmetric_ ? 0 : rows * columns));
  }
  const std::int64_t size = lower_start_.back() + upper_start_.back();
  if (size > largest_size || all > largest_work)
    fail(NSM_TOO_LARGE,
         "the factors of a sparse matrix of %lld rows would take %lld entries and %.2g multiplications, above the limits",
         static_cast<long long>(nodes_.order.size()), static_cast<long long>(size), all);
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
  group.local.resize(nodes_.order.size());
  group.product_size = at(std::int64_t{rows} * std::min(rows, part_columns));
  group.rows = at(rows);
  group.product.resize(group.product_size * at(parts));
  group.runs.resize(group.rows * at(parts));
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

// The kept part of the matrix in the panel of s; `local` of its rows.
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
  entries_->put(KeptPanel<Real>{columns, rows, column, local.data(), L, U});
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

// target -= a[i, :] b[j, :]', rows i and j of d, each row at its place: most have neighbours beside them there too.
template <class Real>
void SparsePrincipalFactor::subtract_product(std::int32_t d, const Panel<Real>& a, Range i, const Panel<Real>& b, Range j,
                                             const Target<Real>& target) {
  const std::int32_t k = column_count_[at(d)], m = i.size(), n = j.size();
  const std::int32_t* row = kept_row_.data() + nodes_.start[at(d)];
  if (m == 0 || n == 0) return;
  multiply_panels<Real>(m, n, k, {a.values + i.begin, a.stride}, {b.values + j.begin, b.stride}, target.room.product);
  Run* const runs = target.room.runs;
  Run* end = runs;
  for (std::int32_t r = 0; r < m; ++r) {  // places ascend
    const std::int32_t place = target.local[row[i.begin + r]] - target.row_shift;
    if (end == runs || place != end[-1].place + end[-1].size) *end++ = {place, 0};
    ++end[-1].size;
  }
  for (std::int32_t c = 0; c < n; ++c) {
    Real* column = target.panel.values + std::int64_t{target.panel.stride} * target.local[row[j.begin + c]];
    const Real* source = target.room.product + std::int64_t{m} * c;
    for (const Run* run = runs; run < end; source += run++->size) subtract(source, run->size, column + run->place);
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

// LU of a panel of few columns, of all its rows column by column, exchanges inside the diagonal block: calls of LAPACK and BLAS
// cost more than what they would do.
template <class Real>
bool SparsePrincipalFactor::factorise_narrow(std::int32_t s) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  const PanelSolves<Real>& solves = panel_solves<Real>();
  Real* L = lower<Real>(s);
  Real* U = upper<Real>(s);
  std::int32_t* pivot = pivot_.data() + nodes_.first[at(s)];
  for (std::int32_t j = 0; j < columns; ++j) {
    Real* column = L + std::int64_t{stride} * j;
    solves.forward_unit({L, stride, j, stride}, column);
    std::int32_t best = j;
    for (std::int32_t i = j + 1; i < columns; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    if (column[best] == 0) return false;
    pivot[j] = best + 1;
    if (best != j) {
      for (std::int32_t c = 0; c < columns; ++c) std::swap(L[j + std::int64_t{stride} * c], L[best + std::int64_t{stride} * c]);
      std::swap_ranges(U + std::int64_t{rows} * j, U + std::int64_t{rows} * (j + 1), U + std::int64_t{rows} * best);
    }
    const Real reciprocal = 1 / column[j];
    for (std::int32_t i = j + 1; i < stride; ++i) column[i] *= reciprocal;
    std::array<Real, narrow_columns> row;
    for (std::int32_t c = 0; c < j; ++c) row[at(c)] = L[j + std::int64_t{stride} * c];
    solves.subtract({U, rows, j, rows}, row.data(), U + std::int64_t{rows} * j);
  }
  return true;
}

template <class Real>
bool SparsePrincipalFactor::factorise_panel(std::int32_t s, Workers* workers, Patience* patience) {
  const std::int32_t columns = column_count_[at(s)], rows = row_count_[at(s)], stride = columns + rows;
  Real* L = lower<Real>(s);
  if (!symmetric_ && columns <= narrow_columns) return factorise_narrow<Real>(s);
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
                      {group.product.as<Real>() + room * group.product_size, group.runs.data() + room * group.rows});
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

}  // namespace nonsmooth
