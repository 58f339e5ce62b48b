#include "problems/reduction.hpp"

#include "core/error.hpp"
#include "problems/condensation.hpp"
#include "problems/joint_elimination.hpp"
#include "problems/partial_condensation.hpp"

namespace nonsmooth {

std::unique_ptr<Reduction> Reduction::of(const GlobalContactData& data, bool may_keep_joints) {
  if (const double gain = may_keep_joints ? PartialCondensation::gain(data) : 0; gain > 1) try {
      return std::make_unique<PartialCondensation>(data, gain);
    } catch (const Error&) {  // M is singular, as of bodies without mass that joints carry along
    }
  try {
    if (auto elimination = JointElimination::of(data)) return elimination;
  } catch (const Error&) {  // what stands in the way is named by what the problem has
  }
  return std::make_unique<Condensation>(data);
}

}  // namespace nonsmooth
