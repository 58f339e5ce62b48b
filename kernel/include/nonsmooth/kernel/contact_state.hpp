// Interactions as output shows them.
#ifndef NONSMOOTH_KERNEL_CONTACT_STATE_HPP
#define NONSMOOTH_KERNEL_CONTACT_STATE_HPP

#include <array>
#include <functional>
#include <optional>

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// Which contacts are looked at: those in the index set of the last step, or all.
enum class ContactChoice {
  Active,  // index set 1 as of the last step
  All
};

// One interaction as of the last step: y(0), y(1) and lambda(level) of `interaction` are its gap, relative velocity and
// multiplier.
struct ContactState {
  const Interaction& interaction;  // its handle() tells its number and generation
  int level;                       // of the multipliers: 1, impulses, or 0
  std::array<Index, 2> system;     // numbers of the systems, -1 for the outside
  // Was it in the index set of the last step?
  bool active;
  bool mechanical;                    // y(1) is a velocity
  std::optional<ContactFrame> frame;  // where the relation knows it

  // On the first body, in the inertial frame: lambda along normal and tangents. Needs a frame.
  Vector3 impulse() const;
};

// In the order of the model's records.
void forEachContact(const Simulation& simulation, ContactChoice choice, const std::function<void(const ContactState&)>& visit);

}  // namespace nonsmooth::kernel
#endif
