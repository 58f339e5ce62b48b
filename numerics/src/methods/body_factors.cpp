#include "methods/body_factors.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "linalg/elimination_order.hpp"
#include "linalg/small_lu.hpp"

namespace nonsmooth {
namespace {

// The bodies as blocks of y, and for each of them those it shares a contact with, itself among them; ascending.
struct BodyGraph {
  IndexVector start;  // first row of each body, and the number of rows
  std::vector<IndexVector> neighbours;

  explicit BodyGraph(const DelassusOperator& bodies) {
    IndexVector size(bodies.state_size(), 0);
    for (std::int32_t p = 0; p < bodies.parts(); ++p) size[at(bodies.part(p).start)] = bodies.part(p).size;
    IndexVector body_at(bodies.state_size());
    const auto rows = static_cast<std::int32_t>(size.size());
    for (std::int32_t i = 0; i < rows; i += std::max(1, size[at(i)])) {  // rows that no contact touches are bodies of one row
      body_at[at(i)] = static_cast<std::int32_t>(start.size());
      start.push_back(i);
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
};

CscMatrix pattern(const DelassusOperator& bodies) {
  const BodyGraph graph(bodies);
  const std::int64_t n = graph.start.back();
  CscMatrix S{n, n, {0}, {}, {}};
  for (std::size_t g = 0; g < graph.neighbours.size(); ++g)
    for (std::int32_t j = graph.start[g]; j < graph.start[g + 1]; ++j) {
      for (const std::int32_t h : graph.neighbours[g])
        for (std::int32_t i = graph.start[at(h)]; i < graph.start[at(h + 1)]; ++i) S.row_index.push_back(i);
      S.col_start.push_back(static_cast<std::int32_t>(S.row_index.size()));
    }
  S.values.assign(S.row_index.size(), 0.0);
  return S;
}

std::int32_t place_in_column(const CscMatrix& S, std::int32_t row, std::int32_t column) {
  const auto begin = S.row_index.begin() + S.col_start[at(column)], end = S.row_index.begin() + S.col_start[at(column + 1)];
  return static_cast<std::int32_t>(std::lower_bound(begin, end, row) - begin);
}

IndexVector rows_of_parts(const DelassusOperator& bodies) {
  IndexVector rows(at(bodies.parts()));
  for (std::int32_t p = 0; p < bodies.parts(); ++p) rows[at(p)] = bodies.part(p).start;
  return rows;
}

// y = A x, A d x d.
void multiply(const double* A, int d, const double* x, double* y) {
  for (int i = 0; i < d; ++i) {
    y[i] = 0;
    for (int j = 0; j < d; ++j) y[i] += A[i + j * d] * x[j];
  }
}

}  // namespace

double BodyFactors::work(const DelassusOperator& bodies) {
  const BodyGraph graph(bodies);
  const auto count = static_cast<std::int64_t>(graph.neighbours.size());
  CscMatrix blocks{count, count, {0}, {}, {}};
  for (const IndexVector& list : graph.neighbours) {
    blocks.row_index.insert(blocks.row_index.end(), list.begin(), list.end());
    blocks.col_start.push_back(static_cast<std::int32_t>(blocks.row_index.size()));
  }
  const double rows = static_cast<double>(graph.start.back()) / static_cast<double>(count);
  return find_elimination_order(blocks).work * rows * rows * rows;
}

BodyFactors::BodyFactors(const Inclusion& view)
    : bodies_(*view.bodies),
      part_rows_(rows_of_parts(bodies_)),
      S_(pattern(bodies_)),
      lu_(S_, false, view.workers),
      keep_(bodies_.state_size(), 1),
      y_(bodies_.state_size()),
      u_(at(view.size())) {
  const auto d = at(bodies_.dimension());
  for (Vector* v : {&inverse_, &condition_}) v->resize(at(bodies_.contacts()) * d * d);
  place_pairs();
}

void BodyFactors::place_pairs() {
  for (std::int32_t j = 0; j < S_.cols; ++j) diagonal_.push_back(S_.col_start[at(j)] + place_in_column(S_, j, j));
  for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
    pair_start_.push_back(static_cast<std::int32_t>(pair_.size()));
    for (std::int32_t q = bodies_.first_part(a); q < bodies_.first_part(a + 1); ++q)
      for (std::int32_t p = bodies_.first_part(a); p < bodies_.first_part(a + 1); ++p)
        pair_.push_back(place_in_column(S_, part_rows_[at(p)], part_rows_[at(q)]));
  }
}

// The values are read where they stand.
bool BodyFactors::update(const Inclusion& view) {
  if (view.bodies != &bodies_ || at(bodies_.parts()) != part_rows_.size()) return false;
  for (std::int32_t p = 0; p < bodies_.parts(); ++p)
    if (bodies_.part(p).start != part_rows_[at(p)]) return false;
  return true;
}

bool BodyFactors::invert(const NewtonBlocks& blocks, std::size_t contact) {
  const int d = bodies_.dimension();
  double R[largest_contact * largest_contact];
  int pivot[largest_contact];
  std::copy_n(blocks.R(contact), d * d, R);
  for (int i = 0; i < d; ++i) R[i * (d + 1)] += shift_ * blocks.scale[contact];
  if (!factorise_small(R, pivot, d)) return false;
  double *inverse = &inverse_[contact * at(d * d)], *condition = &condition_[contact * at(d * d)];
  std::fill_n(inverse, d * d, 0.0);
  for (int j = 0; j < d; ++j) {
    inverse[j * (d + 1)] = 1;
    solve_small(R, pivot, d, inverse + j * d);
    std::copy_n(blocks.L(contact) + j * d, d, condition + j * d);
    solve_small(R, pivot, d, condition + j * d);
  }
  return true;
}

// S += E_b R_b^-1 L_b F_b'.
void BodyFactors::add_contact(std::int32_t contact) {
  const int d = bodies_.dimension();
  const double* condition = &condition_[at(contact) * at(d * d)];
  const std::int32_t first = bodies_.first_part(contact), count = bodies_.first_part(contact + 1) - first;
  double row[largest_contact], weighted[largest_contact];
  for (std::int32_t q = 0; q < count; ++q) {
    const DelassusOperator::Part right = bodies_.part(first + q);
    for (std::int32_t j = 0; j < right.size; ++j) {
      for (int k = 0; k < d; ++k) row[k] = right.gathers[j + k * right.size];
      multiply(condition, d, row, weighted);
      double* column = S_.values.data() + S_.col_start[at(right.start + j)];
      for (std::int32_t p = 0; p < count; ++p) {
        const DelassusOperator::Part left = bodies_.part(first + p);
        double* target = column + pair_[at(pair_start_[at(contact)] + q * count + p)];
        for (int k = 0; k < d; ++k)
          for (std::int32_t i = 0; i < left.size; ++i) target[i] += left.spreads[i + k * left.size] * weighted[k];
      }
    }
  }
}

bool BodyFactors::factorise(const NewtonBlocks& blocks, double shift) {
  shift_ = shift;
  std::fill(S_.values.begin(), S_.values.end(), 0.0);
  for (const std::int32_t place : diagonal_) S_.values[at(place)] = 1;
  for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
    if (!invert(blocks, at(a))) return false;
    add_contact(a);
  }
  return lu_.factorise(keep_);
}

void BodyFactors::solve(const NewtonBlocks& blocks, std::span<double> x) {
  const int d = bodies_.dimension();
  double v[largest_contact];
  std::fill(y_.begin(), y_.end(), 0.0);
  for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
    multiply(&inverse_[at(a) * at(d * d)], d, x.data() + a * d, v);
    bodies_.scatter<0, 0>(a, v, y_.data());
  }
  lu_.solve(y_);
  for (std::int32_t a = 0; a < bodies_.contacts(); ++a) {
    double *own = x.data() + a * d, u[largest_contact] = {}, c[largest_contact];
    bodies_.gather<0, 0>(a, y_.data(), u);
    multiply(blocks.L(at(a)), d, u, v);
    for (int i = 0; i < d; ++i) c[i] = own[i] - v[i];
    multiply(&inverse_[at(a) * at(d * d)], d, c, own);
  }
}

void BodyFactors::subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) {
  const int d = bodies_.dimension();
  std::fill(u_.begin(), u_.end(), 0.0);
  bodies_.multiply_add(x, u_);
  double v[largest_contact];
  for (std::size_t a = 0; a < blocks.count(); ++a) {
    const double *own = x.data() + blocks.start[a], *u = u_.data() + blocks.start[a];
    double* target = y.data() + blocks.start[a];
    multiply(blocks.L(a), d, u, v);
    for (int i = 0; i < d; ++i) target[i] -= v[i] + shift_ * blocks.scale[a] * own[i];
    multiply(blocks.R(a), d, own, v);
    for (int i = 0; i < d; ++i) target[i] -= v[i];
  }
}

}  // namespace nonsmooth
