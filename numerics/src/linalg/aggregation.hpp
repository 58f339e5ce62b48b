// Pairs of strongly coupled unknowns, twice: aggregates of about four, for problems on graphs without a grid.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// All entries off the diagonal are zero or negative.
bool is_z_matrix(const CscMatrix& A);

struct Aggregation {
  IndexVector aggregate;  // of each unknown
  std::int32_t count = 0;
};

// Each unknown with the neighbour yet alone of most negative entry in its column (Notay 2010 without his quality test).
Aggregation aggregate_pairs(const CscMatrix& A);

// Row sums summed over aggregates, couplings between them times `coupling`.
CscMatrix aggregated_matrix(const CscMatrix& A, const Aggregation& map, double coupling);

// Two rounds of pairs. With four times fewer unknowns in the plane two aggregates are twice as far apart and twice as wide, which
// piecewise constants overrate by 2 (Braess 1995): the coarse problem takes half the couplings.
Aggregation aggregate_fours(const CscMatrix& A);
constexpr double coupling_of_fours = 0.5;

}  // namespace nonsmooth
