// Compiled for every processor.
#include "table.hpp"

const lanes_test::LaneOperations lanes_test::lanes_of_any = table;
