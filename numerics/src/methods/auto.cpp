// The default: a portfolio of the other methods. Stages are tried in a fixed order with budgets of iterations, each from the best
// iterate so far; the first that the certificate confirms ends the solve. Budgets count iterations, not seconds, so that results
// are reproducible.
//
// Positive definite problems take a few exchanges of whole blocks; pivoting is exact for anything small enough to keep dense (a
// few projected sweeps before it were tried: at n = 300 four of them cost as much as all of Lemke's pivots); sparse problems of
// rows bounded one by one go to multigrid if they are grids, else to active sets with sparse factorisations, then to pivoting on
// sparse factors, which large ones sweep before: that solves the dominant ones and tells the pivots where to start. Where a sweep
// or a product with M costs far less than a factorisation, a few go first, and go on if they foretell an end that is near
// (sweep_budget.hpp). Friction is followed from face to face where it is small, else swept a little, then taken by accelerated
// projections while they pay (by alternations where M is not symmetric), swept on where the tolerance is loose and factorisations
// are dear, taken by proximal Newton steps while they pay, by Newton where contacts form a chain, by an interior point method and
// by the central path (of small problems up to its first fold), which solve hyperstatic structures in a few factorisations, and
// by bursts of sweeps and proximal Newton steps for piles in which many contacts slide; what no second-order method treats is
// swept, and where cycles of exact one-block solves keep a problem from converging, swept again with a proximal term that damps
// them.
#include <algorithm>
#include <exception>
#include <initializer_list>
#include <new>
#include <numeric>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "linalg/symmetry.hpp"
#include "linalg/tridiagonal_factor.hpp"
#include "methods/active_set_memory.hpp"
#include "methods/column_sweeps.hpp"
#include "methods/face_newton.hpp"
#include "methods/impossible_row.hpp"
#include "methods/independent_parts.hpp"
#include "methods/lone_contact.hpp"
#include "methods/method.hpp"
#include "methods/newton_system.hpp"
#include "methods/normals_first.hpp"
#include "methods/sweep_budget.hpp"
#include "problems/bounds.hpp"
#include "sets/set.hpp"

