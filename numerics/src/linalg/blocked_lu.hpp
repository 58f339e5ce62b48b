// LU with row exchanges of a large dense block in column-major storage, its columns shared by threads.
#pragma once

#include <cstdint>

#include "core/patience.hpp"
#include "core/workers.hpp"

namespace nonsmooth {

// A = P L U of order n in place, as LAPACK's getrf, float or double; pivot: n entries from 1 on. Right-looking by panels; the
// columns behind a panel are updated in parts that do not depend on the number of threads, so that the bits do not either. false
// if a pivot is 0, or once patience ends. workers and patience may be nullptr. Allocates nothing.
bool factorise_blocked(double* A, std::int32_t n, std::int32_t stride, std::int32_t* pivot, Workers* workers,
                       Patience* patience = nullptr);
bool factorise_blocked(float* A, std::int32_t n, std::int32_t stride, std::int32_t* pivot, Workers* workers,
                       Patience* patience = nullptr);

}  // namespace nonsmooth
