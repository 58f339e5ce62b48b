#include "methods/newton/cone_newton.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "methods/newton/contact_newton.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t first_burst = 20, shortest_burst = 20, longest_burst = 1000;
constexpr std::int64_t newton_patience = 40;  // Newton steps without enough progress
constexpr double enough_progress = 0.3;
constexpr double divergence = 1e3;  // of sweeps that raise the residual as much, beyond that of 0, which is about 1

class ConeNewton final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  Stop attempt(std::span<double> z, Control& control);

  const Inclusion* view_ = nullptr;
  NewtonSystem system_;
  ContactNewton newton_;
  std::unique_ptr<Sweeper> sweeper_;
  std::int64_t start_sweeps_ = 0, iteration_ = 0;
};

void ConeNewton::setup(const Inclusion& view, const Options& options) {
  const auto function = options.choice<ConeFunction>(Option::cone_function);
  if (!ContactNewton::treats(view, function))
    fail(NSM_UNSUPPORTED, "semismooth_newton: rolling friction and disks have no cone_function fischer_burmeister");
  view_ = &view;
  start_sweeps_ = options.integer(Option::start_sweeps);
  if (start_sweeps_ < 0) start_sweeps_ = first_burst;
  system_.setup(view, NewtonSystem::Space::contacts);
  newton_.setup(view, system_, options.integer(Option::nonmonotone_memory), function);
  sweeper_ = make_sweeper(view, {});
}

void ConeNewton::update(Change change) {
  if (change == Change::matrix) {
    system_.update(*view_);
    sweeper_->load(*view_);
  }
  if (change == Change::sets) sweeper_->prepare(*view_);
}

// Newton steps from z as long as they pay.
Stop ConeNewton::attempt(std::span<double> z, Control& control) {
  for (double milestone = HUGE_VAL; control.best_residual() < milestone;) {
    milestone = enough_progress * control.best_residual();
    const auto outcome = newton_.solve(z, 0, 0, newton_patience, control, iteration_);
    iteration_ += std::max<std::int64_t>(1, outcome.steps);
    control.log("semismooth_newton: %lld steps, residual %.3e", static_cast<long long>(outcome.steps), control.residual());
    if (outcome.stop != Stop::none) return outcome.stop;
    if (!std::isfinite(control.residual())) std::copy(control.best().begin(), control.best().end(), z.begin());
  }
  return control.check_limits(iteration_);
}

// From where sweeps diverge to, Newton's steps do not come back: they start from the best iterate then. Where it was they that
// led astray, sweeps go on from there.
Stop ConeNewton::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  system_.begin();
  Stop stop = control.check(0, z);
  double residual = control.residual();  // of z
  for (std::int64_t sweeps = start_sweeps_; stop == Stop::none; sweeps = std::clamp(2 * sweeps, shortest_burst, longest_burst)) {
    stop = sweeper_->burst(z, control, sweeps, 1, iteration_);
    if (stop != Stop::none) break;
    const bool is_lost = !(control.residual() <= divergence * std::max(1.0, residual));
    const bool began_well = residual <= divergence;
    if (is_lost) std::copy(control.best().begin(), control.best().end(), z.begin());
    residual = control.best_residual();
    if (is_lost && !began_well) continue;
    stop = attempt(z, control);
    if (std::isfinite(control.residual())) residual = control.residual();
  }
  return stop;
}

}  // namespace

bool has_cones(const Inclusion& view) {
  return std::any_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) {
    return has_friction(block.kind) || block.kind == SetKind::dilatant_3d || block.kind == SetKind::second_order_cone ||
           block.kind == SetKind::disk;
  });
}

std::unique_ptr<Method> make_cone_newton() { return std::make_unique<ConeNewton>(); }

}  // namespace nonsmooth
