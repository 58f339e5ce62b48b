// Positive definite problems take a few exchanges of whole blocks; pivoting is exact for anything small enough to keep dense (a
// few projected sweeps before it were tried: at n = 300 four of them cost as much as all of Lemke's pivots); sparse problems of
// rows bounded one by one go to multigrid if they are grids, else to a few sweeps, to active sets with sparse factorisations,
// to an interior point method, then to pivoting on sparse factors, which large ones sweep before: that tells the pivots where
// to start (docs/decisions/0062-sparse-programmes.md). Where a sweep or a product with M costs far less than a factorisation, a
// few go first, and go on if they foretell an end that is near (sweep_budget.hpp). Friction is followed from face to face where
// it is small. From a start other than 0, as in a simulation, sweeps and some of Newton's steps go first (of contacts alone to
// a tight tolerance). Mechanisms go to the interior point method; structures that are long and thin are taken by a splitting
// and, to a tight tolerance, by the central path. What is left is swept a little, taken by accelerated projections while they
// pay (by alternations where M is not symmetric; swept on from a start other than 0), swept on where the tolerance is loose and
// factorisations are dear, taken by proximal Newton steps while they pay (to a tight tolerance behind some sweeps; where
// factorisations are dear with sweeps of their own, as a try that leaves no trace, or, of large problems where they are very
// dear, behind sweeps in which statuses settle), by Newton where contacts form a chain, by an interior point method, by a
// splitting where the tolerance is loose, and by the central path (of small problems up to its first fold where the tolerance
// is loose; large ones take proximal Newton steps before it), which solve hyperstatic structures in a few factorisations
// (between the two the normals alone are asked whether they can stay apart at all), and by bursts of sweeps and proximal Newton
// steps for piles in which many contacts slide; what no second-order method treats is swept, and where cycles of exact
// one-block solves keep a problem from converging, swept again with a proximal term that damps them.
#include "methods/auto_stages.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include "linalg/symmetry.hpp"
#include "linalg/tridiagonal_factor.hpp"
#include "methods/active_set_memory.hpp"
#include "methods/block_sweep.hpp"
#include "methods/equilibration.hpp"
#include "methods/linear_system.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_dense_order = 4000;  // a dense tableau beyond it: more than 128 MB and seconds
// Measured crossovers of sparse factors and the dense tableau, on graphs without any locality:
// docs/decisions/0015-sparse-lemke.md.
constexpr std::int64_t longest_pivoted_row = 20, largest_pivoted_order = 50000;
constexpr std::int64_t sweeps_before_pivots = 1000, sparse_pivots_per_unknown = 4;
// Friction in the plane: about once through all covering vectors; the path of one that is not given up takes up to a million.
constexpr std::int64_t pivots_per_unknown = 64;
constexpr std::int64_t monotone_pivots_per_unknown = 3;  // most paths are shorter; an interior point method knows no long ones
// Lemke's pivots cost what one or two dozen factorisations of such an order do.
constexpr std::int64_t smallest_exchanged_order = 16, largest_pivoted_first = 300, few_bases = 16, exchanged_bases = 60;
// Definite matrices halve the number of wrong signs within two or three, as a rule (docs/decisions/0061-dense-problems.md).
constexpr double exchange_patience = 4, large_exchange_patience = 8;
constexpr std::int64_t largest_swept_dense_order = 32;  // the row copy of a dense matrix costs two eliminations of it
constexpr std::int64_t largest_enumerated_order = 32;   // the tree keeps n tableaux
constexpr std::int64_t multigrid_steps = 60, sparse_exchanges = 100, sparse_central_steps = 60, smallest_sparse_polyhedron = 300,
                       largest_searched_polyhedron = 1000;
