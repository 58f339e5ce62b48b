// Row access for sweeps: q_I + sum over J != I of W_IJ z_J, with the diagonal block kept apart. Rows are named by their place in
// the order of the sweep.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/checked.hpp"
#include "linalg/matrix.hpp"
#include "methods/row_product.hpp"
#include "methods/sweep_order.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

// to: the blocks of D numbers of `from` that begin at `rows`, one after the other.
template <int D>
void copy_blocks(const double* from, const IndexVector& rows, Vector& to) {
  to.resize(rows.size() * D);
  auto next = to.begin();
  for (std::int32_t row : rows) next = std::copy(from + row, from + row + D, next);
}

// All blocks of one size D (1, 2, 3, 5): block CSR without the diagonal, values contiguous in sweep order.
template <int D>
class UniformRows {
 public:
  void setup(const Inclusion& view, const SweepOrder& order) {
    const std::int64_t count = view.size() / D;
    for (IndexVector* v : {&last_, &next_, &place_}) v->resize(static_cast<std::size_t>(count));
    row_.clear();
    for (std::int32_t block : order.blocks()) row_.push_back(block * D);
    for (std::size_t k = 0; k < row_.size(); ++k) place_[static_cast<std::size_t>(row_[k] / D)] = static_cast<std::int32_t>(k);
    if (view.M->dense() != nullptr) reserve(count * (count - 1));
    load(view);
  }
  // Reads the matrix, at setup and whenever its values have changed: then it allocates only if the matrix has more blocks than
  // ever.
  void load(const Inclusion& view) {
    given_ = view.q->data();
    begin();
    diagonal_.assign(last_.size() * D * D, 0.0);
    start_.assign(last_.size() + 1, 0);
    const BlockCsrMatrix* blocks = view.M->block_csr();
    if (blocks == nullptr)
      load_entries(*view.M);
    else if (blocks->uniform_block_size() == D)
      load_blocks(*blocks);
    else
      load_blocks(to_block_csr(*view.M, D));
    col_.resize(col_.size() + columns_ahead, 0);
    values_.push_back(0);
  }

  // Before the sweeps of a solve: q may have changed. It is kept in the order of the sweep.
  void begin() { copy_blocks<D>(given_, row_, q_); }

  static constexpr std::int32_t size(std::size_t) { return D; }
  std::int32_t start(std::size_t k) const {
    if constexpr (D == 1) return static_cast<std::int32_t>(k);  // rows of their own keep their order
    return row_[k];
  }
  const double* diagonal(std::size_t k) const { return diagonal_.data() + k * D * D; }

  // What a place that is gathered later reads of its own.
  void fetch(std::size_t place, const double* z) const { __builtin_prefetch(z + start(place)); }
  void gather(std::size_t place, const double* z, double* q) const {
    const double* given = q_.data() + place * D;
    const auto begin = static_cast<std::size_t>(start_[place]), end = static_cast<std::size_t>(start_[place + 1]);
    const double* w = values_.data() + begin * D * D;
    if constexpr (D == 3)
      add_row_(w, col_.data() + begin, col_.data() + end, z, given, q);
    else
      add_row(w, begin, end, z, given, q);
  }

 private:
  void reserve(std::int64_t blocks) {
    col_.reserve(static_cast<std::size_t>(blocks) + columns_ahead);
    values_.reserve(static_cast<std::size_t>(checked_mul(blocks, D * D, "off-diagonal blocks")) + 1);
  }

  void load_blocks(const BlockCsrMatrix& blocks) {
    reserve(static_cast<std::int64_t>(blocks.block_col.size()));
    col_.clear();
    values_.clear();
    for (std::size_t place = 0; place < row_.size(); ++place) {
      const auto I = static_cast<std::size_t>(row_[place] / D);
      for (std::int32_t k = blocks.row_start[I]; k < blocks.row_start[I + 1]; ++k) {
        const auto block = blocks.values.begin() + blocks.block_start[static_cast<std::size_t>(k)];
        const std::int32_t J = blocks.block_col[static_cast<std::size_t>(k)];
        if (static_cast<std::size_t>(J) == I) {
          std::copy(block, block + D * D, diagonal_.begin() + static_cast<std::ptrdiff_t>(place) * D * D);
        } else {
          col_.push_back(J * D);
          values_.insert(values_.end(), block, block + D * D);
        }
      }
      start_[place + 1] = static_cast<std::int32_t>(col_.size());
    }
  }

