#include "queue.hpp"

#include <algorithm>
#include <map>

namespace nonsmooth::bench {

Queue::Queue(std::vector<Item> items, std::vector<double> tolerances, RunFile& file, Progress& progress)
    : items_(std::move(items)), tolerances_(std::move(tolerances)), file_(file), progress_(progress) {
  std::sort(tolerances_.rbegin(), tolerances_.rend());
  tolerances_.erase(std::unique(tolerances_.begin(), tolerances_.end()), tolerances_.end());
  std::map<std::string, const Solve*> by_method;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    by_method[items_[i].asked.method] = &items_[i].asked;
    for (std::size_t t = 0; t < tolerances_.size(); ++t) keys_.push_back(hash_of(key_of(asked(i, t))));
  }
  wanted_.insert(keys_.begin(), keys_.end());
  const std::vector<Solve> lines = file_.news();
  learn(lines);
  known_at_start_ = known_;
  for (const Solve& line : lines) {
    const auto mine = by_method.find(line.method);
    of_others_ += mine != by_method.end() && (mine->second->build != line.build || mine->second->machine != line.machine);
  }
}

Solve Queue::asked(std::size_t item, std::size_t tolerance) const {
  Solve solve = items_[item].asked;
  solve.limits.tolerance = tolerances_[tolerance];
  return solve;
}

void Queue::learn(const std::vector<Solve>& lines) {
  for (const Solve& line : lines) {
    if (!line.solver_of.empty()) continue;
    const std::uint64_t hash = hash_of(key_of(line));
    known_ += !results_.contains(hash) && wanted_.contains(hash);
    results_[hash] = line.certified ? std::nullopt : std::optional(line);
  }
}

bool Queue::known(std::size_t item) const {
  for (std::size_t t = 0; t < tolerances_.size(); ++t)
    if (!results_.contains(key(item, t))) return false;
  return true;
}

std::size_t Queue::missing() {
  learn(file_.news());
  return total() - known_;
}

void Queue::start_next(std::size_t item, std::size_t from) {
  for (std::size_t t = from; t < tolerances_.size(); ++t) {
    if (results_.contains(key(item, t))) continue;
    const Solve next = asked(item, t);
    const auto looser = t > 0 ? results_.find(key(item, t - 1)) : results_.end();
    if (looser != results_.end() && looser->second) {
      Solve same = *looser->second;
      if (same.inferred_from == 0) same.inferred_from = same.limits.tolerance;
      same.limits = next.limits;
      file_.append({same});
      learn({same});
      ++inferred_;
      continue;
    }
    const Item& of = items_[item];
    progress_.show(known_, next.method + " on " + next.problem);
    auto measurement = of.peer != nullptr ? measure_peer(*of.source, next, *of.peer) : measure_method(*of.source, next);
    running_.push_back({item, t, std::move(measurement)});
    return;
  }
  file_.release(key_of(items_[item].asked));
}

void Queue::finish(const Running& running) {
  const std::vector<Solve> lines = running.measurement->lines();
  file_.append(lines);
  learn(lines);
  ++measured_;
  start_next(running.item, running.tolerance + 1);
}

void Queue::run(std::size_t jobs, bool (*stop)()) {
  std::size_t next = 0;
  while (!stop() && (next < items_.size() || !running_.empty())) {
    for (; next < items_.size() && running_.size() < jobs; ++next) {
      if (known(next) || !file_.claim(key_of(items_[next].asked))) continue;
      learn(file_.news());  // another may have had it until now
      start_next(next, 0);
    }
    std::vector<Child*> children;
    for (const Running& one : running_) children.push_back(one.measurement->child());
    if (children.empty()) continue;
    Child::wait(children);
    for (std::size_t k = running_.size(); k-- > 0;) {
      if (!running_[k].measurement->ended()) continue;
      const Running done = std::move(running_[k]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
      finish(done);
    }
  }
  running_.clear();
}

}  // namespace nonsmooth::bench
