#include "integrators/acceleration_level.hpp"

#include "integrators/prescribed.hpp"
#include "modeling/small_vector.hpp"

namespace nonsmooth::kernel {

void MassFactors::compute(NonSmoothDynamicalSystem& model) {
  if (model_ != &model || systems_version_ != model.systemsVersion()) {
    const auto& systems = model.systems();
    if (model_ != &model) entries_.clear();
    entries_.resize(systems.size());
    for (std::size_t d = 0; d < systems.size(); ++d) {
      auto* ds = dynamic_cast<SecondOrderDS*>(systems[d]);
      const std::uint32_t generation = model.systemGeneration(static_cast<int>(d));
      if (ds != entries_[d].ds || generation != entries_[d].generation) entries_[d] = {ds, generation, 0, {}};
    }
    model_ = &model;
    systems_version_ = model.systemsVersion();
  }
  for (Entry& entry : entries_) {
    if (entry.ds == nullptr) continue;
    const bool constant = entry.ds->massIsConstant();
    if (constant && !entry.factor.empty() && entry.version == entry.ds->version()) continue;
    if (constant) {
      entry.factor.compute(withoutPrescribed(entry.ds->constantMass(), *entry.ds), *entry.ds);
    } else {
      entry.ds->evaluateMass(entry.ds->q(), mass_);
      if (entry.ds->boundaryConditions())
        entry.factor.compute(withoutPrescribed(LinearOperator(mass_), *entry.ds), *entry.ds);
      else
        entry.factor.compute(mass_, *entry.ds);
    }
    entry.version = entry.ds->version();
    ++version_;
  }
}

void MassFactors::solve(int system, double* columns, Index count) const {
  const Entry& entry = at(system);
  clearPrescribed(*entry.ds, columns, count);
  entry.factor.solve(columns, count);
}

void AccelerationLevel::evaluate(NonSmoothDynamicalSystem& model, double time) {
  model_ = &model;
  time_ = time;
  masses_.compute(model);
  for (std::size_t d = 0; d < masses_.size(); ++d) {
    SecondOrderDS* ds = masses_.mechanical(d);
    if (ds == nullptr) continue;
    ds->computeForces(time);
    VectorView free = ds->motion(Motion::free);
    const VectorView forces = ds->forces();
    setEach(free, [&](Index i) { return forces[i]; });
    masses_.solve(static_cast<int>(d), free.data(), 1);
  }
}

void AccelerationLevel::updateAccelerations() {
  for (std::size_t d = 0; d < masses_.size(); ++d) {
    SecondOrderDS* ds = masses_.mechanical(d);
    if (ds == nullptr) continue;
    VectorView acceleration = ds->acceleration();
    const VectorView input = ds->p(2), free = ds->motion(Motion::free);
    setEach(acceleration, [&](Index i) { return input[i]; });
    masses_.solve(static_cast<int>(d), acceleration.data(), 1);
    setEach(acceleration, [&](Index i) { return acceleration[i] + free[i]; });
  }
}

void AccelerationLevel::freeOutput(const InteractionRecord& record, VectorView q) {
  model_->outputOf(record, Motion::free, q);
  if (curvature_.size() < q.size()) curvature_.resize(q.size());
  auto curvature = curvature_.head(q.size());
  record.relation->evaluateCurvature(model_->point(record, time_, 2), curvature);
  q += curvature;
}

}  // namespace nonsmooth::kernel
