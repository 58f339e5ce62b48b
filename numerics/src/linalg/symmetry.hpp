// How symmetric a matrix is, at a cost that its first user does not notice.
#pragma once

#include <span>

#include "linalg/matrix.hpp"

namespace nonsmooth {

// As is_symmetric of a dense matrix, for every storage; ends with the first entry that has no mirror image. A square.
bool is_symmetric(const Matrix& A);
// The same, but a_ij and a_ji may differ by rounding against sqrt(a_ii a_jj): sums of element matrices do where they cancel. Rows
// ascend in every column.
bool is_assembled_symmetric(const CscMatrix& A);
// What is stored has its mirror image, whatever the values are; they need not be there.
bool has_symmetric_pattern(const CscMatrix& A);
// Share |K|^2 / (|S|^2 + |K|^2) of the skew part, in sixteen columns and their rows; 0 for a zero matrix. A square, columns one
// behind the other.
double skew_share(std::span<const double> columns, std::int64_t order);
double skew_share(const Matrix& A);
// Whether the skew part outweighs the symmetric one: its norm is more than sqrt(3) times as large.
constexpr double most_symmetric_skew_share = 0.75;
inline bool is_mostly_skew(std::span<const double> columns, std::int64_t order) {
  return skew_share(columns, order) > most_symmetric_skew_share;
}
inline bool is_mostly_skew(const Matrix& A) { return skew_share(A) > most_symmetric_skew_share; }

}  // namespace nonsmooth
