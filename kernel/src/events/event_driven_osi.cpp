#include "nonsmooth/kernel/event_driven_osi.hpp"

#include "events/smooth_motion.hpp"
#include "modeling/small_vector.hpp"

namespace nonsmooth::kernel {

EventDrivenOSI::EventDrivenOSI() : motion_(std::make_unique<SmoothMotion>()) {}
EventDrivenOSI::~EventDrivenOSI() = default;

void EventDrivenOSI::checkSystem(const DynamicalSystem& system) const {
  if (system.kind() == SystemKind::FirstOrder) fail("integrator %s does not treat system %s", className(), system.className());
  if (static_cast<const SecondOrderDS&>(system).boundaryConditions())
    fail("integrator %s does not treat boundary conditions (of system %d)", className(), system.number());
}

void EventDrivenOSI::checkInteraction(const Interaction& interaction) const {
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law != LawKind::NewtonImpact && law != LawKind::NewtonImpactFriction && law != LawKind::EqualityCondition &&
      law != LawKind::MultipleImpact)
    fail("integrator %s does not treat law %s", className(), name(law));
  if (law == LawKind::NewtonImpact && interaction.dimension() != 1)
    fail("integrator %s takes law %s of size 1: an event belongs to one contact", className(), name(law));
  if (interaction.relation().hasD())
    fail("integrator %s does not treat relation %s", className(), interaction.relation().className());
}

void EventDrivenOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  if (systems().empty()) motion_->forget();
  positions_ = velocities_ = 0;
  for (const int number : systems()) {
    const StateSlot& slot = new_model.systemAt(number)->slot();
    positions_ += slot.nq;
    velocities_ += slot.nv;
  }
  motion_->initialize(new_model);
}

void EventDrivenOSI::prepareAt(double time) {
  motion_->prepare(time);
  ++response_version_;
}

void EventDrivenOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  if (level_ == 2) return motion_->freeAcceleration(record, q);
  // w = y'+ + e y'-: y' of before the impact stands in y[1].
  q.setZero();
  if (foresight_ > 0) motion_->freeAcceleration(record, q);
  q = foresight_ * q + model().outputs().view(Output::y1, record.y);
  if (isPlastic(record)) return;
  for (Index i = 0; i < q.size(); ++i) q[i] *= 1 + record.law->restitution(i);
}

bool EventDrivenOSI::isPlastic(const InteractionRecord& record) const {
  const auto place = static_cast<std::size_t>(record.object->handle().index);
  return place < plastic_.size() && plastic_[place] != 0;
}

double EventDrivenOSI::approach(const InteractionRecord& record) const {
  return isPlastic(record) ? 0.0 : model().outputs().data(Output::y1)[record.y.start];
}

const double* EventDrivenOSI::inputMatrix(const InteractionRecord& record) const {
  return level_ == 2 ? motion_->inputOf(record) : nullptr;
}

// Friction of a sliding contact is in its input matrix.
double EventDrivenOSI::friction(const InteractionRecord& record) const {
  return inputMatrix(record) != nullptr ? 0.0 : record.law->mu();
}

void EventDrivenOSI::respond(int system, double* columns, Index count) const { motion_->apply(system, columns, count); }

void EventDrivenOSI::updateState() {
  if (level_ == 2) return motion_->updateAccelerations();
  applyImpulses();
}

void EventDrivenOSI::gather(double* q, double* v) const {
  for (const int number : systems()) {
    const DynamicalSystem& ds = *model().systemAt(number);
    const StateSlot& slot = ds.slot();
    VectorView(q, slot.nq) = ds.coordinates(Coordinate::q);
    VectorView(v, slot.nv) = ds.motion(Motion::v);
    q += slot.nq;
    v += slot.nv;
  }
}

void EventDrivenOSI::scatter(const double* q, const double* v) {
  for (const int number : systems()) {
    const DynamicalSystem& ds = *model().systemAt(number);
    const StateSlot& slot = ds.slot();
    setEach(ds.coordinates(Coordinate::q), [&](Index i) { return q[i]; });
    setEach(ds.motion(Motion::v), [&](Index i) { return v[i]; });
    // A quaternion keeps its length.
    if (ds.kind() == SystemKind::NewtonEuler) ds.coordinates(Coordinate::q).tail(4).normalize();
    q += slot.nq;
    v += slot.nv;
  }
}

void EventDrivenOSI::gatherRates(double* qdot, double* vdot) const {
  for (const int number : systems()) {
    const auto& ds = static_cast<const SecondOrderDS&>(*model().systemAt(number));
    const StateSlot& slot = ds.slot();
    VectorView rate(qdot, slot.nq);
    ds.evaluateRate(ds.q(), ds.velocity(), rate);
    VectorView(vdot, slot.nv) = ds.acceleration();
    qdot += slot.nq;
    vdot += slot.nv;
  }
}

void EventDrivenOSI::gatherAccelerations(double* vdot) const {
  for (const int number : systems()) {
    const DynamicalSystem& ds = *model().systemAt(number);
    VectorView(vdot, ds.slot().nv) = ds.motion(Motion::rate);
    vdot += ds.slot().nv;
  }
}

// T(q) v' and, of quaternions, what their own rate adds: T is linear in them.
void EventDrivenOSI::gatherSecondRates(double* out) const {
  for (const int number : systems()) {
    const auto& ds = static_cast<const SecondOrderDS&>(*model().systemAt(number));
    VectorView second(out, ds.slot().nq);
    ds.evaluateRate(ds.q(), ds.acceleration(), second);
    if (ds.kind() == SystemKind::NewtonEuler) {
      Eigen::Matrix<double, 7, 1> rate, turned;
      ds.evaluateRate(ds.q(), ds.velocity(), rate);
      ds.evaluateRate(rate, ds.velocity(), turned);
      second.tail<4>() += turned.tail<4>();
    }
    out += ds.slot().nq;
  }
}

void EventDrivenOSI::evaluate(double time, const double* q, const double* v, double* qdot, double* vdot) {
  scatter(q, v);
  motion_->evaluate(time);
  gatherRates(qdot, vdot);
  ++evaluations_;
}

}  // namespace nonsmooth::kernel
