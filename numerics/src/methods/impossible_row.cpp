#include "methods/impossible_row.hpp"

#include <algorithm>

namespace nonsmooth {
namespace {

bool is_impossible(const DenseMatrix& M, std::size_t row) {
  const auto n = static_cast<std::size_t>(M.rows);
  if (!(M.values[row * (n + 1)] <= 0)) return false;
  for (std::size_t j = 0; j < n; ++j)
    if (!(M.values[row + j * n] <= 0)) return false;
  return true;
}

}  // namespace

Stop ImpossibleRow::find(const Inclusion& view, Control& control) {
  proof_.clear();
  const auto is_orthant = [](const SetBlock& block) { return block.kind == SetKind::orthant; };
  if (view.F != nullptr || !std::all_of(view.blocks.begin(), view.blocks.end(), is_orthant)) return Stop::none;
  const DenseMatrix* M = view.M->dense();
  if (M == nullptr) return Stop::none;
  const Vector& q = *view.q;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (!(q[i] < -control.tolerance() * view.scale) || !is_impossible(*M, i)) continue;
    const auto set_up = [&] {
      make_room(view.size());
      return true;
    };
    if (proof_.capacity() < q.size())
      if (const Stop stop = control.set_up("proof", set_up); stop != Stop::none) return stop;
    proof_.assign(q.size(), 0.0);
    proof_[i] = 1;
    control.log("auto: row %zu has no positive entry, and q < 0", i);
    return Stop::infeasible;
  }
  return Stop::none;
}

}  // namespace nonsmooth