  void load_entries(const Matrix& M) {
    std::int64_t count = 0;
    for_each_entry_of_blocks(M, D, last_, [&](std::int64_t i, std::int64_t j, double, bool first) {
      if (!first || i / D == j / D) return;
      ++start_[place_of(i) + 1];
      ++count;
    });
    checked_index(count, "off-diagonal blocks");
    for (std::size_t k = 0; k < last_.size(); ++k) start_[k + 1] += start_[k];
    std::copy(start_.begin(), start_.end() - 1, next_.begin());
    col_.resize(static_cast<std::size_t>(count));
    values_.assign(static_cast<std::size_t>(checked_mul(count, D * D, "off-diagonal blocks")), 0.0);
    for_each_entry_of_blocks(M, D, last_, [&](std::int64_t i, std::int64_t j, double a, bool first) {
      const std::size_t place = place_of(i), within = static_cast<std::size_t>((j % D) * D + i % D);
      if (i / D == j / D) {
        diagonal_[place * D * D + within] = a;
        return;
      }
      if (first) col_[static_cast<std::size_t>(next_[place]++)] = static_cast<std::int32_t>(j - j % D);
      values_[static_cast<std::size_t>(next_[place] - 1) * D * D + within] = a;
    });
  }

  std::size_t place_of(std::int64_t row) const { return static_cast<std::size_t>(place_[static_cast<std::size_t>(row / D)]); }

  // q = given + the products of the blocks from w on.
  void add_row(const double* w, std::size_t begin, std::size_t end, const double* z, const double* given, double* q) const {
    // Two sums, each with one addition per block on its chain: the latency of additions bounds this loop, not their number.
    double odd[D]{};
    for (int i = 0; i < D; ++i) q[i] = given[i];
    std::size_t k = begin;
    for (; k + 2 <= end; k += 2, w += 2 * D * D) {
      add_product(w, z + col_[k], q);
      add_product(w + D * D, z + col_[k + 1], odd);
    }
    if (k < end) add_product(w, z + col_[k], q);
    for (int i = 0; i < D; ++i) q[i] += odd[i];
  }

  // sum += w x for one block.
  static void add_product(const double* w, const double* x, double* sum) {
    for (int i = 0; i < D; ++i) {
      double row = w[i] * x[0];
      for (int j = 1; j < D; ++j) row += w[i + j * D] * x[j];
      sum[i] += row;
    }
  }

  const RowProduct add_row_ = row_product_of_threes();
  const double* given_ = nullptr;  // q as the problem has it
  IndexVector row_, place_;        // first row of each place in the order, the place of each block
  IndexVector start_, col_;        // by places
  IndexVector last_, next_;        // workspaces of load
  Vector diagonal_, values_, q_;
};

// Blocks of any sizes: compressed rows, entries of the diagonal blocks kept apart.
class MixedRows {
 public:
  // In the natural order.
  void setup(const Inclusion& view, const SweepOrder& order);
  void load(const Inclusion& view);

  std::int32_t size(std::size_t block) const { return block_start_[block + 1] - block_start_[block]; }
  std::int32_t start(std::size_t block) const { return block_start_[block]; }
  const double* diagonal(std::size_t block) const { return diagonal_.data() + diagonal_start_[block]; }

  void gather(std::size_t block, const double* z, double* q) const {
    for (std::int32_t i = block_start_[block], local = 0; i < block_start_[block + 1]; ++i, ++local) {
      const auto row = static_cast<std::size_t>(i);
      double sum = q_[row];
      for (std::int32_t k = row_start_[row]; k < row_start_[row + 1]; ++k)
        sum += values_[static_cast<std::size_t>(k)] * z[col_[static_cast<std::size_t>(k)]];
      q[local] = sum;
    }
  }

 private:
  const double* q_ = nullptr;
  IndexVector block_start_, block_of_row_, row_start_, col_, next_;
  std::vector<std::size_t> diagonal_start_;
  Vector diagonal_, values_;
};

}  // namespace nonsmooth
