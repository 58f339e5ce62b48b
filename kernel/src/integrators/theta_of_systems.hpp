// theta of single systems of an integrator.
#pragma once

#include <map>

#include "integrators/fraction.hpp"
#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// Those that have another theta than their integrator, for as long as they exist.
class ThetaOfSystems {
 public:
  double of(const DynamicalSystem& system, double otherwise) const {
    const auto found = values_.find(system.identity());
    return found == values_.end() ? otherwise : found->second;
  }
  void set(const DynamicalSystem& system, double theta) {
    requireFraction(theta, "theta");
    values_[system.identity()] = theta;
  }
  void forgetExpired() {
    std::erase_if(values_, [](const auto& entry) { return entry.first.expired(); });
  }

 private:
  std::map<SystemIdentity, double, std::owner_less<>> values_;
};

}  // namespace nonsmooth::kernel
