#include "problems/reduction.hpp"

#include "core/error.hpp"
#include "problems/condensation.hpp"
#include "problems/joint_elimination.hpp"
#include "problems/partial_condensation.hpp"

namespace nonsmooth {
namespace {

// Null where M is singular, as of bodies without mass that joints carry along, or responses are left.
std::unique_ptr<Reduction> with_kept_joints(const GlobalContactData& data, double gain, ComponentFactor::Responses responses) {
  try {
    return std::make_unique<PartialCondensation>(data, gain, responses);
  } catch (const Error&) {
    return nullptr;
  }
}

// Null where that is not to be had; if something stands in the way that the problem has itself, its condensation names it.
std::unique_ptr<Reduction> with_eliminated_joints(const GlobalContactData& data) {
  try {
    return JointElimination::of(data);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

// Joints that are kept let W fall into blocks of bodies; those of bodies that are so thin that nobody forms their W are
// eliminated.
std::unique_ptr<Reduction> Reduction::of(const GlobalContactData& data, bool may_keep_joints) {
  const double gain = may_keep_joints ? PartialCondensation::gain(data) : 0;
  std::unique_ptr<Reduction> found;
  if (gain > 1) found = with_kept_joints(data, gain, ComponentFactor::Responses::may_be_left);
  if (found == nullptr) found = with_eliminated_joints(data);
  if (found == nullptr && gain > 1) found = with_kept_joints(data, gain, ComponentFactor::Responses::prepared);
  return found != nullptr ? std::move(found) : std::make_unique<Condensation>(data);
}

}  // namespace nonsmooth