namespace nonsmooth {

extern const MethodEntry auto_method;

namespace {

constexpr std::int64_t largest_dense_order = 4000;  // a dense tableau beyond it: more than 128 MB and seconds
// Measured crossovers of sparse factors and the dense tableau, on graphs without any locality:
// docs/decisions/0015-sparse-lemke.md.
constexpr std::int64_t longest_pivoted_row = 20, largest_pivoted_order = 50000;
constexpr std::int64_t sweeps_before_pivots = 1000, pivots_per_unknown = 4;
constexpr std::int64_t monotone_pivots_per_unknown = 8;  // two covering vectors: an interior point method knows no long paths
// Lemke's pivots cost what one or two dozen factorisations of such an order do.
constexpr std::int64_t smallest_exchanged_order = 16, largest_pivoted_first = 300, few_bases = 16, exchanged_bases = 60;
constexpr std::int64_t largest_swept_dense_order = 32;  // the row copy of a dense matrix costs two eliminations of it
constexpr std::int64_t largest_enumerated_order = 32;   // the tree keeps n tableaux
// The whole tree is searched within its budget: what has no solution may still be solved within a loose tolerance.
constexpr std::int64_t largest_searched_order = 16;
constexpr std::int64_t smallest_sparse_order = 100;
constexpr double largest_density = 0.05;
constexpr std::int64_t multigrid_steps = 60, sparse_exchanges = 100;
constexpr std::int64_t early_newton_iterations = 3000;  // five or six bursts of sweeps, with the steps between them
constexpr std::int64_t friction_sweeps = 20000, interior_iterations = 60, newton_iterations = 100000;
// Of methods that do without factors, where they go first: most problems that they solve soon show it by then.
constexpr std::int64_t first_sweeps = 20, last_first_sweeps = 200, first_projections = 60, first_rolling_projections = 200;
constexpr std::int64_t last_bounded_sweeps = 400, bounded_projections = 20, bounded_steps = 40, last_bounded_projections = 200;
constexpr std::int64_t chain_steps = 10;
// Sweeps get to a loose tolerance before factorisations do, where these are dear (docs/decisions/0032-first-stages.md).
constexpr std::int64_t swept_factorisations = 40, last_weighed_sweeps = 3000;
// Proximal Newton from where sweeps and projections ended: it has solved most by then, each of its inner problems within so many
// steps.
constexpr std::int64_t near_steps = 60, near_window = 8;
// Without a fold the central path takes 10 to 40 iterations, seldom more. Piles of thousands of contacts nearly always have one,
// so that jumps are allowed there, and some sweeps go first, more if they foretell their end: a factorisation costs hundreds of
// them; for loose tolerances as many as ever, because they get there. In still larger piles folds follow each other.
constexpr std::int64_t path_iterations = 80, large_path_iterations = 300, sweeps_before_path = 2000, largest_path_order = 45000;
constexpr double largest_skew_share = 0.01;
constexpr std::int64_t cone_projections = 40, last_cone_projections = 2000, first_alternations = 200, last_alternations = 2000;
constexpr std::int64_t longest_cheap_row = 5;        // of a matrix that is factorised in the time of a few sweeps
constexpr std::int64_t smallest_swept_order = 3000;  // a factorisation costs a hundred sweeps and more
constexpr std::int64_t smallest_condensed_order = 64, mostly_free_steps = 3;  // pivots take each free row by itself
constexpr std::int64_t cone_newton_steps = 100;  // nearly all that it solves take it fewer than 60
constexpr std::int64_t central_steps = 200, cone_sweeps = 2000, alternations = 10000;
constexpr std::int64_t enumeration_nodes = 200000;
constexpr std::int64_t newton_steps = 500;
constexpr double damping = 0.1;
constexpr std::int64_t unlimited = 0;

struct Stage {
  const char* method;
  std::int64_t budget;  // iterations
  Extent extent = Extent::fixed;
  std::int64_t farthest = 0;
  const char* option = nullptr;  // of the method, and its value unless the caller has another
  double value = 0;
  bool needs_monotone = false;  // left out where M + M' cannot be definite
  // Exchanges of many rows at once, from the signs of what was swept before all stages: pivots need more steps from there than
  // from the start. Left out where M is mostly skew: they go round in circles there.
  bool takes_signs = false;
  bool afresh = false;  // from the start of the solve, not from the best iterate
  bool rests = false;   // the normals alone (normals_first.hpp), where nothing is driven sideways; no method of the table
};

bool all_of_kind(const Inclusion& view, std::initializer_list<SetKind> kinds) {
  return std::all_of(view.blocks.begin(), view.blocks.end(),
                     [&](const SetBlock& block) { return std::find(kinds.begin(), kinds.end(), block.kind) != kinds.end(); });
}

// Newton's methods first, the robust one before the fast one; what needs no derivatives and no linear algebra last, and first
// where a set is known by its projection and the end is near.
std::vector<Stage> nonlinear_stages(const Inclusion& view) {
  const Stage robust{"josephy_newton", newton_steps}, fast{"semismooth_newton", newton_steps};
  const Stage simple{"extragradient", unlimited};
  if (view.size() > largest_dense_order) return {simple};
  if (all_of_kind(view, {SetKind::user_set}))
    return {{"extragradient", bounded_projections, Extent::reachable, last_bounded_projections}, fast, simple};
  if (all_of_kind(view, {SetKind::polyhedron})) return {robust, simple};
  return {robust, fast, simple};
}

// Large enough, and with few enough entries, for sparse factorisations to be worth more than a dense tableau.
bool is_sparse(const Matrix& M) {
  const auto entries = static_cast<double>(M.values().size()), order = static_cast<double>(M.rows());
  return M.rows() >= smallest_sparse_order && entries <= largest_density * order * order;
}

const Stage bounded_sweeps{"block_gauss_seidel", first_sweeps, Extent::foretold, last_bounded_sweeps};
const Stage conjugate_steps{"projected_conjugate_gradient", bounded_steps, Extent::foretold, last_bounded_projections};
// Where cycles of exact one-block solves keep a problem from converging.
const Stage damped_sweeps{.method = "block_gauss_seidel", .budget = 2 * friction_sweeps, .option = "proximal", .value = damping};

// Bounds alone, and sparse or large.
std::vector<Stage> sparse_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const bool large = n > largest_dense_order;
  const auto entries = static_cast<std::int64_t>(view.M->values().size());
  std::vector<Stage> stages;
  if (!large && entries > longest_cheap_row * n) stages.push_back(is_symmetric(*view.M) ? conjugate_steps : bounded_sweeps);
  if (view.M->csc() == nullptr || !is_tridiagonal(*view.M->csc())) stages.push_back({"projected_multigrid", multigrid_steps});
  stages.push_back({"active_set", sparse_exchanges});
  if (n <= largest_pivoted_order && entries <= longest_pivoted_row * n) {
    if (large) stages.push_back({"block_gauss_seidel", sweeps_before_pivots});
    stages.push_back({"sparse_lemke", pivots_per_unknown * n});
  }
  if (!large) stages.push_back({"lemke", unlimited});
  if (!large && all_of_kind(view, {SetKind::orthant})) stages.push_back({"semismooth_newton", unlimited});
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

bool has_contacts(const Inclusion& view) {
  return std::any_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) { return has_friction(block.kind); });
}

