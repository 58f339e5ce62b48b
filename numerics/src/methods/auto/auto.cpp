// The default: a portfolio of the other methods. Stages are tried in a fixed order with budgets of iterations, each from the best
// iterate so far; the first that the certificate confirms ends the solve. Budgets count iterations, not seconds, so that results
// are reproducible. auto_portfolios.hpp tells where they are listed.
#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <optional>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/symmetry.hpp"
#include "methods/auto/auto_portfolios.hpp"
#include "methods/auto/auto_stages.hpp"
#include "methods/auto/closing_normals.hpp"
#include "methods/auto/drawn_starts.hpp"
#include "methods/auto/impossible_row.hpp"
#include "methods/auto/independent_parts.hpp"
#include "methods/auto/kept_motion.hpp"
#include "methods/auto/lone_contact.hpp"
#include "methods/auto/normals_first.hpp"
#include "methods/auto/sweep_budget.hpp"
#include "methods/auto/with_multipliers.hpp"
#include "methods/frame/method.hpp"
#include "methods/josephy_newton.hpp"
#include "methods/newton/face_steps.hpp"
#include "methods/newton/factorisation_price.hpp"
#include "methods/newton/newton_system.hpp"
#include "methods/newton/small_faces.hpp"
#include "methods/pivoting/active_set_memory.hpp"
#include "methods/sweeps/column_sweeps.hpp"
#include "methods/sweeps/coupling_graph.hpp"
#include "problems/bounds.hpp"
#include "sets/set.hpp"

namespace nonsmooth {

extern const MethodEntry auto_method;

namespace {

// Levels from one end to the other, and contacts in one of them, of structures that are long and thin: arches, stacks, chains,
// not towers of planks or walls (docs/decisions/0056-slender-structures.md).
constexpr std::int64_t shortest_slender = 9, contacts_across = 6, times_as_long = 2, supports_apart = 3;

// Products of small sets, too many for methods that solve small problems whole. Parts of elastic bodies would form their W.
bool may_fall_apart(const Inclusion& view) {
  if (view.F != nullptr || view.elastic_operator() != nullptr) return false;
  if (has_bounds_only(view)) return view.size() > largest_searched_order;
  return view.size() > SmallFaces::largest_order && view.blocks.size() > 1;
}

bool is_finite(std::span<const double> z) {
  return std::all_of(z.begin(), z.end(), [](double x) { return std::isfinite(x); });
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
    std::unique_ptr<Method> method;    // nullptr until then
    std::optional<Change> untold;      // what it has not read yet
    bool refused = false;              // it does not treat the problem, or its present values
    const Entry* preferred = nullptr;  // this one is left out where that one treats the problem
    bool treats() const { return method != nullptr && !refused; }
    bool is_ready() const { return treats() && !untold; }
  };
  bool stands_before_stages() const { return faces_.has_value() || memory_ != nullptr || is_swept_first(); }
  bool is_swept_first() const { return !lo_.empty() && view_->size() <= largest_dense_order; }
  void prepare();
  void list_stages();
  void list_stages_anew();
  bool may_come_first(const Entry& entry) const;
  bool is_due(const Entry& entry, Control& control);
  bool is_slender();
  bool has(Shape shape) { return shape == Shape::any || is_slender() == (shape == Shape::slender); }
  bool has(Shape shape, Control& control);
  bool is_left_out(const Entry& entry);
  bool make_ready(Entry& entry);
  void make_first_ready();
  void make_listed_ready();
  Stop reach(Entry& entry, Control& control);
  Stop sweep(std::span<double> z, Control& control);
  void begin_stage(const Stage& stage, Control& control);
  Stop run_stages(std::span<double> z, Control& control);
  Stop try_stages(std::span<double> z, Control& control);
  void put_aside(Control& control);

