#include <algorithm>

#include "integrators/acceleration_level.hpp"
#include "nonsmooth/kernel/d1_minus.hpp"
#include "simulation/stopwatch.hpp"

namespace nonsmooth::kernel {

TimeSteppingD1Minus::TimeSteppingD1Minus(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                                         Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> impulses,
                                         Link<OneStepNSProblem> forces)
    : TimeStepping(std::move(model), std::move(discretisation)) {
  index_sets_.resize(4);
  insertIntegrator(std::move(integrator));
  insertNonSmoothProblem(std::move(impulses), "timeStepping");
  insertNonSmoothProblem(std::move(forces), "acceleration");
  if (model_->numberOfDynamicalSystems() > 0) TimeSteppingD1Minus::initialize();
}

TimeSteppingD1Minus::~TimeSteppingD1Minus() = default;

void TimeSteppingD1Minus::initialize() {
  TimeStepping::initialize();
  if (integrators_.size() != 1) fail("a TimeSteppingD1Minus takes one integrator, not %zu", integrators_.size());
  integrator_ = static_cast<D1MinusLinearOSI*>(integrators_.front().get());
}

void TimeSteppingD1Minus::computeFreeStep() { fail("the steps of a TimeSteppingD1Minus are done by computeOneStep"); }

// Index set 2 of the start of the step; multipliers of the others are zero.
void TimeSteppingD1Minus::selectAtStart() {
  OutputStore& outputs = model_->outputs();
  auto& resting = index_sets_[2];
  resting.clear();
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_->recordAt(index);
    if (integrator_->isAtRest(record))
      resting.push_back(index);
    else
      outputs.view(Output::lambda2, record.y).setZero();
  }
}

// Index sets 1 and 3 of the end of the step; what has opened leaves index set 2.
void TimeSteppingD1Minus::selectAtEnd() {
  OutputStore& outputs = model_->outputs();
  auto &closed = index_sets_[1], &closing = index_sets_[3];
  closed.clear();
  closing.clear();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    record.active = integrator_->isClosed(record);
    if (!record.active) {
      outputs.view(Output::lambda1, record.y).setZero();
      outputs.view(Output::lambda2, record.y).setZero();
      continue;
    }
    closed.push_back(index);
    const bool was_open = outputs.data(Output::y0Old)[record.y.start] > integrator_->tolerance();
    if (was_open && record.law->kind() != LawKind::EqualityCondition) closing.push_back(index);
  }
  std::erase_if(index_sets_[2], [&](int index) { return !model_->recordAt(index).active; });
  status_.activeContacts = static_cast<Index>(closed.size());
}

// lambda[2] over `active` and the accelerations that follow from it.
void TimeSteppingD1Minus::solveForces(const std::vector<int>& active) {
  AssemblyContext forces = context();
  forces.formulation = &integrator_->accelerationLevel();
  forces.response_version = integrator_->accelerationLevel().responseVersion();
  solveProblem("acceleration", forces, active);
  model_->gatherInputs(2, active);
  integrator_->accelerationLevel().updateAccelerations();
}

// Contacts that land: those closed and approaching that were not at rest at the start of the step.
void TimeSteppingD1Minus::detectRest() {
  integrator_->forgetRest();
  const auto &closed = index_sets_[1], &resting = index_sets_[2];
  const auto lands = [&](int index) {
    return !std::binary_search(resting.begin(), resting.end(), index) && integrator_->isLanding(model_->recordAt(index));
  };
  if (std::none_of(closed.begin(), closed.end(), lands)) return;
  // The free velocities are not known before the forces; those of the prediction are, up to h^2.
  solveForces(closed);
  for (const int index : closed)
    if (lands(index)) integrator_->detectRest(model_->recordAt(index));
  for (const int index : closed)
    if (!std::binary_search(resting.begin(), resting.end(), index))
      model_->outputs().view(Output::lambda2, model_->recordAt(index).y).setZero();
}

void TimeSteppingD1Minus::solveImpulses() {
  AssemblyContext impulses = context();
  impulses.response_version = integrator_->accelerationLevel().responseVersion();
  solveProblem("timeStepping", impulses, index_sets_[1]);
  model_->gatherInputs(1, index_sets_[1]);
}

void TimeSteppingD1Minus::attempt(const Interval& step) {
  Stopwatch watch(with_timings_);
  beginStep(step);
  selectAtStart();
  status_.seconds.detection += watch.lap();
  integrator_->accelerationLevel().evaluate(*model_, step.start);
  solveForces(index_sets_[2]);
  integrator_->startIteration();
  evaluateOutputs(step.end, true);
  selectAtEnd();
  watch.lap();
  integrator_->accelerationLevel().evaluate(*model_, step.end);
  status_.seconds.freeState += watch.lap();
  detectRest();
  solveForces(index_sets_[2]);
  integrator_->computeFreeState();
  solveImpulses();
  ++status_.newtonIterations;
  requireCertified(step);
  watch.lap();
  integrator_->updateState();
  evaluateOutputs(step.end, false);
  postProcess(step);
  status_.seconds.update += watch.lap();
}

}  // namespace nonsmooth::kernel
