// Rank of sparse columns: which of them are combinations of those before them, up to rounding.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// 1 for every column that depends on the columns before it, empty ones included. Sparse elimination of one column after the
// other: columns that meet in few rows, as those of joints do, stay sparse.
IndexVector dependent_columns(const CscMatrix& A);

}  // namespace nonsmooth
