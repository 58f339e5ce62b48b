// Schatzman and Paoli (2002); formulas in docs/decisions/0019-kernel.md.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "integrators/factor.hpp"
#include "integrators/fraction.hpp"
#include "integrators/system_table.hpp"
#include "nonsmooth/kernel/integrators.hpp"
#include "nonsmooth/kernel/lagrangian_relations.hpp"

namespace nonsmooth::kernel {

struct SchatzmanPaoliOSI::Work {
  struct System {
    LagrangianLinearTIDS* ds = nullptr;
    std::uint32_t generation = 0;
    bool started = false;
    bool first = false;                                            // the last step begun was its first one
    bool changed = false;                                          // since the step before it
    Vector start, start_older;                                     // q before it, and the q of one step before that
    double last_start = -std::numeric_limits<double>::infinity();  // of the last step, if it has not been undone
    double h = 0;
    unsigned long version = 0;
    Factor factor;
    Vector defect;
    Vector q, v;    // the last step ended with
    Vector before;  // q of one step before, whatever else has been saved in the model's memory since
    bool isChanged() const { return q != ds->q() || v != ds->velocity(); }
    // Resumed with a state that had been changed: none is the last one.
    void forgetEnd() { q.setConstant(std::numeric_limits<double>::quiet_NaN()); }
    void noteEnd() {
      q = ds->q();
      v = ds->velocity();
    }
  };
  SystemTable<System> systems;
  bool older_outputs_due = false;
};

SchatzmanPaoliOSI::SchatzmanPaoliOSI(double theta) : theta_(theta), work_(std::make_unique<Work>()) {
  requireFraction(theta, "theta");
}

SchatzmanPaoliOSI::~SchatzmanPaoliOSI() = default;

Matrix SchatzmanPaoliOSI::getW(const DynamicalSystem& system) const {
  return work_->systems.require(system, className()).factor.requireW(system).toDense(system.dimension());
}

void SchatzmanPaoliOSI::checkSystem(const DynamicalSystem& system) const {
  if (dynamic_cast<const LagrangianLinearTIDS*>(&system) == nullptr)
    fail("integrator %s does not treat system %s", className(), system.className());
  if (static_cast<const SecondOrderDS&>(system).boundaryConditions())
    fail("integrator %s does not treat the boundary conditions of system %d", className(), system.number());
}

void SchatzmanPaoliOSI::checkInteraction(const Interaction& interaction) const {
  OneStepIntegrator::checkInteraction(interaction);
  if (!interaction.relation().isLinear() || interaction.relation().hasD())
    fail("integrator %s does not treat relation %s", className(), interaction.relation().className());
  const LawKind law = interaction.nonSmoothLaw().kind();
  if (law != LawKind::NewtonImpact && law != LawKind::ComplementarityCondition && law != LawKind::EqualityCondition)
    fail("integrator %s does not treat law %s", className(), name(law));
}

void SchatzmanPaoliOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  SystemTable<Work::System> old = std::move(work_->systems);
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  work_->systems.clear(new_model.systems().size());
  for (const int number : systems()) {
    auto* ds = static_cast<LagrangianLinearTIDS*>(new_model.systemAt(number));
    Work::System entry;
    if (old.keeps(new_model, *ds)) entry = std::move(old.at(number));
    entry.ds = ds;
    entry.generation = new_model.systemGeneration(number);
    for (Vector* vector : {&entry.defect, &entry.start, &entry.start_older}) vector->setZero(ds->dimension());
    work_->systems.insert(number, std::move(entry));
  }
}

void SchatzmanPaoliOSI::beginStep(const Interval& new_step) {
  step_ = new_step;
  const double h = new_step.h();
  // Of equally spaced instants, each of which is rounded.
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::max(std::abs(new_step.start), std::abs(new_step.end));
  bool changed = false;
  for (Work::System& s : work_->systems) {
    LagrangianLinearTIDS& ds = *s.ds;
    s.last_start = new_step.start;
    s.first = !s.started;
    s.changed = s.started && s.isChanged();
    if (s.first) {
      s.start = ds.q();
      s.start_older = ds.coordinates(Coordinate::older);
      // q_{-1} = q(t0), q_0 = q(t0) + h v(t0)
      ds.coordinates(Coordinate::older) = ds.q();
      ds.q() += h * ds.velocity();
      ds.coordinates(Coordinate::old) = ds.q();
      s.started = true;
      s.noteEnd();
    } else if (s.changed) {
      ds.coordinates(Coordinate::older) = ds.q() - h * ds.velocity();
      changed = true;
    } else if (ds.coordinates(Coordinate::older) != s.before) {
      ds.coordinates(Coordinate::older) = s.before;
      changed = true;
    }
    s.before = ds.coordinates(Coordinate::older);
    ds.evaluateExternalForces(new_step.start, ds.motion(Motion::forceOld));
    const bool same_step = s.h != 0 && std::abs(s.h - h) <= rounding;
    if (same_step && s.version == ds.version()) continue;
    if (s.h != 0 && !same_step) fail("integrator %s needs a constant step: %.15g after %.15g", className(), h, s.h);
    s.factor.compute(ds.constantMass().plus(0.5 * h * theta_, ds.C()).plus(h * h * theta_, ds.K()), ds);
    s.h = h;
    s.version = ds.version();
    ++response_version_;
  }
  forgetOutputs();
  // Those of interactions that are new, or of a first step, are to be evaluated once these have matrices.
  const auto is_new = [](const InteractionRecord& record) { return record.object != nullptr && !record.fresh; };
  const auto& records = model().records();
  work_->older_outputs_due = changed || std::any_of(records.begin(), records.end(), is_new);
}