// Orthants and free rows, dense or nearly so.
std::vector<Stage> orthant_stages(const Inclusion& view) {
  const std::int64_t n = view.size();
  const Stage pivots{"lemke", unlimited}, tree{"enumeration", enumeration_nodes};
  if (n <= largest_searched_order) return {pivots, tree, {"semismooth_newton", near_steps}};
  const bool dense = view.M->dense() != nullptr;
  std::vector<Stage> stages;
  if (!dense && n >= smallest_sparse_order) stages.push_back(bounded_sweeps);
  const auto free_rows =
      std::accumulate(view.blocks.begin(), view.blocks.end(), std::int64_t{0},
                      [](auto sum, const SetBlock& b) { return sum + (b.kind == SetKind::free_space ? b.size : 0); });
  if (2 * free_rows > n && n >= smallest_condensed_order) stages.push_back({"interior_point", mostly_free_steps});
  const bool may_be_exchanged = n >= smallest_exchanged_order;
  const std::int64_t bases = n <= largest_pivoted_first ? few_bases : exchanged_bases;
  const Stage exchanges{.method = "block_principal_pivoting", .budget = bases, .needs_monotone = true, .takes_signs = true};
  const bool mixed = !all_of_kind(view, {SetKind::orthant});  // bases that must hold the free rows are singular more often
  if (may_be_exchanged && !mixed) stages.push_back(exchanges);
  if (may_be_exchanged) stages.push_back({.method = "lemke", .budget = monotone_pivots_per_unknown * n, .needs_monotone = true});
  if (may_be_exchanged && mixed) stages.push_back(exchanges);
  if (may_be_exchanged) stages.push_back({.method = "interior_point", .budget = central_steps, .needs_monotone = true});
  stages.push_back(pivots);
  if (n <= largest_enumerated_order) stages.push_back(tree);
  if (!mixed) stages.push_back({"semismooth_newton", unlimited});
  if (n <= largest_swept_dense_order || !dense) stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

bool has_contacts_only(const Inclusion& view) {
  return view.F == nullptr &&
         all_of_kind(view, {SetKind::coulomb_2d, SetKind::coulomb_3d, SetKind::rolling_2d, SetKind::rolling_3d});
}

bool rolls(const SetBlock& block) { return block.kind == SetKind::rolling_2d || block.kind == SetKind::rolling_3d; }

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

// One-block solves with rolling friction cost as much as some ten projections, the row copy of a dense matrix as some products.
// What turns takes alternations instead of projections, and pivots before all where it is planar and small.
std::vector<Stage> contact_stages(const Inclusion& view, double tolerance) {
  std::vector<Stage> stages;
  const std::int64_t n = view.size();
  const bool rolling = std::any_of(view.blocks.begin(), view.blocks.end(), rolls);
  const bool large = n >= smallest_swept_order, chain = is_chain(view);
  const bool sparse = view.bodies != nullptr || view.M->dense() == nullptr;
  const bool turning = !chain && turns(view) && (n <= largest_pivoted_first || view.M->dense() != nullptr);
  if (turning && n <= largest_pivoted_first && all_of_kind(view, {SetKind::coulomb_2d}))
    stages.push_back({"lemke", pivots_per_unknown * n});
  if (!chain) stages.push_back({.method = "panagiotopoulos", .budget = unlimited, .rests = true});
  if (!rolling && sparse) stages.push_back({"block_gauss_seidel", first_sweeps, Extent::foretold, last_first_sweeps});
  if (chain) {
    stages.push_back({.method = "semismooth_newton",
                      .budget = chain_steps,
                      .extent = Extent::halving,
                      .farthest = 1,
                      .option = "start_sweeps"});
  } else if (turning) {
    stages.push_back({"admm", first_alternations});
  } else {
    stages.push_back({.method = "accelerated_projected_gradient",
                      .budget = rolling ? first_rolling_projections : first_projections,
                      .extent = Extent::affordable,
                      .afresh = true});
  }
  if (tolerance >= loose_tolerance && sparse && !rolling && !chain && !turning)
    stages.push_back({"block_gauss_seidel", swept_factorisations, Extent::weighed, last_weighed_sweeps});
  if (!chain && !large)
    stages.push_back({.method = "proximal_newton",
                      .budget = near_steps,
                      .extent = Extent::halving,
                      .farthest = near_window,
                      .option = "start_sweeps"});
  stages.push_back({"friction_interior_point", interior_iterations});
  if (!large) stages.push_back({.method = "friction_central_path", .budget = path_iterations, .option = "restarts"});
  if (large && n <= largest_path_order) {
    const std::int64_t sweeps = tolerance > loose_tolerance ? friction_sweeps : sweeps_before_path;
    stages.push_back({"block_gauss_seidel", sweeps, Extent::foretold, friction_sweeps});
    stages.push_back({"friction_central_path", large_path_iterations});
  }
  if (large) stages.push_back({"block_gauss_seidel", friction_sweeps});
  stages.push_back({"proximal_newton", newton_iterations});
  stages.push_back(damped_sweeps);
  stages.push_back({"block_gauss_seidel", unlimited});
  return stages;
}

enum class FirstStage { none, block_gauss_seidel, friction_interior_point };  // in the order of options.def

// In a sequence of problems the stage that finished the last one is likely to finish the next. Where it does not, the
// second-order stages go before thousands of sweeps, and the interior point method, which has no use for a start, not again.
void put_first(std::vector<Stage>& stages, const Options& options) {
  const auto asked = options.choice<FirstStage>(Option::first_stage);
  const auto interior = std::find_if(stages.begin(), stages.end(), [](const Stage& stage) {
    return std::string_view(stage.method) == "friction_interior_point";
  });
  if (asked == FirstStage::none || interior == stages.end()) return;
  Stage first{"block_gauss_seidel", options.integer(Option::first_stage_iterations)};
  const Stage newton{"proximal_newton", early_newton_iterations};
  if (asked == FirstStage::friction_interior_point) {
    first.method = interior->method;
    *interior = newton;
  } else {
    stages.insert(interior + 1, newton);
  }
  const auto tries = [](const Stage& stage) { return stage.rests || stage.extent == Extent::foretold; };
  stages.insert(std::find_if_not(stages.begin(), stages.end(), tries), first);
}

// Alternations factorise once, Newton's method at each of its steps.
std::vector<Stage> cone_stages(const Inclusion& view) {
  const Stage steps{"semismooth_newton", cone_newton_steps};
  const Stage first{"admm", first_alternations, Extent::reachable, last_alternations};
  const bool large = view.size() > largest_pivoted_first;
  return {{turns(view) ? "extragradient" : "accelerated_projected_gradient", cone_projections, Extent::reachable,
           last_cone_projections},
          large ? first : steps,
          large ? steps : first,
          {"block_gauss_seidel", cone_sweeps},
          {"admm", alternations},
          {"block_gauss_seidel", unlimited}};
}

std::vector<Stage> stages_for(const Inclusion& view, double tolerance) {
  if (view.F != nullptr) return nonlinear_stages(view);
  const bool dense = view.size() <= largest_dense_order;
  const Stage sweeps{"block_gauss_seidel", unlimited}, pivots{"lemke", unlimited}, central_path{"interior_point", central_steps};
  const Stage projections{"projected_gradient", bounded_projections, Extent::foretold, last_bounded_projections};
  if (all_of_kind(view, {SetKind::polyhedron})) return {pivots, {"cao_ferris", unlimited}, central_path};
  const bool bounded = all_of_kind(view, {SetKind::orthant, SetKind::free_space, SetKind::box});
  if (bounded && (!dense || is_sparse(*view.M))) return sparse_stages(view);
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space})) return orthant_stages(view);
  if (all_of_kind(view, {SetKind::box})) {
    if (view.size() <= ActiveSetMemory::largest_order) return {pivots, central_path, sweeps};
    return {projections, pivots, central_path, sweeps};
  }
  if (dense && all_of_kind(view, {SetKind::second_order_cone})) return cone_stages(view);
  if (has_contacts(view)) return contact_stages(view, tolerance);
  return {{"block_gauss_seidel", friction_sweeps}, damped_sweeps, sweeps};
}

