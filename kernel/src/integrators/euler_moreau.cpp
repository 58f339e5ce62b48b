// Greenhalgh, Acary, Brogliato (2013); formulas in docs/decisions/0019-kernel.md.
#include <algorithm>
#include <cmath>
#include <limits>

#include "integrators/factor.hpp"
#include "integrators/system_table.hpp"
#include "integrators/theta_of_systems.hpp"
#include "nonsmooth/kernel/first_order_relations.hpp"
#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

struct EulerMoreauOSI::Work {
  struct System {
    FirstOrderNonLinearDS* ds = nullptr;
    double theta = 0.5;
    bool constant = false;   // W depends on h only
    bool nonlinear = false;  // has an input or output by a relation that is not linear
    double h = 0;
    unsigned long version = 0;
    Factor factor;
    Vector defect;
  };
  SystemTable<System> systems;
  ThetaOfSystems theta;
  std::vector<int> nonlinear;  // records whose relation is not linear
  std::vector<Matrix> K;       // sum of dg/dx per system, where there is one
  Matrix jacobian, contribution;
  Vector scratch, output, between;
};

EulerMoreauOSI::EulerMoreauOSI(double theta) : theta_(theta), work_(std::make_unique<Work>()) { requireFraction(theta, "theta"); }

EulerMoreauOSI::EulerMoreauOSI(double theta, double gamma) : EulerMoreauOSI(theta) {
  requireFraction(gamma, "gamma");
  gamma_ = gamma;
  use_gamma_ = true;
}

EulerMoreauOSI::EulerMoreauOSI(const DynamicalSystemsSet& systems, double theta, Simulation* simulation) : EulerMoreauOSI(theta) {
  for (DynamicalSystem* system : systems) Link<Simulation>(simulation)->associate(*this, *Link<DynamicalSystem>(system));
}

EulerMoreauOSI::~EulerMoreauOSI() = default;

double EulerMoreauOSI::getTheta(const DynamicalSystem& system) const { return work_->theta.of(system, theta_); }

void EulerMoreauOSI::setTheta(const DynamicalSystem& system, double theta) {
  work_->theta.set(system, theta);
  for (Work::System& s : work_->systems)
    if (s.ds == &system) s.theta = theta, s.h = 0;
}

void EulerMoreauOSI::setUseGamma(bool value) {
  use_gamma_ = value;
  if (value) use_gamma_for_relation_ = false;
  ++response_version_;
}

void EulerMoreauOSI::setUseGammaForRelation(bool value) {
  use_gamma_for_relation_ = value;
  if (value) use_gamma_ = false;
  ++response_version_;
}

Matrix EulerMoreauOSI::getW(const DynamicalSystem& system) const {
  return work_->systems.require(system, className()).factor.requireW(system).toDense(system.dimension());
}

void EulerMoreauOSI::checkSystem(const DynamicalSystem& system) const {
  if (system.kind() != SystemKind::FirstOrder) fail("integrator %s does not treat system %s", className(), system.className());
}

void EulerMoreauOSI::initialize(NonSmoothDynamicalSystem& new_model, std::vector<int> numbers) {
  OneStepIntegrator::initialize(new_model, std::move(numbers));
  work_->theta.forgetExpired();
  work_->systems.clear(new_model.systems().size());
  for (const int number : systems()) {
    auto* ds = static_cast<FirstOrderNonLinearDS*>(new_model.systemAt(number));
    Work::System entry;
    entry.ds = ds;
    entry.theta = getTheta(*ds);
    entry.defect.setZero(ds->dimension());
    work_->systems.insert(number, std::move(entry));
  }
  interactionsChanged();
}

void EulerMoreauOSI::interactionsChanged() {
  Index largest = 1, rows = 1;
  for (const Work::System& s : work_->systems.entries()) largest = std::max(largest, s.ds->dimension());
  work_->nonlinear.clear();
  work_->K.assign(work_->systems.entries().size(), Matrix());
  for (Work::System& s : work_->systems) s.nonlinear = false;
  for (std::size_t k = 0; k < model().records().size(); ++k) {
    const InteractionRecord& record = model().records()[k];
    if (record.object == nullptr || !work_->systems.contains(record.system[0])) continue;
    const bool nonlinear = !record.relation->isLinear() && dynamic_cast<FirstOrderLinearR*>(record.relation) == nullptr;
    // Their parts of g, and the instant of their outputs, are this integrator's.
    if (record.sides() > 1 && !work_->systems.contains(record.system[1]) && (nonlinear || use_gamma_for_relation_))
      fail("relation %s links systems %d and %d, which have two integrators: here both need the same %s",
           record.relation->className(), static_cast<int>(record.system[0]), static_cast<int>(record.system[1]), className());
    if (nonlinear) {
      work_->nonlinear.push_back(static_cast<int>(k));
      for (std::size_t side = 0; side < record.sides(); ++side) work_->systems.at(record.system[side]).nonlinear = true;
    }
    largest = std::max(largest, record.totalMotion());
    rows = std::max(rows, record.y.rows);
  }
  work_->scratch.setZero(2 * largest);
  work_->between.setZero(largest);
  work_->output.setZero(rows);
}

