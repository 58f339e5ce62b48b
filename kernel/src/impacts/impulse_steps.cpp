#include "impacts/impulse_steps.hpp"

#include <cmath>

namespace nonsmooth::kernel {

void ImpulseSteps::resize(Index contacts) {
  for (Vector* each : {&energy_, &compression_, &scale_, &power_, &increment_}) each->setZero(contacts);
}

// Force, up to a factor, of a contact with that energy. Linear springs (eta = 1) have the power 1/2, whose root is not a matter
// of pow(), which is most of a step.
double ImpulseSteps::force(Index i, double energy) const {
  return scale_[i] * (power_[i] == 0.5 ? std::sqrt(energy) : std::pow(energy, power_[i]));
}

// The primary contact and its force: from its energy or, where no contact has any, from its velocity. False when the impact is
// over: no energy is left and no contact approaches.
bool ImpulseSteps::findPrimary(const Vector& velocity) {
  Index charged = 0, approaching = 0;
  for (Index i = 1; i < velocity.size(); ++i) {
    if (energy_[i] > energy_[charged]) charged = i;
    if (velocity[i] < velocity[approaching]) approaching = i;
  }
  charged_ = energy_[charged] > zero_.energy;
  primary_ = charged_ ? charged : approaching;
  const double measure = charged_ ? energy_[primary_] : -velocity[primary_];
  primary_force_ = force(primary_, measure);
  return charged_ || velocity[approaching] < -zero_.velocity;
}

// dP_i / deltaP. A contact under load has the force scale E^power; one that begins to be loaded, the work |u_i| dP_i of this very
// step, which gives an equation for dP_i (loc. cit., section 3).
double ImpulseSteps::share(Index i, double velocity, double deltaP) const {
  if (i == primary_) return 1;
  if (energy_[i] > zero_.energy) return force(i, energy_[i]) / primary_force_;
  if (velocity >= -zero_.velocity) return 0;
  const double eta = laws_[i].exponent, eta_primary = laws_[primary_].exponent;
  if (charged_) return std::pow(force(i, -velocity * deltaP) / primary_force_, 1 + eta);
  return std::pow(force(i, -velocity) / primary_force_, 1 + eta) * std::pow(deltaP, (eta - eta_primary) / (1 + eta_primary));
}

// work > 0 loads the contact. A step in which the velocity changes its sign counts as loading or as unloading, by what is more.
void ImpulseSteps::addWork(Index i, double before, double velocity) {
  const double kept = laws_[i].restitution * laws_[i].restitution, work = -0.5 * (before + velocity) * increment_[i];
  if (work >= 0) {
    if (before < 0 && velocity > 0) created_ += (1 - kept) * 0.5 * velocity * velocity / (velocity - before) * increment_[i];
    energy_[i] += work;
    compression_[i] += work;
  } else if (compliance_ == Compliance::MonoStiffness) {
    energy_[i] += work;
  } else {
    energy_[i] = kept > 0 ? energy_[i] + work / kept : 0;
    if (kept == 0) created_ -= work;
  }
  if (compliance_ == Compliance::MonoStiffness && velocity > 0 && energy_[i] <= (1 - kept) * compression_[i]) {
    created_ += (1 - kept) * compression_[i] - energy_[i];
    energy_[i] = compression_[i] = 0;
  }
  if (energy_[i] < 0) {
    created_ -= compliance_ == Compliance::MonoStiffness ? energy_[i] : kept * energy_[i];
    energy_[i] = 0;
  }
}

ImpactOutcome ImpulseSteps::run(const ContactNetwork& network, double deltaP, const Zero& zero, long max_steps, Vector& velocity,
                                Vector& impulse) {
  laws_ = network.laws;
  compliance_ = network.compliance;
  zero_ = zero;
  energy_.setZero();
  compression_.setZero();
  impulse.setZero();
  created_ = 0;
  for (Index i = 0; i < velocity.size(); ++i) {
    const double eta = laws_[i].exponent;
    power_[i] = eta / (1 + eta);
    scale_[i] = std::pow(1 + eta, power_[i]) * std::pow(laws_[i].stiffness, 1 / (1 + eta));
  }
  for (steps_ = 0; findPrimary(velocity); ++steps_) {
    if (steps_ == max_steps) return ImpactOutcome::StepLimit;
    for (Index i = 0; i < velocity.size(); ++i) increment_[i] = share(i, velocity[i], deltaP) * deltaP;
    double sum = 0;
    for (Index i = 0; i < velocity.size(); ++i) {
      const double before = velocity[i];
      velocity[i] += network.M.timesRow(i, increment_);
      addWork(i, before, velocity[i]);
      impulse[i] += increment_[i];
      sum += velocity[i];
    }
    if (!std::isfinite(sum)) return ImpactOutcome::NotFinite;
  }
  return ImpactOutcome::Finished;
}

}  // namespace nonsmooth::kernel
