// Whether what is recorded is still there.
#pragma once

#include "nonsmooth/kernel/dynamical_system.hpp"

namespace nonsmooth::kernel {

// True until the system leaves the model it was in, which may have been all that kept the object.
class Presence {
 public:
  explicit Presence(const DynamicalSystem& system)
      : system_(&system), identity_(system.identity()), inserted_(system.number() >= 0) {}
  bool operator()() const { return !identity_.expired() && !(inserted_ && system_->number() < 0); }

 private:
  const DynamicalSystem* system_;
  SystemIdentity identity_;
  bool inserted_;
};

}  // namespace nonsmooth::kernel
