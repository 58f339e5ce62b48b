// The default: a portfolio of the other methods. Stages are tried in a fixed order with budgets of iterations, each from the best
// iterate so far; the first that the certificate confirms ends the solve. Budgets count iterations, not seconds, so that results
// are reproducible.
//
// Positive definite problems take a few exchanges of whole blocks; pivoting is exact for anything small enough to keep dense (a
// few projected sweeps before it were tried: at n = 300 four of them cost as much as all of Lemke's pivots); large sparse
// problems are swept; friction is swept, and where cycles of exact one-contact solves keep a hyperstatic problem from converging,
// swept again with a proximal term that damps them.
#include <algorithm>
#include <exception>
#include <initializer_list>

#include "core/error.hpp"
#include "methods/method.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_dense_order = 4000;  // a dense tableau beyond it: more than 128 MB and seconds
constexpr std::int64_t smallest_exchanged_order = 16, exchanged_bases = 60;
constexpr std::int64_t largest_swept_dense_order = 500;  // the row copy of a dense matrix costs two eliminations of it
constexpr std::int64_t largest_enumerated_order = 64;    // the tree keeps n tableaux
constexpr std::int64_t friction_sweeps = 20000;
constexpr std::int64_t central_steps = 200, cone_sweeps = 2000, alternations = 10000;
constexpr std::int64_t enumeration_nodes = 200000;
constexpr double damping = 0.1;
constexpr std::int64_t unlimited = 0;

struct Stage {
  const char* method;
  std::int64_t budget;  // iterations; 0: no limit of its own
  double proximal;      // option of block_gauss_seidel
};

bool all_of_kind(const Inclusion& view, std::initializer_list<SetKind> kinds) {
  return std::all_of(view.blocks.begin(), view.blocks.end(),
                     [&](const SetBlock& block) { return std::find(kinds.begin(), kinds.end(), block.kind) != kinds.end(); });
}

std::vector<Stage> stages_for(const Inclusion& view) {
  const bool dense = view.size() <= largest_dense_order;
  const Stage sweeps{"block_gauss_seidel", unlimited, 0.0};
  const Stage exchanges{"block_principal_pivoting", exchanged_bases, 0.0};
  const Stage pivots{"lemke", unlimited, 0.0}, tree{"enumeration", enumeration_nodes, 0.0};
  const Stage central_path{"interior_point", central_steps, 0.0};
  if (all_of_kind(view, {SetKind::polyhedron})) return {pivots, central_path};
  if (!dense && all_of_kind(view, {SetKind::orthant, SetKind::free_space, SetKind::box})) return {sweeps};
  if (all_of_kind(view, {SetKind::orthant, SetKind::free_space})) {
    std::vector<Stage> stages;
    const bool may_be_monotone = view.size() >= smallest_exchanged_order && may_be_positive_definite(*view.M);
    if (may_be_monotone) stages.push_back(exchanges);
    stages.push_back(pivots);
    if (may_be_monotone) stages.push_back(central_path);
    if (view.size() <= largest_enumerated_order) stages.push_back(tree);
    if (all_of_kind(view, {SetKind::orthant})) stages.push_back({"semismooth_newton", unlimited, 0.0});
    if (view.size() <= largest_swept_dense_order || view.M->dense() == nullptr) stages.push_back(sweeps);
    return stages;
  }
  if (all_of_kind(view, {SetKind::box})) return {pivots, central_path, sweeps};
  if (dense && all_of_kind(view, {SetKind::second_order_cone}))
    return {{"block_gauss_seidel", cone_sweeps, 0.0}, {"admm", alternations, 0.0}, sweeps};
  return {{"block_gauss_seidel", friction_sweeps, 0.0}, {"block_gauss_seidel", 2 * friction_sweeps, damping}, sweeps};
}

class Auto final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override {
    for (Entry& entry : entries_) entry.method->update(change);
  }
  Stop solve(std::span<double> z, Control& control) override;
  // Of the stage that ran last; nothing before the first solve, and for a problem without contacts, which needs no stage.
  std::span<const double> infeasibility_ray() const override {
    return last_ != nullptr ? last_->infeasibility_ray() : std::span<const double>();
  }
  std::int64_t solution_count() const override { return last_ != nullptr ? last_->solution_count() : 0; }
  std::int64_t stored_solutions() const override { return last_ != nullptr ? last_->stored_solutions() : 0; }
  std::span<const double> stored_solution(std::int64_t index) const override { return last_->stored_solution(index); }

 private:
  struct Entry {
    const char* name;
    std::int64_t budget;
    std::unique_ptr<Method> method;
  };
  std::vector<Entry> entries_;
  const Method* last_ = nullptr;
};

// A stage that does not treat the problem (too large for it, say) is left out; if none is left, the first one's reason is the
// error.
void Auto::setup(const Inclusion& view, const Options& options) {
  std::exception_ptr reason;
  for (const Stage& stage : stages_for(view)) {
    Options own = options;
    own.set("proximal", std::max(stage.proximal, options.real(Option::proximal)));  // what the caller asks for is kept
    Entry entry{stage.method, stage.budget, find_method(stage.method)->create()};
    try {
      entry.method->setup(view, own);
      entries_.push_back(std::move(entry));
    } catch (const Error&) {
      if (!reason) reason = std::current_exception();
    }
  }
  if (entries_.empty()) std::rethrow_exception(reason);
}

Stop Auto::solve(std::span<double> z, Control& control) {
  Stop worth_telling = Stop::stalled;
  for (const Entry& entry : entries_) {
    if (&entry != &entries_.front()) std::copy(control.best().begin(), control.best().end(), z.begin());
    control.begin_stage(entry.budget);
    const Stop stop = entry.method->solve(z, control);
    last_ = entry.method.get();
    control.log("auto: %s ended after %lld iterations in all, best residual %.3g", entry.name,
                static_cast<long long>(control.iterations()), control.best_residual());
    if (stop == Stop::ray) worth_telling = stop;
    // A stage's own budget ends as stalled; these end the solve.
    if (stop == Stop::finished && control.best_residual() <= control.tolerance()) return stop;
    if (stop == Stop::infeasible || stop == Stop::iteration_limit || stop == Stop::time_limit || stop == Stop::cancelled)
      return stop;
  }
  return worth_telling;
}

}  // namespace

extern const MethodEntry auto_method;
const MethodEntry auto_method{
    {sizeof(nsm_method_info), "auto", "the default: other methods in a fixed order, each from the best iterate so far",
     "portfolio; each stage has its own source", "what any of its stages is safe for",
     class_bit(NSM_LCP) | class_bit(NSM_MLCP) | class_bit(NSM_RELAY) | class_bit(NSM_AVI) | class_bit(NSM_QP) |
         class_bit(NSM_FRICTION) | class_bit(NSM_GLOBAL_FRICTION) | class_bit(NSM_ROLLING) | class_bit(NSM_GLOBAL_ROLLING) |
         class_bit(NSM_GENERIC) | class_bit(NSM_SOCLCP),
     10'000'000},
    &make_method<Auto>};

}  // namespace nonsmooth
