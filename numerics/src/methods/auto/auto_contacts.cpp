// Contacts with friction, in this order:
//  - equations of motion among the rows: the contacts alone (kept_motion.hpp);
//  - from a start other than 0, as in a simulation: sweeps and steps from face to face, then some Newton steps (of contacts
//    alone to a tight tolerance);
//  - mechanisms: the interior point method;
//  - long and thin structures: a splitting and, to a tight tolerance, the central path;
//  - a few sweeps;
//  - accelerated projections while they pay (M not symmetric: alternations; start other than 0: sweeps);
//  - more sweeps where the tolerance is loose and factorisations are dear, and in large problems, where statuses settle in them;
//  - proximal Newton steps while they pay, Newton where contacts form a chain;
//  - for hyperstatic structures, which take a few factorisations: the interior point method, a proof that the normals cannot stay
//    apart (behind the next ones where little is left), a splitting where the tolerance is loose, the central path;
//  - for piles in which many contacts slide: bursts of sweeps and proximal Newton steps.
#include <algorithm>
#include <string_view>

#include "methods/auto/auto_portfolios.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

// Numbers that several stages share; the others stand in their stages. Where each was measured is told in decision 10's table.
constexpr std::int64_t newton_iterations = 1000000, dear_steps = 100000, warm_proximal_steps = 20;
constexpr std::int64_t first_projections = 60;
constexpr const char* contact_interior_point = "friction_interior_point";  // put_first looks for its stage
// Sweeps get to a loose tolerance before factorisations do, where these are dear (docs/decisions/0032-first-stages.md).
constexpr std::int64_t swept_factorisations = 40;
// Where Newton's steps have come so near, they go on: all that comes behind them begins far away, and seldom gets as near
// (docs/decisions/0044-held-out-problems.md).
constexpr double near_enough = 1e-5;
// Where statuses have settled in piles of spheres, the interior point method has not got as near from where it begins.
constexpr double like_settled = 1e-3;
// Normals that cannot stay apart seldom leave less; where less is left the proof is looked for behind all that may solve it.
constexpr double unlike_solved = 1e-4;
// Where factorisations are dear Newton's steps are a try up to so many unknowns.
constexpr std::int64_t largest_tried_order = 12000;
constexpr std::int64_t smallest_swept_order = 3000;  // a factorisation costs a hundred sweeps and more
// Above it folds of the central path follow each other.
constexpr std::int64_t largest_path_order = 45000;
// Of what has been measured; beyond it sweeps go on before Newton's steps.
constexpr std::int64_t largest_settled_order = 100000;
// Of the central path: without a fold it takes 10 to 40, seldom more. To a tight tolerance a jump or two are worth it.
constexpr std::int64_t jumping_path_iterations = 120;

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
    entries = static_cast<double>(std::ranges::count_if(view.M->values(), [](double value) { return value != 0; }));
  }
  return entries <= 3 * squares;
}

// A third of the rows and more: joints carry forces from body to body, which sweeps and projections spread one by one, and keep
// factors sparse.
bool is_jointed(const Inclusion& view) { return 3 * count_free_rows(view) >= view.size(); }

// Equations of motion kept beside the contacts, [M -H; H' 0]: contacts have nothing on the diagonal that sweeps, projections or
// alternations could go by.
bool keeps_motion(const Inclusion& view) {
  if (view.is_applied() || count_free_rows(view) == 0) return false;
  std::int64_t contact_rows = 0, compliant_rows = 0;
  for (const SetBlock& block : view.blocks) contact_rows += has_friction(block.kind) ? block.size : 0;
  auto block = view.blocks.begin();
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    if (i != j || value == 0) return;
    while (block->start + block->size <= i) ++block;
    compliant_rows += has_friction(block->kind) ? 1 : 0;
  });
  return 2 * compliant_rows < contact_rows;
}

// What decides which stages there are.
struct Contacts {
  std::int64_t n = 0;
  bool tight = false;    // the tolerance
  bool rolling = false;  // one-block solves cost as much as some ten projections
  bool sparse = false;   // the row copy of a dense matrix costs as much as some products
  bool planar = false;   // without rolling friction, and nothing but contacts
  bool skew = false;     // M, in part; not asked of chains
  bool chain = false, jointed = false;
  bool keeps_motion = false;  // equations of motion beside contacts without a compliance
  bool braked = false;        // some rows have bounds of their own
  bool elastic = false;       // bodies, whose W is definite
  bool hyperstatic = false;   // asked where sweeps are cheap
  bool redundant = false;     // likewise

