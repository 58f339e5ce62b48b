#include "methods/auto/impossible_row.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

bool has_positive_entry(const DenseMatrix& M, std::size_t row) {
  const auto n = at(M.rows);
  for (std::size_t j = 0; j < n; ++j)
    if (!(M.values[row + j * n] <= 0)) return true;
  return false;
}

}  // namespace

// Rows of a dense M are left at their first positive entry, which seldom is a late one.
Stop ImpossibleRow::find(const Inclusion& view, Control& control) {
  proof_.clear();
  if (view.F != nullptr || !all_of_kind(view, {SetKind::orthant})) return Stop::none;
  const Vector& q = *view.q;
  const DenseMatrix* dense = view.M->dense();
  const auto may_be_impossible = [&, least = control.tolerance() * view.scale](std::size_t i) {
    return q[i] < -least && (dense == nullptr || (dense->values[i * (q.size() + 1)] <= 0 && !has_positive_entry(*dense, i)));
  };
  std::size_t row = 0;
  while (row < q.size() && !may_be_impossible(row)) ++row;
  if (row == q.size()) return Stop::none;
  if (proof_.capacity() < q.size()) {
    const auto set_up = [&] {
      make_room(view.size());
      return true;
    };
    if (const Stop stop = control.set_up("signs of rows", set_up); stop != Stop::none) return stop;
  }
  for (std::size_t i = 0; i < q.size(); ++i) proof_.push_back(i == row || (dense == nullptr && may_be_impossible(i)) ? 1 : 0);
  if (dense == nullptr)
    for_each_entry(*view.M, [&](std::int64_t i, std::int64_t, double a) {
      if (a > 0) proof_[at(i)] = 0;
    });
  const auto found = std::find(proof_.begin(), proof_.end(), 1.0);
  if (found == proof_.end()) {
    proof_.clear();
    return Stop::none;
  }
  std::fill(found + 1, proof_.end(), 0.0);
  control.log("auto: row %td has no positive entry, and q < 0", found - proof_.begin());
  return Stop::infeasible;
}

}  // namespace nonsmooth
