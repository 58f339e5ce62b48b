#include "methods/newton/contact_factors.hpp"

#include <algorithm>

#include "core/index.hpp"
#include "linalg/block_product.hpp"
#include "linalg/elimination_order.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_dense_factor = 100;
constexpr auto together = at(SparsePrincipalFactor::selected_together);  // columns of a response

// By block column: blocks that hold an entry of M, zeros too if so wanted, and the diagonal one; ascending.
std::vector<IndexVector> block_columns(const Inclusion& view, const IndexVector& block_of_row, bool with_zeros) {
  std::vector<IndexVector> rows(view.blocks.size());
  for (std::size_t b = 0; b < rows.size(); ++b) rows[b].push_back(static_cast<std::int32_t>(b));
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    IndexVector& column = rows[at(block_of_row[at(j)])];
    if ((with_zeros || value != 0) && column.back() != block_of_row[at(i)]) column.push_back(block_of_row[at(i)]);
  });
  for (IndexVector& column : rows) {
    std::sort(column.begin(), column.end());
    column.erase(std::unique(column.begin(), column.end()), column.end());
  }
  return rows;
}

}  // namespace

double ContactFactors::work(const Inclusion& view) {
  const auto n = static_cast<double>(view.size()), count = static_cast<double>(view.blocks.size());
  if (view.size() <= largest_dense_factor) return n * n * n / 3;
  CscMatrix graph{static_cast<std::int64_t>(view.blocks.size()), static_cast<std::int64_t>(view.blocks.size()), {0}, {}, {}};
  const std::vector<IndexVector> columns =
      view.bodies != nullptr ? neighbours_of_contacts(view.bodies->contacts_of_bodies(), view.bodies->contacts())
                             : block_columns(view, block_of_each_row(view), view.M->dense() == nullptr);
  for (const IndexVector& column : columns) {
    graph.row_index.insert(graph.row_index.end(), column.begin(), column.end());
    graph.col_start.push_back(static_cast<std::int32_t>(graph.row_index.size()));
  }
  const double rows = n / count;
  return find_elimination_order(graph).work * rows * rows * rows;
}

void ContactFactors::take_pattern(const Inclusion& view) {
  const std::int64_t n = view.size();
  block_of_row_ = block_of_each_row(view);
  // Dense factors have room for every block: zeros stay in the pattern, so that it serves other values too.
  const std::vector<IndexVector> rows = block_columns(view, block_of_row_, dense_);
  K_ = CscMatrix{n, n, {0}, {}, {}};
  segments_.clear();
  segment_start_.assign(1, 0);
  for (std::size_t b = 0; b < view.blocks.size(); ++b)
    for (std::int32_t j = 0; j < view.blocks[b].size; ++j) {
      for (const std::int32_t r : rows[b]) {
        const SetBlock& block = view.blocks[at(r)];
        segments_.push_back({r, static_cast<std::int32_t>(K_.row_index.size())});
        for (std::int32_t i = block.start; i < block.start + block.size; ++i) K_.row_index.push_back(i);
      }
      segment_start_.push_back(static_cast<std::int32_t>(segments_.size()));
      K_.col_start.push_back(static_cast<std::int32_t>(K_.row_index.size()));
    }
}

// false if an entry stands outside the pattern.
bool ContactFactors::update(const Inclusion& view) {
  bool inside = true;
  M_.assign(K_.row_index.size(), 0.0);
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) {
    if (value == 0) return;
    const std::int64_t place = place_of(K_, i, j);
    if (place < 0)
      inside = false;
    else
      M_[at(place)] = value;
  });
  return inside;
}

ContactFactors::ContactFactors(const Inclusion& view)
    : workers_(view.workers), dense_(view.size() <= largest_dense_factor), keep_(at(view.size()), 1) {
  const std::int32_t size = view.blocks.front().size;
  if (std::all_of(view.blocks.begin(), view.blocks.end(), [&](const SetBlock& b) { return b.size == size; })) block_size_ = size;
  take_pattern(view);
  update(view);
  K_.values.assign(M_.size(), 0.0);
  if (dense_)
    dense_lu_.resize(static_cast<int>(view.size()));
  else
    sparse_lu_.emplace(K_, false, view.workers);
}

// Column j of K; D: rows of every block, 0: as they come.
template <int D>
void ContactFactors::assemble_column(const NewtonBlocks& blocks, double shift, std::size_t j) {
  const std::int32_t own = block_of_row_[j];
  for (std::int32_t k = segment_start_[j]; k < segment_start_[j + 1]; ++k) {
    const Segment& segment = segments_[at(k)];
    const auto b = at(segment.block);
    const std::int32_t d = D > 0 ? D : blocks.size(b), place = static_cast<std::int32_t>(j) - blocks.start[b];
    const double *L = blocks.L(b), *m = M_.data() + segment.start;
    const double* R = segment.block == own ? blocks.R(b) + d * place : nullptr;
    double* to = K_.values.data() + segment.start;
    for (std::int32_t i = 0; i < d; ++i) {
      double sum = R != nullptr ? R[i] : 0;
      for (std::int32_t c = 0; c < d; ++c) sum += L[i + c * d] * m[c];
      to[i] = sum;
    }
    if (R != nullptr) to[place] += shift * blocks.scale[b];
  }
}