constexpr std::int64_t largest_newton_polyhedron = 64;    // unknowns and multipliers: steps that cost less than the pivots did
constexpr std::int64_t smallest_aggregated_order = 2000;  // from here on active sets start from coarser problems
constexpr std::int64_t early_newton_iterations = 10000;   // a few bursts of sweeps, with the steps between them
constexpr std::int64_t friction_sweeps = 20000, interior_iterations = 60, newton_iterations = 1000000;
// Of methods that do without factors, where they go first: most problems that they solve soon show it by then.
constexpr std::int64_t first_sweeps = 20, last_first_sweeps = 200, first_projections = 60, first_rolling_projections = 200;
constexpr std::int64_t last_bounded_sweeps = 400, bounded_projections = 20, bounded_steps = 40, last_bounded_projections = 200;
constexpr std::int64_t chain_iterations = 140;  // Newton's steps, and the sweeps between its attempts
// Sweeps get to a loose tolerance before factorisations do, where these are dear (docs/decisions/0032-first-stages.md).
constexpr std::int64_t swept_factorisations = 40, last_weighed_sweeps = 3000;
// Proximal Newton from where sweeps and projections ended: it has solved most by then, each of its inner problems within so many
// steps.
constexpr std::int64_t near_steps = 60, near_window = 8;
// To a tight tolerance sweeps go before these: they bring forces that projections have spread back onto the flow that the steps
// follow (docs/decisions/0057-sweeps-before-newton.md).
constexpr std::int64_t near_sweeps = 50;
// Where factorisations are dear, from the first sweeps on, with sweeps of its own, while work that costs so many of them halves
// the residual.
constexpr std::int64_t dear_steps = 100000;
constexpr double dear_patience = 10;
// As a try, up to so many unknowns; beyond them behind sweeps that cost so many factorisations, and gone on from.
constexpr std::int64_t largest_tried_order = 12000, settling_factorisations = 5;
// In large piles behind sweeps, while they halve the residual within so many steps and sweeps.
constexpr std::int64_t large_near_steps = 100000, large_near_window = 20000, near_splitting_window = 500;
// Long and thin structures: while the residual halves within so many iterations to a loose tolerance, and up to so many, if they
// foretell their end, to a tight one (docs/decisions/0056-slender-structures.md).
constexpr std::int64_t slender_iterations = 1000, slender_window = 100, first_slender_iterations = 30,
                       last_slender_iterations = 100;
// Without a fold the central path takes 10 to 40 iterations, seldom more. To a tight tolerance a jump or two are worth it, to a
// loose one proximal Newton gets sooner. Piles of thousands of contacts nearly always have folds, so that jumps are allowed
// there, and some sweeps go first, more if they foretell their end: a factorisation costs hundreds of them; for loose tolerances
// as many as ever, because they get there. In still larger piles folds follow each other.
constexpr std::int64_t path_iterations = 80, jumping_path_iterations = 120, large_path_iterations = 300,
                       sweeps_before_path = 2000, largest_path_order = 45000;
// Mechanisms: from one row of equality in so many on, and sweeps and steps behind the interior point method. Newton's steps from
// the solution of the step before, while the residual halves within so many.
constexpr std::int64_t jointed_share = 3, jointed_newton_steps = 200, warm_newton_steps = 15, warm_newton_window = 8,
                       warm_proximal_steps = 20, warm_proximal_window = 10;
// Contacts alone, to a tight tolerance: sweeps that cost as many factorisations, and steps from there; of elastic bodies a few
// steps before (docs/decisions/0064-warm-starts.md).
constexpr std::int64_t warm_factorisations = 6, warm_contact_window = 4, elastic_newton_steps = 6, elastic_newton_window = 3;
constexpr double largest_skew_share = 0.01, rounded_skew_share = 1e-12;
constexpr std::int64_t smallest_central_order = 64, first_central_steps = 20;
constexpr std::int64_t cone_projections = 40, last_cone_projections = 2000, last_sparse_cone_projections = 10000,
                       first_alternations = 200, last_alternations = 2000;
constexpr std::int64_t smallest_swept_order = 3000;                           // a factorisation costs a hundred sweeps and more
constexpr std::int64_t smallest_condensed_order = 64, mostly_free_steps = 3;  // pivots take each free row by itself
constexpr std::int64_t cone_newton_steps = 100;                               // nearly all that it solves take it fewer than 60
constexpr std::int64_t central_steps = 200, cone_sweeps = 2000, alternations = 10000, cone_extragradient_steps = 200000;
constexpr std::int64_t large_cone_projections = 20000;
constexpr std::int64_t enumeration_nodes = 200000;
constexpr std::int64_t nonlinear_newton_steps = 500;
constexpr double sweep_damping = 0.1;

