#include "nonsmooth/kernel/multiple_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "impacts/compliant_contacts.hpp"
#include "impacts/impulse_steps.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

struct OSNSMultipleImpact::Work {
  Compliance compliance = Compliance::BiStiffness;
  ContactMatrix M;
  std::vector<ContactLaw> laws;
  CompliantContacts compliant;
  ImpulseSteps impulse_steps;
  Vector before, free;       // velocities: at the start of the step, and at its end without impulses
  Vector terms;              // of the sums that velocities are
  Vector velocity, impulse;  // of the impact alone
  Vector rest, w;            // of the LCP that follows it
};

namespace {

Compliance complianceOf(const std::string& word) {
  if (word == "BiStiffness") return Compliance::BiStiffness;
  if (word == "MonoStiffness") return Compliance::MonoStiffness;
  fail("OSNSMultipleImpact: \"%s\" is neither BiStiffness nor MonoStiffness", word.c_str());
}

double requirePositive(double value, const char* what) {
  if (!(value > 0)) fail("OSNSMultipleImpact: %s = %g is not positive", what, value);
  return value;
}

ContactLaw contactLaw(const NonSmoothLaw& law) {
  if (law.kind() != LawKind::MultipleImpact) return {law.restitution(0), 1, 1};
  const auto& multiple = static_cast<const MultipleImpactNSL&>(law);
  return {multiple.e(), multiple.K(), multiple.eta()};
}

// |C| |v|
double termsOfVelocity(NonSmoothDynamicalSystem& model, const InteractionRecord& record) {
  const MatrixView C = model.block(record, Block::C);
  double sum = 0;
  Index column = 0;
  for (std::size_t side = 0; side < record.sides(); ++side) {
    const Index size = record.motion[side];
    const VectorView v = model.systemAt(record.system[side])->motion(Motion::v);
    sum += C.row(0).segment(column, size).cwiseAbs().dot(v.cwiseAbs());
    column += size;
  }
  return sum;
}

const char* name(ImpactLaw law) {
  switch (law) {
    case ImpactLaw::DarbouxKeller: return "DarbouxKeller";
    case ImpactLaw::Newton: return "Newton";
    case ImpactLaw::Poisson: return "Poisson";
  }
  return "";
}

const char* name(ImpactOutcome outcome) {
  switch (outcome) {
    case ImpactOutcome::Finished: return "finished";
    case ImpactOutcome::StepLimit: return "limit of steps";
    case ImpactOutcome::StepVanished: return "the step vanishes";
    case ImpactOutcome::NotFinite: return "values that are not finite";
  }
  return "";
}

}  // namespace

OSNSMultipleImpact::OSNSMultipleImpact(const std::string& compliance)
    : OneStepNSProblem(pivoting("")), work_(std::make_unique<Work>()) {
  work_->compliance = complianceOf(compliance);
}

OSNSMultipleImpact::OSNSMultipleImpact(const std::string& compliance, double deltaP) : OSNSMultipleImpact(compliance) {
  deltaP_ = requirePositive(deltaP, "deltaP");
}

OSNSMultipleImpact::~OSNSMultipleImpact() = default;

void OSNSMultipleImpact::setImpactLaw(ImpactLaw law) { law_ = law; }
void OSNSMultipleImpact::setAccuracy(double accuracy) {
  // Approaches up to 100 times as great count as none: beyond it the impact itself would.
  constexpr double crudest = 1e-4;
  if (!(accuracy > 0 && accuracy <= crudest)) fail("OSNSMultipleImpact: accuracy = %g is outside (0, %g]", accuracy, crudest);
  accuracy_ = accuracy;
}
void OSNSMultipleImpact::setMaxSteps(long steps) {
  if (steps < 1) fail("OSNSMultipleImpact: %ld steps", steps);
  max_steps_ = steps;
}
void OSNSMultipleImpact::setVelocityOfRest(double velocity) {
  if (!(velocity >= 0)) fail("OSNSMultipleImpact: velocity of rest %g", velocity);
  velocity_of_rest_ = velocity;
}
void OSNSMultipleImpact::setZeroTolerance(double zero, bool scaled) {
  zero_ = requirePositive(zero, "zero tolerance");
  scaled_zero_ = scaled;
}

bool OSNSMultipleImpact::accepts(LawKind kind) const {
  return kind == LawKind::MultipleImpact || (kind == LawKind::NewtonImpact && law_ != ImpactLaw::DarbouxKeller);
}

void OSNSMultipleImpact::checkIntegrator(const OneStepIntegrator& integrator) const {
  if (integrator.level() == 0 && law_ != ImpactLaw::Newton)
    fail("the impact law %s of problem %s relates velocities: integrator %s solves for positions", name(law_), className(),
         integrator.className());
}

