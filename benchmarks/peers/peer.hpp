// What the programs that run a peer's solvers have in common:
//   NAME CLASS FILE SECONDS TOLERANCE...        (tolerances from the loosest on)
// The file is read once; each solve runs in a process of its own, which may crash or take too long, for SECONDS at most. For each
// that came to an end, a line of JSON: method, tolerance, outcome, residual, seconds (the driver's call alone, the shortest of
// several where they are short), certified - by nsm_certify, from z alone. Where no
// solver treats the problem, one line instead: refused, why. Exit codes: those of programs/program.hpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace nonsmooth::peers {

struct PeerSolver {
  std::string name;
  std::function<int(double tolerance, std::vector<double>& z)>
      run;  // z: 0 at first, then the answer; gives the peer's own verdict, 0: solved
};

struct Policy {
  // Asked of the peer, in units of the tolerance, one after the other until an answer is certified: its norms are looser than
  // ours.
  std::vector<double> factors{1, 1e-2, 1e-4};
  // Only the fastest counts: after the first that is certified, others get half as much again as the fastest took.
  bool best_only = true;
  // Time of all solvers at one tolerance, in units of the limit of one: the last of the list are not tried where many fail.
  double limits_together = 3;
};

// make(class, file): the solvers for a problem, whose data they keep; none if the peer does not treat the class. Throws if it
// cannot read the file.
int peer_main(int argc, char** argv, const Policy& policy,
              const std::function<std::vector<PeerSolver>(const std::string&, const char*)>& make);

}  // namespace nonsmooth::peers