bool all_of_kind(const Inclusion& view, std::initializer_list<SetKind> kinds) {
  return std::all_of(view.blocks.begin(), view.blocks.end(),
                     [&](const SetBlock& block) { return std::find(kinds.begin(), kinds.end(), block.kind) != kinds.end(); });
}

// Newton's methods first, the robust one, which is sparse where the Jacobian is, before the fast one, which is dense; what needs
// no derivatives and no linear algebra last, and first where a set is known by its projection and the end is near.
StageList nonlinear_stages(const Inclusion& view) {
  const Stage robust{"josephy_newton", nonlinear_newton_steps}, fast{"semismooth_newton", nonlinear_newton_steps};
  const Stage simple{"extragradient", unlimited};
  const bool known_by_projection = all_of_kind(view, {SetKind::user_set});
  if (is_sparse(*view.M) && !known_by_projection) return {robust, simple};
  if (view.size() > largest_dense_order) return {simple};
  if (known_by_projection)
    return {{"extragradient", bounded_projections, Extent::reachable, last_bounded_projections}, fast, simple};
  if (all_of_kind(view, {SetKind::polyhedron})) return {robust, simple};
  return {robust, fast, simple};
}

const Stage bounded_sweeps{"block_gauss_seidel", first_sweeps, Extent::foretold, last_bounded_sweeps};
const Stage conjugate_steps{"projected_conjugate_gradient", bounded_steps, Extent::foretold, last_bounded_projections};
// A sweep of a large matrix costs far less than a factorisation even where hundreds have to follow.
const Stage large_sweeps{"block_gauss_seidel", 200, Extent::foretold, 3000};
// Where factors would not fit.
const Stage large_projections{.method = "accelerated_projected_gradient",
                              .budget = 20000,
                              .extent = Extent::halving,
                              .farthest = 4000,
                              .in_place_of_last = true};
// Where cycles of exact one-block solves keep a problem from converging.
const Stage damped_sweeps{
    .method = "block_gauss_seidel", .budget = 2 * friction_sweeps, .option = "proximal", .value = sweep_damping};

std::int64_t count_free_rows(const Inclusion& view) {
  return std::accumulate(view.blocks.begin(), view.blocks.end(), std::int64_t{0},
                         [&](auto sum, const SetBlock& b) { return sum + (is_free(b) ? b.size : 0); });
}

// Linear programmes and games: few pivots, each of little work. Rows of equality take one each, whatever the solution.
bool is_mostly_skew_without_equalities(const Inclusion& view) {
  return 8 * count_free_rows(view) < view.size() && is_mostly_skew(*view.M);
}

// Bounds alone, and sparse or large.
StageList sparse_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const bool large = n > largest_dense_order;
  const auto entries = static_cast<std::int64_t>(view.M->values().size());
  const bool may_be_grid = view.M->csc() == nullptr || !is_tridiagonal(*view.M->csc());
  const bool has_pivots = has_positive_diagonal(*view.M);  // without, neither sweeps nor exchanges get anywhere
  StageList stages;
  if (may_be_grid && has_pivots) {
    stages.push_back({"projected_multigrid", multigrid_steps});
    Stage sweeps = is_symmetric(*view.M) ? conjugate_steps : bounded_sweeps;
    sweeps.in_place_of_last = true;
    stages.push_back(sweeps);
  }
  // The factors of a large grid take minutes of memory traffic and gigabytes that its multigrid does not need.
  if (has_pivots)
    stages.push_back({.method = "active_set",
                      .budget = sparse_exchanges,
                      .afresh = n >= smallest_aggregated_order,
                      .in_place_of_last = may_be_grid});
  const Stage central_path{.method = "interior_point", .budget = sparse_central_steps, .needs = Definiteness::semidefinite};
  const bool pivots_first = is_mostly_skew_without_equalities(view);
  if (large && has_pivots) stages.push_back(large_sweeps);
  if (!pivots_first) stages.push_back(central_path);
  if (!pivots_first && large && is_symmetric(*view.M)) stages.push_back(large_projections);
  if (n <= largest_pivoted_order && entries <= longest_pivoted_row * n) {
    if (large && has_pivots) stages.push_back({"block_gauss_seidel", sweeps_before_pivots});
    stages.push_back({"sparse_lemke", sparse_pivots_per_unknown * n});
  }
  if (pivots_first) stages.push_back(central_path);
  if (!large) stages.push_back({"lemke", unlimited});
  if (!large && all_of_kind(view, {SetKind::orthant})) stages.push_back({"semismooth_newton", nonlinear_newton_steps});
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

