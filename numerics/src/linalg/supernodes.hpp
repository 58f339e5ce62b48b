// Symbolic part of a sparse factorisation whose pattern is symmetric: fill-reducing order, elimination tree, and columns of one
// structure gathered into supernodes, so that the numeric part is dense algebra on panels.
#pragma once

#include "core/index.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

struct Supernodes {
  IndexVector order, position;      // order[new] = old, position[old] = new
  IndexVector first;                // supernode s holds the new columns first[s] .. first[s + 1] - 1
  IndexVector owner;                // supernode of a new column
  std::vector<std::int64_t> start;  // rows below the columns of s: row[start[s]] .. row[start[s + 1] - 1], ascending
  IndexVector row;

  std::int32_t count() const { return static_cast<std::int32_t>(first.size()) - 1; }
  std::int32_t columns(std::int32_t s) const { return first[at(s) + 1] - first[at(s)]; }
  std::int32_t rows_below(std::int32_t s) const { return static_cast<std::int32_t>(start[at(s) + 1] - start[at(s)]); }
};

// Of the pattern of A + A', A square. The last `tail` rows stay where they are and are a supernode of their own, in which all
// others end; the columns before theirs have no entries in them. Throws std::bad_alloc.
Supernodes find_supernodes(const CscMatrix& A, std::int32_t tail = 0);
// The same for a matrix of dense blocks: A is their graph, rows block_start[b] .. block_start[b + 1] - 1 are those of block b.
// The rows of a block stay together, in their order. `order` is one of the blocks that fills in little.
Supernodes find_block_supernodes(const CscMatrix& A, const IndexVector& block_start, const IndexVector& order);

}  // namespace nonsmooth
