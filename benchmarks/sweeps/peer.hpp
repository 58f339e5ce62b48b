// Gauss-Seidel sweeps of another package over the same blocks: Siconos where its package is installed, else none.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nonsmooth::sweeps {

// A problem of contacts in space: W in blocks of 3 x 3 by columns, row after row. Borrowed. (No header of the library: its names
// meet those of the package.)
struct Blocks {
  const std::vector<std::int32_t>&row_start, &column;
  const std::vector<double>&values, &q, &mu;
};

struct PeerSweep {
  std::string name;                                    // of its one-contact solver; the default first
  bool solves;                                         // the contact, with the others held fixed
  std::function<void(int, std::vector<double>&)> run;  // so many sweeps from z, with what it sets up for them
};

std::vector<PeerSweep> peer_sweeps(const Blocks& problem);

}  // namespace nonsmooth::sweeps
