#include "methods/newton/body_factors.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "core/index.hpp"
#include "linalg/elimination_order.hpp"
#include "methods/newton/body_entries.hpp"

namespace nonsmooth {
// The bodies as blocks of y, and for each of them those it shares a contact with, itself among them; ascending.
struct BodyFactors::Graph {
  IndexVector start;    // first row of each body, and the number of rows
  IndexVector body_at;  // of each row
  std::vector<IndexVector> neighbours;

  explicit Graph(const DelassusOperator& bodies) : body_at(bodies.state_size()) {
    IndexVector size(bodies.state_size(), 0);
    for (std::int32_t p = 0; p < bodies.parts(); ++p) size[at(bodies.part(p).start)] = bodies.part(p).size;
    const auto rows = static_cast<std::int32_t>(size.size());
    for (std::int32_t i = 0; i < rows;) {  // rows that no contact touches are bodies of one row
      const std::int32_t end = i + std::max(1, size[at(i)]);
      std::fill(body_at.begin() + i, body_at.begin() + end, static_cast<std::int32_t>(start.size()));
      start.push_back(i);
      i = end;
    }
    neighbours.resize(start.size());
    for (std::size_t g = 0; g < neighbours.size(); ++g) neighbours[g].push_back(static_cast<std::int32_t>(g));
    start.push_back(rows);
    for (std::int32_t a = 0; a < bodies.contacts(); ++a)
      for (std::int32_t p = bodies.first_part(a); p < bodies.first_part(a + 1); ++p)
        for (std::int32_t q = bodies.first_part(a); q < bodies.first_part(a + 1); ++q)
          neighbours[at(body_at[at(bodies.part(q).start)])].push_back(body_at[at(bodies.part(p).start)]);
    for (IndexVector& list : neighbours) {
      std::sort(list.begin(), list.end());
      list.erase(std::unique(list.begin(), list.end()), list.end());
    }
  }
  CscMatrix rows() const {
    const std::int64_t n = start.back();
    CscMatrix pattern{n, n, {0}, {}, {}};
    for (std::size_t g = 0; g < neighbours.size(); ++g)
      for (std::int32_t j = start[g]; j < start[g + 1]; ++j) {
        for (const std::int32_t h : neighbours[g])
          for (std::int32_t i = start[at(h)]; i < start[at(h + 1)]; ++i) pattern.row_index.push_back(i);
        pattern.col_start.push_back(static_cast<std::int32_t>(pattern.row_index.size()));
      }
    pattern.values.assign(pattern.row_index.size(), 0.0);
    return pattern;
  }
  // Bodies of one size are ordered as they are, others row by row, as contacts are.
  SparsePrincipalFactor factor(const CscMatrix& S, std::int32_t size, Workers* workers) const {
    const CscMatrix own = graph_of(neighbours);
    Supernodes nodes = find_block_supernodes(
        own, start,
        size > 0 ? find_elimination_order(own, size).order : order_of_blocks(find_elimination_order(S).order, body_at));
    auto entries = std::make_shared<BodyEntries>(S, start, nodes);
    return {std::move(nodes), std::move(entries), workers};
  }
};

namespace {

IndexVector rows_of_parts(const DelassusOperator& bodies) {
  IndexVector rows(at(bodies.parts()));
  for (std::int32_t p = 0; p < bodies.parts(); ++p) rows[at(p)] = bodies.part(p).start;
  return rows;
}

}  // namespace

double BodyFactors::work(const DelassusOperator& bodies) {
  const Graph graph(bodies);
  const double rows = static_cast<double>(graph.start.back()) / static_cast<double>(graph.neighbours.size());
  return find_elimination_order(graph_of(graph.neighbours)).work * rows * rows * rows;
}

BodyFactors::BodyFactors(const Inclusion& view) : BodyFactors(view, Graph(*view.bodies)) {}

BodyFactors::BodyFactors(const Inclusion& view, const Graph& graph)
    : bodies_(*view.bodies),
      part_rows_(rows_of_parts(bodies_)),
      S_(graph.rows()),
      lu_(graph.factor(S_, bodies_.uniform_body_size(), view.workers)),
      keep_(bodies_.state_size(), 1),
      woodbury_(bodies_.dimension(), bodies_.contacts()),
      y_(bodies_.state_size()),
      u_(at(view.size())) {
  place_pairs();
}

void BodyFactors::place_pairs() {
  const auto place = [this](std::int64_t i, std::int64_t j) { return static_cast<std::int32_t>(place_of(S_, i, j)); };
  for (std::int32_t j = 0; j < S_.cols; ++j) diagonal_.push_back(place(j, j));
  for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
    pair_start_.push_back(static_cast<std::int32_t>(pair_.size()));
    for (std::int32_t q = bodies_.first_part(a); q < bodies_.first_part(a + 1); ++q)
      for (std::int32_t p = bodies_.first_part(a); p < bodies_.first_part(a + 1); ++p)
        pair_.push_back(place(part_rows_[at(p)], part_rows_[at(q)]) - S_.col_start[at(part_rows_[at(q)])]);
  }
}

