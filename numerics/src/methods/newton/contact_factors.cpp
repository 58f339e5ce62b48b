#include "methods/newton/contact_factors.hpp"

#include <algorithm>
#include <utility>

#include "core/index.hpp"
#include "linalg/elimination_order.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_dense_factor = 100;
constexpr auto together = at(SparsePrincipalFactor::selected_together);  // columns of a response

// All rows of all blocks.
CscMatrix pattern_of(const BlockColumns& M) {
  const auto n = static_cast<std::int64_t>(M.blocks_of_rows().size());
  CscMatrix pattern{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    M.for_each_entry_of_column(j, [&](std::int32_t i, double) { pattern.row_index.push_back(i); });
    pattern.col_start.push_back(static_cast<std::int32_t>(pattern.row_index.size()));
  }
  return pattern;
}

// y -= A x; D: the order of A, or 0.
template <int D>
void subtract_block_product(const double* A, std::int32_t d, const double* x, double* y) {
  const std::int32_t n = D > 0 ? D : d;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t k = 0; k < n; ++k) y[i] -= A[i + k * n] * x[k];
}

}  // namespace

double ContactFactors::work(const Inclusion& view) {
  const auto n = static_cast<double>(view.size()), count = static_cast<double>(view.blocks.size());
  if (view.size() <= largest_dense_factor) return n * n * n / 3;
  const CscMatrix graph = view.bodies != nullptr
                              ? graph_of(neighbours_of_contacts(view.bodies->contacts_of_bodies(), view.bodies->contacts()))
                              : BlockColumns::graph_of(view, view.M->dense() == nullptr);
  const double rows = n / count;
  return find_elimination_order(graph).work * rows * rows * rows;
}

// Dense factors have room for every block: zeros stay in the pattern, so that it serves other values too.
ContactFactors::ContactFactors(const Inclusion& view)
    : dense_(view.size() <= largest_dense_factor), M_(view, dense_), keep_(at(view.size()), 1), product_(at(view.size())) {
  if (dense_)
    dense_lu_.resize(static_cast<int>(view.size()));
  else
    order_sparse(view.workers);
}

bool ContactFactors::update(const Inclusion& view) { return M_.update(view); }

// Blocks of one size are ordered as they are, others row by row: a large one is more than one step of an elimination.
void ContactFactors::order_sparse(Workers* workers) {
  const IndexVector order = M_.block_size() > 0
                                ? find_elimination_order(M_.graph(), M_.block_size()).order
                                : order_of_blocks(find_elimination_order(pattern_of(M_)).order, M_.blocks_of_rows());
  Supernodes nodes = find_block_supernodes(M_.graph(), M_.starts(), order);
  entries_ = std::make_shared<NewtonEntries>(M_, nodes);
  sparse_lu_.emplace(std::move(nodes), entries_, workers);
}

// Rows of blocks whose equations do not contain w (open contacts) are those of a diagonal matrix: they are solved on their own,
// and the factors are those of the others.
void ContactFactors::choose_rows(const NewtonBlocks& blocks) {
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    const std::int32_t d = blocks.size(b);
    const double *L = blocks.L(b), *R = blocks.R(b);
    bool alone = std::all_of(L, L + d * d, [](double value) { return value == 0; });
    for (std::int32_t k = 0; k < d * d && alone; ++k) alone = (R[k] != 0) == (k % (d + 1) == 0);
    std::fill_n(keep_.begin() + blocks.start[b], d, static_cast<char>(!alone));
  }
}

bool ContactFactors::factorise(const NewtonBlocks& blocks, double shift, Precision precision) {
  shift_ = shift;
  if (dense_) return factorise_dense(blocks, shift);
  choose_rows(blocks);
  entries_->take(blocks, shift);
  return sparse_lu_->factorise(keep_, precision);
}

bool ContactFactors::factorise_dense(const NewtonBlocks& blocks, double shift) {
  const auto n = product_.size();
  const std::span<double> K = dense_lu_.matrix();
  std::fill_n(K.begin(), n * n, 0.0);
  with_block_size(M_.block_size(), [&]<int D>(std::integral_constant<int, D>) {
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      const auto j = at(blocks.start[b]);
      for (std::int32_t k = M_.graph().col_start[b]; k < M_.graph().col_start[b + 1]; ++k) {
        const auto r = at(M_.graph().row_index[at(k)]);
        const auto row = at(blocks.start[r]);
        put_block<D>(blocks.L(r), blocks.size(r), M_.at_place(M_.place(k)), blocks.size(r), blocks.size(b),
                     r == b ? blocks.R(b) : nullptr,
                     [&](std::int32_t i, std::int32_t c, double value) { K[row + at(i) + n * (j + at(c))] = value; });
      }
      for (std::size_t i = j; i < j + at(blocks.size(b)); ++i) K[i * (n + 1)] += shift * blocks.scale[b];
    }
  });
  return dense_lu_.factorise(static_cast<int>(n));
}

void ContactFactors::solve(const NewtonBlocks& blocks, std::span<double> x) {
  if (dense_) {
    dense_lu_.solve(x.data());
    return;
  }
  solve_alone(blocks, x);
  sparse_lu_->solve(x);
}

