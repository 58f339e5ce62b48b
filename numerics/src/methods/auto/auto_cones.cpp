// Second-order cones: projections, alternations that factorise once, Newton's steps, an interior point method, in an order that
// the cost of factors and the skew part of M decide; what is left is swept.
#include "linalg/symmetry.hpp"
#include "methods/auto/auto_portfolios.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t cone_projections = 40, last_cone_projections = 2000, last_sparse_cone_projections = 10000,
                       cone_projections_to_the_end = 20000;
constexpr std::int64_t last_cone_alternations = 2000, cone_alternations_to_the_end = 10000;
constexpr std::int64_t largest_newton_first = 300;  // of a dense M: beyond it one factorisation goes before one at each step
constexpr std::int64_t cone_newton_steps = 100;     // nearly all that it solves take it fewer than 60
constexpr std::int64_t few_reflections = 2000;      // enough for most that any solve, in the time of some Newton steps
constexpr std::int64_t duals_share = 3;             // one row in so many
constexpr std::int64_t cone_sweeps = 2000, cone_extragradient_to_the_end = 200000;

const Stage cone_newton{"semismooth_newton", cone_newton_steps};
const Stage cone_central_path{"friction_interior_point", interior_iterations};
const Stage cone_alternations{"admm", first_alternations, Extent::reachable, last_cone_alternations};
const Stage cone_sweeps_to_the_end{"block_gauss_seidel", unlimited};
// Where sweeps and projections lead astray, as of general M: from where the stage before has ended, and from the start.
const Stage cone_newton_from_last{
    .method = "semismooth_newton", .budget = cone_newton_steps, .option = "start_sweeps", .goes_on = true};
const Stage cone_newton_from_start{
    .method = "semismooth_newton", .budget = cone_newton_steps, .option = "start_sweeps", .afresh = true};

// Small ones once more with sweeps and to the end, beside the patience that follows: a few that 100 steps do not solve.
constexpr std::int64_t largest_tried_again = 64;
const Stage cone_newton_again{.method = "semismooth_newton", .budget = newton_steps, .afresh = true};

// Of a programme with its duals: half of the entries of a diagonal are 0, which for a monotone M leaves their rows skew, however
// large the others are.
bool has_duals(const Inclusion& view) {
  std::int64_t nonzero = 0;
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) { nonzero += i == j && value != 0 ? 1 : 0; });
  return duals_share * (view.size() - nonzero) >= view.size();
}

// Of an M that turns they may take no longer than the interior point method, where that comes next: what they foretell of it is
// little.
Stage first_cone_projections(const Inclusion& view, bool before_central_path) {
  const Extent extent = before_central_path ? Extent::affordable : Extent::reachable;
  if (has_skew_part(view)) return {"extragradient", cone_projections, extent, last_cone_projections};
  const std::int64_t farthest = is_sparse(*view.M) ? last_sparse_cone_projections : last_cone_projections;
  return {"accelerated_projected_gradient", cone_projections, Extent::reachable, farthest};
}

// Alternations factorise once, Newton's method at each of its steps; where M turns they are sooner there in any size. The
// interior point method needs no strict complementarity, and is the first to try where M is symmetric, often singular, and not
// small (docs/decisions/0061-dense-problems.md), or mostly skew, as of programmes with their duals. Where M turns so much that it
// fails, extragradient steps converge for any monotone M, slowly, and so do projections where M does not turn and cones have too
// many rows for it. Of a sparse M thousands of projections cost less than one factorisation, and Newton's steps less than others.
StageList factorised_cone_stages(const Inclusion& view) {
  const bool turning = has_skew_part(view), sparse = is_sparse(*view.M),
             central = (!sparse && suits_central_path(view)) || is_mostly_skew(*view.M) || (turning && has_duals(view));
  const bool alternates_first = turning || (!sparse && view.size() > largest_newton_first);
  const Stage first = first_cone_projections(view, central);
  StageList stages{first};
  if (central) stages.push_back(cone_central_path);
  stages.push_back(alternates_first ? cone_alternations : cone_newton);
  stages.push_back(alternates_first ? cone_newton : cone_alternations);
  if (!central) stages.push_back(cone_central_path);
  const bool is_reflected = view.size() <= largest_reflected;
  stages.push_back(cone_newton_from_last);
  if (is_reflected) stages.push_back({"relaxed_reflect_reflect", few_reflections});
  stages.push_back(cone_newton_from_start);
  if (!turning) stages.push_back({first.method, cone_projections_to_the_end});
  stages.push_back({"block_gauss_seidel", cone_sweeps});
  if (view.size() <= largest_tried_again) stages.push_back(cone_newton_again);
  if (is_reflected) stages.push_back(reflections(view.size()));
  if (view.size() <= largest_redrawn) stages.push_back(drawn_starts("semismooth_newton", view.size()));
  if (turning) stages.push_back({first.method, cone_extragradient_to_the_end});
  stages.push_back({"admm", cone_alternations_to_the_end});
  stages.push_back(cone_sweeps_to_the_end);
  return stages;
}

// The factors of a dense M take too long.
StageList large_cone_stages(const Inclusion& view) {
  const Stage first = first_cone_projections(view, false);
  StageList stages{first};
  if (view.M->dense() == nullptr) {
    const bool skew = is_mostly_skew(*view.M);
    if (skew) stages.push_back(cone_central_path);
    if (has_skew_part(view)) stages.push_back(cone_alternations);
    stages.push_back(cone_newton);
    if (!skew) stages.push_back(cone_central_path);
  }
  stages.push_back({first.method, cone_projections_to_the_end});
  stages.push_back({"block_gauss_seidel", friction_sweeps});
  stages.push_back(damped_sweeps());
  stages.push_back(cone_sweeps_to_the_end);
  return stages;
}

}  // namespace

StageList cone_stages(const Inclusion& view) {
  return view.size() <= largest_dense_order ? factorised_cone_stages(view) : large_cone_stages(view);
}

}  // namespace nonsmooth