// Products of small sets, too many for methods that solve small problems whole.
bool may_fall_apart(const Inclusion& view) {
  if (view.F != nullptr) return false;
  if (has_bounds_only(view)) return view.size() > largest_searched_order;
  return view.size() > FaceNewton::largest_order && view.blocks.size() > 1;
}

class Auto final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  // Of the stage that ran last; nothing before the first solve, and for a problem without contacts, which needs no stage.
  std::span<const double> infeasibility_ray() const override {
    if (!impossible_row_.proof().empty()) return impossible_row_.proof();
    if (parts_.count() > 0) return parts_.infeasibility_ray();
    return last_ != nullptr ? last_->infeasibility_ray() : std::span<const double>();
  }
  const char* finished_by() const override { return last_name_; }
  std::int64_t solution_count() const override { return last_ != nullptr ? last_->solution_count() : 0; }
  std::int64_t stored_solutions() const override { return last_ != nullptr ? last_->stored_solutions() : 0; }
  std::span<const double> stored_solution(std::int64_t index) const override { return last_->stored_solution(index); }

 private:
  // A stage, set up when it is first needed: most problems and most updates need the first of them, or the memory alone.
  struct Entry {
    Stage stage;
    std::unique_ptr<Method> method;  // nullptr until then
    std::optional<Change> untold;    // what it has not read yet
    bool refused = false;            // it does not treat the problem, or its present values
    bool is_ready() const { return method != nullptr && !untold && !refused; }
  };
  bool stands_before_stages() const { return faces_.has_value() || memory_ != nullptr; }
  void prepare();
  void list_stages();
  // Whether the present values and start call for it.
  bool is_due(const Entry& entry) const {
    return !entry.stage.rests || NormalsFirst::may_rest(*view_, start_, options_.real(Option::tolerance));
  }
  bool is_left_out(const Entry& entry);
  bool make_ready(Entry& entry);
  void make_first_ready();
  Stop reach(Entry& entry, Control& control);
  Stop sweep(std::span<double> z, Control& control);
  void begin_stage(const Stage& stage, Control& control);
  Stop run_stages(std::span<double> z, Control& control);

  bool lone_contact_ = false;
  bool waits_ = false;                       // nothing is set up before a solve whose start is no solution
  std::vector<Entry> entries_;               // listed when the first of them is needed
  std::optional<bool> may_be_monotone_;      // asked when a stage needs it
  std::exception_ptr reason_;                // of the first stage that refused
  std::unique_ptr<ActiveSetMemory> memory_;  // of small problems with bounds alone
  std::optional<FaceNewton> faces_;          // of small problems with friction
  std::shared_ptr<NewtonSystem> newton_;     // of the stages that take Newton steps; after a change of M of those not yet set up
  IndependentParts parts_;                   // if there are any, nothing else is set up
  SweepBudget sweep_budget_;
  const Inclusion* view_ = nullptr;
  Options options_;
  ImpossibleRow impossible_row_;
  Vector start_;        // of the solve, where a stage needs it
  Vector lo_, hi_, w_;  // of dense problems too large for the memory
  const Method* last_ = nullptr;
  const char* last_name_ = nullptr;
};

