// Fill-reducing orders of sparse matrices with a symmetric pattern: minimum degree, or nested dissection where it takes less
// work.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

// For every row i the columns j < i of P (A + A') P', position being P: compressed rows. An entry may stand twice, but for a
// pattern that is known to be symmetric.
struct LowerRows {
  std::vector<std::int64_t> start;
  IndexVector column;
};
LowerRows lower_rows(const CscMatrix& A, const IndexVector& position, bool is_symmetric);
// The same entries by columns: for every column j the rows i > j.
struct LowerColumns {
  std::vector<std::int64_t> start;
  IndexVector row;
};
LowerColumns lower_columns(const LowerRows& lower);
// Liu (1990): parent[j] is the first row below the diagonal in column j of the factor, -1 at a root.
IndexVector elimination_tree(const LowerRows& lower);
// Children before parents and every subtree in one piece.
IndexVector postorder(const IndexVector& parent);
// Entries below the diagonal in each column of the factor, in the time of reading those of A (Gilbert, Ng and Peyton 1994): what
// fills in has to be known before it is too much. A row stands for as many as it weighs.
IndexVector column_counts(const LowerColumns& lower, const IndexVector& parent, const IndexVector& weight);
inline IndexVector column_counts(const LowerColumns& lower, const IndexVector& parent) {
  return column_counts(lower, parent, IndexVector(parent.size(), 1));
}

struct EliminationOrder {
  IndexVector order;  // order[new] = old
  double work;        // multiplications of an LU on the pattern of A + A'
};
// A square. The same order for the same pattern, in every thread. Each row may stand for several, which are what is ordered then
// (METIS cuts twice, and takes the better cut, where it finds them); `work` is that of A as it is. Throws std::bad_alloc.
EliminationOrder find_elimination_order(const CscMatrix& A, std::int32_t rows_of_each = 1);
IndexVector inverse_order(const IndexVector& order);
// The pattern in which column j has the rows neighbours[j]: without values.
CscMatrix graph_of(const std::vector<IndexVector>& neighbours);
// Blocks in the order in which that of the rows comes to the first of them: the rows of a block have one pattern, so that the
// others after it fill in nothing.
IndexVector order_of_blocks(const IndexVector& row_order, const IndexVector& block_of_row);

}  // namespace nonsmooth