  bool lone_contact_ = false;
  bool waits_ = false;                        // nothing is set up before a solve whose start is no solution
  std::vector<Entry> entries_;                // listed when the first of them is needed
  std::optional<Definiteness> definiteness_;  // at most; asked when a stage needs it
  std::optional<bool> is_slender_;            // likewise
  std::exception_ptr reason_;                 // of the first stage that refused
  std::unique_ptr<ActiveSetMemory> memory_;   // of small problems with bounds alone
  std::optional<SmallFaces> faces_;           // of small problems with friction or disks
  std::shared_ptr<NewtonSystem> newton_;      // of the stages that take Newton steps; after a change of M of those not yet set up
  IndependentParts parts_;                    // if there are any, nothing else is set up
  SweepBudget sweep_budget_;
  const Inclusion* view_ = nullptr;
  Options options_;
  ImpossibleRow impossible_row_;
  Vector start_;                     // of the solve, where a stage needs it
  Vector before_try_, found_aside_;  // the best iterates, where a stage is a try
  bool has_put_aside_ = false;       // in this solve
  Vector lo_, hi_, w_;               // of dense problems too large for the memory
  const Method* last_ = nullptr;
  const char* last_name_ = nullptr;
};

// Builds what every solve begins with: steps on faces, the memory of active sets, or what sweeps on a dense matrix need that can
// be pivoted, which treat no problem that all stages refuse; else the first stage that treats the problem, so that one which none
// treats is refused here. Large problems with contacts and single contacts are set up by their first solve, whose start may be
// the solution; stages of projections refuse none of them.
void Auto::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  sweep_budget_.setup(view);
  entries_.clear();
  definiteness_.reset();
  is_slender_.reset();
  newton_.reset();
  lone_contact_ = is_lone_contact(view);
  // One that rolls is not solved alone where it slides as well.
  const bool seldom_more = lone_contact_ && !rolls(view.blocks[0].kind);
  const bool is_prepared = seldom_more ? view.bodies != nullptr : SmallFaces::treats(view);
  if (options.flag(Option::all_stages)) impossible_row_.make_room(view.size());
  waits_ = has_contacts(view) && !is_prepared && !options.flag(Option::all_stages);
  if (waits_) return;
  prepare();
  if (parts_.count() > 0) return;
  if (!memory_ && has_bounds_only(view) && view.M->dense() != nullptr && !options.flag(Option::all_solutions)) {
    for (Vector* v : {&lo_, &hi_, &w_}) v->resize(at(view.size()));
    read_bounds(view.blocks, lo_, hi_);
  }
  if (!stands_before_stages() || options.flag(Option::all_stages)) list_stages();
  make_listed_ready();
}

// What comes before the stages: the parts of a problem that falls apart, the memory or the steps on faces of a small one.
void Auto::prepare() {
  const Inclusion& view = *view_;
  const bool one_solution = !options_.flag(Option::all_solutions);
  if (may_fall_apart(view) && one_solution) parts_.setup(view, options_, auto_method);
  if (parts_.count() > 0) return;
  const bool is_small = has_bounds_only(view) && view.M->dense() != nullptr && view.size() <= ActiveSetMemory::largest_order;
  if (!is_small) start_.resize(at(view.size()));  // no stage of small ones asks for it
  if (ActiveSetMemory::treats(view) && one_solution) {
    memory_ = std::make_unique<ActiveSetMemory>();
    memory_->setup(view);
  }
  if (SmallFaces::treats(view)) {
    faces_.emplace().setup(view);
    if (options_.flag(Option::all_stages)) faces_->setup_sweeps();
  }
}

void Auto::list_stages() {
  const StageList stages = stages_of(*view_, options_);
  entries_.reserve(stages.size());
  for (const Stage& stage : stages) {
    Entry& entry = entries_.emplace_back();
    entry.stage = stage;
    if (stage.aside)
      for (Vector* v : {&before_try_, &found_aside_}) v->resize(at(view_->size()));
    if (!stage.in_place_of_last) continue;
    const Entry* last = &entry - 1;
    entry.preferred = last->preferred != nullptr ? last->preferred : last;
  }
}

// Which stages there are follows from the values of M as well.
void Auto::list_stages_anew() {
  const auto stage_of = [](const Entry& entry) -> const Stage& { return entry.stage; };
  const StageList stages = stages_of(*view_, options_);
  if (std::ranges::equal(stages, entries_, {}, {}, stage_of)) return;
  last_ = nullptr;
  entries_.clear();
  list_stages();
}

// Whether the present values and start call for it, as far as is known before a solve: what factorisations cost, which is asked
// in it, keeps out no stage that comes first.
bool Auto::may_come_first(const Entry& entry) const {
  if (entry.stage.start == (is_zero(start_) ? Start::warm : Start::zero)) return false;
  return entry.stage.own != Own::normals_first || NormalsFirst::may_rest(*view_, start_, options_.real(Option::tolerance));
}

// Whether a contact is coupled with more than those of three levels of a slender structure, on the average.
bool is_too_dense_to_be_slender(const Inclusion& view) {
  double squares = 0;
  for (const SetBlock& block : view.blocks) squares += static_cast<double>(block.size) * block.size;
  return product_entries(view) > 3 * contacts_across * squares;
}

