// Moreau (1988), Jean (1999); formulas in docs/decisions/0019-kernel.md.
#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/factor.hpp"
#include "integrators/prescribed.hpp"
#include "integrators/system_table.hpp"
#include "integrators/theta_of_systems.hpp"
#include "modeling/small_vector.hpp"
#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

struct MoreauJeanOSI::Work {
  struct System {
    SecondOrderDS* ds = nullptr;
    std::uint32_t generation = 0;
    LagrangianLinearTIDS* linear = nullptr;  // the same system, if its operators are constant
    double theta = 0.5;
    bool constant = false;  // W depends on h only
    double h = 0;           // of the factor
    unsigned long version = 0;
    Factor factor;
    // With boundary conditions only: W with the prescribed rows; the velocity of the iterate, then its change; the prescribed
    // changes.
    LinearOperator full;
    Vector iterate, prescribed;
    Matrix mass;             // at the iterate
    Vector lacking;          // what the equations lack with the impulses
    Vector momentum;         // Mass v
    Vector momentum_defect;  // Mass (v - v_k) - h (1 - theta) fL_k - h theta fL(iterate), at the iterate
    void respond(double* columns, Index count) const;
    void evaluateDefect(const Interval& step, bool knows_mass, Vector& room);
  };
  SystemTable<System> systems;
  ThetaOfSystems theta;
  bool at_iterate = false;     // some relation is evaluated at the iterate: not linear, or with lambda in its output
  std::vector<int> compliant;  // records of compliant relations that are not linear
  // Are masses and defects those of the present state? Users' functions are not called again for what they have told.
  bool knows_masses = false, knows_defects = false;
  Matrix W, dq, dv;
  Vector scratch, output, moved;
  void forgetState() { knows_masses = knows_defects = false; }
};

MoreauJeanOSI::MoreauJeanOSI(double theta) : theta_(theta), work_(std::make_unique<Work>()) { requireFraction(theta, "theta"); }

MoreauJeanOSI::MoreauJeanOSI(const DynamicalSystemsSet& systems, double theta, Simulation* simulation) : MoreauJeanOSI(theta) {
  for (DynamicalSystem* system : systems) Link<Simulation>(simulation)->associate(*this, *Link<DynamicalSystem>(system));
}

MoreauJeanOSI::~MoreauJeanOSI() = default;

double MoreauJeanOSI::getTheta(const DynamicalSystem& system) const { return work_->theta.of(system, theta_); }

void MoreauJeanOSI::setTheta(const DynamicalSystem& system, double theta) {
  work_->theta.set(system, theta);
  for (Work::System& s : work_->systems)
    if (s.ds == &system) s.theta = theta, s.h = 0;
}

void MoreauJeanOSI::setAverageCompliance(bool value) {
  average_compliance_ = value;
  ++response_version_;
}

// Of a compliant relation: its output moves with the positions of all its systems.
double MoreauJeanOSI::thetaOf(const InteractionRecord& record) const {
  const double theta = work_->systems.at(record.system[0]).theta;
  if (record.sides() > 1 && !(work_->systems.contains(record.system[1]) && work_->systems.at(record.system[1]).theta == theta))
    fail("relation %s links systems %d and %d: both need the same integrator and the same theta", record.relation->className(),
         static_cast<int>(record.system[0]), static_cast<int>(record.system[1]));
  return theta;
}

Matrix MoreauJeanOSI::getW(const DynamicalSystem& system) const {
  work_->systems.require(system, className());
  return iterationMatrix(system.number()).toDense(system.dimension());
}

const LinearOperator& MoreauJeanOSI::iterationMatrix(int system) const {
  const Work::System& s = work_->systems.require(system, className());
  return s.factor.requireW(*s.ds);
}

void MoreauJeanOSI::checkSystem(const DynamicalSystem& system) const {
  if (system.kind() == SystemKind::FirstOrder) fail("integrator %s does not treat system %s", className(), system.className());
}

void MoreauJeanOSI::checkInteraction(const Interaction& interaction) const {
  OneStepIntegrator::checkInteraction(interaction);
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law == LawKind::NormalCone) fail("integrator %s does not treat law %s", className(), name(law));
  // Compliant relations take part in every step, row by row, with y of positions: friction is a law of velocities.
  if (!interaction.relation().hasD()) return requireOneContact(interaction);
  if (law == LawKind::NewtonImpactFriction || law == LawKind::NewtonImpactRollingFriction)
    fail("integrator %s does not treat law %s with relation %s, whose rows are positions", className(), name(law),
         interaction.relation().className());
}

void MoreauJeanOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  work_->theta.forgetExpired();
  SystemTable<Work::System> old = std::move(work_->systems);
  work_->systems.clear(new_model.systems().size());
  Index largest = 0;
  for (const int number : systems()) {
    auto* ds = static_cast<SecondOrderDS*>(new_model.systemAt(number));
    Work::System entry;
    if (old.keeps(new_model, *ds) && !old.at(number).factor.empty()) entry = std::move(old.at(number));
    entry.ds = ds;
    entry.generation = new_model.systemGeneration(number);
    entry.linear = dynamic_cast<LagrangianLinearTIDS*>(ds);
    entry.theta = getTheta(*ds);
    for (Vector* vector : {&entry.momentum_defect, &entry.momentum, &entry.lacking}) vector->resize(ds->dimension());
    work_->systems.insert(number, std::move(entry));
    largest = std::max(largest, std::max(ds->dimension(), ds->slot().nq));
  }
  work_->scratch.setZero(largest);
}

void MoreauJeanOSI::setActivationGamma(double gamma) {
  if (!std::isfinite(gamma)) fail("gamma of the activation of contacts: %g", gamma);
  gamma_ = gamma;
}

void MoreauJeanOSI::setConstraintActivationThreshold(double threshold) {
  if (std::isnan(threshold)) fail("threshold of the activation of contacts: %g", threshold);
  threshold_ = threshold;
}

void MoreauJeanOSI::setConstraintActivationThresholdVelocity(double threshold) {
  if (std::isnan(threshold)) fail("threshold of velocities of the activation of contacts: %g", threshold);
  velocity_threshold_ = threshold;
}

void MoreauJeanOSI::interactionsChanged() {
  work_->at_iterate = false;
  work_->compliant.clear();
  Index rows = 0;
  for (std::size_t k = 0; k < model().records().size(); ++k) {
    const InteractionRecord& record = model().records()[k];
    if (record.object == nullptr || !work_->systems.contains(record.system[0])) continue;
    rows = std::max(rows, record.y.rows);
    if (record.hasD() || !record.linear) work_->at_iterate = true;
    if (record.hasD() && !record.linear) work_->compliant.push_back(static_cast<int>(k));
  }
  work_->output.setZero(rows);
  work_->moved.setZero(rows);
}

void MoreauJeanOSI::beginStep(const Interval& new_step) {
  step_ = new_step;
  work_->forgetState();
  const double h = new_step.h();
  for (Work::System& s : work_->systems) {
    SecondOrderDS& ds = *s.ds;
    VectorView v = ds.velocity();
    s.constant = ds.massIsConstant() && (s.linear != nullptr || !ds.hasForceJacobians());
    // Forces at the start of the step.
    if (s.linear != nullptr)
      s.linear->evaluateExternalForces(new_step.start, ds.motion(Motion::forceOld));
    else
      ds.evaluateForces(new_step.start, ds.q(), v, ds.motion(Motion::forceOld));
    if (!s.constant || (s.h == h && s.version == ds.version())) continue;
    const double ht = h * s.theta;
    LinearOperator W = ds.constantMass();
    if (s.linear != nullptr) W = W.plus(ht, *ds.damping()).plus(ht * ht, *ds.stiffness());
    if (ds.boundaryConditions()) s.full = W;
    s.factor.compute(withoutPrescribed(W, ds), ds);
    s.h = h;
    s.version = ds.version();
    ++response_version_;
  }
}

// Newton starts from the velocity of the start of the step and the position it leads to.
void MoreauJeanOSI::startIteration() {
  work_->forgetState();
  for (Work::System& s : work_->systems) {
    if (s.linear != nullptr && !work_->at_iterate) continue;  // nothing is evaluated at its position
    auto increment = work_->scratch.head(s.ds->dimension());
    increment = step_.h() * s.ds->velocity();
    s.ds->move(s.ds->coordinates(Coordinate::old), increment, s.ds->q());
  }
}

void MoreauJeanOSI::prepareIteration() {
  for (Work::System& s : work_->systems) {
    if (s.constant) continue;
    SecondOrderDS& ds = *s.ds;
    if (!work_->knows_masses || ds.massIsConstant()) ds.evaluateMass(ds.q(), s.mass);
    work_->W = s.mass;
    if (ds.hasForceJacobians()) {
      const double ht = step_.h() * s.theta;
      ds.evaluateForceJacobians(step_.end, ds.q(), ds.velocity(), work_->dq, work_->dv);
      work_->W -= ht * work_->dv + ht * ht * work_->dq;
    }
    if (ds.boundaryConditions()) {
      s.full = work_->W;
      s.factor.compute(withoutPrescribed(s.full, ds), ds);
    } else {
      s.factor.compute(work_->W, ds);
    }
    ++response_version_;
  }
  work_->knows_masses = true;
}

