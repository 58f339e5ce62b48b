#include "problems/bounds_in_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t several = -2;

// Of every row the place of its one entry that is not 0 among the stored ones; -1: none, `several`.
std::vector<std::int32_t> lone_entries(const CscMatrix& H) {
  std::vector<std::int32_t> lone(at(H.rows), -1);
  for (std::size_t k = 0; k < H.values.size(); ++k) {
    std::int32_t& place = lone[at(H.row_index[k])];
    if (H.values[k] != 0) place = place == -1 ? static_cast<std::int32_t>(k) : several;
  }
  return lone;
}

IndexVector columns_of_entries(const CscMatrix& H) {
  IndexVector column(H.values.size());
  for (std::int32_t j = 0; j < H.cols; ++j)
    std::fill(column.begin() + H.col_start[at(j)], column.begin() + H.col_start[at(j) + 1], j);
  return column;
}

}  // namespace

std::unique_ptr<BoundsInRows> BoundsInRows::of(const Polyhedron& set, std::int64_t unknowns) {
  if (set.H.rows() == 0) return nullptr;
  auto bounds = std::make_unique<BoundsInRows>();
  bounds->set_.lo = set.lo.empty() ? Vector(at(unknowns), -HUGE_VAL) : set.lo;
  bounds->set_.hi = set.hi.empty() ? Vector(at(unknowns), HUGE_VAL) : set.hi;
  bounds->set_.patience = set.patience;
  return bounds->read_rows(set) ? std::move(bounds) : nullptr;
}

// h z_j >= k: z_j >= k / h, or <= where h < 0. false where nothing is to be gained.
bool BoundsInRows::read_rows(const Polyhedron& set) {
  const ByColumns columns(set.H);
  const CscMatrix& H = *columns;
  const std::vector<std::int32_t> lone = lone_entries(H);
  const IndexVector column = columns_of_entries(H);
  rows_ = H.rows;
  lower_.resize(set_.lo.size());
  upper_.resize(set_.hi.size());
  IndexVector place(at(rows_), -1);  // of the rows that are left
  for (std::int32_t i = 0; i < rows_; ++i) {
    const std::int32_t entry = lone[at(i)];
    if (entry < 0) {
      place[at(i)] = static_cast<std::int32_t>(kept_.size());
      kept_.push_back(i);
      continue;
    }
    const double h = H.values[at(entry)], bound = set.k[at(i)] / h;
    const std::size_t j = at(column[at(entry)]);
    if (!std::isfinite(bound)) return false;
    if (h > 0 && bound > set_.lo[j]) {
      set_.lo[j] = bound;
      lower_[j] = {i, h};
    } else if (h < 0 && bound < set_.hi[j]) {
      set_.hi[j] = bound;
      upper_[j] = {i, h};
    }
    if (set_.lo[j] > set_.hi[j]) return false;
  }
  if (std::ssize(kept_) == rows_) return false;
  if (kept_.empty()) return true;
  keep_rows(H, place, set.k);
  if (set.H.dense() != nullptr) set_.H = Matrix(to_dense(set_.H), "H");
  return true;
}

void BoundsInRows::keep_rows(const CscMatrix& H, std::span<const std::int32_t> place, const Vector& k) {
  CscMatrix rest{static_cast<std::int64_t>(kept_.size()), H.cols, {0}, {}, {}};
  for (std::int64_t j = 0; j < H.cols; ++j) {
    for (std::int32_t e = H.col_start[at(j)]; e < H.col_start[at(j + 1)]; ++e) {
      if (place[at(H.row_index[at(e)])] < 0) continue;
      rest.row_index.push_back(place[at(H.row_index[at(e)])]);
      rest.values.push_back(H.values[at(e)]);
    }
    rest.col_start.push_back(static_cast<std::int32_t>(rest.values.size()));
  }
  set_.H = Matrix(std::move(rest), "H");
  for (const std::int32_t row : kept_) set_.k.push_back(k[at(row)]);
}

std::vector<SetBlock> BoundsInRows::blocks() const {
  const auto n = static_cast<std::int32_t>(set_.lo.size());
  if (!kept_.empty()) return {{SetKind::polyhedron, 0, n, 0, 0, &set_}};
  std::vector<SetBlock> boxes;
  boxes.reserve(set_.lo.size());
  for (std::int32_t i = 0; i < n; ++i) boxes.push_back({SetKind::box, i, 1, set_.lo[at(i)], set_.hi[at(i)]});
  return boxes;
}

// What limits v'z by a bound that a row has set is that row's.
Vector BoundsInRows::lift(std::span<const double> y) const {
  Vector all(at(rows_), 0.0), v(set_.lo.size(), 0.0);
  for (std::size_t i = 0; i < kept_.size(); ++i) all[at(kept_[i])] = y[i];
  if (!kept_.empty()) multiply_transposed_add(set_.H, 1.0, y, v);
  for (std::size_t j = 0; j < v.size(); ++j) {
    const Source& source = v[j] < 0 ? lower_[j] : upper_[j];
    if (source.row >= 0) all[at(source.row)] = -v[j] / source.entry;
  }
  return all;
}

}  // namespace nonsmooth
