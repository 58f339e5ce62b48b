// Nonlinear problems: Newton's methods; sets of several kinds without friction: a few sweeps and Newton's steps, then
// projections, and sweeps with a proximal term that damps cycles of exact one-block solves. The other problems have files of
// their own (auto_portfolios.hpp).
#include "methods/auto/auto_stages.hpp"

#include <algorithm>
#include <array>

#include "linalg/symmetry.hpp"
#include "methods/auto/auto_portfolios.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

const Stage few_projections{"fixed_point_projection", 20, Extent::foretold, 200};
constexpr std::int64_t hasty_steps = 15;               // of Josephy's method on grids: from 2 to 5 where it gets anywhere
constexpr std::int64_t smallest_projected_order = 32;  // of nonlinear problems: where a Jacobian costs more than projections
constexpr std::int64_t smallest_central_order = 64;
constexpr std::int64_t farthest_tried_sweeps = 200;
constexpr double largest_skew_share = 0.01, rounded_skew_share = 1e-12;
constexpr double sweep_damping = 0.1;
constexpr std::int64_t many_starts = 200, few_starts = 50;                            // a second at most
constexpr std::int64_t most_reflections = 200000, reflected_entries = 2'000'000'000;  // of M, likewise

// Whether the pattern of a Jacobian is that of differences on a grid of up to three dimensions: as many distances from the
// diagonal, on both sides. Linearised problems are multigrid's then, or a band's.
bool is_on_a_grid(const Matrix& pattern) {
  std::array<std::int64_t, 6> distance{};
  std::size_t known = 0;
  bool is_grid = pattern.csc() != nullptr;
  const auto knows = [&](std::int64_t d) {
    const auto end = distance.begin() + static_cast<std::ptrdiff_t>(known);
    return std::find(distance.begin(), end, d) != end;
  };
  for_each_entry(pattern, [&](std::int64_t i, std::int64_t j, double) {
    if (i == j || !is_grid || knows(i - j)) return;
    is_grid = known < distance.size();
    if (is_grid) distance[known++] = i - j;
  });
  for (std::size_t k = 0; k < known; ++k) is_grid = is_grid && knows(-distance[k]);
  return is_grid && known > 0;
}

// Newton's methods, each once without restarts, which cost more than the other method from the start. The robust one goes first,
// but not where sparse linearisations are equations for the most part: pivots then take each free row by itself.
void append_newton_stages(const Inclusion& view, StageList& stages) {
  const bool sparse = is_sparse(*view.M), grid = sparse && is_on_a_grid(*view.M);
  const Stage robust{"josephy_newton", newton_steps}, fast{"semismooth_newton", newton_steps};
  Stage first = robust, second = fast;
  if (grid) {
    first.own = Own::hasty_josephy;
    first.budget = hasty_steps;
  } else if (sparse && 2 * count_free_rows(view) > view.size()) {
    std::swap(first, second);
  }
  second.afresh = true;
  for (Stage* stage : {&first, &second}) {
    stage->option = "restarts";
    stage->value = 0;
    stages.push_back(*stage);
  }
  Stage projections = few_projections;
  projections.afresh = true;
  if (view.size() < smallest_projected_order) stages.push_back(projections);
  stages.push_back(grid ? fast : robust);
  stages.push_back(grid ? robust : fast);
}

// The line search of the first ends beside stationary points of its merit, and the second then costs less than restarts.
void append_polyhedron_stages(StageList& stages) {
  const Stage newton{"josephy_newton", newton_steps};
  Stage once = newton,
        multipliers{.method = "josephy_newton", .budget = newton_steps, .afresh = true, .own = Own::with_multipliers};
  once.option = "restarts";
  stages.push_back(once);
  stages.push_back(multipliers);
  stages.push_back(newton);
}

// What needs no derivatives and no linear algebra goes last, and first if the end is near and both a projection and a step cost
// less than a factorisation.
StageList nonlinear_stages(const Inclusion& view) {
  const Stage simple{"extragradient", unlimited};
  if (all_of_kind(view, {SetKind::user_set})) return {few_projections, {"semismooth_newton", newton_steps}, simple};
  const bool sparse = is_sparse(*view.M), has_newton = sparse || view.size() <= largest_dense_order;
  const bool polyhedron = all_of_kind(view, {SetKind::polyhedron});
  StageList stages;
  Stage projections = few_projections;
  projections.aside = has_newton;  // where F is not monotone they may lead away from what Newton's methods find
  if (!polyhedron && view.size() >= smallest_projected_order && !(sparse && is_on_a_grid(*view.M))) stages.push_back(projections);
  if (has_newton && polyhedron) append_polyhedron_stages(stages);
  if (has_newton && !polyhedron) append_newton_stages(view, stages);
  stages.push_back(simple);
  return stages;
}

// Cones of yield. Newton's steps with a proximal term solve nearly all that has a solution, singular W too.
StageList dilatant_stages() {
  return {{"block_gauss_seidel", first_sweeps, Extent::foretold, farthest_tried_sweeps},
          {"proximal_newton", friction_sweeps},
          {"semismooth_newton", newton_steps},
          {"accelerated_projected_gradient", friction_sweeps},
          damped_sweeps(),
          {"block_gauss_seidel", unlimited}};
}

// Sets of several kinds without friction, disks among them. Newton's steps with a proximal term solve what is monotone, singular
// M too; without that term they leave some of the latter unsolved, and cost as much (0010-portfolio.md).
StageList mixed_stages(const Inclusion& view) {
  StageList stages{{"block_gauss_seidel", first_sweeps, Extent::foretold, farthest_tried_sweeps}};
  if (is_sparse(*view.M) || view.size() <= largest_dense_order) {
    stages.push_back({"proximal_newton", friction_sweeps});
    stages.push_back({"semismooth_newton", newton_steps});
  }
  stages.push_back({has_skew_part(view) ? "extragradient" : "accelerated_projected_gradient", friction_sweeps});
  stages.push_back(damped_sweeps());
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

}  // namespace

bool has_skew_part(const Inclusion& view) { return view.bodies == nullptr && skew_share(*view.M) > largest_skew_share; }

bool suits_central_path(const Inclusion& view) {
  return view.size() >= smallest_central_order && skew_share(*view.M) < rounded_skew_share;
}

Stage damped_sweeps() {
  return {.method = "block_gauss_seidel", .budget = 2 * friction_sweeps, .option = "proximal", .value = sweep_damping};
}

Stage drawn_starts(const char* method, std::int64_t order, std::int64_t steps) {
  return {.method = method,
          .budget = steps,
          .farthest = order <= smallest_central_order ? many_starts : few_starts,
          .option = "start_sweeps",
          .own = Own::drawn_starts};
}

Stage reflections(std::int64_t order) {
  return {"relaxed_reflect_reflect", std::min(most_reflections, reflected_entries / (order * order))};
}

StageList stages_of(const Inclusion& view, const Options& options) {
  if (view.F != nullptr) return nonlinear_stages(view);
  if (all_of_kind(view, {SetKind::polyhedron})) return polyhedron_stages(view);
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space, SetKind::box})) return bounded_stages(view);
  if (all_of_kind(view, {SetKind::second_order_cone})) return cone_stages(view);
  if (all_of_kind(view, {SetKind::dilatant_3d})) return dilatant_stages();
  if (has_contacts(view)) return contact_stages(view, options);
  return mixed_stages(view);
}

}  // namespace nonsmooth