  bool is_small() const { return n <= largest_pivoted_first; }
  bool suits_pivots() const { return planar && is_small(); }
  // M z + q is no gradient, which accelerated projections follow: pivots and alternations take their place, but where M is large
  // and sparse.
  bool turns() const { return skew && (is_small() || !sparse); }
  bool cheaply_swept() const { return !rolling && sparse; }
  bool swept_on() const { return cheaply_swept() && !chain && !turns(); }
  // From a start near the solution a few steps do where everything else begins anew: on the face of the start, or with a proximal
  // term.
  bool keeps_faces() const { return sparse && !jointed && !turns() && !elastic; }
  bool follows() const { return tight && sparse && !jointed && !turns() && !chain; }
  // Large ones, swept until statuses settle where factorisations are very dear.
  bool settles() const { return n > largest_tried_order && n <= largest_settled_order && tight && swept_on() && !jointed; }
  // To a loose tolerance sweeps go before projections but where contacts are redundant, where these end sooner.
  bool swept_first() const { return swept_on() && !tight && !redundant; }
};

Contacts contacts_of(const Inclusion& view, double tolerance) {
  Contacts it;
  it.n = view.size();
  it.tight = tolerance <= loose_tolerance;
  it.rolling = std::ranges::any_of(view.blocks, rolls, &SetBlock::kind);
  it.sparse = view.bodies != nullptr || view.M->dense() == nullptr;
  it.chain = is_chain(view);
  it.planar = all_of_kind(view, {SetKind::coulomb_2d});
  it.skew = !it.chain && has_skew_part(view);
  it.keeps_motion = keeps_motion(view);
  it.jointed = is_jointed(view) || it.keeps_motion;
  it.braked = std::ranges::find(view.blocks, SetKind::box, &SetBlock::kind) != view.blocks.end();
  it.elastic = view.elastic != nullptr;
  it.hyperstatic = it.swept_on() && is_hyperstatic(view);
  it.redundant = it.swept_on() && is_redundant(view);
  return it;
}

// About once through all covering vectors; the path of one that is not given up takes up to a million pivots.
Stage planar_pivots(const Contacts& contacts) { return {"lemke", 64 * contacts.n}; }

// Where factorisations are dear, from the first sweeps on, with sweeps of its own, while work that costs as much as ten
// factorisations halves the residual (docs/decisions/0052-dear-factorisations.md).
const Stage dear_newton{
    .method = "proximal_newton", .budget = dear_steps, .option = "patience", .value = 10, .factors = Factors::dear};
// In large problems sweeps go before it, as many as cost five factorisations: statuses settle in them
// (docs/decisions/0053-settling-sweeps.md).
const Stage settling_sweeps{.method = "block_gauss_seidel",
                            .budget = 5,
                            .extent = Extent::weighed,
                            .farthest = friction_sweeps,
                            .option = "acceleration",
                            .value = static_cast<double>(Acceleration::over_relaxation),
                            .factors = Factors::very_dear};
// To a tight tolerance sweeps go before Newton's steps: they bring forces that projections have spread back onto the flow that
// the steps follow (docs/decisions/0057-sweeps-before-newton.md).
const Stage sweeps_before_newton{.method = "block_gauss_seidel", .budget = 50, .factors = Factors::cheap};
// From where sweeps and projections ended, each of its inner problems within so many steps.
const Stage near_newton{.method = "proximal_newton",
                        .budget = near_steps,
                        .extent = Extent::halving,
                        .farthest = 8,
                        .option = "start_sweeps",
                        .factors = Factors::cheap};
// Where these have come near, with sweeps of its own, while work that costs as much as thirty factorisations halves the residual.
// Not in mechanisms, which take as many steps behind the interior point method in any case.
const Stage nearer_newton{.method = "proximal_newton",
                          .budget = dear_steps,
                          .option = "patience",
                          .value = 30,
                          .factors = Factors::cheap,
                          .shape = Shape::stout,
                          .most_residual = near_enough};

Stage few_sweeps(Start start) {
  return {.method = "block_gauss_seidel", .budget = first_sweeps, .extent = Extent::foretold, .farthest = 200, .start = start};
}

// From a start other than 0, in place of projections: to a tight tolerance those lose it.
const Stage warm_sweeps{
    .method = "block_gauss_seidel", .budget = first_projections, .extent = Extent::affordable, .start = Start::warm};

