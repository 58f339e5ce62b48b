// The measurements of a run, worked off by one or several processes that write to one file.
#pragma once

#include <optional>
#include <unordered_map>

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

  void run(std::size_t jobs);

  std::size_t total() const { return items_.size() * tolerances_.size(); }
  std::size_t known_at_start() const { return known_at_start_; }
  std::size_t measured() const { return measured_; }
  std::size_t inferred() const { return inferred_; }
  std::size_t missing();  // in other hands
  // Lines that were in the file at the start but come from another build or another machine.
  std::size_t of_others() const { return of_others_; }

 private:
  struct Running {
    const Item* item;
    std::size_t tolerance;
    std::unique_ptr<Measurement> measurement;
  };

  Solve asked(const Item& item, std::size_t tolerance) const;
  void learn(const std::vector<Solve>& lines);
  bool known(const Item& item) const;  // at all tolerances
  std::size_t count_known() const;
  bool start_next(const Item& item, std::size_t from);  // the first tolerance that is not known; false: all are
  void finish(Running& running);
  void show(const Item& item);

  std::vector<Item> items_;
  std::vector<double> tolerances_;
  RunFile& file_;
  Progress& progress_;
  std::unordered_map<std::uint64_t, std::optional<Solve>> results_;  // by the hash of the key; the line itself only of failures
  std::vector<Running> running_;
  std::size_t known_at_start_ = 0, measured_ = 0, inferred_ = 0, of_others_ = 0;
};

}  // namespace nonsmooth::bench