// Where there is no memory to find out it is not, this time.
bool Auto::is_slender() {
  if (!is_slender_ && is_too_dense_to_be_slender(*view_)) is_slender_ = false;
  if (!is_slender_) try {
      const auto [length, supports] = structure_of(*view_);
      const std::int64_t contacts = std::ssize(view_->blocks);
      is_slender_ = length >= shortest_slender && contacts <= contacts_across * length &&
                    contacts * times_as_long <= length * length && supports_apart * supports < contacts;
    } catch (const std::bad_alloc&) {
      return false;
    }
  return *is_slender_;
}

// In a solve; finding out counts as setting up.
bool Auto::has(Shape shape, Control& control) {
  if (shape == Shape::any || is_slender_) return has(shape);
  const double start = control.seconds();
  const bool answer = has(shape);
  control.count_setup(control.seconds() - start);
  return answer;
}

bool Auto::is_due(const Entry& entry, Control& control) {
  if (!may_come_first(entry)) return false;
  if (!has(entry.stage.shape, control)) return false;
  const double left = control.best_residual() / residual_of_zero(*view_);
  if (left < entry.stage.least_residual || left > entry.stage.most_residual) return false;
  if (entry.stage.factors == Factors::any) return true;
  const double price = sweep_budget_.factorisation(control);
  switch (entry.stage.factors) {
    case Factors::cheap: return price < dear_factorisation;
    case Factors::less_dear: return price < very_dear_factorisation;
    case Factors::dear: return price >= dear_factorisation;
    default: return price >= very_dear_factorisation;
  }
}

bool Auto::is_left_out(const Entry& entry) {
  if (entry.stage.takes_signs && view_->M->dense() != nullptr && is_mostly_skew(*view_->M)) return true;
  if (entry.stage.needs != Definiteness::none) {
    if (!definiteness_) definiteness_ = possible_definiteness(*view_->M);
    return *definiteness_ < entry.stage.needs;
  }
  return entry.preferred != nullptr && entry.preferred->treats();
}

std::unique_ptr<Method> method_of(const Stage& stage) {
  switch (stage.own) {
    case Own::normals_first: return std::make_unique<NormalsFirst>();
    case Own::closing_normals: return std::make_unique<ClosingNormals>();
    case Own::kept_motion: return std::make_unique<KeptMotion>();
    case Own::with_multipliers: return std::make_unique<WithMultipliers>();
    case Own::hasty_josephy: return make_hasty_josephy();
    case Own::face_steps: return std::make_unique<FaceSteps>();
    case Own::drawn_starts: return std::make_unique<DrawnStarts>(stage.method, stage.farthest, stage.budget);
    case Own::none: break;
  }
  return find_method(stage.method)->create();
}

const char* logged_name(const Stage& stage) {
  switch (stage.own) {
    case Own::normals_first: return "normals first";
    case Own::closing_normals: return "closing normals";
    case Own::kept_motion: return "reduction to contacts";
    case Own::face_steps: return "steps from face to face";
    case Own::with_multipliers: return "josephy_newton with multipliers";
    case Own::drawn_starts: return "drawn starts";
    case Own::hasty_josephy:
    case Own::none: break;
  }
  return stage.method;
}

void log_end(const char* what, Control& control) {
  control.log("auto: %s ended after %lld iterations and %.3g s in all, best residual %.3g", what,
              static_cast<long long>(control.iterations()), control.seconds(), control.best_residual());
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
      std::unique_ptr<Method> method = method_of(entry.stage);
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
    if (may_come_first(entry) && make_ready(entry)) return;
  if (reason_) std::rethrow_exception(reason_);
}

bool asks_for_a_price(const Stage& stage) {
  return stage.factors != Factors::any || stage.extent == Extent::affordable || stage.extent == Extent::weighed ||
         stage.extent == Extent::rival;
}

// Of the stages that are listed the first, unless something stands before them; all, if so wanted.
void Auto::make_listed_ready() {
  if (!stands_before_stages()) make_first_ready();
  if (!options_.flag(Option::all_stages)) return;
  for (Entry& entry : entries_) {
    if (!has(entry.stage.shape)) continue;
    if (entry.method == nullptr || !entry.method->updates_in_place()) make_ready(entry);
    if (asks_for_a_price(entry.stage)) sweep_budget_.factorisation();
  }
}

