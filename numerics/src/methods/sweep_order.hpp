// In which order a sweep visits the contacts of a large problem, and which of them may be visited at the same time.
//
// The levels of a breadth-first search of the coupling graph are cut into slabs of about equal work. A slab is coupled to the two
// beside it only, so that first all even slabs, then all odd ones can be swept at the same time: whoever sweeps them, each reads
// what the order prescribes, and the bits are the same for any number of threads. Inside a slab contacts keep their order.
#pragma once

#include "problems/inclusion.hpp"

namespace nonsmooth {

class SweepOrder {
 public:
  // The order of the problem, as one slab.
  void set_natural(std::size_t blocks);
  // Slabs, where there are enough contacts, all of block_size rows. Reads the pattern of the bodies, or that of M with its stored
  // zeros: new values do not change the order.
  void set_slabs(const Inclusion& view, std::int32_t block_size);

  std::size_t slabs() const { return start_.size() - 1; }
  const IndexVector& blocks() const { return blocks_; }  // in the order of the sweep
  std::size_t begin(std::size_t slab) const { return static_cast<std::size_t>(start_[slab]); }
  std::size_t end(std::size_t slab) const { return static_cast<std::size_t>(start_[slab + 1]); }

 private:
  IndexVector blocks_, start_;
};

}  // namespace nonsmooth
