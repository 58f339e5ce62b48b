// For the instructions that all processors have.
#include "sets/coulomb_lanes_table.hpp"

namespace nonsmooth {

static_assert(CoulombLanesSolver3::width == lane_count);

const CoulombLanes coulomb_lanes_of_any = table;

}  // namespace nonsmooth
