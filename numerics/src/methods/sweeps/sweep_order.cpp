#include "methods/sweeps/sweep_order.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "methods/sweeps/coupling_graph.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t smallest_divided = 1500;  // contacts: a sweep over fewer takes little more than waking threads
constexpr std::int32_t most_slabs = 32, levels_of_a_slab = 4;  // with fewer levels sweeps converge more slowly
// Contacts, of large problems: what those of a stretch share stays in the cache. Small ones lie there, and converge sooner whole.
constexpr std::size_t shortest_stretch = 256;
constexpr double well_filled = 0.85;      // share of the places in groups beyond which stretches need not be longer
constexpr std::size_t fewest_joined = 8;  // slabs: those that are left have work for two threads

}  // namespace

namespace {

// Groups of contacts that are not coupled. A stretch of the order is cut into as many parts as a group has contacts, and a group
// takes the next of every part that it can: those that follow each other in a part share neighbours, which stay in the cache.
class Grouping {
 public:
  Grouping(const CouplingGraph& graph, bool over_bodies, std::int32_t width)
      : graph_(graph), over_bodies_(over_bodies), width_(width), parts_(at(width)), group_of_(at(graph.vertices()), -1) {}

  // Appends a stretch of contacts in the order of their groups, and where each begins.
  void divide(std::span<const std::int32_t> stretch, IndexVector& contacts, IndexVector& starts) {
    const std::size_t end = contacts.size() + stretch.size(), width = at(width_);
    for (std::size_t k = 0; k < width; ++k) {
      const std::size_t first = stretch.size() * k / width, last = stretch.size() * (k + 1) / width;
      parts_[k] = {stretch.subspan(first, last - first), {}};
    }
    for (; contacts.size() < end; ++group_) {
      const std::size_t begin = contacts.size(), full = std::min(end, begin + width);
      starts.push_back(static_cast<std::int32_t>(begin));
      for (std::size_t before = end; contacts.size() < full && contacts.size() != before;) {
        before = contacts.size();
        for (Part& part : parts_)
          if (contacts.size() < full) take_next(part, contacts);
      }
    }
  }

 private:
  static constexpr std::size_t window = 16;
  struct Part {
    std::span<const std::int32_t> left;
    IndexVector waiting;  // the first that are left
  };

  // The first of those waiting that fits into the group at hand, if one does.
  void take_next(Part& part, IndexVector& contacts) {
    for (; part.waiting.size() < window && !part.left.empty(); part.left = part.left.subspan(1))
      part.waiting.push_back(part.left.front());
    const auto fits = std::find_if(part.waiting.begin(), part.waiting.end(), [&](std::int32_t a) { return !is_coupled(a); });
    if (fits == part.waiting.end()) return;
    for (std::int32_t b : neighbours(*fits)) group_of_[at(b)] = group_;
    contacts.push_back(*fits);
    part.waiting.erase(fits);
  }
  // To the group at hand: by a body, or as a neighbour.
  bool is_coupled(std::int32_t a) const {
    if (!over_bodies_) return group_of_[at(a)] == group_;
    return std::ranges::any_of(neighbours(a), [&](std::int32_t body) { return group_of_[at(body)] == group_; });
  }
  std::span<const std::int32_t> neighbours(std::int32_t a) const {
    return std::span(graph_.neighbour).subspan(at(graph_.start[at(a)]), at(graph_.degree(a)));
  }

  const CouplingGraph& graph_;
  bool over_bodies_;
  std::int32_t width_, group_ = 0;
  std::vector<Part> parts_;
  IndexVector group_of_;  // the last group a vertex of the graph is next to
};

}  // namespace

void SweepOrder::set_natural(std::size_t blocks) {
  blocks_.resize(blocks);
  std::iota(blocks_.begin(), blocks_.end(), 0);
  start_ = {0, checked_index(static_cast<std::int64_t>(blocks), "blocks")};
}

