#include "queue.hpp"

#include <algorithm>
#include <map>

namespace nonsmooth::bench {

Queue::Queue(std::vector<Item> items, std::vector<double> tolerances, RunFile& file, Progress& progress)
    : items_(std::move(items)), tolerances_(std::move(tolerances)), file_(file), progress_(progress) {
  std::sort(tolerances_.rbegin(), tolerances_.rend());
  const std::vector<Solve> lines = file_.news();
  learn(lines);
  std::map<std::string, const Solve*> by_method;
  for (const Item& item : items_) by_method[item.asked.method] = &item.asked;
  for (const Solve& line : lines) {
    const auto mine = by_method.find(line.method);
    of_others_ += mine != by_method.end() && (mine->second->build != line.build || mine->second->machine != line.machine);
  }
  known_at_start_ = count_known();
}

Solve Queue::asked(const Item& item, std::size_t tolerance) const {
  Solve solve = item.asked;
  solve.limits.tolerance = tolerances_[tolerance];
  return solve;
}

void Queue::learn(const std::vector<Solve>& lines) {
  for (const Solve& line : lines)
    if (line.solver_of.empty()) results_[hash_of(key_of(line))] = line.certified ? std::nullopt : std::optional(line);
}

bool Queue::known(const Item& item) const {
  for (std::size_t k = 0; k < tolerances_.size(); ++k)
    if (!results_.contains(hash_of(key_of(asked(item, k))))) return false;
  return true;
}

std::size_t Queue::count_known() const {
  std::size_t count = 0;
  for (const Item& item : items_)
    for (std::size_t k = 0; k < tolerances_.size(); ++k) count += results_.contains(hash_of(key_of(asked(item, k))));
  return count;
}

std::size_t Queue::missing() {
  learn(file_.news());
  return total() - count_known();
}

void Queue::show(const Item& item) { progress_.show(count_known(), item.asked.method + " on " + item.asked.problem); }

bool Queue::start_next(const Item& item, std::size_t from) {
  for (std::size_t k = from; k < tolerances_.size(); ++k) {
    Solve next = asked(item, k);
    if (results_.contains(hash_of(key_of(next)))) continue;
    const auto looser = k > 0 ? results_.find(hash_of(key_of(asked(item, k - 1)))) : results_.end();
    if (looser != results_.end() && looser->second) {
      Solve same = *looser->second;
      if (same.inferred_from == 0) same.inferred_from = same.limits.tolerance;
      same.limits = next.limits;
      file_.append({same});
      learn({same});
      ++inferred_;
      continue;
    }
    show(item);
    auto measurement = item.peer != nullptr ? measure_peer(*item.source, next, *item.peer) : measure_method(*item.source, next);
    running_.push_back({&item, k, std::move(measurement)});
    return true;
  }
  file_.release(key_of(item.asked));
  return false;
}

void Queue::finish(Running& running) {
  const std::vector<Solve> lines = running.measurement->lines();
  file_.append(lines);
  learn(lines);
  ++measured_;
}

void Queue::run(std::size_t jobs) {
  auto next = items_.begin();
  while (next != items_.end() || !running_.empty()) {
    for (; next != items_.end() && running_.size() < jobs; ++next) {
      if (known(*next) || !file_.claim(key_of(next->asked))) continue;
      learn(file_.news());  // another may have had it until now
      start_next(*next, 0);
    }
    std::vector<Child*> children;
    for (Running& one : running_) children.push_back(one.measurement->child());
    if (children.empty()) continue;
    Child::wait(children);
    for (std::size_t k = running_.size(); k-- > 0;) {
      if (!running_[k].measurement->ended()) continue;
      Running done = std::move(running_[k]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
      finish(done);
      start_next(*done.item, done.tolerance + 1);
    }
  }
}

}  // namespace nonsmooth::bench
