// One line of a run: what one method made of one problem at one tolerance.
#pragma once

#include <cmath>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "problems.hpp"

namespace nonsmooth::bench {

struct Limits {
  double tolerance = 1e-8, seconds = 10;
  std::int64_t memory = 0;  // bytes; 0: none
};

struct Solve {
  // what was asked
  std::string collection, problem, family;
  Answer answer = Answer::unknown;
  Facts facts;
  std::string method;
  std::string solver_of;  // the peer that this solver belongs to; its own row is the best of them
  bool peer = false;
  Limits limits;
  // by whom
  std::string version, build, machine;
  // what came of it
  std::string outcome, detail, finished_by;
  bool certified = false;  // a solution, or a proof that there is none
  double residual = NAN;
  std::int64_t iterations = 0;
  double read = NAN, setup = NAN, solve = NAN;  // s
  double calibration = NAN;                     // s, of the calibration kernel, just before
  std::int64_t peak_memory = 0;                 // bytes, of the child
  double inferred_from = 0;                     // not run: it failed at this looser tolerance

  double seconds() const { return std::isnan(setup) ? solve : setup + solve; }
  bool crashed() const { return outcome == "crashed" || outcome == "hung"; }
  bool right() const;  // as the problem's answer asks
};

// Of two measurements of the same the one that counts: what is certified, then what took less time.
bool better(const Solve& a, const Solve& b);

nlohmann::json to_json(const Solve& solve);
Solve solve_from(const nlohmann::json& value);  // throws where it is none

// The shortest digits that give the same number again.
std::string shortest_text(double value);

// Same key: the same measurement, not to be made again.
std::string key_of(const Solve& solve);

}  // namespace nonsmooth::bench