// The steps on faces and the memory treat no problem that all stages refuse; without them the first stage that treats the problem
// decides here. Contacts alone no stage of projections refuses: large problems of them, and a single contact, wait for a solve.
void Auto::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  sweep_budget_.setup(view);
  entries_.clear();
  may_be_monotone_.reset();
  newton_.reset();
  lone_contact_ = is_lone_contact(view);
  const bool is_prepared = lone_contact_ ? view.bodies != nullptr : FaceNewton::treats(view);
  if (options.flag(Option::all_stages)) impossible_row_.make_room(view.size());
  waits_ = has_contacts_only(view) && !is_prepared && !options.flag(Option::all_stages);
  if (waits_) return;
  prepare();
  if (parts_.count() > 0) return;
  if (!stands_before_stages() || options.flag(Option::all_stages)) list_stages();
  if (!stands_before_stages()) make_first_ready();
  if (options.flag(Option::all_stages))
    for (Entry& entry : entries_) {
      make_ready(entry);
      if (entry.stage.extent == Extent::affordable || entry.stage.extent == Extent::weighed) sweep_budget_.factorisation();
    }
  if (memory_ || !has_bounds_only(view) || view.M->dense() == nullptr || options.flag(Option::all_solutions)) return;
  for (Vector* v : {&lo_, &hi_, &w_}) v->resize(static_cast<std::size_t>(view.size()));
  read_bounds(view.blocks, lo_, hi_);
}

