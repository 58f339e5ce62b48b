#include "nonsmooth/kernel/time_stepping.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "simulation/fresh_status.hpp"
#include "simulation/snapshot.hpp"
#include "simulation/stopwatch.hpp"

namespace nonsmooth::kernel {
namespace {

constexpr int deepest_halving = 6;

}  // namespace

// Contacts as they were before a step and before each of the parts it is halved into, which are given back where it fails.
struct TimeStepping::Starts {
  std::array<ContactSnapshot, deepest_halving + 1> of;
  ContactSnapshot& at(int depth) { return of[static_cast<std::size_t>(depth)]; }
};

TimeStepping::TimeStepping(Link<NonSmoothDynamicalSystem> model)
    : Simulation(std::move(model)), starts_(std::make_unique<Starts>()) {}

TimeStepping::TimeStepping(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation)
    : Simulation(std::move(model), std::move(discretisation)), starts_(std::make_unique<Starts>()) {}

TimeStepping::TimeStepping(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                           Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem)
    : TimeStepping(std::move(model), std::move(discretisation)) {
  take(std::move(integrator), std::move(problem));
}

void TimeStepping::take(Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem) {
  insertIntegrator(std::move(integrator));
  insertNonSmoothProblem(std::move(problem));
  if (model_->numberOfDynamicalSystems() > 0) initialize();
}

TimeStepping::TimeStepping(Link<TimeDiscretisation> discretisation) : TimeStepping(discretisation->model(), discretisation) {}

TimeStepping::~TimeStepping() = default;

void TimeStepping::setNewtonTolerance(double tolerance) {
  if (!(tolerance > 0)) fail("Newton tolerance %g", tolerance);
  newton_tolerance_ = tolerance;
}

void TimeStepping::setNewtonMaxIteration(int iterations) {
  if (iterations < 1) fail("Newton iterations %d", iterations);
  newton_max_iterations_ = iterations;
}

void TimeStepping::initialize() {
  begun_ = false;
  Simulation::initialize();
  linear_ = model_->isLinear();
  ++jacobian_version_;
}

// Relations with lambda in their output take forces; velocity-level schemes have impulses.
double TimeStepping::multiplierScale(const InteractionRecord& record, int level) const {
  return level == 1 && record.hasD() ? 1.0 / interval_.h() : 1.0;
}

// y[0] = h, and y[1] = C v + dh/dt for mechanical systems, at the present state.
void TimeStepping::evaluateOutputs(double time, bool with_jacobians) {
  OutputStore& outputs = model_->outputs();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    const int level = integratorOf(record).level();
    const RelationPoint at = model_->point(record, time, level, multiplierScale(record, level));
    model_->evaluateOutputs(record, at, with_jacobians);
    if (record.fresh) continue;
    // The first instant: there is no step before it.
    outputs.view(Output::y0Old, record.y) = outputs.view(Output::y0, record.y);
    outputs.view(Output::y0Older, record.y) = outputs.view(Output::y0, record.y);
    record.fresh = true;
  }
}

// Matrices of relations that are not constant, at the iterate.
void TimeStepping::refreshJacobians(double time) {
  OutputStore& outputs = model_->outputs();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    if (record.linear) continue;
    OneStepIntegrator& integrator = integratorOf(record);
    const int level = integrator.level();
    const RelationPoint at = integrator.pointOfLaw(record, model_->point(record, time, level, multiplierScale(record, level)));
    // Geometry first: contacts keep their points from the evaluation of h.
    if (level == 1) record.relation->evaluateh(at, outputs.view(Output::y0, record.y));
    model_->updateMatrices(record, at);
  }
}

// Values at the start of the step. The state of that instant is the present one, with what users and managers have changed in it.
void TimeStepping::beginStep(const Interval& step) {
  requireIntegrators();
  begun_ = false;
  interval_ = step;
  ++attempts_;
  model_->states().save();
  updateInteractions();
  if (!managers_.empty()) model_->states().save();
  model_->followRelations();
  if (!initialized_ || topology_ != model_->topologyVersion()) initialize();
  for (const auto& integrator : integrators_) integrator->beginStep(step);
  evaluateOutputs(step.start, true);
  model_->outputs().save();
  begun_ = true;
}