// Before a first step there are no outputs: what stands there is of another run.
void SchatzmanPaoliOSI::forgetOutputs() {
  const auto is_first = [&](Index system) { return work_->systems.contains(system) && work_->systems.at(system).first; };
  for (InteractionRecord& record : model().records())
    if (record.object != nullptr && (is_first(record.system[0]) || is_first(record.system[1]))) record.fresh = false;
}

// y at the positions of one step before.
void SchatzmanPaoliOSI::evaluateOlderOutputs() {
  const auto swap = [&] {
    for (Work::System& s : work_->systems) s.ds->q().swap(s.ds->coordinates(Coordinate::older));
  };
  swap();
  for (const InteractionRecord& record : model().records())
    if (record.object != nullptr && work_->systems.contains(record.system[0]))
      record.relation->evaluateh(model().point(record, step_.start, level()), model().outputs().view(Output::y0Older, record.y));
  swap();
}

// A first step has moved q, and what counts as q of the start of the step. It is to be a first step again, with outputs of its
// own. A state that had been changed is so still, also of systems which the step had not come to.
void SchatzmanPaoliOSI::undoStep(const Interval& failed) {
  for (Work::System& s : work_->systems) {
    const bool has_begun = s.last_start == failed.start;
    s.last_start = -std::numeric_limits<double>::infinity();
    s.first = s.first && has_begun;
    if (!has_begun) continue;
    s.noteEnd();
    if (s.changed) s.forgetEnd();
    s.before = s.ds->coordinates(Coordinate::older);
  }
  forgetOutputs();
  for (Work::System& s : work_->systems) {
    if (!s.first) continue;
    s.ds->q() = s.start;
    s.ds->coordinates(Coordinate::old) = s.start;
    s.ds->coordinates(Coordinate::older) = s.start_older;
    s.first = s.started = false;
    s.h = 0;
  }
}

void SchatzmanPaoliOSI::computeFreeState() {
  const double h = step_.h();
  if (std::exchange(work_->older_outputs_due, false)) evaluateOlderOutputs();
  for (Work::System& s : work_->systems) {
    LagrangianLinearTIDS& ds = *s.ds;
    VectorView q = ds.coordinates(Coordinate::old), older = ds.coordinates(Coordinate::older), force = ds.forces();
    ds.evaluateExternalForces(step_.end, force);
    VectorView free = ds.motion(Motion::free);
    free = older - q;
    // Summed as the formula is written: 2 q - q(before) multiplies every rounding.
    s.defect.setZero();
    ds.constantMass().addProduct(1.0, free, s.defect);
    s.defect -= h * h * (1 - theta_) * ds.motion(Motion::forceOld);
    s.defect -= h * h * theta_ * force;
    ds.C().addProduct(-0.5 * h * theta_, free, s.defect);
    ds.C().addProduct(h * h * (1 - theta_), ds.motion(Motion::old), s.defect);
    ds.K().addProduct(h * h, q, s.defect);
    free = -s.defect;
    s.factor.solve(free.data(), 1);
    free += q;
  }
}

void SchatzmanPaoliOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  freeOutputOf(record, Motion::free, q);
  OutputStore& outputs = model().outputs();
  const VectorView older = outputs.view(Output::y0Older, record.y);
  static_cast<const LagrangianLinearTIR*>(record.relation)->addConstant(q);
  for (Index i = 0; i < q.size(); ++i) q[i] += record.law->restitution(i) * older[i];
}

void SchatzmanPaoliOSI::respond(int system, double* columns, Index count) const {
  work_->systems.at(system).factor.solve(columns, count);
}

void SchatzmanPaoliOSI::updateState() {
  const double h = step_.h();
  for (Work::System& s : work_->systems) {
    LagrangianLinearTIDS& ds = *s.ds;
    VectorView q = ds.q();
    q = ds.motion(Motion::input0);
    s.factor.solve(q.data(), 1);
    q += ds.motion(Motion::free);
    ds.velocity() = (q - ds.coordinates(Coordinate::older)) / (2 * h);
    s.before = ds.coordinates(Coordinate::old);
    s.noteEnd();
  }
}

// The first step differs from all others.
void SchatzmanPaoliOSI::saveMemory(StateWriter& out) const {
  for (const Work::System& s : work_->systems.entries()) {
    out.integer(s.started ? (s.isChanged() ? 2 : 1) : 0);
    out.real(s.h);
  }
}

void SchatzmanPaoliOSI::restoreMemory(StateReader& in) {
  for (Work::System& s : work_->systems) {
    const std::int64_t started = in.integer();
    s.started = started != 0;
    s.before = s.ds->coordinates(Coordinate::old);
    s.noteEnd();
    if (started == 2) s.forgetEnd();
    s.h = in.real();
    s.version = s.ds->version() - 1;  // the factor is to be computed
  }
}

}  // namespace nonsmooth::kernel