// What comes before the stages: the parts of a problem that falls apart, the memory or the steps on faces of a small one.
void Auto::prepare() {
  const Inclusion& view = *view_;
  const bool one_solution = !options_.flag(Option::all_solutions);
  if (may_fall_apart(view) && one_solution) parts_.setup(view, options_, auto_method);
  if (parts_.count() > 0) return;
  if (has_contacts(view)) start_.resize(static_cast<std::size_t>(view.size()));
  if (ActiveSetMemory::treats(view) && one_solution) {
    memory_ = std::make_unique<ActiveSetMemory>();
    memory_->setup(view);
  }
  if (FaceNewton::treats(view)) {
    faces_.emplace().setup(view);
    if (options_.flag(Option::all_stages)) faces_->setup_sweeps();
  }
}

void Auto::list_stages() {
  std::vector<Stage> stages = stages_for(*view_, options_.real(Option::tolerance));
  if (has_contacts(*view_)) put_first(stages, options_);
  entries_.reserve(stages.size());
  for (const Stage& stage : stages) entries_.push_back({stage, nullptr, {}, false});
}

// The factors of a large grid take minutes of memory traffic and gigabytes that its multigrid does not need.
bool Auto::is_left_out(const Entry& entry) {
  if (entry.stage.takes_signs && view_->M->dense() != nullptr && is_mostly_skew(view_->M->values(), view_->size())) return true;
  if (entry.stage.needs_monotone) {
    if (!may_be_monotone_) may_be_monotone_ = may_be_positive_definite(*view_->M);
    return !*may_be_monotone_;
  }
  return std::string_view(entry.stage.method) == "active_set" && &entry != entries_.data() && (&entry - 1)->method != nullptr;
}

