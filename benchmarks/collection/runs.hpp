// Solvers on problems: each solve in a process of its own, every answer judged by nsm_certify, results kept in a file so that a
// long comparison can be taken up again.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <nonsmooth/nonsmooth.hpp>
#include <optional>
#include <string>
#include <vector>

namespace nonsmooth::collection {

struct Run {
  std::string method, outcome, finished_by;
  double residual = 0, seconds = 0;
  std::int64_t iterations = 0;
  bool certified = false;  // solution, or proof that there is none
};

const Run* best_certified(const std::vector<Run>& runs);

// One line of JSON per result. A result counts as long as its key, which names the program it comes from, is asked for.
class Records {
 public:
  explicit Records(const std::string& path);  // empty: nothing is kept
  const nlohmann::json* find(const std::string& key) const;
  void add(const std::string& key, const nlohmann::json& value);

 private:
  std::string path_;
  std::map<std::string, nlohmann::json> values_;
};

struct Limits {
  double tolerance = 1e-8, seconds = 10;
};

// setup + solve + free: the shortest of several runs where they are short.
Run run_method(const nsm::Problem& problem, const std::string& name, const std::string& method, const Limits& limits,
               Records& records);

// Runs of each tolerance, in the order given. The peer is a program as in benchmarks/peers/peer.hpp. Nothing if there is no
// record and it may not be measured.
using PeerRuns = std::vector<std::vector<Run>>;
std::optional<PeerRuns> run_peer(const nsm::Problem& problem, const std::string& peer, const std::vector<double>& tolerances,
                                 double seconds, bool may_measure, Records& records);

}  // namespace nonsmooth::collection
