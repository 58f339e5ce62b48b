// Compiled for processors with AVX2, on which alone it may be called.
#include "table.hpp"

#ifdef __AVX2__
const lanes_test::LaneOperations lanes_test::lanes_of_avx2 = table;
#else
const lanes_test::LaneOperations lanes_test::lanes_of_avx2{};
#endif
