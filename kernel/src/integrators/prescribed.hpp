// Systems whose velocity is prescribed in part (boundary conditions).
#pragma once

#include "nonsmooth/kernel/second_order.hpp"

namespace nonsmooth::kernel {

// W with the rows and columns of prescribed velocities decoupled from the others: what answers to impulses is the rest.
LinearOperator withoutPrescribed(const LinearOperator& W, const SecondOrderDS& ds);
// Rows of prescribed velocities of columns, [dimension, count], become 0.
void clearPrescribed(const SecondOrderDS& ds, double* columns, Index count);

}  // namespace nonsmooth::kernel
