#include "impacts/compliant_contacts.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth::kernel {
namespace {

// Restitution whose square is rounding: nothing is given back.
constexpr double no_restitution = 1e-10;
constexpr double least_step = 1e-15;
// Approaches that count as none, over the error allowed in a step: what follows from them is below the error of the whole.
constexpr double zero_factor = 100;

// Dormand and Prince (1980), table 2: stages, and the difference of the two formulas. The last stage is the first of the next
// step.
constexpr double stage_weights[6][6] = {{1.0 / 5},
                                        {3.0 / 40, 9.0 / 40},
                                        {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                        {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                        {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                        {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
constexpr double error_weights[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

double power(double base, double exponent) {
  if (base <= 0) return 0;
  if (exponent == 1) return base;
  if (exponent == 1.5) return base * std::sqrt(base);
  return std::pow(base, exponent);
}

}  // namespace

void CompliantContacts::resize(Index contacts) {
  contacts_.resize(static_cast<std::size_t>(contacts));
  for (State* each : {&state_, &trial_})
    for (Vector* values : {&each->impulse, &each->indentation, &each->work}) values->setZero(contacts);
  for (State& each : slope_)
    for (Vector* values : {&each.impulse, &each.indentation, &each.work}) values->setZero(contacts);
  for (Vector* values : {&start_, &velocity_, &before_}) values->setZero(contacts);
}

void CompliantContacts::scale(const ContactNetwork& network, const Vector& velocity) {
  M_ = network.M;
  mono_ = network.compliance == Compliance::MonoStiffness;
  speed_ = -velocity.minCoeff();
  double largest = 0;
  for (Index i = 0; i < M_.size; ++i) largest = std::max(largest, M_.diagonal(i));
  mass_ = 1 / largest;
  const double energy = 0.5 * mass_ * speed_ * speed_;
  const auto indentation = [&](const ContactLaw& law) {
    return std::pow((law.exponent + 1) * energy / law.stiffness, 1 / (law.exponent + 1));
  };
  double least = indentation(network.laws[0]);
  for (Index i = 1; i < M_.size; ++i) least = std::min(least, indentation(network.laws[i]));
  for (Index i = 0; i < M_.size; ++i) {
    const ContactLaw& law = network.laws[i];
    const double kept = law.restitution > no_restitution ? law.restitution * law.restitution : 0;
    contacts_[static_cast<std::size_t>(i)] = {kept, law.exponent, least / indentation(law), std::sqrt(mass_ * M_.diagonal(i)),
                                              false};
  }
  for (Vector* values : {&state_.impulse, &state_.indentation, &state_.work}) values->setZero();
  start_ = velocity / speed_;
  velocity_ = before_ = start_;
}

// Derivatives at a state; velocity_ becomes the velocity there.
void CompliantContacts::slope(const State& at, State& out) {
  for (Index i = 0; i < M_.size; ++i) {
    const Contact& contact = contacts_[static_cast<std::size_t>(i)];
    const double u = velocity_[i] = start_[i] + mass_ * M_.timesRow(i, at.impulse), x = at.indentation[i];
    out.impulse[i] = 0.5 * (contact.exponent + 1) * contact.rate * power(x, contact.exponent);
    double& rate = out.indentation[i];
    rate = -contact.rate * u;
    if (u > 0 && x <= 0 && !contact.closed)
      rate = 0;
    else if (u > 0 && !mono_ && contact.kept > 0)
      rate /= contact.kept;
    if (mono_) out.work[i] = 2 * out.impulse[i] * std::max(-u, 0.0);
  }
}

void CompliantContacts::combine(double h, int count, const double* weights, State& out) const {
  const auto sum = [&](Vector State::*field) {
    out.*field = state_.*field;
    for (int k = 0; k < count; ++k)
      if (weights[k] != 0) out.*field += (h * weights[k]) * (slope_[static_cast<std::size_t>(k)].*field);
  };
  sum(&State::impulse);
  sum(&State::indentation);
  if (mono_) sum(&State::work);
}

// Greatest error of the step over what is allowed. Impulses are weighed so that their energies are alike.
double CompliantContacts::error(double h) const {
  const auto of = [&](Vector State::*field, Index i, double weight) {
    double sum = 0;
    for (std::size_t k = 0; k < slope_.size(); ++k) sum += error_weights[k] * (slope_[k].*field)[i];
    return std::abs(h * sum * weight) / (1 + std::abs((state_.*field)[i] * weight));
  };
  double worst = 0, sum = 0;
  for (Index i = 0; i < M_.size; ++i) {
    const double each = std::max({of(&State::impulse, i, contacts_[static_cast<std::size_t>(i)].weight),
                                  of(&State::indentation, i, 1.0), mono_ ? of(&State::work, i, 1.0) : 0.0});
    worst = std::max(worst, each);
    sum += each;
  }
  return std::isfinite(sum) ? worst / tolerance_ : 1e300;
}

// A step of length h from state_ to trial_; velocity_ becomes that of trial_. Returns the error.
double CompliantContacts::attempt(double h) {
  for (int k = 0; k < stages - 1; ++k) {
    combine(h, k + 1, stage_weights[k], trial_);
    slope(trial_, slope_[static_cast<std::size_t>(k) + 1]);
  }
  return error(h);
}

// Above 0 a contact gives nothing back any more: it opens, and has given back its share.
double CompliantContacts::excess(const State& at, const Vector& velocity, Index i) const {
  const Contact& contact = contacts_[static_cast<std::size_t>(i)];
  if (contact.kept == 0) return velocity[i];
  if (!mono_) return -1;
  return std::min(velocity[i], (1 - contact.kept) * at.work[i] - power(at.indentation[i], contact.exponent + 1));
}

// Where a contact breaks off within the step: the part of the step that leads there, by linear interpolation; else 1.
double CompliantContacts::release() const {
  double part = 1;
  for (Index i = 0; i < M_.size; ++i) {
    if (state_.indentation[i] <= 0 && trial_.indentation[i] <= 0) continue;
    const double end = excess(trial_, velocity_, i);
    if (end <= tolerance_) continue;
    const double start = std::min(excess(state_, before_, i), 0.0);
    part = std::min(part, std::clamp((0.5 * tolerance_ - start) / (end - start), 0.01, 0.99));
  }
  return part;
}

// Contacts that have opened or broken off; true where slopes change by it.
bool CompliantContacts::settle() {
  bool changed = false;
  for (Index i = 0; i < M_.size; ++i) {
    double& x = state_.indentation[i];
    if (x < 0 || (x > 0 && excess(state_, velocity_, i) >= 0)) {
      x = state_.work[i] = 0;
      changed = true;
    }
    contacts_[static_cast<std::size_t>(i)].closed = x > 0;
  }
  return changed;
}

bool CompliantContacts::finished() const {
  const double zero = zero_factor * tolerance_;
  for (Index i = 0; i < M_.size; ++i)
    if (velocity_[i] < -zero || power(state_.indentation[i], contacts_[static_cast<std::size_t>(i)].exponent + 1) > zero * zero)
      return false;
  return true;
}

ImpactOutcome CompliantContacts::integrate(long max_steps) {
  double h = 1e-3;
  slope(state_, slope_[0]);
  for (steps_ = 0; steps_ < max_steps; ++steps_) {
    const double defect = attempt(h);
    const double part = defect <= 1 ? release() : std::max(0.1, 0.9 * std::pow(defect, -0.2));
    if (part < 1) {
      h *= part;
      if (h < least_step) return ImpactOutcome::StepVanished;
      continue;
    }
    std::swap(state_, trial_);
    std::swap(slope_.front(), slope_.back());
    if (settle()) slope(state_, slope_.front());
    before_ = velocity_;
    if (finished()) return ImpactOutcome::Finished;
    h *= std::min(5.0, 0.9 * std::pow(std::max(defect, 1e-10), -0.2));
  }
  return ImpactOutcome::StepLimit;
}

ImpactOutcome CompliantContacts::run(const ContactNetwork& network, double tolerance, long max_steps, Vector& velocity,
                                     Vector& impulse) {
  steps_ = 0;
  impulse.setZero();
  if (!velocity.allFinite()) return ImpactOutcome::NotFinite;
  if (velocity.minCoeff() >= 0) return ImpactOutcome::Finished;
  tolerance_ = tolerance;
  scale(network, velocity);
  const ImpactOutcome outcome = integrate(max_steps);
  impulse = (mass_ * speed_) * state_.impulse;
  velocity = speed_ * velocity_;
  return outcome;
}

}  // namespace nonsmooth::kernel