void OSNSMultipleImpact::formulate(ProblemData& data) {
  Work& work = *work_;
  const Index contacts = getSizeOutput();
  // Blocks of one row: the rows of M as they are.
  work.M = {contacts, data.M.start->data(), data.M.column->data(), data.M.values->data()};
  work.laws.clear();
  for (const NonSmoothLaw* law : laws()) work.laws.push_back(contactLaw(*law));
  work.compliant.resize(contacts);
  work.impulse_steps.resize(contacts);
  for (Vector* values : {&work.before, &work.free, &work.terms, &work.velocity, &work.impulse, &work.rest, &work.w})
    values->setZero(contacts);
}

// q of the integrators is the free velocity plus what a law of Newton's kind adds.
void OSNSMultipleImpact::split(const AssemblyContext& context) {
  Work& work = *work_;
  for (std::size_t k = 0; k < active().size(); ++k) {
    const InteractionRecord& record = context.model->recordAt(active()[k]);
    const auto i = static_cast<Index>(k);
    work.before[i] = context.integratorOf(record.system[0]).approach(record);
    work.free[i] = q_[i] - record.law->restitution(0) * work.before[i];
    work.terms[i] = std::abs(work.before[i]) + std::abs(work.free[i]) + termsOfVelocity(*context.model, record);
    if (record.hasD() && law_ != ImpactLaw::Newton)
      fail("the impact law %s does not treat relation %s of contact %d, whose law is one of positions", name(law_),
           record.relation->className(), active()[k]);
    if (!(work.M.diagonal(i) > 0)) fail("contact %d of the impact meets no mass: M_ii = %g", active()[k], work.M.diagonal(i));
  }
}

// Darboux-Keller: impulse of the impact.
void OSNSMultipleImpact::integrate() {
  Work& work = *work_;
  const ContactNetwork network{work.M, work.laws.data(), work.compliance};
  work.velocity = work.before;
  ImpactOutcome outcome;
  double created = 0;
  if (deltaP_ > 0) {
    ImpulseSteps::Zero zero{zero_, zero_};
    if (scaled_zero_) {
      double largest = 0;
      for (Index i = 0; i < work.M.size; ++i) largest = std::max(largest, work.M.diagonal(i));
      const double speed = -work.before.minCoeff();
      zero = {zero_ * speed, zero_ * 0.5 * speed * speed / largest};
    }
    outcome = work.impulse_steps.run(network, deltaP_, zero, max_steps_, work.velocity, work.impulse);
    impact_.steps = work.impulse_steps.steps();
    created = work.impulse_steps.created();
  } else {
    outcome = work.compliant.run(network, accuracy_, max_steps_, work.velocity, work.impulse);
    impact_.steps = work.compliant.steps();
  }
  if (outcome != ImpactOutcome::Finished)
    fail("the integration over impulses ends with %s after %ld steps (M of %lld contacts)", name(outcome), impact_.steps,
         static_cast<long long>(work.M.size));
  // The law cannot create energy, constant steps that are too long can.
  if (!(created <= 0.01 * work.impulse.dot(work.before.cwiseAbs())))
    fail("the integration over impulses has created energy, %.3g J: deltaP = %g is too great", created, deltaP_);
}

// Poisson: the LCP of compression, and what expansion gives back of its impulses.
void OSNSMultipleImpact::compress() {
  Work& work = *work_;
  report_ = solveByNumerics(work.before, false, work.impulse, work.w);
  for (Index i = 0; i < work.M.size; ++i) work.impulse[i] *= 1 + work.laws[static_cast<std::size_t>(i)].restitution;
}

// Velocities that the impulses of the impact leave. Those of contacts in a ring add up to zero but for the rounding of these
// sums, and an impact leaves so little of them that it counts: a sum below zero proves that no further impulses end the approach.
// So they are raised by as much as rounding may have taken.
void OSNSMultipleImpact::applyImpulse() {
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  const Work& work = *work_;
  const bool newton = law_ == ImpactLaw::Newton;
  for (Index i = 0; i < work.M.size; ++i) {
    q_[i] = work.free[i] + work.M.timesRow(i, work.impulse);
    if (newton) q_[i] += work.laws[static_cast<std::size_t>(i)].restitution * work.before[i];
    const double terms = work.M.absoluteTimesRow(i, work.impulse);
    if (terms > 0) q_[i] += rounding * (work.terms[i] + terms);
  }
}

void OSNSMultipleImpact::solve(const AssemblyContext& context) {
  Work& work = *work_;
  split(context);
  impact_ = {};
  report_ = {};
  work.impulse.setZero();
  const bool approaching = work.before.minCoeff() < -velocity_of_rest_;
  if (approaching && law_ == ImpactLaw::DarbouxKeller) integrate();
  if (approaching && law_ == ImpactLaw::Poisson) compress();
  const SolveReport first = report_;
  applyImpulse();
  report_ = solveByNumerics(q_, false, work.rest, work.w);
  if (!first.certified) report_ = first;
  lambda_ = work.impulse + work.rest;
  impact_.momentum = lambda_.sum();
  for (Index i = 0; i < work.M.size; ++i) y_[i] = work.free[i] + work.M.timesRow(i, lambda_);
  impact_.leastVelocity = y_.minCoeff();
  impact_.kineticEnergyChange = 0.5 * lambda_.dot(work.free + y_);
}

}  // namespace nonsmooth::kernel
