#include "nonsmooth/kernel/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "simulation/at_work.hpp"
#include "simulation/unilateral.hpp"

namespace nonsmooth::kernel {

Simulation::Simulation(Link<NonSmoothDynamicalSystem> model) : model_(std::move(model)), index_sets_(2) {}

Simulation::Simulation(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation)
    : Simulation(std::move(model)) {
  setTimeDiscretisation(std::move(discretisation));
}

Simulation::~Simulation() = default;

void Simulation::setTimeDiscretisation(Link<TimeDiscretisation> discretisation) {
  // Steps are counted: the next one would begin at another instant than that of the state.
  if (hasBegun()) fail("%s: the time discretisation cannot change after the first step", className());
  discretisation->beginWith(*model_);
  initialized_ = false;
  discretisation_ = discretisation.shared();
  discretisation_->simulation_ = self_;
}

const TimeDiscretisation& Simulation::timeDiscretisation() const {
  if (!discretisation_) fail("the simulation has no time discretisation");
  return *discretisation_;
}

void Simulation::insertIntegrator(Link<OneStepIntegrator> integrator) {
  const auto same = [&](const Link<OneStepIntegrator>& known) { return known.get() == integrator.get(); };
  if (std::none_of(integrators_.begin(), integrators_.end(), same)) integrators_.push_back(std::move(integrator));
  initialized_ = false;
}

void Simulation::associate(Link<OneStepIntegrator> integrator, DynamicalSystem& system) {
  for (const auto& other : integrators_)
    if (other.get() != integrator.get() && other->owns(system))
      fail("system %d is bound to another %s already", system.number(), other->className());
  integrator->insertDynamicalSystem(system);
  insertIntegrator(std::move(integrator));
}

void Simulation::insertNonSmoothProblem(Link<OneStepNSProblem> problem, const std::string& problem_name) {
  for (const auto& [known, unused] : problems_)
    if (known == problem_name) fail("there is a nonsmooth problem named \"%s\" already", problem_name.c_str());
  // It may have served another simulation, which stood at the address of this one.
  problem->forget();
  problems_.emplace_back(problem_name, std::move(problem));
  initialized_ = false;
}

OneStepNSProblem& Simulation::oneStepNSProblem(const std::string& problem_name) const {
  for (const auto& [known, problem] : problems_)
    if (known == problem_name) return *problem;
  fail("no nonsmooth problem is named \"%s\"", problem_name.c_str());
}

void Simulation::insertInteractionManager(Link<InteractionManager> manager) {
  const auto same = [&](const Link<InteractionManager>& known) { return known.get() == manager.get(); };
  if (std::none_of(managers_.begin(), managers_.end(), same)) managers_.push_back(std::move(manager));
}

// Who integrates what: bound systems go to their integrator, all others to the only one without bound systems.
void Simulation::bindSystems() {
  const auto& systems = model_->systems();
  integrator_of_system_.assign(systems.size(), nullptr);
  for (const auto& integrator : integrators_)
    if (std::strcmp(integrator->simulationClass(), simulationClass()) != 0)
      fail("integrator %s needs a simulation %s, not %s", integrator->className(), integrator->simulationClass(),
           simulationClass());
  OneStepIntegrator* any = nullptr;
  for (const auto& integrator : integrators_) {
    if (integrator->hasBoundSystems()) continue;
    if (any != nullptr && any != integrator.get())
      fail("integrators %s and %s are both without systems of their own: only one can take those that are left", any->className(),
           integrator->className());
    any = integrator.get();
  }
  for (std::size_t d = 0; d < systems.size(); ++d) {
    if (systems[d] == nullptr) continue;
    integrator_of_system_[d] = any;
    for (const auto& integrator : integrators_)
      if (integrator->owns(*systems[d])) integrator_of_system_[d] = integrator.get();
    if (integrator_of_system_[d] == nullptr) fail("system %zu has no integrator", d);
    integrator_of_system_[d]->checkSystem(*systems[d]);
  }
  for (std::size_t k = bindings_.size(); k < integrators_.size(); ++k) {
    integrators_[k]->bind(*model_);
    bindings_.push_back(integrators_[k]->binding());
  }
  for (const auto& integrator : integrators_) {
    std::vector<int> numbers;
    for (std::size_t d = 0; d < systems.size(); ++d)
      if (integrator_of_system_[d] == integrator.get()) numbers.push_back(static_cast<int>(d));
    integrator->initialize(*model_, std::move(numbers));
  }
}

void Simulation::requireIntegrators() const {
  for (std::size_t k = 0; k < bindings_.size(); ++k)
    if (integrators_[k]->binding() != bindings_[k])
      fail("the integrator %s has begun to serve another simulation: two that run in turn need one each",
           integrators_[k]->className());
}

// Every system must fit its integrator, every interaction that and the problem.
void Simulation::checkPairs() const {
  for (std::size_t k = 0; demands_ != model_->states().demands() && k < integrator_of_system_.size(); ++k)
    if (integrator_of_system_[k] != nullptr) integrator_of_system_[k]->checkSystem(*model_->systems()[k]);
  for (const auto& [problem_name, problem] : problems_)
    for (const auto& integrator : integrators_) problem->checkIntegrator(*integrator);
  for (const InteractionRecord& record : model_->records()) {
    if (record.object == nullptr) continue;
    const OneStepIntegrator& integrator = integratorOf(record);
    integrator.checkInteraction(*record.object);
    for (const Index system : record.system)
      if (system >= 0 && integrator_of_system_[static_cast<std::size_t>(system)]->level() != integrator.level())
        fail("an interaction links systems of integrators %s and %s, which work at different levels", integrator.className(),
             integrator_of_system_[static_cast<std::size_t>(system)]->className());
    if (problems_.empty()) fail("there are interactions but no nonsmooth problem");
    for (const auto& [problem_name, problem] : problems_) problem->checkLaw(*record.law);
  }
}

void Simulation::checkPolicy(FailurePolicy policy) const {
  if (policy != FailurePolicy::Halve) return;
  for (const auto& integrator : integrators_)
    if (integrator->needsConstantStep())
      fail("integrator %s needs a constant step: the failure policy Halve does not go with it", integrator->className());
}

void Simulation::setFailurePolicy(FailurePolicy policy) {
  checkPolicy(policy);
  policy_ = policy;
}

void Simulation::note(const SolveReport& report) {
  status_.seconds.assembly += report.assembly_seconds;
  status_.seconds.solver += report.solver_seconds;
  if (status_.solve.certified && (!report.certified || report.residual >= status_.solve.residual)) status_.solve = report;
}

AssemblyContext Simulation::context() const {
  AssemblyContext result;
  result.model = model_.get();
  result.integrator_of_system = &integrator_of_system_;
  result.jacobian_version = jacobian_version_ + model_->matricesVersion();
  for (const auto& integrator : integrators_) result.response_version += integrator->responseVersion();
  result.with_timings = with_timings_;
  result.owner = this;
  return result;
}

void Simulation::requireStart() const {
  const double start = timeDiscretisation().getTk(0), h = timeDiscretisation().timeStep(0);
  if (!(start < model_->finalT())) fail("the first instant %.17g is not before the final time %.17g", start, model_->finalT());
  if (start == model_->t0()) return;
  // A number of steps that is not unsigned is taken for h.
  const bool counted = timeDiscretisation().hConst() && start > 0 && h > 1 && h == std::floor(h);
  char hint[128] = "";
  if (counted) std::snprintf(hint, sizeof hint, "; %.0f steps of %g are TimeDiscretisation(%g, %.0fu)", h, start, start, h);
  fail("the first instant %.17g is not the initial time %.17g of the model%s", start, model_->t0(), hint);
}

void Simulation::initialize() {
  requireIntegrators();
  if (integrators_.empty()) fail("the simulation has no integrator");
  requireStart();
  if (!initialized_ || systems_ != model_->systemsVersion()) bindSystems();
  systems_ = model_->systemsVersion();
  for (const auto& integrator : integrators_) integrator->interactionsChanged();
  checkPairs();
  checkPolicy(policy_);
  auto& all = index_sets_[0];
  all.clear();
  for (std::size_t k = 0; k < model_->records().size(); ++k)
    if (model_->records()[k].object != nullptr) all.push_back(static_cast<int>(k));
  topology_ = model_->topologyVersion();
  demands_ = model_->states().demands();
  initialized_ = true;
}

long Simulation::getNSteps() const {
  const long steps = timeDiscretisation().numberOfSteps(model_->finalT());
  if (steps == std::numeric_limits<long>::max()) fail("the model has no final time");
  return steps;
}

bool Simulation::hasNextEvent() const {
  return step_ + (pending_ ? 1 : 0) < timeDiscretisation().numberOfSteps(model_->finalT());
}

void Simulation::requireSteps() const {
  if (timeDiscretisation().numberOfSteps(model_->finalT()) == 0)
    fail("there is no step to do: the first one, of %g s, ends after the final time %g", timeDiscretisation().timeStep(0),
         model_->finalT());
}

void Simulation::shift() {
  model_->states().shift();
  model_->outputs().shift();
}

void Simulation::updateInteractions() {
  if (managers_at_work_) fail("the interaction managers are at work: they cannot begin a step themselves");
  const AtWork managers(managers_at_work_);
  // By number: a manager may insert others.
  for (std::size_t k = 0; k < managers_.size(); ++k) managers_[k]->updateInteractions(*this);
}

// Contacts of a first step are those that their rules of activation find: what was active in another simulation does not count.
void Simulation::open() {
  if (!hasBegun())
    for (InteractionRecord& record : model_->records()) record.active = false;
  opened_ = true;
}

void Simulation::nextStep() {
  if (pending_) {
    shift();
    ++step_;
    pending_ = false;
  }
  open();
}

void Simulation::run(const std::function<void(const Simulation&, const StepStatus&)>& each) {
  if (timeDiscretisation().numberOfSteps(model_->finalT()) == std::numeric_limits<long>::max())
    fail("run() needs a final time: give the model one");
  requireSteps();
  while (hasNextEvent()) {
    if (pending_) nextStep();
    const StepStatus status = computeOneStep();
    if (each) each(*this, status);
    nextStep();
  }
}

void Simulation::measureViolation() {
  double worst = 0;
  for (const int index : index_sets_[0]) {
    const InteractionRecord& record = model_->recordAt(index);
    const Index rows = unilateralRows(*record.law);
    if (rows == 0) continue;
    const VectorView y = integratorOf(record).lawOutput(record);
    for (Index i = 0; i < rows; ++i) worst = std::max(worst, -y[i]);
  }
  status_.violation = worst;
}

int Simulation::multiplierLevel(const InteractionRecord& record) const {
  const auto system = static_cast<std::size_t>(record.system[0]);
  const bool known = system < integrator_of_system_.size() && integrator_of_system_[system] != nullptr;
  return known ? integrator_of_system_[system]->level() : 1;
}

const std::vector<int>& Simulation::indexSet(int level) const {
  if (level < 0 || level >= static_cast<int>(index_sets_.size())) fail("there is no index set %d", level);
  return index_sets_[static_cast<std::size_t>(level)];
}

}  // namespace nonsmooth::kernel
