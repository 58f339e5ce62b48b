#include "nonsmooth/kernel/contact_state.hpp"

namespace nonsmooth::kernel {

Vector3 ContactState::impulse() const {
  const VectorView lambda = interaction.lambda(level);
  Vector3 sum = lambda[0] * frame->normal;
  if (frame->directions > 1) sum += lambda[1] * frame->tangent1;
  if (frame->directions > 2) sum += lambda[2] * frame->tangent2;
  return sum;
}

void forEachContact(const Simulation& simulation, ContactChoice choice, const std::function<void(const ContactState&)>& visit) {
  const NonSmoothDynamicalSystem& model = simulation.nonSmoothDynamicalSystem();
  for (const InteractionRecord& record : model.records()) {
    if (record.object == nullptr || (choice == ContactChoice::Active && !record.active)) continue;
    const bool mechanical = record.relation->family() != RelationFamily::FirstOrder;
    visit({*record.object, simulation.multiplierLevel(record), record.system, record.active, mechanical,
           record.relation->contactFrame()});
  }
}

}  // namespace nonsmooth::kernel