namespace {

// h C v + h^2 theta K v + h K q - h theta F+ - h (1 - theta) F
void linearDefect(LagrangianLinearTIDS& ds, double theta, const Interval& step, Vector& defect) {
  const double h = step.h();
  VectorView v = ds.motion(Motion::old), q = ds.coordinates(Coordinate::old);
  VectorView force = ds.forces(), force_old = ds.motion(Motion::forceOld);
  ds.evaluateExternalForces(step.end, force);
  const double now = -h * theta, before = h * (1 - theta);
  setEach(VectorView(defect.data(), defect.size()), [&](Index i) { return now * force[i] - before * force_old[i]; });
  if (!ds.C().isZero()) ds.C().addProduct(h, v, defect);
  if (ds.K().isZero()) return;
  ds.K().addProduct(h * h * theta, v, defect);
  ds.K().addProduct(h, q, defect);
}

}  // namespace

// Mass (v - v_k) - h (1 - theta) fL_k - h theta fL(t+, q_k + h (1 - theta) v_k + h theta v, v), at the iterate v.
void MoreauJeanOSI::Work::System::evaluateDefect(const Interval& step, bool knows_mass, Vector& room) {
  const double now = -step.h() * theta, before = step.h() * (1 - theta);
  VectorView v = ds->velocity(), v_old = ds->motion(Motion::old), force = ds->forces();
  ds->evaluateForces(step.end, ds->q(), v, force);
  momentum_defect = now * force - before * ds->motion(Motion::forceOld);
  auto change = room.head(v.size());
  change = v - v_old;
  if (ds->massIsConstant()) {
    ds->constantMass().addProduct(1.0, change, momentum_defect);
  } else {
    if (!knows_mass) ds->evaluateMass(ds->q(), mass);
    momentum_defect.noalias() += mass.lazyProduct(change);
  }
}

void MoreauJeanOSI::computeFreeState() {
  for (Work::System& s : work_->systems) {
    SecondOrderDS& ds = *s.ds;
    if (s.linear != nullptr)
      linearDefect(*s.linear, s.theta, step_, s.momentum_defect);
    else if (!work_->knows_defects)
      s.evaluateDefect(step_, work_->knows_masses, work_->scratch);
    VectorView free = ds.motion(Motion::free);
    VectorView v = s.linear != nullptr ? ds.motion(Motion::old) : ds.velocity();
    setEach(free, [&](Index i) { return -s.momentum_defect[i]; });
    if (const auto& boundary = ds.boundaryConditions()) {
      // The prescribed changes of velocity act on the other rows through the columns of the full matrix.
      boundary->computePrescribedVelocity(step_.end);
      requireFinite(boundary->prescribedVelocity().data(), boundary->prescribedVelocity().size(), "the prescribed velocity",
                    ds.number(), step_.end);
      s.iterate = v;
      const auto& indices = boundary->velocityIndices();
      s.prescribed.setZero(v.size());
      for (std::size_t k = 0; k < indices.size(); ++k)
        s.prescribed[indices[k]] = boundary->prescribedVelocity()[static_cast<Index>(k)] - v[indices[k]];
      s.full.addProduct(-1.0, s.prescribed, free);
      for (const Index j : indices) free[j] = 0;
      // What is prescribed is added after the solution.
    }
    s.factor.solve(free.data(), 1);
    if (ds.boundaryConditions()) free += s.prescribed;
    setEach(free, [&](Index i) { return free[i] + v[i]; });
  }
}

bool MoreauJeanOSI::isActive(const InteractionRecord& record) const {
  const LawKind law = record.law->kind();
  if (law == LawKind::EqualityCondition || law == LawKind::Relay || record.hasD()) return true;
  OutputStore& outputs = model().outputs();
  const double y = outputs.data(Output::y0Old)[record.y.start], rate = outputs.data(Output::y1Old)[record.y.start];
  if (y + gamma_ * step_.h() * rate > threshold_) return false;
  return !negative_velocity_only_ || rate <= velocity_threshold_;
}

Coupling MoreauJeanOSI::coupling(const InteractionRecord& record) const {
  if (!record.hasD()) return {};
  // Compliance: lambda is an impulse, y a position.
  const double h = step_.h(), theta = thetaOf(record);
  return {h * theta * (average_compliance_ ? theta : 1.0), 1.0 / h};
}

// y of the law of a compliant relation at the iterate: h(q, lambda / h), or its average over the step,
// y - (1 - theta) C (q - q_k) with q - q_k = h (theta v + (1 - theta) v_k).
void MoreauJeanOSI::compliantOutput(const InteractionRecord& record, VectorRef y) {
  const double h = step_.h(), theta = thetaOf(record);
  const RelationPoint at = model().point(record, step_.end, 1, 1.0 / h);
  record.relation->evaluateh(at, y);
  if (!average_compliance_) return;
  auto moved = work_->moved.head(y.size());
  model().outputOf(record, Motion::v, VectorView(moved.data(), moved.size()));
  y -= (1 - theta) * h * theta * moved;
  model().outputOf(record, Motion::old, VectorView(moved.data(), moved.size()));
  y -= (1 - theta) * h * (1 - theta) * moved;
}

void MoreauJeanOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  freeOutputOf(record, Motion::free, q);
  OutputStore& outputs = model().outputs();
  if (record.hasD()) {
    // y+ = h(iterate) + C (q+ - q) + D (lambda+ - lambda) / h, with q+ - q = h theta (v+ - v).
    auto y = work_->output.head(q.size());
    compliantOutput(record, y);
    const RelationPoint at = model().point(record, step_.end, 1, 1.0 / step_.h());
    q.noalias() -= model().block(record, Block::C).lazyProduct(at.v);
    q = y + coupling(record).output * q;
    q.noalias() -= model().block(record, Block::D).lazyProduct(at.lambda);
    return;
  }
  if (record.relation->hasTimeDerivative()) model().addTimeDerivative(record, model().point(record, step_.end, 1), q);
  const double* old = outputs.data(Output::y1Old) + record.y.start;
  for (Index i = 0; i < q.size(); ++i) q[i] += record.law->restitution(i) * old[i];
}

void MoreauJeanOSI::Work::System::respond(double* columns, Index count) const {
  clearPrescribed(*ds, columns, count);
  factor.solve(columns, count);
}

void MoreauJeanOSI::respond(int system, double* columns, Index count) const { work_->systems.at(system).respond(columns, count); }

void MoreauJeanOSI::updateState() {
  work_->forgetState();
  const double h = step_.h();
  for (Work::System& s : work_->systems) {
    SecondOrderDS& ds = *s.ds;
    VectorView v = ds.velocity(), v_old = ds.motion(Motion::old), free = ds.motion(Motion::free),
               impulse = ds.motion(Motion::input1);
    v = impulse;
    s.respond(v.data(), 1);
    setEach(v, [&](Index i) { return v[i] + free[i]; });
    if (const auto& boundary = ds.boundaryConditions()) {
      // What the equations of the prescribed rows lack.
      s.lacking = s.momentum_defect - impulse;
      s.iterate = v - s.iterate;
      s.full.addProduct(1.0, s.iterate, s.lacking);
      for (std::size_t k = 0; k < boundary->velocityIndices().size(); ++k)
        ds.reactionToBoundaryConditions()[static_cast<Index>(k)] = s.lacking[boundary->velocityIndices()[k]];
    }
    VectorView increment(work_->scratch.data(), v.size());
    const double theta = s.theta;
    setEach(increment, [&](Index i) { return h * (theta * v[i] + (1 - theta) * v_old[i]); });
    ds.move(ds.coordinates(Coordinate::old), increment, ds.q());
  }
}

namespace {

// What rounding leaves of the defect: v is known to its last digit only, and so are the impulses that make up for it.
double roundingOfDefect(SecondOrderDS& ds, double h, const Matrix& mass, Vector& momentum) {
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  momentum.setZero();
  if (ds.massIsConstant())
    ds.constantMass().addProduct(1.0, ds.velocity(), momentum);
  else
    momentum.noalias() = mass.lazyProduct(ds.velocity());
  return roundings * (momentum.norm() + h * ds.forces().norm() + ds.motion(Motion::input1).norm());
}

}  // namespace

VectorView MoreauJeanOSI::lawOutput(const InteractionRecord& record) {
  if (!average_compliance_ || !record.hasD()) return OneStepIntegrator::lawOutput(record);
  VectorView y(work_->output.data(), record.y.rows);
  compliantOutput(record, y);
  return y;
}

double MoreauJeanOSI::residual() {
  double worst = 0;
  for (Work::System& s : work_->systems) {
    if (s.linear != nullptr) continue;
    s.evaluateDefect(step_, work_->knows_masses, work_->scratch);
    s.lacking = s.momentum_defect - s.ds->motion(Motion::input1);
    if (const auto& boundary = s.ds->boundaryConditions())
      for (const Index k : boundary->velocityIndices()) s.lacking[k] = 0;
    const double rounding = roundingOfDefect(*s.ds, step_.h(), s.mass, s.momentum);
    // Iterates that go to infinity are no rounding.
    worst = std::max(worst, s.lacking.norm() - (std::isfinite(rounding) ? rounding : 0.0));
  }
  work_->knows_masses = work_->knows_defects = true;
  // Compliant relations at the new state against the y that the nonsmooth problem was solved for.
  for (const int index : work_->compliant) {
    const InteractionRecord& record = model().recordAt(index);
    auto y = work_->output.head(record.y.rows);
    compliantOutput(record, y);
    worst = std::max(worst, (y - model().outputs().view(Output::y1, record.y)).norm());
  }
  return worst;
}

}  // namespace nonsmooth::kernel