// Orthants and free rows, dense or nearly so.
StageList orthant_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const Stage pivots{"lemke", unlimited}, tree{"enumeration", enumeration_nodes};
  if (n <= largest_searched_order) return {pivots, tree, {"semismooth_newton", near_steps}};
  const bool dense = view.M->dense() != nullptr;
  StageList stages;
  if (!dense && n >= smallest_sparse_order) stages.push_back(bounded_sweeps);
  if (2 * count_free_rows(view) > n && n >= smallest_condensed_order) stages.push_back({"interior_point", mostly_free_steps});
  const bool may_be_exchanged = n >= smallest_exchanged_order;
  const std::int64_t bases = n <= largest_pivoted_first ? few_bases : exchanged_bases;
  const Stage exchanges{.method = "block_principal_pivoting",
                        .budget = bases,
                        .option = "patience",
                        .value = n <= largest_pivoted_first ? exchange_patience : large_exchange_patience,
                        .needs = Definiteness::definite,
                        .takes_signs = true};
  const bool mixed = !all_of_kind(view, {SetKind::orthant});  // bases that must hold the free rows are singular more often
  if (may_be_exchanged && !mixed) stages.push_back(exchanges);
  if (may_be_exchanged)
    stages.push_back({.method = "lemke", .budget = monotone_pivots_per_unknown * n, .needs = Definiteness::semidefinite});
  if (may_be_exchanged && mixed) stages.push_back(exchanges);
  if (may_be_exchanged)
    stages.push_back({.method = "interior_point", .budget = central_steps, .needs = Definiteness::semidefinite});
  stages.push_back(pivots);
  if (n <= largest_enumerated_order) stages.push_back(tree);
  if (!mixed) stages.push_back({"semismooth_newton", nonlinear_newton_steps});
  if (n <= largest_swept_dense_order || !dense) stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

// Sparse systems with multipliers: some factorisations cost less than pivots, from some hundred on.
StageList polyhedron_stages(const Inclusion& view) {
  const std::int64_t order = Equilibration::order_of(view);
  StageList stages;
  if (order >= smallest_sparse_polyhedron && has_sparse_system(view)) {
    stages.push_back({.method = "interior_point", .budget = sparse_central_steps, .needs = Definiteness::semidefinite});
    stages.push_back({"sparse_lemke", sparse_pivots_per_unknown * order});
  }
  if (order <= largest_pivoted_order) stages.push_back({"lemke", unlimited});
  if (order <= largest_searched_polyhedron) stages.push_back({"cao_ferris", unlimited});
  stages.push_back({"interior_point", central_steps});
  // Where M is indefinite, paths end on rays beside solutions that Newton's steps from the start reach.
  if (order <= largest_newton_polyhedron) stages.push_back({.method = "semismooth_newton", .budget = near_steps, .afresh = true});
  return stages;
}

// Each block coupled to two others, on average: projections would take as many iterations as the chain is long, factors cost a
// few sweeps. Of bodies their contacts tell, so that W is not formed for it.
bool is_chain(const Inclusion& view) {
  double entries = 0, squares = 0;
  if (view.bodies != nullptr) {
    entries = squares = static_cast<double>(view.blocks.size());
    for (const IndexVector& contacts : view.bodies->contacts_of_bodies()) {
      const auto count = static_cast<double>(contacts.size());
      entries += std::max(0.0, count * (count - 1));
    }
  } else {
    for (const SetBlock& block : view.blocks) squares += static_cast<double>(block.size) * block.size;
    for (const double value : view.M->values()) entries += value != 0 ? 1 : 0;
  }
  return entries <= 3 * squares;
}

// Accelerated projections follow the gradient of a function, which an M with a skew part is not of.
bool turns(const Inclusion& view) { return view.bodies == nullptr && skew_share(*view.M) > largest_skew_share; }

// Where M is symmetric an interior point method takes one Cholesky factorisation per step, and few of them.
bool suits_central_path(const Inclusion& view) {
  return view.size() >= smallest_central_order && skew_share(*view.M) < rounded_skew_share;
}

