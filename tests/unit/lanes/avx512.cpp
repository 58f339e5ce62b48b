// Compiled for processors with AVX-512, on which alone it may be called.
#include "table.hpp"

#ifdef __AVX512DQ__
const lanes_test::LaneOperations lanes_test::lanes_of_avx512 = table;
#else
const lanes_test::LaneOperations lanes_test::lanes_of_avx512{};
#endif
