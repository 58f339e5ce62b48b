#include "methods/sweeps/coupling_graph.hpp"

#include <algorithm>

namespace nonsmooth {
namespace {

// Breadth-first from `root`: sets the levels of what it reaches, from 0 on, and appends it to `reached`.
void search(const CouplingGraph& graph, std::int32_t root, IndexVector& level, IndexVector& reached) {
  std::size_t next = reached.size();
  reached.push_back(root);
  level[at(root)] = 0;
  for (; next < reached.size(); ++next) {
    const std::int32_t a = reached[next];
    for (std::int64_t k = graph.start[at(a)]; k < graph.start[at(a) + 1]; ++k) {
      const std::int32_t b = graph.neighbour[at(k)];
      if (level[at(b)] >= 0) continue;
      level[at(b)] = level[at(a)] + 1;
      reached.push_back(b);
    }
  }
}

}  // namespace

const BlockCsrMatrix* blocks_of_sets(const Inclusion& view) {
  const BlockCsrMatrix* blocks = view.M->block_csr();
  if (blocks == nullptr || blocks->block_rows() != std::ssize(view.blocks) || blocks->row_end != blocks->col_end) return nullptr;
  const auto end = [](const SetBlock& block) { return block.start + block.size; };
  return std::ranges::equal(blocks->row_end, view.blocks, {}, {}, end) ? blocks : nullptr;
}

CouplingGraph coupling_graph(const Inclusion& view, std::int32_t d) {
  const auto contacts = static_cast<std::int64_t>(view.blocks.size());
  if (view.bodies != nullptr) {
    const std::vector<IndexVector>& contacts_of = view.bodies->contacts_of_bodies();
    const auto bodies = static_cast<std::int64_t>(contacts_of.size());
    return {contacts + bodies, [&](auto&& couple) {
              for (std::int64_t body = 0; body < bodies; ++body)
                for (std::int32_t a : contacts_of[at(body)]) couple(a, contacts + body);
            }};
  }
  if (const BlockCsrMatrix* blocks = view.M->block_csr(); blocks != nullptr && blocks->uniform_block_size() == d)
    return {contacts, [&](auto&& couple) {
              for (std::int64_t a = 0; a < contacts; ++a)
                for (std::int32_t k = blocks->row_start[at(a)]; k < blocks->row_start[at(a) + 1]; ++k)
                  if (blocks->block_col[at(k)] != a) couple(a, blocks->block_col[at(k)]);
            }};
  return {contacts, [&](auto&& couple) {
            for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double) {
              if (i / d != j / d) couple(i / d, j / d);
            });
          }};
}

Levels find_levels(const CouplingGraph& graph, std::int32_t contacts, std::int32_t step) {
  IndexVector distance(at(graph.vertices()), -1), reached;
  reached.reserve(distance.size());
  Levels levels;
  levels.of_contact.resize(at(contacts));
  for (std::int32_t root = 0; root < contacts; ++root) {
    if (distance[at(root)] >= 0) continue;
    reached.clear();
    search(graph, root, distance, reached);
    const std::int32_t far = *std::find_if(reached.rbegin(), reached.rend(), [&](std::int32_t v) { return v < contacts; });
    for (std::int32_t vertex : reached) distance[at(vertex)] = -1;
    reached.clear();
    search(graph, far, distance, reached);
    for (std::int32_t vertex : reached)
      if (vertex < contacts) levels.of_contact[at(vertex)] = levels.count + distance[at(vertex)] / step;
    const std::int32_t own = distance[at(reached.back())] / step + 1;
    levels.count += own;
    levels.most = std::max(levels.most, own);
  }
  return levels;
}

namespace {

// Contacts are coupled by the bodies they touch: those all of whose neighbours are coupled with each other share one body with
// them, and the other side is fixed.
std::int32_t count_supports(const CouplingGraph& graph) {
  std::int32_t supports = 0;
  IndexVector near(at(graph.vertices()), -1);  // the last contact that each is coupled with, or is
  for (std::int32_t a = 0; a < graph.vertices(); ++a) {
    const auto neighbours = graph.neighbours(a);
    const auto is_near = [&](std::int32_t b) { return near[at(b)] == a; };
    near[at(a)] = a;
    for (std::int32_t b : neighbours) near[at(b)] = a;
    supports += std::ranges::all_of(neighbours, [&](std::int32_t b) {
      return std::ranges::count_if(graph.neighbours(b), is_near) == std::ssize(neighbours);
    });
  }
  return supports;
}

// The same where bodies are known: contacts of one body, and those with a body that nothing else touches.
std::int32_t count_supports(const DelassusOperator& bodies) {
  struct Ends {
    std::int32_t first = -1, second = -1;
    auto both() const { return std::pair(first, second); }
  };
  std::vector<Ends> ends(at(bodies.contacts()));
  const std::vector<IndexVector>& contacts_of = bodies.contacts_of_bodies();
  for (std::size_t body = 0; body < contacts_of.size(); ++body)
    for (const std::int32_t a : contacts_of[body]) {
      Ends& own = ends[at(a)];
      (own.first < 0 ? own.first : own.second) = static_cast<std::int32_t>(body);
    }
  std::ranges::sort(ends, {}, &Ends::both);
  std::int64_t supports = 0;
  for (auto begin = ends.begin(); begin != ends.end();) {
    const auto end = std::find_if(begin, ends.end(), [&](const Ends& other) { return other.both() != begin->both(); });
    const auto is_all_of = [&](std::int32_t body) { return body < 0 || std::ssize(contacts_of[at(body)]) == end - begin; };
    if (is_all_of(begin->first) || is_all_of(begin->second)) supports += end - begin;
    begin = end;
  }
  return static_cast<std::int32_t>(supports);
}

}  // namespace

Structure structure_of(const Inclusion& view) {
  const auto count = static_cast<std::int32_t>(view.blocks.size());
  if (view.bodies != nullptr)
    return {find_levels(coupling_graph(view, view.bodies->dimension()), count, 2).most, count_supports(*view.bodies)};
  IndexVector last(at(count));  // coupled with each
  const CouplingGraph graph(count, [&](auto&& couple) {
    std::iota(last.begin(), last.end(), 0);
    for_each_coupling(view, [&](std::int32_t row, std::int32_t col) {
      if (row > col && last[at(row)] != col) couple(row, last[at(row)] = col);
    });
  });
  return {find_levels(graph, count, 1).most, count_supports(graph)};
}

}  // namespace nonsmooth