// Proximal Newton where factorisations are dear, as a try or, of large problems, behind sweeps in which statuses settle, and
// where they are not.
const Stage dear_newton{
    .method = "proximal_newton", .budget = dear_steps, .option = "patience", .value = dear_patience, .factors = Factors::dear};
const Stage settling_sweeps{.method = "block_gauss_seidel",
                            .budget = settling_factorisations,
                            .extent = Extent::weighed,
                            .farthest = friction_sweeps,
                            .option = "acceleration",
                            .value = static_cast<double>(Acceleration::over_relaxation),
                            .factors = Factors::very_dear};
const Stage sweeps_before_newton{.method = "block_gauss_seidel", .budget = near_sweeps, .factors = Factors::cheap};
const Stage near_newton{.method = "proximal_newton",
                        .budget = near_steps,
                        .extent = Extent::halving,
                        .farthest = near_window,
                        .option = "start_sweeps",
                        .factors = Factors::cheap};

Stage few_sweeps(Start start) {
  return {.method = "block_gauss_seidel",
          .budget = first_sweeps,
          .extent = Extent::foretold,
          .farthest = last_first_sweeps,
          .start = start};
}

// From a start other than 0, in place of projections: to a tight tolerance those lose it.
const Stage warm_sweeps{
    .method = "block_gauss_seidel", .budget = first_projections, .extent = Extent::affordable, .start = Start::warm};

Stage weighed_sweeps(std::int64_t factorisations, Start start) {
  return {.method = "block_gauss_seidel",
          .budget = factorisations,
          .extent = Extent::weighed,
          .farthest = last_weighed_sweeps,
          .start = start};
}

// From the solution of the step before, as long as they halve the residual.
Stage warm_newton(const char* method, std::int64_t steps, std::int64_t window) {
  return {.method = method,
          .budget = steps,
          .extent = Extent::halving,
          .farthest = window,
          .option = "start_sweeps",
          .factors = Factors::cheap,
          .start = Start::warm};
}

void add_dear_stages(StageList& stages, std::int64_t n, bool is_swept) {
  if (n > largest_path_order) return;
  const bool large = n > largest_tried_order;
  if (large && !is_swept) stages.push_back(settling_sweeps);
  Stage newton = dear_newton;
  newton.aside = !large;
  if (large) newton.factors = Factors::very_dear;
  stages.push_back(newton);
}

// One descent of the reach, which meets a loose tolerance where most others are still on the way, and proximal Newton from there.
const Stage splitting{.method = "douglas_rachford", .budget = unlimited, .option = "restarts", .afresh = true};

// Long and thin structures: what others carry along contact by contact it carries at once, at the cost of some sweeps. Where
// much slides and contacts are redundant it does not get to a tight tolerance, and shows it soon.
Stage slender_splitting(double tolerance, Start start) {
  Stage stage = splitting;
  stage.shape = Shape::slender;
  stage.start = start;
  const bool loose = tolerance > loose_tolerance;
  stage.budget = loose ? slender_iterations : first_slender_iterations;
  stage.extent = loose ? Extent::halving : Extent::foretold;
  stage.farthest = loose ? slender_window : last_slender_iterations;
  return stage;
}

Stage newton_while_it_halves(std::int64_t window) {
  return {.method = "proximal_newton",
          .budget = large_near_steps,
          .extent = Extent::halving,
          .farthest = window,
          .option = "start_sweeps"};
}

// Their factorisations cost little, and the path needs few of them.
const Stage slender_path{.method = "friction_central_path", .budget = jumping_path_iterations, .shape = Shape::slender};

// What hyperstatic structures and piles end in, where the interior point method has not solved them.
void add_path_stages(StageList& stages, std::int64_t n, double tolerance, Shape untried) {
  const bool loose = tolerance > loose_tolerance;
  if (loose && n <= largest_path_order) {
    stages.push_back(splitting);
    stages.push_back(newton_while_it_halves(near_splitting_window));
  }
  if (n < smallest_swept_order) {
    stages.push_back(loose ? Stage{.method = "friction_central_path", .budget = path_iterations, .option = "restarts"}
                           : Stage{.method = "friction_central_path", .budget = jumping_path_iterations, .shape = untried});
  } else if (n <= largest_path_order) {
    stages.push_back({"block_gauss_seidel", loose ? friction_sweeps : sweeps_before_path, Extent::foretold, friction_sweeps});
    stages.push_back(newton_while_it_halves(large_near_window));
    stages.push_back({"friction_central_path", large_path_iterations});
  } else {
    stages.push_back({"block_gauss_seidel", friction_sweeps});
  }
  stages.push_back({"proximal_newton", newton_iterations});
}

