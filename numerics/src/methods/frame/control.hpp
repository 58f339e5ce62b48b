// Limits, cancellation, progress and the best iterate of one solve: the one place where a running method asks "go on?".
#pragma once

#include <atomic>
#include <new>
#include <span>

#include "certificate/natural_map.hpp"
#include "core/error.hpp"
#include "core/patience.hpp"
#include "methods/frame/options.hpp"
#include "nonsmooth/solver.h"

namespace nonsmooth {

// Why a method stopped. Only `finished` and `infeasible` claim anything, and the certificate module decides about both.
enum class Stop { none, finished, infeasible, ray, iteration_limit, time_limit, stalled, cancelled, breakdown, out_of_memory };

// One of the user's, or his cancellation: the whole solve ends.
constexpr bool is_limit(Stop stop) {
  return stop == Stop::iteration_limit || stop == Stop::time_limit || stop == Stop::cancelled;
}

class Control;

// A budget that depends on how a stage gets on.
class StageBudget {
 public:
  // Asked after every iteration of the stage.
  virtual bool goes_on(std::int64_t iteration, Control& control) = 0;

 protected:
  ~StageBudget() = default;
};

class Control {
 public:
  Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;

  // Allocates. The view must outlive this object.
  void setup(const Inclusion& view, const Options& options, std::int64_t default_iterations);
  // Whether rounding at the view is that of the problem, which the certificate goes by.
  void set_sees_problem(bool value) { sees_problem_ = value; }
  // Whether the log is told residuals: auto has enough to tell of its stages.
  void set_tells_residuals(bool value) { tells_residuals_ = value; }
  void begin();
  // Progress is told from now on.
  void begin_call();
  // For a part of the problem of `whole`: its clock, its cancellation and its callbacks; iterations are counted from those spent
  // so far.
  void begin_part(Control& whole, std::int64_t iterations);
  // Once more, after a solve that ended at an iterate whose floor the certificate refuses: the clock and the iterations go on,
  // and no such iterate is kept. Asking for every floor costs a product with |M|, a fifth of the smallest solves.
  void begin_strictly();
  // Once more after a claim that the certificate refuses for another reason, to this tolerance; the clock and the iterations go
  // on.
  void begin_again(double tolerance);
  // A method made of others: the next one counts its iterations from 0 and ends as stalled after `budget` of them (0: no budget).
  void begin_stage(std::int64_t budget);
  // The same with a budget that is borrowed until the next stage.
  void begin_stage(StageBudget& budget);

  // What is the best as long as nothing has a residual, in place of 0.
  void start_at(std::span<const double> z);
  // Residual of z; keeps z if it is the best yet.
  void consider(std::span<const double> z);
  // consider(z), then Stop::finished if it meets the tolerance, the Stop of a limit that is reached, else Stop::none.
  Stop check(std::int64_t iteration, std::span<const double> z);
  // The same with a w already known, where evaluating it costs a call of the user's.
  Stop check(std::int64_t iteration, std::span<const double> z, std::span<const double> w);
  // check without the cost of a residual: for methods whose iterates are no candidates (pivots).
  Stop check_limits(std::int64_t iteration);
  // The time limit and the progress callback alone: after work that is no iteration.
  Stop check_clock();
  // The same and cancellation.
  Stop check_outside() { return is_cancelled() ? Stop::cancelled : check_clock(); }
  // z is the best yet, whatever has been found: for a stage that leaves no trace.
  void return_to(std::span<const double> z);
  // Whether the certificate calls the best iterate a solution to working precision. Costs a product with |M| where its residual
  // is near the tolerance.
  bool is_within_rounding();
  // For a search that cannot say why it ends.
  bool goes_on() { return check_outside() == Stop::none; }
  // Sets up what a solve has come to need: its time is told apart, and the time limit looked at. Stop::breakdown if setting up
  // answers false or throws Error: then nothing is counted.
  template <class SetUp>
  Stop set_up(const char* what, SetUp&& set_up) {
    const double start = seconds();
    try {
      return set_up() ? end_setup(what, start) : Stop::breakdown;
    } catch (const Error&) {
      return Stop::breakdown;
    } catch (const std::bad_alloc&) {
      log("no memory for %s", what);
      return Stop::out_of_memory;
    }
  }
  // So much of this solve went into setting up.
  void count_setup(double seconds) { setup_seconds_ += seconds; }

  void log(const char* format, ...) const __attribute__((format(printf, 2, 3)));

  double tolerance() const { return tolerance_; }  // at which check answers finished
  double residual() const { return residual_; }    // of the last check
  double best_residual() const { return best_residual_; }
  std::span<const double> best() const { return best_; }
  std::int64_t iterations() const { return iterations_; }
  double seconds() const;
  double setup_seconds() const { return setup_seconds_; }

  // Set through the C API and by the progress callback, until the solve ends.
  std::atomic<bool> cancelled{false};
  // Set through the C API.
  nsm_progress_callback progress = nullptr;
  void* progress_user = nullptr;
  nsm_log_callback log_callback = nullptr;
  void* log_user = nullptr;

 private:
  // Everything but the clock, which costs as much to read as a part of one row to solve.
  void reset();
  bool is_cancelled() const;
  bool is_spent(std::int64_t iteration);
  bool is_hidden_by_rounding(std::span<const double> z);
  void keep(std::span<const double> z, double residual);
  Stop decide(std::int64_t iteration);
  Stop end_setup(const char* what, double start);

  const Inclusion* view_ = nullptr;
  Control* whole_ = nullptr;  // of a part
  NaturalMap map_;
  bool is_strict_ = false, sees_problem_ = false, tells_residuals_ = false;
  double aim_ = 0;  // at which check answers finished, unless a solve has to go on
  double tolerance_ = 0, time_limit_ = 0, start_ = 0, last_progress_ = 0, setup_seconds_ = 0;
  std::int64_t iteration_limit_ = 0, iterations_ = 0;
  std::int64_t stage_start_ = 0, stage_budget_ = 0;  // iterations before the present stage; its own limit
  StageBudget* budget_ = nullptr;                    // in its place
  std::int64_t next_told_ = 0;                       // the first iteration whose residual is told next
  double residual_ = 0, best_residual_ = 0;
  Vector best_;
};

// Asks a control in the midst of long work, and keeps why that had to end.
class ControlPatience final : public Patience {
 public:
  void begin(Control& control) {
    control_ = &control;
    end_ = Stop::none;
  }
  bool lasts() override {
    if (end_ == Stop::none) end_ = control_->check_outside();
    return end_ == Stop::none;
  }
  Stop end() const { return end_; }

 private:
  Control* control_ = nullptr;
  Stop end_ = Stop::none;
};

// One solve, or one batch: calls of progress are spaced over all of it, and a cancellation is over when it returns, also by an
// exception.
class ControlledCall {
 public:
  explicit ControlledCall(Control& control) : control_(control) { control.begin_call(); }
  ControlledCall(const ControlledCall&) = delete;
  ControlledCall& operator=(const ControlledCall&) = delete;
  ~ControlledCall() { control_.cancelled.store(false); }

 private:
  Control& control_;
};

}  // namespace nonsmooth
