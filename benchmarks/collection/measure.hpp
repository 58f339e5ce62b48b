// What goes on in the child of a solve. Each gives the lines of the run that came of it.
#pragma once

#include <memory>

#include "../support/child_process.hpp"
#include "solve.hpp"

namespace nonsmooth::bench {

// asked_: a Solve with everything but what comes of it.
class Measurement {
 public:
  virtual ~Measurement() = default;
  bool ended() { return child_->ended(); }
  Child* child() const { return child_.get(); }
  virtual std::vector<Solve> lines() const = 0;  // once ended; the last is that of the method asked for

 protected:
  explicit Measurement(Solve asked) : asked_(std::move(asked)) {}
  void start(const ChildLimits& limits, const Child::Work& work) { child_ = std::make_unique<Child>(limits, work); }
  Solve of_child() const;  // the outcome is empty if it has answered: the text
  const std::string& text() const { return child_->answer().text; }
  Solve asked_;

 private:
  std::unique_ptr<Child> child_;
};

// setup + solve by a method of the library, the shortest of several where they are short.
std::unique_ptr<Measurement> measure_method(const Source& source, const Solve& asked);

// A program as in benchmarks/peers/peer.hpp; it runs all its solvers.
struct Peer {
  std::string name, program, build;
  double seconds = 10;  // of one of its solves
};
std::unique_ptr<Measurement> measure_peer(const Source& source, const Solve& asked, const Peer& peer);

}  // namespace nonsmooth::bench
