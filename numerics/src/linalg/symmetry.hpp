// How symmetric a matrix is, at a cost that its first user does not notice.
#pragma once

#include <span>

#include "linalg/matrix.hpp"

namespace nonsmooth {

// As is_symmetric of a dense matrix, for every storage; ends with the first entry that has no mirror image. A square.
bool is_symmetric(const Matrix& A);
// Whether the skew part outweighs the symmetric one: its norm is more than sqrt(3) times as large, in sixteen columns and their
// rows. A square, columns one behind the other.
bool is_mostly_skew(std::span<const double> columns, std::int64_t order);

}  // namespace nonsmooth
