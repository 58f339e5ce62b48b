// Which contacts of a problem are coupled, and how far it is from one end of the structure to the other.
#pragma once

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
