// In which order a sweep visits the contacts of a large problem, and which of them may be visited at the same time.
//
// The levels of a breadth-first search of the coupling graph are cut into slabs of about equal work. A slab is coupled to the two
// beside it only, so that first all even slabs, then all odd ones can be swept at the same time: whoever sweeps them, each reads
// what the order prescribes, and the bits are the same for any number of threads. Inside a slab contacts keep their order, but
// for groups of contacts that are not coupled, so that they can be solved at once: these take them from short stretches of it.
#pragma once

#include "core/index.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct CouplingGraph;

class SweepOrder {
 public:
  // The order of the problem, as one slab.
  void set_natural(std::size_t blocks);
  // Slabs, where there are enough contacts, all of block_size rows. Reads the pattern of the bodies, or that of M with its stored
  // zeros: new values do not change the order.
  // With groups of at most `width`, where that is more than 1 and M is not dense.
  void set_slabs(const Inclusion& view, std::int32_t block_size, std::int32_t width = 1);

  std::size_t slabs() const { return start_.size() - 1; }
  const IndexVector& blocks() const { return blocks_; }  // in the order of the sweep
  std::size_t begin(std::size_t slab) const { return at(start_[slab]); }
  std::size_t end(std::size_t slab) const { return at(start_[slab + 1]); }
  // The groups of a slab, and the places of a group; the end of one is the begin of the next. 0 groups: there are none.
  std::size_t groups() const { return group_.empty() ? 0 : group_.size() - 1; }
  std::size_t first_group(std::size_t slab) const { return at(group_of_slab_[slab]); }
  std::size_t first_place(std::size_t group) const { return at(group_[group]); }

 private:
  // step: edges from a contact to the next.
  void divide(const CouplingGraph& graph, std::int32_t contacts, std::int32_t step);
  // Returns whether the groups are well filled.
  bool set_groups(const CouplingGraph& graph, bool over_bodies, std::int32_t width);
  void join_slabs();

  IndexVector blocks_, start_, group_of_slab_, group_;
};

}  // namespace nonsmooth