void SweepOrder::set_slabs(const Inclusion& view, std::int32_t block_size, std::int32_t width) {
  set_natural(view.blocks.size());
  const std::int32_t contacts = start_.back();
  const bool sparse = view.bodies != nullptr || view.M->dense() == nullptr;
  if (!sparse || (contacts < smallest_divided && width == 1)) return;
  const CouplingGraph graph = coupling_graph(view, block_size);
  if (contacts >= smallest_divided) divide(graph, contacts, view.bodies != nullptr ? 2 : 1);
  if (width == 1) return;
  for (IndexVector ungrouped = blocks_; !set_groups(graph, view.bodies != nullptr, width) && slabs() >= fewest_joined;) {
    blocks_ = ungrouped;
    join_slabs();
    ungrouped = blocks_;
  }
}

// Every slab with the next but one, which is not coupled to it: 0 and 2, 1 and 3, 4 and 6 ...
void SweepOrder::join_slabs() {
  IndexVector joined, starts;
  for (std::size_t first = 0; first < slabs(); first += first % 4 == 0 ? 1 : 3) {
    starts.push_back(static_cast<std::int32_t>(joined.size()));
    for (std::size_t slab = first; slab < std::min(slabs(), first + 3); slab += 2)
      joined.insert(joined.end(), blocks_.begin() + start_[slab], blocks_.begin() + start_[slab + 1]);
  }
  starts.push_back(start_.back());
  blocks_ = joined;
  start_ = starts;
}

bool SweepOrder::set_groups(const CouplingGraph& graph, bool over_bodies, std::int32_t width) {
  const IndexVector given = blocks_;
  const std::span<const std::int32_t> order = given;
  std::size_t largest = 1;
  for (std::size_t slab = 0; slab < slabs(); ++slab) largest = std::max(largest, end(slab) - begin(slab));
  for (std::size_t stretch = slabs() > 1 ? shortest_stretch : largest;; stretch *= 2) {
    Grouping grouping(graph, over_bodies, width);
    for (IndexVector* v : {&blocks_, &group_, &group_of_slab_}) v->clear();
    for (std::size_t slab = 0; slab < slabs(); ++slab) {
      group_of_slab_.push_back(static_cast<std::int32_t>(group_.size()));
      const std::size_t size = end(slab) - begin(slab), stretches = (size + stretch - 1) / stretch;
      for (std::size_t k = 0; k < stretches; ++k) {
        const std::size_t first = size * k / stretches, last = size * (k + 1) / stretches;
        grouping.divide(order.subspan(begin(slab) + first, last - first), blocks_, group_);
      }
    }
    group_of_slab_.push_back(static_cast<std::int32_t>(group_.size()));
    group_.push_back(start_.back());
    const bool filled = well_filled * static_cast<double>(groups()) * width <= static_cast<double>(given.size());
    if (filled || stretch >= largest) return filled;
  }
}

void SweepOrder::divide(const CouplingGraph& graph, std::int32_t contacts, std::int32_t step) {
  const Levels found = find_levels(graph, contacts, step);
  const IndexVector& level = found.of_contact;
  const std::int32_t levels = found.count;
  std::vector<std::int64_t> work(at(levels), 0);  // of each level, then of all before it
  std::int64_t total = 0;
  for (std::int32_t a = 0; a < contacts; ++a) work[at(level[at(a)])] += graph.degree(a) + 1;
  for (std::int64_t& own : work) {
    total += own;
    own = total - own;
  }
  // A slab takes the levels that begin in its share of the work.
  const std::int64_t slabs = std::clamp(levels / levels_of_a_slab, 1, most_slabs);
  IndexVector slab_of(at(levels), 0);
  for (std::size_t l = 1; l < slab_of.size(); ++l)
    slab_of[l] = slab_of[l - 1] + (work[l] * slabs / total > work[l - 1] * slabs / total ? 1 : 0);
  const auto slab = [&](std::int32_t a) { return slab_of[at(level[at(a)])]; };
  std::stable_sort(blocks_.begin(), blocks_.end(), [&](std::int32_t a, std::int32_t b) { return slab(a) < slab(b); });
  start_.clear();
  for (std::int32_t k = 0; k < contacts; ++k)
    if (k == 0 || slab(blocks_[at(k)]) != slab(blocks_[at(k) - 1])) start_.push_back(k);
  start_.push_back(contacts);
}

}  // namespace nonsmooth