// Joints carry forces from body to body, which sweeps and projections spread one by one, and keep factors sparse.
bool is_jointed(const Inclusion& view) { return jointed_share * count_free_rows(view) >= view.size(); }

// From the solution of the step before a few of Newton's steps do where it took as many of the interior point method, which has
// no use for a start: those without a proximal term where they halve the residual, not with brakes, where they go round in
// circles.
void add_mechanism_stages(StageList& stages, bool braked) {
  if (!braked) stages.push_back(warm_newton("semismooth_newton", warm_newton_steps, warm_newton_window));
  stages.push_back(warm_newton("proximal_newton", warm_proximal_steps, warm_proximal_window));
  stages.push_back({.method = "friction_interior_point", .budget = interior_iterations, .factors = Factors::cheap});
  stages.push_back({.method = "proximal_newton", .budget = jointed_newton_steps, .factors = Factors::cheap, .afresh = true});
}

// Contacts alone: from a start near the solution a few of Newton's steps do where everything else begins anew. Those of elastic
// bodies, whose W is definite, need no proximal term. Slender structures at rest take the splitting less, which forgets the
// start, and sweeps nothing.
void add_following_stages(StageList& stages, double tolerance, bool cheaply_swept, bool elastic) {
  if (elastic) {
    stages.push_back({.method = "block_gauss_seidel", .budget = first_sweeps, .start = Start::warm});
    stages.push_back(warm_newton("semismooth_newton", elastic_newton_steps, elastic_newton_window));
  }
  Stage splitting_first = slender_splitting(tolerance, Start::warm);
  splitting_first.aside = true;
  stages.push_back(splitting_first);
  if (cheaply_swept) {
    stages.push_back(few_sweeps(Start::warm));
    Stage sweeps = weighed_sweeps(warm_factorisations, Start::warm);
    sweeps.shape = Shape::stout;
    stages.push_back(sweeps);
  }
  stages.push_back(warm_newton("proximal_newton", warm_proximal_steps, warm_contact_window));
}

