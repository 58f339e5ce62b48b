// The measurements of a run, worked off by one or several processes that write to one file.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "measure.hpp"
#include "progress.hpp"
#include "run_file.hpp"

namespace nonsmooth::bench {

// One method on one problem, at all tolerances.
struct Item {
  const Source* source;
  Solve asked;  // tolerance 0
  const Peer* peer = nullptr;
};

class Queue {
 public:
  // Tolerances from the loosest on: a method that failed is not asked for more, but said to fail there too.
  Queue(std::vector<Item> items, std::vector<double> tolerances, RunFile& file, Progress& progress);

  // Until all is done, or stop() is true; what is running then is given up.
  void run(
      std::size_t jobs, bool (*stop)() = [] { return false; });

  std::size_t total() const { return wanted_.size(); }
  std::size_t known_at_start() const { return known_at_start_; }
  std::size_t measured() const { return measured_; }
  std::size_t inferred() const { return inferred_; }
  std::size_t missing();  // in other hands
  // Lines that were in the file at the start but come from another build or another machine.
  std::size_t of_others() const { return of_others_; }

 private:
  struct Running {
    std::size_t item, tolerance;
    std::unique_ptr<Measurement> measurement;
  };

  Solve asked(std::size_t item, std::size_t tolerance) const;
  std::uint64_t key(std::size_t item, std::size_t tolerance) const { return keys_[item * tolerances_.size() + tolerance]; }
  void learn(const std::vector<Solve>& lines);
  bool known(std::size_t item) const;                   // at all tolerances
  void start_next(std::size_t item, std::size_t from);  // the first tolerance that is not known
  void finish(const Running& running);

  std::vector<Item> items_;
  std::vector<double> tolerances_;
  RunFile& file_;
  Progress& progress_;
  std::vector<std::uint64_t> keys_;  // hashes of them
  std::unordered_set<std::uint64_t> wanted_;
  std::unordered_map<std::uint64_t, std::optional<Solve>> results_;  // by the hash of the key; the line itself only of failures
  std::vector<Running> running_;
  std::size_t known_ = 0, known_at_start_ = 0, measured_ = 0, inferred_ = 0, of_others_ = 0;
};

}  // namespace nonsmooth::bench