void EulerMoreauOSI::beginStep(const Interval& new_step) {
  step_ = new_step;
  for (Work::System& s : work_->systems) {
    FirstOrderNonLinearDS& ds = *s.ds;
    ds.evaluatef(new_step.start, ds.motion(Motion::old), ds.motion(Motion::forceOld));
    const bool constant = ds.isLinear() && !s.nonlinear;
    if (constant && !s.constant) s.h = 0;  // the last W was of an iterate, with dg/dx of relations that may be gone
    s.constant = constant;
  }
}

double EulerMoreauOSI::timeOfLaws() const { return use_gamma_for_relation_ ? step_.start + gamma_ * step_.h() : step_.end; }

Coupling EulerMoreauOSI::coupling(const InteractionRecord&) const { return {outputFactor(), 1.0}; }

// At t + gamma h: gamma x + (1 - gamma) x_k.
RelationPoint EulerMoreauOSI::pointOfLaw(const InteractionRecord& record, const RelationPoint& end) {
  if (!use_gamma_for_relation_) return end;
  auto x = work_->between.head(end.x.size());
  x = gamma_ * end.x;
  Index start = 0;
  for (std::size_t side = 0; side < record.sides(); ++side) {
    x.segment(start, record.motion[side]) += (1 - gamma_) * model().systemAt(record.system[side])->motion(Motion::old);
    start += record.motion[side];
  }
  const ConstVectorView view(x.data(), x.size());
  return {timeOfLaws(), view, view, end.lambda};
}

RelationPoint EulerMoreauOSI::pointOfLaw(const InteractionRecord& record) {
  return pointOfLaw(record, model().point(record, step_.end, 0));
}

// W = M - h theta df/dx - h gamma dg/dx; gamma wherever it acts.
void EulerMoreauOSI::prepareIteration() {
  const double h = step_.h();
  // Where g(x) couples two systems W takes the blocks of each with itself; g at the iterate has the rest, so that the iteration
  // converges to the same state, by a factor h |K| each time.
  for (Matrix& K : work_->K) K.setZero();
  for (const int index : work_->nonlinear) {
    const InteractionRecord& record = model().recordAt(index);
    if (!record.relation->hasK()) continue;
    work_->contribution.setZero(record.totalMotion(), record.totalMotion());
    record.relation->evaluateK(pointOfLaw(record), work_->contribution);
    Index start = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      const Index size = record.motion[side];
      Matrix& K = work_->K[work_->systems.placeOf(record.system[side])];
      if (K.size() == 0) K.setZero(size, size);
      K += work_->contribution.block(start, start, size, size);
      start += size;
    }
  }
  for (std::size_t k = 0; k < work_->K.size(); ++k) {
    Work::System& s = work_->systems.entries()[k];
    FirstOrderNonLinearDS& ds = *s.ds;
    if (s.constant && s.h == h && s.version == ds.version()) continue;
    ds.evaluateJacobianfx(step_.end, ds.x(), work_->jacobian);
    work_->jacobian *= -h * s.theta;
    if (ds.M())
      work_->jacobian += *ds.M();
    else
      work_->jacobian.diagonal().array() += 1.0;
    if (work_->K[k].size() > 0) work_->jacobian -= h * inputFactor() * outputFactor() * work_->K[k];
    s.factor.compute(work_->jacobian, ds);
    s.h = h;
    s.version = ds.version();
    ++response_version_;
  }
}

// What g has beyond B lambda, per linked system: g(x, lambda) - B lambda. Zero for linear relations.
template <class Receiver>
void EulerMoreauOSI::forExplicitInputs(const Receiver& receive) {
  for (const int index : work_->nonlinear) {
    const InteractionRecord& record = model().recordAt(index);
    const RelationPoint at = pointOfLaw(record);
    auto g = work_->scratch.head(record.totalMotion());
    record.relation->evaluateg(at, g);
    g.noalias() -= model().block(record, Block::B).lazyProduct(at.lambda);
    receive(record.system[0], g.head(record.motion[0]));
    if (record.sides() > 1) receive(record.system[1], g.tail(record.motion[1]));
  }
}

// free = x - W^-1 (M (x - x_k) - h (1 - theta) f_k - h theta f(x, t+) - h (1 - gamma) r_k - explicit part of the inputs)
void EulerMoreauOSI::computeFreeState() {
  const double h = step_.h();
  for (Work::System& s : work_->systems) {
    FirstOrderNonLinearDS& ds = *s.ds;
    VectorView free = ds.motion(Motion::free), force = ds.motion(Motion::force);
    VectorView x = ds.x(), x_old = ds.motion(Motion::old);
    ds.evaluatef(step_.end, x, force);
    free = h * (1 - s.theta) * ds.motion(Motion::forceOld) + h * s.theta * force;
    auto change = work_->scratch.head(x.size());
    change = x - x_old;
    if (ds.M())
      free.noalias() -= ds.M()->lazyProduct(change);
    else
      free -= change;
    s.defect = -free;
    if (use_gamma_) free += h * (1 - gamma_) * ds.motion(Motion::inputOld);
  }
  const double scale = h * inputFactor();
  forExplicitInputs([&](Index system, ConstVectorRef g) { work_->systems.at(system).ds->motion(Motion::free) += scale * g; });
  for (Work::System& s : work_->systems) {
    VectorView free = s.ds->motion(Motion::free);
    s.factor.solve(free.data(), 1);
    free += s.ds->x();
  }
}

