// Compiled for processors with AVX2, on which alone it may be called.
#include "sets/coulomb_lanes_table.hpp"

namespace nonsmooth {

#ifdef __AVX2__
const CoulombLanes coulomb_lanes_of_avx2 = table;
#else
const CoulombLanes coulomb_lanes_of_avx2{};
#endif

}  // namespace nonsmooth
