// Nonlinear problems: Newton's methods; sets of several kinds without friction: sweeps, and where cycles of exact one-block
// solves keep them from converging, sweeps again with a proximal term that damps these. The other problems have files of their
// own (auto_portfolios.hpp).
#include "methods/auto_stages.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/symmetry.hpp"
#include "methods/auto_portfolios.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t few_extragradient_steps = 20, last_extragradient_steps = 200;
constexpr std::int64_t smallest_central_order = 64;
constexpr double largest_skew_share = 0.01, rounded_skew_share = 1e-12;
constexpr double sweep_damping = 0.1;

// Newton's methods first, the robust one, which is sparse where the Jacobian is, before the fast one, which is dense; what needs
// no derivatives and no linear algebra last, and first where a set is known by its projection and the end is near.
StageList nonlinear_stages(const Inclusion& view) {
  const Stage robust{"josephy_newton", newton_steps}, fast{"semismooth_newton", newton_steps};
  const Stage simple{"extragradient", unlimited};
  const bool known_by_projection = all_of_kind(view, {SetKind::user_set});
  if (is_sparse(*view.M) && !known_by_projection) return {robust, simple};
  if (view.size() > largest_dense_order) return {simple};
  if (known_by_projection)
    return {{"extragradient", few_extragradient_steps, Extent::reachable, last_extragradient_steps}, fast, simple};
  if (all_of_kind(view, {SetKind::polyhedron})) return {robust, simple};
  return {robust, fast, simple};
}

}  // namespace

bool has_skew_part(const Inclusion& view) { return view.bodies == nullptr && skew_share(*view.M) > largest_skew_share; }

bool suits_central_path(const Inclusion& view) {
  return view.size() >= smallest_central_order && skew_share(*view.M) < rounded_skew_share;
}

Stage damped_sweeps() {
  return {.method = "block_gauss_seidel", .budget = 2 * friction_sweeps, .option = "proximal", .value = sweep_damping};
}

StageList stages_of(const Inclusion& view, const Options& options) {
  if (view.F != nullptr) return nonlinear_stages(view);
  if (all_of_kind(view, {SetKind::polyhedron})) return polyhedron_stages(view);
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space, SetKind::box})) return bounded_stages(view);
  if (all_of_kind(view, {SetKind::second_order_cone})) return cone_stages(view);
  if (has_contacts(view)) return contact_stages(view, options);
  return {{"block_gauss_seidel", friction_sweeps}, damped_sweeps(), {"block_gauss_seidel", unlimited}};
}

}  // namespace nonsmooth
