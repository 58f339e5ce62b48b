// Schindler and Acary (2014), Mathematics and Computers in Simulation 95, 180-199; half-explicit, acceleration level.
#include <algorithm>

#include "integrators/acceleration_level.hpp"
#include "integrators/system_table.hpp"
#include "nonsmooth/kernel/d1_minus.hpp"

namespace nonsmooth::kernel {

struct D1MinusLinearOSI::Work {
  struct System {
    SecondOrderDS* ds = nullptr;
    Vector acceleration;  // at the start of the step
  };
  SystemTable<System> systems;
  AccelerationLevel accelerations;
  std::vector<char> resting;  // by row of the outputs
  bool any_resting = false;
  Vector increment, column;
};

D1MinusLinearOSI::D1MinusLinearOSI() : work_(std::make_unique<Work>()) {}
D1MinusLinearOSI::~D1MinusLinearOSI() = default;

void D1MinusLinearOSI::setTolerance(double tolerance) {
  if (!(tolerance >= 0)) fail("the tolerance of a %s is %g", className(), tolerance);
  tolerance_ = tolerance;
}

AccelerationLevel& D1MinusLinearOSI::accelerationLevel() const { return work_->accelerations; }

void D1MinusLinearOSI::checkSystem(const DynamicalSystem& system) const {
  if (system.kind() == SystemKind::FirstOrder) fail("integrator %s does not treat system %s", className(), system.className());
  if (static_cast<const SecondOrderDS&>(system).boundaryConditions())
    fail("integrator %s does not treat the boundary conditions of system %d", className(), system.number());
}

void D1MinusLinearOSI::checkInteraction(const Interaction& interaction) const {
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law != LawKind::NewtonImpact && law != LawKind::ComplementarityCondition && law != LawKind::EqualityCondition)
    fail("integrator %s does not treat law %s", className(), name(law));
  requireOneContact(interaction);
  if (interaction.relation().hasD())
    fail("integrator %s does not treat relation %s", className(), interaction.relation().className());
}

void D1MinusLinearOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  if (systems().empty()) work_->accelerations.forget();
  work_->systems.clear(new_model.systems().size());
  Index largest = 0;
  for (const int number : systems()) {
    auto* ds = static_cast<SecondOrderDS*>(new_model.systemAt(number));
    work_->systems.insert(number, {ds, Vector::Zero(ds->dimension())});
    largest = std::max(largest, ds->dimension());
  }
  work_->increment.setZero(largest);
  work_->column.setZero(largest);
}

void D1MinusLinearOSI::interactionsChanged() {
  Index end = 0;
  for (const InteractionRecord& record : model().records()) {
    if (record.object == nullptr) continue;
    end = std::max(end, record.y.start + record.y.rows);
  }
  work_->resting.assign(static_cast<std::size_t>(end), 0);
}

bool D1MinusLinearOSI::isClosed(const InteractionRecord& record) const {
  return record.law->kind() == LawKind::EqualityCondition || model().outputs().data(Output::y0)[record.y.start] <= tolerance_;
}

bool D1MinusLinearOSI::isAtRest(const InteractionRecord& record) const {
  if (record.law->kind() == LawKind::EqualityCondition) return true;
  return isClosed(record) && model().outputs().data(Output::y1)[record.y.start] <= tolerance_;
}

bool D1MinusLinearOSI::isLanding(const InteractionRecord& record) const {
  const VectorView rate = model().outputs().view(Output::y1, record.y);
  for (Index i = 0; i < rate.size(); ++i)
    if (rate[i] < 0 && record.law->restitution(i) > 0) return true;
  return false;
}

void D1MinusLinearOSI::forgetRest() {
  if (work_->any_resting) std::fill(work_->resting.begin(), work_->resting.end(), 0);
  work_->any_resting = false;
}

void D1MinusLinearOSI::detectRest(const InteractionRecord& record) {
  const MatrixView C = model().block(record, Block::C);
  const VectorView rate = model().outputs().view(Output::y1, record.y), force = model().outputs().view(Output::lambda2, record.y);
  for (Index i = 0; i < rate.size(); ++i) {
    double diagonal = 0;  // of C Mass^-1 C'
    Index start = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      const Index size = record.motion[side];
      auto column = work_->column.head(size);
      column = C.row(i).segment(start, size);
      respond(static_cast<int>(record.system[side]), column.data(), 1);
      diagonal += C.row(i).segment(start, size).dot(column);
      start += size;
    }
    const bool rests = -2 * record.law->restitution(i) * rate[i] <= step_.h() * diagonal * force[i];
    work_->resting[static_cast<std::size_t>(record.y.start + i)] = rests ? 1 : 0;
    work_->any_resting = work_->any_resting || rests;
  }
}

void D1MinusLinearOSI::startIteration() {
  const double h = step_.h();
  for (Work::System& s : work_->systems) {
    SecondOrderDS& ds = *s.ds;
    VectorView v = ds.velocity(), old = ds.motion(Motion::old);
    s.acceleration = ds.acceleration();
    v = old + h * s.acceleration;
    auto increment = work_->increment.head(v.size());
    increment = 0.5 * h * (old + v);
    ds.move(ds.coordinates(Coordinate::old), increment, ds.q());
  }
}

void D1MinusLinearOSI::computeFreeState() {
  for (Work::System& s : work_->systems)
    s.ds->motion(Motion::free) = s.ds->motion(Motion::old) + 0.5 * step_.h() * (s.acceleration + s.ds->acceleration());
}

void D1MinusLinearOSI::freeVelocity(const InteractionRecord& record, VectorView q) const {
  freeOutputOf(record, Motion::free, q);
  if (record.relation->hasTimeDerivative()) model().addTimeDerivative(record, model().point(record, step_.end, 1), q);
}

// The impact is that of the end of the step.
double D1MinusLinearOSI::approach(const InteractionRecord& record) const {
  double velocity = 0;
  if (work_->resting[static_cast<std::size_t>(record.y.start)] == 0) freeVelocity(record, VectorView(&velocity, 1));
  return velocity;
}

void D1MinusLinearOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  freeVelocity(record, q);
  for (Index i = 0; i < q.size(); ++i)
    if (work_->resting[static_cast<std::size_t>(record.y.start + i)] == 0) q[i] *= 1 + record.law->restitution(i);
}

void D1MinusLinearOSI::respond(int system, double* columns, Index count) const {
  work_->accelerations.respond(system, columns, count);
}

void D1MinusLinearOSI::updateState() {
  for (Work::System& s : work_->systems) {
    VectorView v = s.ds->velocity();
    v = s.ds->motion(Motion::input1);
    respond(s.ds->number(), v.data(), 1);
    v += s.ds->motion(Motion::free);
  }
}

}  // namespace nonsmooth::kernel
