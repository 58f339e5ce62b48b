// Rows that no z >= 0 can satisfy, looked for before anything else: what proves them to be such is a look at their signs.
#pragma once

#include <cstdint>

#include "problems/inclusion.hpp"

namespace nonsmooth {

// Of an LCP with a dense M: a row without a positive entry and with q_i < 0 has w_i <= q_i for every z >= 0 (a test of presolvers,
// Andersen and Andersen 1995). Its number; -1 if there is none beyond the tolerance, and for other problems. Looks at the diagonal
// first: seldom more than O(n).
std::int64_t find_impossible_row(const Inclusion& view, double tolerance);

}  // namespace nonsmooth
