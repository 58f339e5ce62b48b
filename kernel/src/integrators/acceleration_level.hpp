// Mechanical systems at the level of accelerations and forces.
#pragma once

#include "integrators/factor.hpp"
#include "nonsmooth/kernel/one_step_integrator.hpp"

namespace nonsmooth::kernel {

// Factors of the masses of all mechanical systems of a model.
class MassFactors {
 public:
  // Those of another model are next: it may stand at the address of the last one.
  void forget() { model_ = nullptr; }
  // At the present configurations; constant masses are factored once.
  void compute(NonSmoothDynamicalSystem& model);
  // columns := Mass^-1 columns, [dimension, count]; velocities that are prescribed answer to nothing.
  void solve(int system, double* columns, Index count) const;
  // Changes whenever one of them does.
  unsigned long version() const { return version_; }
  // The mechanical systems among systems(), by number; null for others.
  SecondOrderDS* mechanical(std::size_t number) const { return entries_[number].ds; }
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    SecondOrderDS* ds = nullptr;
    std::uint32_t generation = 0;  // of its place
    unsigned long version = 0;
    Factor factor;
  };
  const Entry& at(int system) const { return entries_[static_cast<std::size_t>(system)]; }
  std::vector<Entry> entries_;
  Matrix mass_;
  const NonSmoothDynamicalSystem* model_ = nullptr;
  unsigned long systems_version_ = 0, version_ = 0;
};

// Mass a = fL + C' lambda[2],   y[2] = C a + Cdot v:
//   M = C Mass^-1 C',   q = C Mass^-1 fL + Cdot v   (no restitution: a law on y[2] as it stands).
// Outputs and Jacobians of the interactions are those of the present state (they are not evaluated here).
class AccelerationLevel : public Formulation {
 public:
  int level() const override { return 2; }
  void forget() { masses_.forget(); }
  // Masses, forces and accelerations without reactions at the present state.
  void evaluate(NonSmoothDynamicalSystem& model, double time);
  void evaluateMasses(NonSmoothDynamicalSystem& model) { masses_.compute(model); }
  // acceleration() of all systems from their p[2].
  void updateAccelerations();
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  void respond(int system, double* columns, Index count) const override { masses_.solve(system, columns, count); }
  unsigned long responseVersion() const { return masses_.version(); }

 private:
  MassFactors masses_;
  NonSmoothDynamicalSystem* model_ = nullptr;
  double time_ = 0;
  Vector curvature_;
};

}  // namespace nonsmooth::kernel