// Index sets and integrators name what was in the model when the step began; integrators have no matrices before.
void TimeStepping::requireSameModel() const {
  requireIntegrators();
  if (!begun_ || topology_ != model_->topologyVersion())
    fail("the model has changed since the step began, or none has begun: computeFreeStep comes first");
}

void TimeStepping::updateIndexSets() {
  requireSameModel();
  auto& active = index_sets_[1];
  active.clear();
  OutputStore& outputs = model_->outputs();
  for (const int index : index_sets_[0]) {
    InteractionRecord& record = model_->recordAt(index);
    const OneStepIntegrator& integrator = integratorOf(record);
    record.active = integrator.isActive(record);
    if (record.active) {
      active.push_back(index);
      if (!reset_all_lambda_) continue;
    }
    outputs.view(Interaction::multiplierField(integrator.level()), record.y).setZero();
  }
  status_.activeContacts = static_cast<Index>(active.size());
}

SolveReport TimeStepping::computeOneStepNSProblem(const std::string& problem_name) {
  oneStepNSProblem(problem_name);  // there must be one, whatever has begun
  requireSameModel();
  AssemblyContext of = context();
  of.step = attempts_;
  return solveProblem(problem_name, of, index_sets_[1]);
}

SolveReport TimeStepping::solveProblem(const std::string& problem_name, const AssemblyContext& of,
                                       const std::vector<int>& active) {
  OneStepNSProblem& problem = oneStepNSProblem(problem_name);
  if (active.empty()) return {};
  const SolveReport report = problem.compute(of, active);
  note(report);
  return report;
}

void TimeStepping::updateInput(int) {
  requireSameModel();
  // Multipliers of levels an interaction does not work at are zero.
  for (const auto& integrator : integrators_) model_->gatherInputs(integrator->level(), index_sets_[1]);
}

void TimeStepping::updateState(int) {
  requireSameModel();
  for (const auto& integrator : integrators_) integrator->updateState();
}

void TimeStepping::updateOutput(int, int) {
  requireSameModel();
  evaluateOutputs(interval_.end, false);
}

void TimeStepping::update(int level) {
  updateInput(level);
  updateState(level);
  for (const auto& integrator : integrators_) integrator->endStep();
  updateOutput(level);
  model_->requireFiniteState(interval_.end);
  pending_ = true;
}

void TimeStepping::computeFreeStep() {
  requireIntegrators();
  status_ = fresh_status;
  const Interval step{getTk(), getTkp1(), timeStep()};
  starts_->at(0).take(*model_);
  try {
    beginStep(step);
    startMotion();
    computeFreeStates(step);
  } catch (...) {
    takeBack(step, 0);
    throw;
  }
}

// The first iterate. The matrices of one iteration are those of the start of the step, or follow in computeFreeStates.
void TimeStepping::startMotion() {
  if (matricesOfStart())
    for (const auto& integrator : integrators_) integrator->prepareIteration();
  for (const auto& integrator : integrators_) integrator->startIteration();
}

// Matrices at the iterate, unless they are those of the start of the step, and the states that follow without multipliers.
void TimeStepping::computeFreeStates(const Interval& step) {
  if (!matricesOfStart()) {
    refreshJacobians(step.end);
    for (const auto& integrator : integrators_) integrator->prepareIteration();
  }
  for (const auto& integrator : integrators_) integrator->computeFreeState();
}

double TimeStepping::newtonResidual() {
  double worst = 0;
  for (const auto& integrator : integrators_) worst = std::max(worst, integrator->residual());
  return worst;
}

