// Compiled for processors with AVX-512 (DQ), on which alone it may be called.
#include "sets/coulomb_lanes_table.hpp"

namespace nonsmooth {

#ifdef __AVX512DQ__
const CoulombLanes coulomb_lanes_of_avx512 = table;
#else
const CoulombLanes coulomb_lanes_of_avx512{};
#endif

}  // namespace nonsmooth