// Sets a stage up, or has it read what has changed. false if it does not treat the problem (too large for it, say), or the
// present values. After a failing allocation the next call sets it up anew.
bool Auto::make_ready(Entry& entry) {
  if (entry.refused || is_left_out(entry)) return false;
  try {
    if (entry.method == nullptr) {
      Options own = options_;
      const char* option = entry.stage.option;
      if (option != nullptr && own.get(option) == Options().get(option)) own.set(option, entry.stage.value);
      std::unique_ptr<Method> method =
          entry.stage.rests ? std::make_unique<NormalsFirst>() : find_method(entry.stage.method)->create();
      method->share(newton_);
      method->setup(*view_, own);
      entry.method = std::move(method);
    } else if (entry.untold) {
      entry.method->update(*entry.untold);
    }
    entry.untold.reset();
  } catch (const Error&) {
    entry.refused = true;
    if (!reason_) reason_ = std::current_exception();
  } catch (...) {
    entry.method.reset();
    throw;
  }
  return !entry.refused;
}

// If no stage treats the problem, the first one's reason is the error.
void Auto::make_first_ready() {
  reason_ = nullptr;
  for (Entry& entry : entries_)
    if (is_due(entry) && make_ready(entry)) return;
  if (reason_) std::rethrow_exception(reason_);
}

void Auto::update(Change change) {
  if (waits_) return;
  if (change == Change::matrix && parts_.count() > 0 && !parts_.hold_all_entries()) return setup(*view_, options_);
  const bool has_new_values = change != Change::right_hand_side;
  if (change == Change::matrix) newton_.reset();
  for (Entry& entry : entries_) {
    if (entry.method == nullptr) continue;  // reads everything when it is set up
    entry.untold = std::max(entry.untold.value_or(change), change);
    if (has_new_values) entry.refused = false;
  }
  parts_.update(change);
  if (faces_) faces_->update(change);
  if (memory_ && has_new_values) memory_->forget_factors();
  if (!lo_.empty() && has_new_values) read_bounds(view_->blocks, lo_, hi_);
  if (!has_new_values || entries_.empty()) return;
  if (!stands_before_stages()) make_first_ready();
  if (options_.flag(Option::all_stages))
    for (Entry& entry : entries_)
      if (entry.method != nullptr && !entry.method->updates_in_place()) make_ready(entry);
}

Stop Auto::solve(std::span<double> z, Control& control) {
  last_ = nullptr;
  last_name_ = nullptr;
  if (lone_contact_) {
    if (const Stop stop = solve_lone_contact(*view_, z, control); stop != Stop::stalled) return stop;
    control.begin_stage(unlimited);
  }
  if (waits_) {
    const auto set_up = [&] {
      prepare();
      waits_ = false;
      return true;
    };
    if (const Stop stop = control.set_up("parts", set_up); stop != Stop::none) return stop;
  }
  if (const Stop stop = impossible_row_.find(*view_, control); stop != Stop::none) return stop;
  if (parts_.count() > 0) {
    control.log("auto: %zu independent parts", parts_.count());
    const Stop stop = parts_.solve(z, control);
    last_name_ = parts_.finished_by();
    return stop;
  }
  if (!start_.empty()) std::copy(z.begin(), z.end(), start_.begin());
  if (faces_) {
    const Stop stop = faces_->solve(z, control);
    control.log("auto: steps from face to face ended after %lld iterations, best residual %.3g",
                static_cast<long long>(control.iterations()), control.best_residual());
    return stop == Stop::stalled ? run_stages(z, control) : stop;
  }
  if (!memory_) {
    if (const Stop stop = sweep(z, control); stop != Stop::none) return stop;
    return run_stages(z, control);
  }
  const Stop known = memory_->solve(z, control);
  control.log("auto: exchanges of the active set ended after %lld iterations, best residual %.3g",
              static_cast<long long>(control.iterations()), control.best_residual());
  if (known != Stop::stalled) return known;
  const Stop stop = run_stages(z, control);
  if (stop == Stop::finished) memory_->learn(z);
  return stop;
}