// One Newton iteration.
void TimeStepping::iterate(const Interval& step) {
  Stopwatch watch(with_timings_);
  computeFreeStates(step);
  status_.seconds.freeState += watch.lap();
  // Only one problem belongs to time stepping, the first.
  if (!problems_.empty()) computeOneStepNSProblem(problems_.front().first);
  watch.lap();
  updateInput();
  updateState();
  status_.seconds.update += watch.lap();
  ++status_.newtonIterations;
}

void TimeStepping::requireCertified(const Interval& step) const {
  if (policy_ != FailurePolicy::Record && !status_.solve.certified)
    fail("no certified solution of the nonsmooth problem at t = %.17g: %s, residual %.3g", step.end, status_.solve.outcome,
         status_.solve.residual);
}

void TimeStepping::attempt(const Interval& step) {
  Stopwatch watch(with_timings_);
  beginStep(step);
  updateIndexSets();
  status_.seconds.detection += watch.lap();
  solveMotion(step);
  postProcess(step);
}

void TimeStepping::solveMotion(const Interval& step) {
  startMotion();
  if (!needsNewton()) {
    iterate(step);
  } else {
    const SolveReport before = status_.solve;  // of the parts of the step that are done
    status_.newtonConverged = false;
    for (int k = 0; k < newton_max_iterations_ && !status_.newtonConverged; ++k) {
      status_.solve = before;
      iterate(step);
      status_.newtonResidual = newtonResidual();
      status_.newtonConverged = status_.newtonResidual <= newton_tolerance_;
      if (newton_ == Newton::NonLinearFull && !status_.newtonConverged) {
        evaluateOutputs(step.end, false);
        reviseIndexSets();
      }
    }
  }
  requireCertified(step);
  if (policy_ != FailurePolicy::Record && !status_.newtonConverged)
    fail("Newton's iteration did not converge at t = %.17g: residual %.3g after %d iterations", step.end, status_.newtonResidual,
         newton_max_iterations_);
  Stopwatch watch(with_timings_);
  for (const auto& integrator : integrators_) integrator->endStep();
  evaluateOutputs(step.end, false);
  status_.seconds.update += watch.lap();
}

void TimeStepping::takeBack(const Interval& step, int depth) {
  begun_ = false;
  model_->states().restore();
  for (const auto& integrator : integrators_) integrator->undoStep(step);
  starts_->at(depth).giveBackTo(*model_);
}

void TimeStepping::advance(const Interval& step, int depth) {
  std::optional<SolveReport> before;  // of the parts of the step that are done
  if (policy_ == FailurePolicy::Halve) before = status_.solve;
  starts_->at(depth).take(*model_);
  try {
    attempt(step);
    model_->requireFiniteState(step.end);
  } catch (...) {
    takeBack(step, depth);
    if (policy_ != FailurePolicy::Halve || depth == deepest_halving) throw;
    status_.solve = before.value_or(SolveReport());
    advanceByHalves(step, depth + 1);
  }
}

void TimeStepping::advanceByHalves(const Interval& step, int depth) {
  Snapshot before;
  before.take(*model_);
  const double middle = 0.5 * (step.start + step.end), half = 0.5 * step.h();
  status_.newtonConverged = true;
  try {
    advance({step.start, middle, half}, depth);
    shift();
    ++status_.parts;
    advance({middle, step.end, half}, depth);
  } catch (...) {
    before.giveBackTo(*model_);
    starts_->at(depth - 1).giveBackTo(*model_);
    throw;
  }
}

StepStatus TimeStepping::computeOneStep() {
  requireIntegrators();
  if (pending_) nextStep();
  open();
  status_ = fresh_status;
  if (problems_.size() > problemsOfAStep())
    fail("nonsmooth problem \"%s\" would never be solved: the steps of a %s have %zu", problems_[problemsOfAStep()].first.c_str(),
         className(), problemsOfAStep());
  const Interval step{getTk(), getTkp1(), timeStep()};
  advance(step, 0);
  status_.time = step.end;
  measureViolation();
  pending_ = true;
  return status_;
}

}  // namespace nonsmooth::kernel