// Rows that are on their own, and what they leave of the others.
void ContactFactors::solve_alone(const NewtonBlocks& blocks, std::span<double> x) {
  bool leave = false;
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (keep_[j] != 0 || x[j] == 0) continue;
    if (!leave) std::fill(product_.begin(), product_.end(), 0.0);
    leave = true;
    x[j] /= own_entry(blocks, static_cast<std::int32_t>(j));
    M_.for_each_entry_of_column(static_cast<std::int32_t>(j),
                                [&](std::int32_t i, double value) { product_[at(i)] += value * x[j]; });
  }
  for (std::size_t b = 0; b < blocks.count() && leave; ++b)
    if (keep_[at(blocks.start[b])] != 0)
      subtract_block_product<0>(blocks.L(b), blocks.size(b), &product_[at(blocks.start[b])], &x[at(blocks.start[b])]);
}

bool ContactFactors::reserve_responses() {
  if (dense_) return false;
  const std::size_t n = product_.size();
  for (IndexVector* v : {&near_, &place_, &place_in_A_}) v->reserve(n);
  columns_.reserve(n * together);
  sparse_lu_->reserve_selections();
  return true;
}

// Some columns at a time; M x takes x from the rows coupled to A.
void ContactFactors::respond(const NewtonBlocks& blocks, std::span<const std::int32_t> A, std::span<double> Z,
                             std::span<double> W) {
  find_near(A);
  sparse_lu_->select(near_);
  columns_.resize(near_.size() * together);
  std::fill(W.begin(), W.end(), 0.0);
  for (std::size_t first = 0; first < A.size(); first += together) {
    const std::size_t count = std::min(together, A.size() - first);
    std::fill(columns_.begin(), columns_.end(), 0.0);
    for (std::size_t j = 0; j < count; ++j) put_source(blocks, A[first + j], j);
    sparse_lu_->solve_selected(near_, columns_);
    for (std::size_t j = 0; j < count; ++j)
      if (const std::int32_t row = A[first + j]; keep_[at(row)] == 0)
        columns_[at(place_[at(row)]) * together + j] = 1 / own_entry(blocks, row);
    add_response(first, count, A.size(), Z, W);
  }
}

// What the columns at hand say of the rows A.
void ContactFactors::add_response(std::size_t first, std::size_t count, std::size_t order, std::span<double> Z,
                                  std::span<double> W) const {
  for (std::size_t k = 0; k < near_.size(); ++k) {
    const std::size_t c = at(near_[k]);
    const double* x = columns_.data() + k * together;
    if (place_in_A_[c] >= 0)
      for (std::size_t j = 0; j < count; ++j) Z[at(place_in_A_[c]) + (first + j) * order] = x[j];
    M_.for_each_entry_of_column(near_[k], [&](std::int32_t row, double value) {
      const std::int32_t i = place_in_A_[at(row)];
      if (i < 0) return;
      for (std::size_t j = 0; j < count; ++j) W[at(i) + (first + j) * order] += value * x[j];
    });
  }
}

void ContactFactors::find_near(std::span<const std::int32_t> A) {
  place_.assign(product_.size(), -1);
  place_in_A_.assign(product_.size(), -1);
  near_.clear();
  for (std::size_t i = 0; i < A.size(); ++i) {
    place_in_A_[at(A[i])] = static_cast<std::int32_t>(i);
    M_.for_each_entry_of_column(A[i], [&](std::int32_t row, double) {
      if (place_[at(row)] >= 0) return;
      place_[at(row)] = static_cast<std::int32_t>(near_.size());
      near_.push_back(row);
    });
  }
}

// The diagonal entry of a row that is solved on its own.
double ContactFactors::own_entry(const NewtonBlocks& blocks, std::int32_t row) const {
  const auto b = at(M_.block_of(row));
  return blocks.R(b)[(row - blocks.start[b]) * (blocks.size(b) + 1)];
}

// A 1 in a row of K x = c, as right-hand side of the rows that are factorised.
void ContactFactors::put_source(const NewtonBlocks& blocks, std::int32_t row, std::size_t column) {
  if (keep_[at(row)] != 0) {
    columns_[at(place_[at(row)]) * together + column] = 1;
    return;
  }
  const double x = 1 / own_entry(blocks, row);
  M_.for_each_block_of_column(row, [&](std::int32_t block, const double* values) {
    const auto b = at(block);
    const std::int32_t first = blocks.start[b], d = blocks.size(b);
    if (keep_[at(first)] != 0)
      put_block<0>(blocks.L(b), d, values, 0, 1, nullptr, [&](std::int32_t i, std::int32_t, double value) {
        columns_[at(place_[at(first + i)]) * together + column] = -value * x;
      });
  });
}

// K x = L (M x) + R x: M is read in place of K, which nobody has.
void ContactFactors::subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) {
  std::fill(product_.begin(), product_.end(), 0.0);
  M_.multiply_add(x, product_);
  with_block_size(M_.block_size(), [&]<int D>(std::integral_constant<int, D>) {
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      const auto i = at(blocks.start[b]);
      const std::int32_t d = blocks.size(b);
      subtract_block_product<D>(blocks.L(b), d, &product_[i], &y[i]);
      subtract_block_product<D>(blocks.R(b), d, &x[i], &y[i]);
      for (std::int32_t k = 0; k < d && shift_ > 0; ++k) y[i + at(k)] -= shift_ * blocks.scale[b] * x[i + at(k)];
    }
  });
}

}  // namespace nonsmooth
