#include "peer.hpp"

namespace nonsmooth::sweeps {

std::vector<PeerSweep> peer_sweeps(const Blocks&) { return {}; }

}  // namespace nonsmooth::sweeps