// Before anything that costs more than the matrix: a few sweeps on a dense one.
Stop Auto::sweep(std::span<double> z, Control& control) {
  if (lo_.empty() || std::any_of(z.begin(), z.end(), [](double x) { return x != 0; })) return Stop::none;
  const auto project = [&](std::size_t i, double x) { return std::clamp(x, lo_[i], hi_[i]); };
  return sweep_first(view_->M->dense()->values.data(), *view_, z, w_, control, project);
}

// Makes a stage ready in a solve, whose clock runs on. Stop::none: it can run; Stop::breakdown: it does not treat the problem.
Stop Auto::reach(Entry& entry, Control& control) {
  if (entry.is_ready()) return Stop::none;
  if (entry.refused) return Stop::breakdown;
  const bool in_place = entry.method != nullptr && (entry.untold == Change::right_hand_side || entry.method->updates_in_place());
  const auto make = [&] { return make_ready(entry); };
  if (!in_place) return control.set_up(entry.stage.method, make);
  return make() ? Stop::none : Stop::breakdown;
}

void Auto::begin_stage(const Stage& stage, Control& control) {
  if (stage.extent == Extent::fixed) return control.begin_stage(stage.budget);
  sweep_budget_.begin(stage.extent, stage.budget, stage.farthest);
  control.begin_stage(sweep_budget_);
}

Stop Auto::run_stages(std::span<double> z, Control& control) {
  if (entries_.empty()) try {
      list_stages();
    } catch (const std::bad_alloc&) {
      entries_.clear();
      return Stop::out_of_memory;
    }
  Stop worth_telling = Stop::breakdown;  // if no stage gets anywhere
  bool is_first = true;
  for (Entry& entry : entries_) {
    if (!is_due(entry)) continue;
    const Stop reached = reach(entry, control);
    if (reached == Stop::breakdown) continue;
    if (reached != Stop::none) return reached;
    const std::span<const double> from = entry.stage.afresh ? std::span<const double>(start_) : control.best();
    if (!is_first || !entry.stage.takes_signs) std::copy(from.begin(), from.end(), z.begin());
    is_first = false;
    begin_stage(entry.stage, control);
    const Stop stop = entry.method->solve(z, control);
    last_ = entry.method.get();
    last_name_ = entry.stage.method;
    control.log("auto: %s ended after %lld iterations in all, best residual %.3g",
                entry.stage.rests ? "normals first" : last_name_, static_cast<long long>(control.iterations()),
                control.best_residual());
    if (stop != Stop::breakdown && worth_telling != Stop::ray) worth_telling = stop == Stop::ray ? stop : Stop::stalled;
    // A stage's own budget ends as stalled; these end the solve.
    if (stop == Stop::finished && control.best_residual() <= control.tolerance()) return stop;
    if (stop == Stop::infeasible || stop == Stop::iteration_limit || stop == Stop::time_limit || stop == Stop::cancelled)
      return stop;
  }
  return worth_telling;
}

}  // namespace

const MethodEntry auto_method{
    {sizeof(nsm_method_info), "auto", "the default: other methods in a fixed order, each from the best iterate so far",
     "portfolio; each stage has its own source", "what any of its stages is safe for",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_FRICTION) |
         class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) | class_bit(NSM_GENERIC) |
         class_bit(NSM_SOCLCP) | class_bit(NSM_NCP) | class_bit(NSM_MCP) | class_bit(NSM_VI) | class_bit(NSM_QP),
     10'000'000,
     "always, unless there is a reason to name a method: it knows what suits class, size and structure, and goes on where a "
     "method fails"},
    &make_method<Auto>};

}  // namespace nonsmooth