// The values are read where they stand.
bool BodyFactors::update(const Inclusion& view) {
  if (view.bodies != &bodies_ || at(bodies_.parts()) != part_rows_.size()) return false;
  for (std::int32_t p = 0; p < bodies_.parts(); ++p)
    if (bodies_.part(p).start != part_rows_[at(p)]) return false;
  return true;
}

// S += E_b R_b^-1 L_b F_b'.
template <int D, int N>
void BodyFactors::add_contact(std::int32_t contact) {
  const int d = D > 0 ? D : bodies_.dimension();
  const std::int32_t first = bodies_.first_part(contact), count = bodies_.first_part(contact + 1) - first;
  const std::int32_t* place = pair_.data() + pair_start_[at(contact)];
  for (std::int32_t q = 0; q < count; ++q) {
    const DelassusOperator::Part right = bodies_.part(first + q);
    const int columns = N > 0 ? N : right.size;
    for (int j = 0; j < columns; ++j) {
      double row[largest_contact], weighted[largest_contact];
      for (int k = 0; k < d; ++k) row[k] = right.gathers[j + k * columns];
      woodbury_.apply_condition<D>(contact, row, weighted);
      double* column = S_.values.data() + S_.col_start[at(right.start + j)];
      for (std::int32_t p = 0; p < count; ++p)
        DelassusOperator::spread<N>(bodies_.part(first + p), d, weighted, column + place[q * count + p]);
    }
  }
}

bool BodyFactors::factorise(const NewtonBlocks& blocks, double shift, Precision precision) {
  shift_ = shift;
  std::fill(S_.values.begin(), S_.values.end(), 0.0);
  for (const std::int32_t place : diagonal_) S_.values[at(place)] = 1;
  const bool regular = visit_sizes(bodies_, [&]<int D, int N>() {
    for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
      if (!woodbury_.invert<D>(blocks, a, shift)) return false;
      add_contact<D, N>(a);
    }
    return true;
  });
  return regular && lu_.factorise(keep_, precision);
}

void BodyFactors::solve(const NewtonBlocks& blocks, std::span<double> x) {
  std::fill(y_.begin(), y_.end(), 0.0);
  visit_sizes(bodies_, [&]<int D, int N>() {
    woodbury_.solve<D>(
        blocks, x, y_, [&](std::int32_t a, const double* v, double* y) { bodies_.scatter<D, N>(a, v, y); },
        [&](std::span<double> y) { lu_.solve(y); },
        [&](std::int32_t a, const double* y, double* u) { bodies_.gather<D, N>(a, y, u); });
  });
}

void BodyFactors::subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) {
  std::fill(u_.begin(), u_.end(), 0.0);
  bodies_.multiply_add(x, u_);
  visit_sizes(bodies_, [&]<int D, int N>() { woodbury_.subtract_product<D>(blocks, shift_, x, u_, y); });
}

}  // namespace nonsmooth