Stage weighed_sweeps(std::int64_t factorisations, Start start) {
  return {.method = "block_gauss_seidel", .budget = factorisations, .extent = Extent::weighed, .farthest = 3000, .start = start};
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

// Without sweeps, while they halve the residual within so many steps.
Stage newton_while_it_halves(std::int64_t window) {
  return {.method = "proximal_newton", .budget = 100000, .extent = Extent::halving, .farthest = window, .option = "start_sweeps"};
}

// Of walls that are hit it takes a dozen steps, each of which halves the residual; of lattices and rocks it shows soon that it
// does not (docs/decisions/0053-settling-sweeps.md).
const Stage sure_interior{.method = contact_interior_point,
                          .budget = interior_iterations,
                          .extent = Extent::falling,
                          .farthest = 2,
                          .factors = Factors::very_dear,
                          .aside = true};

// As a try, or in large problems behind sweeps and gone on from; where they leave little, from the best of it at once, without
// sweeps.
void add_dear_stages(StageList& stages, const Contacts& contacts) {
  if (contacts.n > largest_settled_order) return;
  const bool large = contacts.n > largest_tried_order, is_swept = contacts.swept_on() && !contacts.tight;
  if (large && contacts.tight && contacts.hyperstatic) stages.push_back(sure_interior);
  if (large && !is_swept) stages.push_back(settling_sweeps);
  Stage newton = dear_newton;
  newton.aside = !large;
  if (large) newton.factors = Factors::very_dear;
  stages.push_back(newton);
  if (!large || !contacts.tight) return;
  Stage nearer = newton_while_it_halves(45);
  nearer.factors = Factors::very_dear;
  nearer.most_residual = near_enough;
  stages.push_back(nearer);
}

// One descent of the reach, which meets a loose tolerance where most others are still on the way, and proximal Newton from there.
const Stage splitting{.method = "douglas_rachford", .budget = unlimited, .option = "restarts", .afresh = true};

// Long and thin structures: what others carry along contact by contact it carries at once, at the cost of some sweeps. Where
// much slides and contacts are redundant it does not get to a tight tolerance, and shows it soon: a tight one has 30 iterations,
// 100 if they foretell their end, a loose one 1000 while 100 halve the residual (docs/decisions/0056-slender-structures.md).
Stage slender_splitting(bool tight, Start start) {
  Stage stage = splitting;
  stage.shape = Shape::slender;
  stage.start = start;
  stage.budget = tight ? 30 : 1000;
  stage.extent = tight ? Extent::foretold : Extent::descending;
  stage.farthest = 100;
  return stage;
}

// Their factorisations cost little, and the path needs few of them.
const Stage slender_path{.method = "friction_central_path", .budget = jumping_path_iterations, .shape = Shape::slender};

// Where all before has led elsewhere from one another's iterates: once more from the start of the solve, which in small problems
// costs nothing beside the patience that follows.
void add_second_tries(StageList& stages, const Contacts& contacts) {
  if (!contacts.is_small()) return;
  stages.push_back({"proximal_newton", 2000});  // most of those that it ends need no more
  const char* projections = contacts.turns() ? "extragradient" : "accelerated_projected_gradient";
  stages.push_back({.method = projections, .budget = 5000, .afresh = true});
  stages.push_back({.method = "semismooth_newton", .budget = 100, .afresh = true});
  stages.push_back({.method = "proximal_newton", .budget = 5000, .afresh = true});
  if (contacts.n <= largest_redrawn) stages.push_back(drawn_starts("proximal_newton", contacts.n, 100));
}

// What hyperstatic structures and piles end in, where the interior point method has not solved them. To a loose tolerance
// proximal Newton gets there sooner than jumps of the central path. Piles of thousands of contacts nearly always have folds, so
// that jumps are allowed there, and some sweeps go first, more if they foretell their end: a factorisation costs hundreds of
// them; for loose tolerances as many as ever, because they get there.
void add_path_stages(StageList& stages, const Contacts& contacts, Shape untried) {
  const std::int64_t n = contacts.n;
  const bool loose = !contacts.tight;
  if (loose && n <= largest_path_order) {
    stages.push_back(splitting);
    stages.push_back(newton_while_it_halves(500));
  }
  if (n < smallest_swept_order) {
    stages.push_back(loose ? Stage{.method = "friction_central_path", .budget = 80, .option = "restarts"}
                           : Stage{.method = "friction_central_path", .budget = jumping_path_iterations, .shape = untried});
  } else if (n <= largest_settled_order) {
    stages.push_back({"block_gauss_seidel", loose ? friction_sweeps : 2000, Extent::foretold, friction_sweeps});
    stages.push_back(newton_while_it_halves(20000));
    if (n <= largest_path_order) stages.push_back({"friction_central_path", 300});
  } else {
    stages.push_back({"block_gauss_seidel", friction_sweeps});
  }
  stages.push_back({.method = "active_set", .budget = unlimited, .most_residual = unlike_solved, .own = Own::closing_normals});
  add_second_tries(stages, contacts);
  stages.push_back({"proximal_newton", newton_iterations});
}

// From the solution of the step before a few of Newton's steps do where it took as many of the interior point method, which has
// no use for a start: those without a proximal term where they halve the residual, not with brakes, where they go round in
// circles.
void add_mechanism_stages(StageList& stages, bool braked) {
  if (!braked) stages.push_back(warm_newton("semismooth_newton", 15, 8));
  stages.push_back(warm_newton("proximal_newton", warm_proximal_steps, 10));
  stages.push_back({.method = contact_interior_point, .budget = interior_iterations, .factors = Factors::cheap});
  stages.push_back({.method = "proximal_newton", .budget = 200, .factors = Factors::cheap, .afresh = true});
}

const Stage face_steps{.method = "auto",
                       .budget = 20,
                       .extent = Extent::halving,
                       .farthest = 4,
                       .factors = Factors::cheap,
                       .start = Start::warm,
                       .own = Own::face_steps};

// The face of the solution is mostly that of the step before, but for what a few sweeps change. Heaps are swept to the end if
// that is foretold; to a loose tolerance sweeps get there sooner everywhere but in long and thin structures.
void add_face_stages(StageList& stages, const Contacts& contacts) {
  const Shape shape = contacts.tight || contacts.chain ? Shape::any : Shape::slender;
  Stage heap = few_sweeps(Start::warm), sweeps = weighed_sweeps(1, Start::warm), steps = face_steps;
  heap.shape = Shape::stout;
  sweeps.shape = steps.shape = shape;
  if (contacts.swept_on() && contacts.tight && !contacts.hyperstatic) stages.push_back(heap);
  if (contacts.cheaply_swept()) stages.push_back(sweeps);
  stages.push_back(steps);
}

// Contacts alone: Newton's steps of elastic bodies need no proximal term. Slender structures at rest take the splitting less,
// which forgets the start, and sweeps nothing (docs/decisions/0064-warm-starts.md).
void add_following_stages(StageList& stages, const Contacts& contacts) {
  if (contacts.elastic) {
    stages.push_back({.method = "block_gauss_seidel", .budget = first_sweeps, .start = Start::warm});
    stages.push_back(warm_newton("semismooth_newton", 6, 3));
  }
  Stage splitting_first = slender_splitting(contacts.tight, Start::warm);
  splitting_first.aside = true;
  stages.push_back(splitting_first);
  if (contacts.cheaply_swept()) {
    if (contacts.elastic) stages.push_back(few_sweeps(Start::warm));
    Stage sweeps = weighed_sweeps(6, Start::warm);
    sweeps.shape = Shape::stout;
    stages.push_back(sweeps);
  }
  stages.push_back(warm_newton("proximal_newton", warm_proximal_steps, 4));
}

// Many contacts of elastic bodies: an operator stands for W, so that nothing is swept. A product costs a solve with the factors
// of M, a factorisation of Newton's some dozen products (docs/decisions/0065-elastic-bodies.md).
StageList applied_stages(bool tight) {
  StageList stages;
  stages.push_back(warm_newton("proximal_newton", warm_proximal_steps, 4));
  stages.push_back(
      {.method = "accelerated_projected_gradient", .budget = 1, .extent = Extent::weighed, .farthest = 2000, .afresh = true});
  stages.push_back(near_newton);
  stages.push_back({contact_interior_point, interior_iterations});
  if (!tight) stages.push_back(splitting);
  stages.push_back({"proximal_newton", newton_iterations});
  stages.push_back({"accelerated_projected_gradient", unlimited});
  return stages;
}

// What lies at rest, what moves as a mechanism does, and the next solve of a sequence.
void add_early_stages(StageList& stages, const Contacts& contacts) {
  if (contacts.turns() && contacts.suits_pivots()) stages.push_back(planar_pivots(contacts));
  if (!contacts.chain) stages.push_back({.method = "panagiotopoulos", .budget = unlimited, .own = Own::normals_first});
  if (contacts.jointed && contacts.cheaply_swept())
    stages.push_back(few_sweeps(contacts.chain && !contacts.tight ? Start::any : Start::warm));
  if (contacts.jointed) add_mechanism_stages(stages, contacts.braked);
  if (contacts.keeps_faces()) add_face_stages(stages, contacts);
  if (contacts.follows()) add_following_stages(stages, contacts);
}

// Iterations that factorise nothing, or once.
void add_first_order_stages(StageList& stages, const Contacts& contacts) {
  const Start rest = contacts.jointed || contacts.follows() ? Start::zero : Start::any;
  if (contacts.cheaply_swept()) stages.push_back(few_sweeps(rest));
  if (contacts.swept_on() && contacts.tight) stages.push_back(warm_sweeps);
  if (contacts.swept_first()) stages.push_back(weighed_sweeps(swept_factorisations, Start::warm));
  if (contacts.chain) stages.push_back({.method = "semismooth_newton", .budget = 140, .option = "start_sweeps", .goes_on = true});
  if (contacts.turns())
    stages.push_back({"admm", first_alternations});
  else if (!contacts.chain || contacts.rolling)
    stages.push_back({.method = "accelerated_projected_gradient",
                      .budget = contacts.rolling ? 200 : first_projections,
                      .extent = Extent::affordable,
                      .start = contacts.tight && contacts.swept_on() ? Start::zero : Start::any,
                      .afresh = true});
  if (contacts.swept_on() && !contacts.tight)
    stages.push_back(weighed_sweeps(swept_factorisations, contacts.swept_first() ? Start::zero : Start::any));
}

void add_newton_stages(StageList& stages, const Contacts& contacts) {
  if (!contacts.chain && (contacts.n <= largest_tried_order || contacts.cheaply_swept())) add_dear_stages(stages, contacts);
  if (!contacts.chain && contacts.n < smallest_swept_order) {
    if (contacts.cheaply_swept() && contacts.tight) stages.push_back(sweeps_before_newton);
    stages.push_back(near_newton);
    if (contacts.sparse && contacts.tight && !contacts.jointed) stages.push_back(nearer_newton);
  }
  // Mechanisms whose factorisations are cheap come from it.
  Stage interior{.method = contact_interior_point,
                 .budget = interior_iterations,
                 .factors = contacts.jointed ? Factors::dear : Factors::any};
  if (contacts.settles() && !contacts.hyperstatic) {
    interior.factors = Factors::less_dear;
    stages.push_back(interior);
    interior.factors = Factors::very_dear;
    interior.least_residual = like_settled;
  }
  stages.push_back(interior);
  stages.push_back({.method = "active_set", .budget = unlimited, .least_residual = unlike_solved, .own = Own::closing_normals});
  if (contacts.suits_pivots() && !contacts.turns()) stages.push_back(planar_pivots(contacts));
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
  const auto interior = std::ranges::find(stages, std::string_view(contact_interior_point), &Stage::method);
  if (interior == stages.end()) return;
  if (interior->factors == Factors::less_dear) interior->factors = Factors::any;  // the other half has just been left out
  Stage first{"block_gauss_seidel", options.integer(Option::first_stage_iterations)};
  const Stage newton{"proximal_newton", 10000};  // a few bursts of sweeps, with the steps between them
  if (asked == FirstStage::friction_interior_point) {
    first.method = interior->method;
    *interior = newton;
  } else {
    stages.insert(interior + 1, newton);
  }
  const auto is_slender = [](const Stage& stage) { return stage.shape == Shape::slender; };
  const auto is_try = [&](const Stage& stage) {
    return stage.own == Own::normals_first || stage.start == Start::warm ||
           (stage.extent == Extent::foretold && !is_slender(stage));
  };
  const auto slender = std::find_if(stages.begin(), stages.end(), is_slender);
  const auto behind = std::find_if_not(slender, stages.end(), is_slender);
  if (is_try(*behind)) std::rotate(slender, behind, behind + 1);
  stages.insert(std::find_if_not(stages.begin(), stages.end(), is_try), first);
}

}  // namespace

StageList contact_stages(const Inclusion& view, const Options& options) {
  if (view.elastic_operator() != nullptr) return applied_stages(options.real(Option::tolerance) <= loose_tolerance);
  const Contacts contacts = contacts_of(view, options.real(Option::tolerance));
  const bool path_is_tried = !contacts.chain && contacts.tight;
  StageList stages;
  if (contacts.keeps_motion) stages.push_back({.method = "auto", .budget = unlimited, .own = Own::kept_motion});
  add_early_stages(stages, contacts);
  stages.push_back(slender_splitting(contacts.tight, contacts.follows() ? Start::zero : Start::any));
  if (path_is_tried) stages.push_back(slender_path);
  add_first_order_stages(stages, contacts);
  add_newton_stages(stages, contacts);
  add_path_stages(stages, contacts, path_is_tried ? Shape::stout : Shape::any);
  stages.push_back(damped_sweeps());
  stages.push_back({"block_gauss_seidel", unlimited});
  put_first(stages, options);
  return stages;
}

}  // namespace nonsmooth
