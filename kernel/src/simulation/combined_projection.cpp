// Acary (2013), Computer Methods in Applied Mechanics and Engineering 256, 224-250.
#include "nonsmooth/kernel/projection.hpp"
#include "simulation/unilateral.hpp"

namespace nonsmooth::kernel {

TimeSteppingCombinedProjection::TimeSteppingCombinedProjection(Link<NonSmoothDynamicalSystem> model,
                                                               Link<TimeDiscretisation> discretisation,
                                                               Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem)
    : TimeSteppingDirectProjection(std::move(model), std::move(discretisation)) {
  take(std::move(integrator), std::move(problem));
}

// True if a violated contact was not active: it is now.
bool TimeSteppingCombinedProjection::activateViolated() {
  const double* y = model_->outputs().data(Output::y0);
  bool found = false;
  for (const int index : indexSet(0)) {
    InteractionRecord& record = model_->recordAt(index);
    if (record.active || !isUnilateral(record.law->kind()) || y[record.y.start] >= -unilateralTolerance()) continue;
    record.active = true;
    found = true;
  }
  if (!found) return false;
  auto& active = index_sets_[1];
  active.clear();
  for (const int index : indexSet(0))
    if (model_->recordAt(index).active) active.push_back(index);
  status_.activeContacts = static_cast<Index>(active.size());
  return true;
}

void TimeSteppingCombinedProjection::reviseIndexSets() {
  if (rounds_ <= 1) TimeStepping::reviseIndexSets();
}

void TimeSteppingCombinedProjection::attempt(const Interval& step) {
  beginStep(step);
  updateIndexSets();
  rounds_ = 0;
  const SolveReport before = status_.solve;  // of the parts of the step that are done
  for (bool agreed = false; !agreed;) {
    if (rounds_++ > 0) {
      status_.solve = before;
      model_->states().restore();
      evaluateOutputs(step.start, true);
    }
    solveMotion(step);
    if (activateViolated()) continue;
    postProcess(step);
    agreed = !activateViolated();
  }
  if (failurePolicy() != FailurePolicy::Record && violation() > 1.0)
    fail("constraints are violated by %.3g times their tolerance at t = %.17g after %d projections", violation(), step.end,
         projectionIterations());
}

}  // namespace nonsmooth::kernel
