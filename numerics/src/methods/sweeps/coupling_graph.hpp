// Which contacts of a problem are coupled, and how far it is from one end of the structure to the other.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>

#include "core/index.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// Both ends of every coupling, from pairs that `pairs` visits; some may be there twice.
struct CouplingGraph {
  std::vector<std::int64_t> start;
  IndexVector neighbour;

  template <class Pairs>
  CouplingGraph(std::int64_t vertices, Pairs&& pairs) : start(at(vertices) + 1) {
    pairs([&](std::int64_t a, std::int64_t b) {
      ++start[at(a) + 1];
      ++start[at(b) + 1];
    });
    std::partial_sum(start.begin(), start.end(), start.begin());
    neighbour.resize(at(start.back()));
    std::vector<std::int64_t> next(start.begin(), start.end() - 1);
    pairs([&](std::int64_t a, std::int64_t b) {
      neighbour[at(next[at(a)]++)] = static_cast<std::int32_t>(b);
      neighbour[at(next[at(b)]++)] = static_cast<std::int32_t>(a);
    });
  }
  std::int64_t vertices() const { return static_cast<std::int64_t>(start.size()) - 1; }
  std::span<const std::int32_t> neighbours(std::int64_t vertex) const {
    return {neighbour.data() + start[at(vertex)], at(degree(vertex))};
  }
  std::int64_t degree(std::int64_t vertex) const { return start[at(vertex) + 1] - start[at(vertex)]; }
};

// M's blocks where they are those of the sets, else nullptr.
const BlockCsrMatrix* blocks_of_sets(const Inclusion& view);

// visit(row, column) for the blocks of the sets that entries of M other than 0 couple, for a pair once or more often.
template <class Visit>
void for_each_coupling(const Inclusion& view, Visit&& visit) {
  if (const BlockCsrMatrix* blocks = blocks_of_sets(view)) {
    for (std::int64_t I = 0; I < blocks->block_rows(); ++I)
      for (std::int32_t k = blocks->row_start[at(I)]; k < blocks->row_start[at(I + 1)]; ++k) {
        const double* values = blocks->values.data();
        const auto is_entry = [](double a) { return a != 0; };
        if (std::any_of(values + blocks->block_start[at(k)], values + blocks->block_start[at(k + 1)], is_entry))
          visit(static_cast<std::int32_t>(I), blocks->block_col[at(k)]);
      }
    return;
  }
  const IndexVector block_of_row = block_of_each_row(view);
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double a) {
    if (a != 0) visit(block_of_row[at(i)], block_of_row[at(j)]);
  });
}

// Of a problem all of whose blocks have d rows. With bodies: contacts and bodies, a contact joined to the bodies it touches. Else
// contacts joined where W has entries, be they 0.
CouplingGraph coupling_graph(const Inclusion& view, std::int32_t d);

// Of all contacts, component after component, each from a contact that a first search has found to be far out (George and Liu
// 1979). `step`: edges from a contact to the next.
struct Levels {
  IndexVector of_contact;
  std::int32_t count = 0, most = 0;  // in all, and in one component
};
Levels find_levels(const CouplingGraph& graph, std::int32_t contacts, std::int32_t step);

struct Structure {
  std::int32_t length;    // contacts on the way from one end, of the longest one if there are more, to the other
  std::int32_t supports;  // contacts of one body
};
// Blocks may have any sizes; entries that are 0 couple none, and of M the lower triangle is read.
Structure structure_of(const Inclusion& view);

}  // namespace nonsmooth
