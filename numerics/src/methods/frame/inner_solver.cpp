#include "methods/frame/inner_solver.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace nonsmooth {

namespace {

constexpr double smallest_tolerance = 1e-13;

class LimitsOfWhole final : public StageBudget {
 public:
  explicit LimitsOfWhole(Control& whole) : whole_(whole) {}
  bool goes_on(std::int64_t iteration, Control&) override { return whole_.check_limits(iteration) == Stop::none; }

 private:
  Control& whole_;
};

}  // namespace

Options inner_options(const Options& outer, double share, std::int64_t iterations) {
  Options options = outer;
  options.set("tolerance", std::max(share * outer.real(Option::tolerance), smallest_tolerance));
  options.set("max_iterations", static_cast<double>(iterations));
  return options;
}

void InnerSolver::setup(const Inclusion& view, std::unique_ptr<Method> method, const Options& options,
                        std::int64_t default_iterations) {
  method_ = std::move(method);
  control_.setup(view, options, default_iterations);
  method_->setup(view, options);
}

bool InnerSolver::update(Change change) {
  try {
    method_->update(change);
  } catch (const Error&) {
    return false;
  }
  return true;
}

Stop InnerSolver::solve(std::span<double> x, Control& whole, StageBudget* budget) {
  control_.begin_part(whole, 0);
  if (silent_) control_.log_callback = nullptr;
  if (budget != nullptr) control_.begin_stage(*budget);
  const Stop stop = method_->solve(x, control_);
  if (stop != Stop::finished) {
    control_.consider(x);
    std::copy(control_.best().begin(), control_.best().end(), x.begin());
  }
  return stop;
}

Stop InnerSolver::solve_as_whole(std::span<double> x, Control& whole) {
  LimitsOfWhole limits(whole);
  return solve(x, whole, &limits);
}

void PartOfRows::clear() {
  rows.clear();
  view.blocks.clear();
}

void PartOfRows::append(SetBlock set, std::int32_t first, std::int32_t count) {
  set.start = static_cast<std::int32_t>(rows.size());
  set.size = count;
  view.blocks.push_back(set);
  for (std::int32_t i = 0; i < count; ++i) rows.push_back(first + i);
}

void PartOfRows::complete(double scale) {
  for (Vector* v : {&q, &x}) v->assign(rows.size(), 0.0);
  view.M = &M;
  view.q = &q;
  view.scale = scale;
}

}  // namespace nonsmooth
