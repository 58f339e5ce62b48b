// Fill-reducing orders of sparse matrices with a symmetric pattern: minimum degree, or nested dissection where it takes less
// work.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// For every row i the columns j < i of P (A + A') P', position being P: compressed rows, an entry may stand twice.
struct LowerRows {
  std::vector<std::int64_t> start;
  IndexVector column;
};
LowerRows lower_rows(const CscMatrix& A, const IndexVector& position);
// Liu (1990): parent[j] is the first row below the diagonal in column j of the factor, -1 at a root.
IndexVector elimination_tree(const LowerRows& lower);
// Entries below the diagonal in each column of the factor.
IndexVector column_counts(const LowerRows& lower, const IndexVector& parent);

struct EliminationOrder {
  IndexVector order;  // order[new] = old
  double work;        // multiplications of an LU on the pattern of A + A'
};
// A square. The same order for the same pattern, in every thread. Throws std::bad_alloc.
EliminationOrder find_elimination_order(const CscMatrix& A);
IndexVector inverse_order(const IndexVector& order);

}  // namespace nonsmooth