void EulerMoreauOSI::freeOutput(const InteractionRecord& record, VectorView q) {
  // q = h(S) - D lambda + C (free - x), S the iterate x, lambda; for linear relations C free + e. With gamma for relations
  // h(S_gamma) - D lambda + gamma C (free - x); for linear ones C (gamma free + (1 - gamma) x_k) + e.
  const RelationPoint iterate = model().point(record, step_.end, 0);
  freeOutputOf(record, Motion::free, q);
  q.noalias() -= model().block(record, Block::C).lazyProduct(iterate.x);
  if (use_gamma_for_relation_) q *= gamma_;
  const RelationPoint at = pointOfLaw(record, iterate);
  auto h = work_->output.head(q.size());
  record.relation->evaluateh(at, h);
  q += h;
  if (record.hasD()) q.noalias() -= model().block(record, Block::D).lazyProduct(at.lambda);
}

void EulerMoreauOSI::respond(int system, double* columns, Index count) const {
  const Work::System& s = work_->systems.at(system);
  const double scale = step_.h() * inputFactor();
  for (Index k = 0; k < count * s.ds->dimension(); ++k) columns[k] *= scale;
  s.factor.solve(columns, count);
}

void EulerMoreauOSI::updateState() {
  for (Work::System& s : work_->systems) {
    VectorView x = s.ds->x();
    x = s.ds->motion(Motion::input0);
    respond(s.ds->number(), x.data(), 1);
    x += s.ds->motion(Motion::free);
  }
}

double EulerMoreauOSI::relationResidual() {
  double worst = 0;
  for (const int index : work_->nonlinear) {
    const InteractionRecord& record = model().recordAt(index);
    auto h = work_->output.head(record.y.rows);
    record.relation->evaluateh(pointOfLaw(record), h);
    worst = std::max(worst, (h - model().outputs().view(Output::y0, record.y)).norm());
  }
  return worst;
}

// defect := M (x - x_k) - h (1 - theta) f_k - h theta f(x, t+) - h gamma B lambda - h (1 - gamma) r_k
void EulerMoreauOSI::computeDefects() {
  const double h = step_.h();
  for (Work::System& s : work_->systems) {
    if (s.constant) continue;
    FirstOrderNonLinearDS& ds = *s.ds;
    VectorView force = ds.motion(Motion::force);
    ds.evaluatef(step_.end, ds.x(), force);
    s.defect = -h * (1 - s.theta) * ds.motion(Motion::forceOld) - h * s.theta * force - h * inputFactor() * ds.r();
    if (use_gamma_) s.defect -= h * (1 - gamma_) * ds.motion(Motion::inputOld);
    auto change = work_->scratch.head(ds.dimension());
    change = ds.x() - ds.motion(Motion::old);
    if (ds.M())
      s.defect.noalias() += ds.M()->lazyProduct(change);
    else
      s.defect += change;
  }
}

namespace {

// What rounding leaves of the defect: x is known to its last digit only, and so is what makes up for it.
double roundingOfDefect(FirstOrderNonLinearDS& ds, double h, VectorRef product) {
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  if (ds.M())
    product.noalias() = ds.M()->lazyProduct(ds.x());
  else
    product = ds.x();
  return roundings * (product.norm() + h * ds.motion(Motion::force).norm() + h * ds.r().norm());
}

}  // namespace

double EulerMoreauOSI::residual() {
  double worst = relationResidual();
  computeDefects();
  // Relations that are not linear put in g itself, not its linearisation.
  const double scale = step_.h() * inputFactor();
  forExplicitInputs([&](Index system, ConstVectorRef g) { work_->systems.at(system).defect -= scale * g; });
  for (const Work::System& s : work_->systems.entries()) {
    if (s.constant) continue;
    const double rounding = roundingOfDefect(*s.ds, step_.h(), work_->scratch.head(s.ds->dimension()));
    // Iterates that go to infinity are no rounding.
    worst = std::max(worst, s.defect.norm() - (std::isfinite(rounding) ? rounding : 0.0));
  }
  return worst;
}

VectorView EulerMoreauOSI::lawOutput(const InteractionRecord& record) {
  if (!use_gamma_for_relation_) return OneStepIntegrator::lawOutput(record);
  VectorView y(work_->output.data(), record.y.rows);
  record.relation->evaluateh(pointOfLaw(record), y);
  return y;
}

void EulerMoreauOSI::endStep() {
  forExplicitInputs([&](Index system, ConstVectorRef g) { work_->systems.at(system).ds->r() += g; });
}

}  // namespace nonsmooth::kernel
