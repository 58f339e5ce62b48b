#include "nonsmooth/kernel/one_step_integrator.hpp"

namespace nonsmooth::kernel {

OneStepIntegrator::~OneStepIntegrator() = default;

void OneStepIntegrator::insertDynamicalSystem(DynamicalSystem& system) {
  checkSystem(system);
  bound_.insert(system.identity());
  has_bound_ = true;
}

bool OneStepIntegrator::owns(const DynamicalSystem& system) const { return bound_.contains(system.identity()); }

void OneStepIntegrator::checkInteraction(const Interaction& interaction) const {
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law == LawKind::MultipleImpact && level() != 1) fail("integrator %s does not treat law %s", className(), name(law));
}

void OneStepIntegrator::requireOneContact(const Interaction& interaction) const {
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law == LawKind::MixedComplementarityCondition)
    fail(
        "integrator %s does not treat law %s: its equalities hold always, its other rows where contacts are closed; make them "
        "interactions of their own",
        className(), name(law));
  if ((law == LawKind::NewtonImpact || law == LawKind::ComplementarityCondition) && interaction.dimension() != 1)
    fail("integrator %s takes law %s of size 1, not %lld: contacts open and close one by one; make each row an interaction",
         className(), name(law), static_cast<long long>(interaction.dimension()));
}

// Others may stand at the addresses of the model before and of its systems.
void OneStepIntegrator::bind(NonSmoothDynamicalSystem& model) {
  initialize(model, {});
  ++binding_;
}

void OneStepIntegrator::initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) {
  model_ = &model;
  systems_ = std::move(systems);
  std::erase_if(bound_, [](const SystemIdentity& system) { return system.expired(); });
  ++response_version_;
}

bool OneStepIntegrator::isActive(const InteractionRecord&) const { return true; }

Coupling Formulation::coupling(const InteractionRecord&) const { return {}; }

double OneStepIntegrator::approach(const InteractionRecord& record) const {
  return model_->outputs().data(Output::y1Old)[record.y.start];
}

const LinearOperator& OneStepIntegrator::iterationMatrix(int) const {
  fail("integrator %s has no iteration matrix", className());
}

void OneStepIntegrator::applyImpulses() {
  for (const int number : systems_) {
    DynamicalSystem& ds = model_->dynamicalSystem(number);
    VectorView change = ds.motion(Motion::free);
    change = ds.motion(Motion::input1);
    respond(number, change.data(), 1);
    ds.motion(Motion::v) += change;
  }
}

void OneStepIntegrator::freeOutputOf(const InteractionRecord& record, Motion field, VectorView q) const {
  model_->outputOf(record, field, q);
}

}  // namespace nonsmooth::kernel