void ContactFactors::assemble(const NewtonBlocks& blocks, double shift) {
  const auto assemble_columns = [&]<int D>() {
    for_each_share(workers_, block_of_row_.size(), [&](std::size_t j) { assemble_column<D>(blocks, shift, j); });
  };
  switch (block_size_) {
    case 2: return assemble_columns.operator()<2>();
    case 3: return assemble_columns.operator()<3>();
    default: return assemble_columns.operator()<0>();
  }
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
  assemble(blocks, shift);
  if (!dense_) {
    choose_rows(blocks);
    return sparse_lu_->factorise(keep_, precision);
  }
  const auto n = block_of_row_.size();
  std::fill_n(dense_lu_.matrix().begin(), n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = K_.col_start[j]; k < K_.col_start[j + 1]; ++k)
      dense_lu_.matrix()[at(K_.row_index[at(k)]) + n * j] = K_.values[at(k)];
  return dense_lu_.factorise(static_cast<int>(n));
}

void ContactFactors::solve(const NewtonBlocks& blocks, std::span<double> x) {
  if (dense_) {
    dense_lu_.solve(x.data());
    return;
  }
  for (std::size_t b = 0; b < blocks.count(); ++b) {
    if (keep_[at(blocks.start[b])] != 0) continue;
    const std::int32_t d = blocks.size(b);
    for (std::int32_t i = 0; i < d; ++i) x[at(blocks.start[b] + i)] /= blocks.R(b)[i * (d + 1)];
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    if (keep_[j] == 0 && x[j] != 0)
      for (std::int32_t p = K_.col_start[j]; p < K_.col_start[j + 1]; ++p)
        if (keep_[at(K_.row_index[at(p)])] != 0) x[at(K_.row_index[at(p)])] -= K_.values[at(p)] * x[j];
  sparse_lu_->solve(x);
}

bool ContactFactors::reserve_responses() {
  if (dense_) return false;
  const std::size_t n = block_of_row_.size();
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
    for (std::int32_t p = K_.col_start[c]; p < K_.col_start[c + 1]; ++p) {
      const std::int32_t i = place_in_A_[at(K_.row_index[at(p)])];
      if (i < 0) continue;
      for (std::size_t j = 0; j < count; ++j) W[at(i) + (first + j) * order] += M_[at(p)] * x[j];
    }
  }
}

void ContactFactors::find_near(std::span<const std::int32_t> A) {
  place_.assign(block_of_row_.size(), -1);
  place_in_A_.assign(block_of_row_.size(), -1);
  near_.clear();
  for (std::size_t i = 0; i < A.size(); ++i) {
    const auto column = at(A[i]);
    place_in_A_[column] = static_cast<std::int32_t>(i);
    for (std::int32_t p = K_.col_start[column]; p < K_.col_start[column + 1]; ++p) {
      const std::int32_t row = K_.row_index[at(p)];
      if (place_[at(row)] >= 0) continue;
      place_[at(row)] = static_cast<std::int32_t>(near_.size());
      near_.push_back(row);
    }
  }
}

// The diagonal entry of a row that is solved on its own.
double ContactFactors::own_entry(const NewtonBlocks& blocks, std::int32_t row) const {
  const auto b = at(block_of_row_[at(row)]);
  return blocks.R(b)[(row - blocks.start[b]) * (blocks.size(b) + 1)];
}

// A 1 in a row of K x = c, as right-hand side of the rows that are factorised.
void ContactFactors::put_source(const NewtonBlocks& blocks, std::int32_t row, std::size_t column) {
  if (keep_[at(row)] != 0) {
    columns_[at(place_[at(row)]) * together + column] = 1;
    return;
  }
  const double x = 1 / own_entry(blocks, row);
  for (std::int32_t p = K_.col_start[at(row)]; p < K_.col_start[at(row) + 1]; ++p) {
    const std::int32_t i = K_.row_index[at(p)];
    if (keep_[at(i)] != 0) columns_[at(place_[at(i)]) * together + column] = -K_.values[at(p)] * x;
  }
}

void ContactFactors::subtract_product(const NewtonBlocks&, std::span<const double> x, std::span<double> y) {
  multiply_add_columns(K_, -1, x, y);
}

}  // namespace nonsmooth
