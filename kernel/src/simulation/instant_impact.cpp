#include "nonsmooth/kernel/instant_impact.hpp"

#include <cmath>

#include "integrators/acceleration_level.hpp"

namespace nonsmooth::kernel {

// No time passes: velocities respond to impulses by their masses.
class InstantImpact::MassOSI : public OneStepIntegrator {
 public:
  const char* className() const override { return "InstantImpact"; }
  int level() const override { return 1; }
  void checkSystem(const DynamicalSystem& system) const override {
    if (system.kind() == SystemKind::FirstOrder) fail("%s does not treat system %s", className(), system.className());
    if (static_cast<const SecondOrderDS&>(system).boundaryConditions())
      fail("%s does not treat boundary conditions (of system %d)", className(), system.number());
  }
  void checkInteraction(const Interaction& interaction) const override {
    const LawKind law = interaction.nonSmoothLaw().kind();
    if (law == LawKind::NormalCone) fail("%s does not treat law %s", className(), name(law));
    requireOneContact(interaction);
    if (interaction.relation().hasD()) fail("%s does not treat relation %s", className(), interaction.relation().className());
  }
  void prepareIteration() override {
    masses_.compute(model());
    response_version_ = masses_.version();
  }
  bool isActive(const InteractionRecord& record) const override {
    const LawKind law = record.law->kind();
    if (law == LawKind::EqualityCondition || law == LawKind::Relay) return true;
    return model().outputs().data(Output::y0)[record.y.start] <= gap;
  }
  void freeOutput(const InteractionRecord& record, VectorView q) override {
    q = model().outputs().view(Output::y1Old, record.y);
    for (Index i = 0; i < q.size(); ++i) q[i] *= 1 + record.law->restitution(i);
  }
  void respond(int system, double* columns, Index count) const override { masses_.solve(system, columns, count); }
  void updateState() override { applyImpulses(); }
  void beginStep(const Interval&) override {}
  void startIteration() override {}
  void computeFreeState() override {}
  double residual() override { return 0; }

  double gap = 0;

 private:
  MassFactors masses_;
};

InstantImpact::InstantImpact(Link<NonSmoothDynamicalSystem> model, Link<OneStepNSProblem> problem)
    : model_(std::move(model)), problem_(std::move(problem)), integrator_(std::make_unique<MassOSI>()) {}

InstantImpact::~InstantImpact() = default;

void InstantImpact::setClosedGap(double gap) {
  if (std::isnan(gap)) fail("gap of closed contacts: %g", gap);
  gap_ = gap;
}

void InstantImpact::bind() {
  // It may have served another at this address.
  if (!bound_) problem_->forget();
  std::vector<int> numbers;
  for (const DynamicalSystem* system : model_->systems()) {
    if (system == nullptr) continue;
    integrator_->checkSystem(*system);
    numbers.push_back(system->number());
  }
  integrator_of_system_.assign(model_->systems().size(), integrator_.get());
  integrator_->initialize(*model_, std::move(numbers));
  for (const InteractionRecord& record : model_->records()) {
    if (record.object == nullptr) continue;
    integrator_->checkInteraction(*record.object);
    problem_->checkLaw(*record.law);
  }
  ++jacobian_version_;
  topology_ = model_->topologyVersion();
  bound_ = true;
}

// Gaps, velocities of the contacts, and which are closed.
void InstantImpact::evaluateOutputs(double time) {
  OutputStore& outputs = model_->outputs();
  closed_.clear();
  for (std::size_t k = 0; k < model_->records().size(); ++k) {
    InteractionRecord& record = model_->records()[k];
    if (record.object == nullptr) continue;
    model_->evaluateOutputs(record, model_->point(record, time, 1));
    record.fresh = true;
    outputs.view(Output::lambda1, record.y).setZero();
    record.active = integrator_->isActive(record);
    if (record.active) closed_.push_back(static_cast<int>(k));
  }
  outputs.save();
}

// Velocities of all contacts after the impact.
void InstantImpact::updateOutputs() {
  OutputStore& outputs = model_->outputs();
  for (const InteractionRecord& record : model_->records()) {
    if (record.object == nullptr) continue;
    VectorView rate = outputs.view(Output::y1, record.y);
    model_->outputOf(record, Motion::free, rate);
    rate += outputs.view(Output::y1Old, record.y);
  }
}

SolveReport InstantImpact::compute(double time) {
  if (!bound_ || topology_ != model_->topologyVersion()) bind();
  model_->states().save();
  integrator_->gap = gap_;
  integrator_->prepareIteration();
  evaluateOutputs(time);
  AssemblyContext context;
  context.model = model_.get();
  context.owner = this;
  context.integrator_of_system = &integrator_of_system_;
  context.response_version = integrator_->responseVersion();
  context.jacobian_version = jacobian_version_ + model_->matricesVersion();
  const SolveReport report = problem_->compute(context, closed_);
  if (!report.certified)
    fail("no certified solution of the impact at t = %.17g: %s, residual %.3g", time, report.outcome, report.residual);
  model_->gatherInputs(1, closed_);
  integrator_->updateState();
  updateOutputs();
  return report;
}

}  // namespace nonsmooth::kernel