// One-block solves with rolling friction cost as much as some ten projections, the row copy of a dense matrix as some products.
// What turns takes alternations instead of projections, and pivots before all where it is planar and small.
StageList contact_stages(const Inclusion& view, double tolerance) {
  StageList stages;
  const std::int64_t n = view.size();
  const bool rolling = std::ranges::any_of(view.blocks, rolls, &SetBlock::kind);
  const bool chain = is_chain(view);
  const bool sparse = view.bodies != nullptr || view.M->dense() == nullptr;
  const bool turning = !chain && turns(view) && (n <= largest_pivoted_first || view.M->dense() != nullptr);
  const bool planar = n <= largest_pivoted_first && all_of_kind(view, {SetKind::coulomb_2d});
  const Stage pivots{"lemke", pivots_per_unknown * n};
  if (turning && planar) stages.push_back(pivots);
  if (!chain) stages.push_back({.method = "panagiotopoulos", .budget = unlimited, .rests = true});
  const bool tight = tolerance <= loose_tolerance, path_is_tried = !chain && tight;
  const bool cheaply_swept = !rolling && sparse;
  const bool jointed = is_jointed(view);
  if (jointed && cheaply_swept) stages.push_back(few_sweeps(chain && !tight ? Start::any : Start::warm));
  if (jointed) add_mechanism_stages(stages, std::ranges::find(view.blocks, SetKind::box, &SetBlock::kind) != view.blocks.end());
  const bool follows = tight && sparse && !jointed && !chain && !turning;
  if (follows) add_following_stages(stages, tolerance, cheaply_swept, view.elastic != nullptr);
  stages.push_back(slender_splitting(tolerance, follows ? Start::zero : Start::any));
  if (path_is_tried) stages.push_back(slender_path);
  if (cheaply_swept) stages.push_back(few_sweeps(jointed || follows ? Start::zero : Start::any));
  const bool may_be_swept = cheaply_swept && !chain && !turning;
  // To a loose tolerance sweeps go before projections but in hyperstatic structures, where these end sooner.
  const bool swept_first = may_be_swept && !tight && !is_hyperstatic(view);
  if (may_be_swept && tight) stages.push_back(warm_sweeps);
  if (swept_first) stages.push_back(weighed_sweeps(swept_factorisations, Start::warm));
  if (chain)
    stages.push_back({.method = "semismooth_newton", .budget = chain_iterations, .option = "start_sweeps", .goes_on = true});
  if (turning)
    stages.push_back({"admm", first_alternations});
  else if (!chain || rolling)
    stages.push_back({.method = "accelerated_projected_gradient",
                      .budget = rolling ? first_rolling_projections : first_projections,
                      .extent = Extent::affordable,
                      .start = tight && may_be_swept ? Start::zero : Start::any,
                      .afresh = true});
  const bool is_swept = !tight && may_be_swept;
  if (is_swept) stages.push_back(weighed_sweeps(swept_factorisations, swept_first ? Start::zero : Start::any));
  if (!chain && (n <= largest_tried_order || cheaply_swept)) add_dear_stages(stages, n, is_swept);
  if (!chain && n < smallest_swept_order) {
    if (cheaply_swept && tight) stages.push_back(sweeps_before_newton);
    stages.push_back(near_newton);
  }
  stages.push_back({"friction_interior_point", interior_iterations});
  stages.push_back({.method = "active_set", .budget = unlimited, .closes = true});
  if (planar && !turning) stages.push_back(pivots);
  add_path_stages(stages, n, tolerance, path_is_tried ? Shape::stout : Shape::any);
  stages.push_back(damped_sweeps);
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

enum class FirstStage { none, block_gauss_seidel, friction_interior_point };  // in the order of options.def

// In a sequence of problems the stage that finished the last one is likely to finish the next. Where it does not, the
// second-order stages go before thousands of sweeps, and the interior point method, which has no use for a start, not again.
// What goes before them where factorisations are dear is left out: Newton's steps come early in any case. Nor do the stages of
// slender structures go before sweeps there, which a warm start may need no more than; what mechanisms take from it goes first.
void put_first(StageList& stages, const Options& options) {
  const auto asked = options.choice<FirstStage>(Option::first_stage);
  if (asked == FirstStage::none) return;
  stages.erase_if([](const Stage& stage) { return stage.factors >= Factors::dear; });
  const auto interior = std::find_if(stages.begin(), stages.end(), [](const Stage& stage) {
    return std::string_view(stage.method) == "friction_interior_point";
  });
  if (interior == stages.end()) return;
  Stage first{"block_gauss_seidel", options.integer(Option::first_stage_iterations)};
  const Stage newton{"proximal_newton", early_newton_iterations};
  if (asked == FirstStage::friction_interior_point) {
    first.method = interior->method;
    *interior = newton;
  } else {
    stages.insert(interior + 1, newton);
  }
  const auto is_slender = [](const Stage& stage) { return stage.shape == Shape::slender; };
  const auto is_try = [&](const Stage& stage) {
    return stage.rests || stage.start == Start::warm || (stage.extent == Extent::foretold && !is_slender(stage));
  };
  const auto slender = std::find_if(stages.begin(), stages.end(), is_slender);
  const auto behind = std::find_if_not(slender, stages.end(), is_slender);
  if (is_try(*behind)) std::rotate(slender, behind, behind + 1);
  stages.insert(std::find_if_not(stages.begin(), stages.end(), is_try), first);
}

Stage first_cone_projections(const Inclusion& view) {
  if (turns(view)) return {"extragradient", cone_projections, Extent::reachable, last_cone_projections};
  const std::int64_t farthest = is_sparse(*view.M) ? last_sparse_cone_projections : last_cone_projections;
  return {"accelerated_projected_gradient", cone_projections, Extent::reachable, farthest};
}

// Alternations factorise once, Newton's method at each of its steps; where M turns they are sooner there in any size. The
// interior point method needs no strict complementarity, and is the first to try where M is symmetric, often singular, and not
// small (docs/decisions/0061-dense-problems.md), or mostly skew, as of programmes with their duals. Where M turns so much that it
// fails, extragradient steps converge for any monotone M, slowly, and so do projections where M does not turn and cones have too
// many rows for it. Of a sparse M thousands of projections cost less than one factorisation, and Newton's steps less than others.
StageList cone_stages(const Inclusion& view) {
  const Stage steps{"semismooth_newton", cone_newton_steps};
  // Where sweeps and projections lead astray, as of general M.
  const Stage steps_from_start{
      .method = "semismooth_newton", .budget = cone_newton_steps, .option = "start_sweeps", .afresh = true};
  const Stage alternating{"admm", first_alternations, Extent::reachable, last_alternations};
  const Stage central_path{"friction_interior_point", interior_iterations};
  const bool turning = turns(view), sparse = is_sparse(*view.M),
             central = (!sparse && suits_central_path(view)) || is_mostly_skew(*view.M);
  const bool alternates_first = turning || (!sparse && view.size() > largest_pivoted_first);
  const Stage first = first_cone_projections(view);
  StageList stages{first};
  if (central) stages.push_back(central_path);
  stages.push_back(alternates_first ? alternating : steps);
  stages.push_back(alternates_first ? steps : alternating);
  if (!central) stages.push_back(central_path);
  stages.push_back(steps_from_start);
  if (!turning) stages.push_back({first.method, large_cone_projections});
  stages.push_back({"block_gauss_seidel", cone_sweeps});
  if (turning) stages.push_back({first.method, cone_extragradient_steps});
  stages.push_back({"admm", alternations});
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

// The factors of a dense M take too long.
StageList large_cone_stages(const Inclusion& view) {
  const Stage first = first_cone_projections(view);
  StageList stages{first};
  if (view.M->dense() == nullptr) {
    const Stage central_path{"friction_interior_point", interior_iterations};
    const bool skew = is_mostly_skew(*view.M);
    if (skew) stages.push_back(central_path);
    if (turns(view)) stages.push_back({"admm", first_alternations, Extent::reachable, last_alternations});
    stages.push_back({"semismooth_newton", cone_newton_steps});
    if (!skew) stages.push_back(central_path);
  }
  stages.push_back({first.method, large_cone_projections});
  stages.push_back({"block_gauss_seidel", friction_sweeps});
  stages.push_back(damped_sweeps);
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

StageList stages_for(const Inclusion& view, double tolerance) {
  if (view.F != nullptr) return nonlinear_stages(view);
  const bool dense = view.size() <= largest_dense_order;
  const Stage sweeps{"block_gauss_seidel", unlimited}, pivots{"lemke", unlimited}, central_path{"interior_point", central_steps};
  const Stage projections{"projected_gradient", bounded_projections, Extent::foretold, last_bounded_projections};
  if (all_of_kind(view, {SetKind::polyhedron})) return polyhedron_stages(view);
  const bool bounded = all_of_kind(view, {SetKind::orthant, SetKind::free_space, SetKind::box});
  if (bounded && (!dense || is_sparse(*view.M))) return sparse_stages(view);
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space})) return orthant_stages(view);
  if (bounded) {
    StageList stages;
    // Rows of equality turn projections away from what they are to find.
    if (view.size() > ActiveSetMemory::largest_order && count_free_rows(view) == 0) stages.push_back(projections);
    if (suits_central_path(view))
      stages.push_back({.method = "interior_point", .budget = first_central_steps, .needs = Definiteness::semidefinite});
    stages.push_back(pivots);
    stages.push_back(central_path);
    if (view.size() <= largest_enumerated_order) stages.push_back({"enumeration", enumeration_nodes});
    stages.push_back(sweeps);
    return stages;
  }
  if (all_of_kind(view, {SetKind::second_order_cone})) return dense ? cone_stages(view) : large_cone_stages(view);
  if (has_contacts(view)) return contact_stages(view, tolerance);
  return {{"block_gauss_seidel", friction_sweeps}, damped_sweeps, sweeps};
}

}  // namespace

bool has_contacts(const Inclusion& view) {
  return std::any_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) { return has_friction(block.kind); });
}

StageList stages_of(const Inclusion& view, const Options& options) {
  StageList stages = stages_for(view, options.real(Option::tolerance));
  if (has_contacts(view)) put_first(stages, options);
  return stages;
}

}  // namespace nonsmooth