void Auto::update(Change change) {
  if (change == Change::matrix) {
    definiteness_.reset();
    sweep_budget_.update();
  }
  if (waits_) return;
  if (change == Change::matrix && parts_.count() > 0 && !parts_.hold_all_entries()) return setup(*view_, options_);
  const bool has_new_values = change != Change::right_hand_side;
  if (change == Change::matrix) newton_.reset();
  for (Entry& entry : entries_) {
    if (has_new_values) entry.refused = false;
    if (entry.method == nullptr) continue;  // reads everything when it is set up
    entry.untold = std::max(entry.untold.value_or(change), change);
  }
  parts_.update(change);
  if (faces_) faces_->update(change);
  if (memory_ && has_new_values) memory_->forget_factors();
  if (!lo_.empty() && has_new_values) read_bounds(view_->blocks, lo_, hi_);
  if (!has_new_values || entries_.empty()) return;
  if (change == Change::matrix) list_stages_anew();
  make_listed_ready();
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
    log_end("steps from face to face", control);
    return stop == Stop::stalled ? run_stages(z, control) : stop;
  }
  if (!memory_) {
    if (const Stop stop = sweep(z, control); stop != Stop::none) return stop;
    return run_stages(z, control);
  }
  const Stop known = memory_->solve(z, control);
  log_end("exchanges of the active set", control);
  if (known != Stop::stalled) return known;
  const Stop stop = run_stages(z, control);
  if (stop == Stop::finished) memory_->learn(z);
  return stop;
}

// Before anything that costs more than the matrix: a few sweeps on a dense one.
Stop Auto::sweep(std::span<double> z, Control& control) {
  if (lo_.empty() || !is_zero(z)) return Stop::none;
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
  sweep_budget_.begin(stage.extent, stage.budget, stage.farthest, control);
  control.begin_stage(sweep_budget_);
}

// The best iterate becomes again what it was before the try.
void Auto::put_aside(Control& control) {
  std::copy(control.best().begin(), control.best().end(), found_aside_.begin());
  has_put_aside_ = true;
  control.return_to(before_try_);
}

Stop Auto::run_stages(std::span<double> z, Control& control) {
  has_put_aside_ = false;
  const Stop stop = try_stages(z, control);
  if (has_put_aside_) control.consider(found_aside_);
  return stop;
}

Stop Auto::try_stages(std::span<double> z, Control& control) {
  if (entries_.empty()) try {
      list_stages();
    } catch (const std::bad_alloc&) {
      entries_.clear();
      return Stop::out_of_memory;
    }
  Stop worth_telling = Stop::breakdown;  // if no stage gets anywhere
  bool is_first = true;
  for (Entry& entry : entries_) {
    if (!is_due(entry, control)) continue;
    const Stop reached = reach(entry, control);
    if (reached == Stop::breakdown) continue;
    if (reached != Stop::none) return reached;
    const std::span<const double> from = entry.stage.afresh ? std::span<const double>(start_) : control.best();
    const bool stays = is_first ? entry.stage.takes_signs : entry.stage.goes_on && is_finite(z);
    if (!stays) std::copy(from.begin(), from.end(), z.begin());
    is_first = false;
    begin_stage(entry.stage, control);
    if (entry.stage.aside) std::copy(control.best().begin(), control.best().end(), before_try_.begin());
    const Stop stop = entry.method->solve(z, control);
    last_ = entry.method.get();
    last_name_ = entry.stage.own == Own::kept_motion ? last_->finished_by() : entry.stage.method;
    log_end(logged_name(entry.stage), control);
    if (stop != Stop::breakdown && worth_telling != Stop::ray) worth_telling = stop == Stop::ray ? stop : Stop::stalled;
    // A stage's own budget ends as stalled; these end the solve.
    if (stop == Stop::finished && control.best_residual() <= control.tolerance()) return stop;
    if (stop == Stop::infeasible || is_limit(stop)) return stop;
    if (control.is_within_rounding()) return Stop::stalled;
    if (entry.stage.aside) put_aside(control);
  }
  return worth_telling;
}

}  // namespace

const MethodEntry auto_method{
    {sizeof(nsm_method_info), "auto", "the default: other methods in a fixed order, each from the best iterate so far",
     "portfolio; each stage has its own source", "what any of its stages is safe for",
     linear_classes | nonlinear_classes | contact_classes | cone_classes | class_bit(NSM_QP), 10'000'000,
     "always, unless there is a reason to name a method: it knows what suits class, size and structure, and goes on where a "
     "method fails"},
    &make_method<Auto>};

}  // namespace nonsmooth
