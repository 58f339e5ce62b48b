// Row access for sweeps: q_I + sum over J != I of W_IJ z_J, with the diagonal block kept apart. Rows are named by their place in
// the order of the sweep.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "core/prefetch.hpp"
#include "linalg/matrix.hpp"
#include "methods/sweeps/row_product.hpp"
#include "methods/sweeps/sweep_order.hpp"
#include "problems/inclusion.hpp"
#include "sets/coulomb_lanes.hpp"

namespace nonsmooth {

// to: the blocks of D numbers of `from` that begin at `rows`, one after the other.
template <int D>
void copy_blocks(const double* from, const IndexVector& rows, Vector& to) {
  to.resize(rows.size() * D);
  auto next = to.begin();
  for (std::int32_t row : rows) next = std::copy(from + row, from + row + D, next);
}

// How many stored blocks each row of blocks of size D has, the diagonal one included.
IndexVector count_blocks_per_row(const Matrix& M, std::int32_t D);

// Blocks of one size D (1, 2, 3, 5) without the diagonal ones, in the order of the sweep: block CSR, or the rows of the WIDTH
// contacts of each group of the order side by side, their first blocks, their second ones, ..., number by number.
template <int D, int WIDTH, class Number>
class StoredRows {
 public:
  static constexpr std::int32_t size(std::size_t) { return D; }
  std::int32_t start(std::size_t k) const {
    if constexpr (D == 1) return static_cast<std::int32_t>(k);  // rows of their own keep their order
    return row_[k];
  }
  const double* diagonal(std::size_t k) const { return diagonal_.data() + k * D * D; }

  // What a place that is gathered later reads of its own.
  void fetch(std::size_t place, const double* z) const { fetch_line(z + start(place)); }

 protected:
  // What is too small for products of singles is 0 (LaneRows).
  static Number as_number(double x) {
    if constexpr (std::is_same_v<Number, float>)
      if (std::abs(x) < LaneRows::smallest) return Number{0};
    return static_cast<Number>(x);
  }
  static constexpr std::int32_t packed = 4;  // numbers from a contact to the next beside groups

  void set_places(const Inclusion& view, const SweepOrder& order) {
    const std::int64_t count = view.size() / D;
    for (IndexVector* v : {&last_, &next_, &place_}) v->resize(at(count));
    row_.clear();
    for (std::int32_t block : order.blocks()) row_.push_back(block * D);
    for (std::size_t k = 0; k < row_.size(); ++k) place_[at(row_[k] / D)] = static_cast<std::int32_t>(k);
    set_slots(order);
    if (view.M->dense() != nullptr) reserve(count * (count - 1));
  }
  // The blocks of M times factor, the diagonal ones as they are. Allocates only if M has more blocks than ever.
  void load_blocks(const Matrix& M, double factor) {
    factor_ = factor;
    diagonal_.assign(last_.size() * D * D, 0.0);
    const BlockCsrMatrix* blocks = M.block_csr();
    if (blocks == nullptr)
      load_entries(M);
    else if (blocks->uniform_block_size() == D)
      load_blocks(*blocks);
    else
      load_blocks(to_block_csr(M, D));
  }

  std::size_t group(std::size_t place) const { return slot(place) / WIDTH; }
  std::size_t lane(std::size_t place) const { return slot(place) % WIDTH; }
  // WIDTH group + lane.
  std::size_t slot(std::size_t place) const {
    if constexpr (WIDTH == 1) return place;
    return at(slot_[place]);
  }
  // Where number i of `size` of a lane stands, in one layer after the other.
  static std::size_t number(std::size_t layer, std::size_t size, std::size_t i, std::size_t lane) {
    return (layer * size + i) * WIDTH + lane;
  }

 private:
  static constexpr std::size_t cache_line = 64 / sizeof(Number);
  // Columns behind the last one, which are read to fetch what they stand for.
  static constexpr std::size_t read_ahead = WIDTH == 1 ? columns_ahead : layers_ahead * WIDTH;

  void set_slots(const SweepOrder& order) {
    groups_ = WIDTH == 1 ? row_.size() : order.groups();
    if constexpr (WIDTH > 1) {
      slot_.clear();
      for (std::size_t g = 0; g < groups_; ++g)
        for (std::size_t k = order.first_place(g); k < order.first_place(g + 1); ++k)
          slot_.push_back(static_cast<std::int32_t>(g * WIDTH + k - order.first_place(g)));
    }
  }
  // Where what is multiplied with the blocks of column J begins.
  std::int32_t offset(std::size_t J) const {
    if constexpr (WIDTH == 1) return static_cast<std::int32_t>(J) * D;
    return slot_[at(place_[J])] * packed;
  }

  void reserve(std::int64_t blocks) {
    col_.reserve(at(blocks) + read_ahead);
    values_.reserve(at(checked_mul(blocks, D * D, "off-diagonal blocks")) + cache_line);
  }

  // Room for as many layers in each group as the longest of its rows has blocks. In: the blocks of each place in next_; out: its
  // first layer.
  void set_layers() {
    start_.assign(groups_ + 1, 0);
    for (std::size_t place = 0; place < row_.size(); ++place) {
      std::int32_t& layers = start_[group(place) + 1];
      layers = std::max(layers, next_[place]);
    }
    std::int64_t total = 0;
    for (std::int32_t& layers : start_) layers = checked_index(total += layers, "off-diagonal blocks");
    for (std::size_t place = 0; place < row_.size(); ++place) next_[place] = start_[group(place)];
    const std::int64_t blocks = checked_mul(total, WIDTH, "off-diagonal blocks");
    col_.assign(at(blocks) + read_ahead, 0);
    if constexpr (WIDTH > 1) fill_layers();
    values_.assign(at(checked_mul(blocks, D * D, "off-diagonal blocks")) + cache_line, 0);
    first_ = (cache_line - reinterpret_cast<std::uintptr_t>(values_.data()) / sizeof(Number) % cache_line) % cache_line;
  }
  // Blocks of zeros are multiplied with a contact of their own group: others may belong to a thread that writes them meanwhile.
  void fill_layers() {
    for (std::size_t place = 0; place < row_.size(); ++place) {
      if (lane(place) != 0) continue;
      const std::size_t g = group(place);
      std::fill(col_.begin() + std::ptrdiff_t{start_[g]} * WIDTH, col_.begin() + std::ptrdiff_t{start_[g + 1]} * WIDTH,
                offset(at(row_[place] / D)));
    }
  }
  void add_block(std::size_t place, std::size_t J) { col_[at(next_[place]++) * WIDTH + lane(place)] = offset(J); }
  // Of the block added last.
  void set_entry(std::size_t place, std::size_t i, double a) {
    values_[first_ + number(at(next_[place] - 1), D * D, i, lane(place))] = as_number(factor_ * a);
  }

  void load_blocks(const BlockCsrMatrix& blocks) {
    const auto visit = [&](auto&& diagonal, auto&& other) {
      for (std::size_t place = 0; place < row_.size(); ++place) {
        const auto I = at(row_[place] / D);
        for (std::int32_t k = blocks.row_start[I]; k < blocks.row_start[I + 1]; ++k) {
          const double* block = blocks.values.data() + blocks.block_start[at(k)];
          const std::int32_t J = blocks.block_col[at(k)];
          if (at(J) == I)
            diagonal(place, block);
          else
            other(place, J, block);
        }
      }
    };
    std::fill(next_.begin(), next_.end(), 0);
    visit([](std::size_t, const double*) {}, [&](std::size_t place, std::int32_t, const double*) { ++next_[place]; });
    set_layers();
    visit(
        [&](std::size_t place, const double* block) {
          std::copy(block, block + D * D, diagonal_.begin() + static_cast<std::ptrdiff_t>(place * D * D));
        },
        [&](std::size_t place, std::int32_t J, const double* block) {
          add_block(place, at(J));
          for (std::size_t i = 0; i < D * D; ++i) set_entry(place, i, block[i]);
        });
  }

  void load_entries(const Matrix& M) {
    std::fill(next_.begin(), next_.end(), 0);
    for_each_entry_of_blocks(M, D, last_, [&](std::int64_t i, std::int64_t j, double, bool first) {
      if (first && i / D != j / D) ++next_[place_of(i)];
    });
    set_layers();
    for_each_entry_of_blocks(M, D, last_, [&](std::int64_t i, std::int64_t j, double a, bool first) {
      const std::size_t place = place_of(i), within = at((j % D) * D + i % D);
      if (i / D == j / D) {
        diagonal_[place * D * D + within] = a;
        return;
      }
      if (first) add_block(place, at(j / D));
      set_entry(place, within, a);
    });
  }

  std::size_t place_of(std::int64_t row) const { return at(place_[at(row / D)]); }

 protected:
  std::size_t groups_ = 0, first_ = 0;  // first_: of the values, at the begin of a cache line
  IndexVector row_, place_;             // first row of each place in the order, the place of each block
  IndexVector start_, col_;             // of each group, in layers; of each block
  std::vector<Number> values_;

 private:
  double factor_ = 1;
  IndexVector slot_;
  IndexVector last_, next_;  // workspaces of load_blocks
  Vector diagonal_;
};

template <int D>
class UniformRows : public StoredRows<D, 1, double> {
  using Stored = StoredRows<D, 1, double>;
  using Stored::row_, Stored::start_, Stored::col_, Stored::values_, Stored::first_;

 public:
  void setup(const Inclusion& view, const SweepOrder& order) {
    this->set_places(view, order);
    load(view);
  }
  // Reads the matrix, at setup and whenever its values have changed.
  void load(const Inclusion& view) {
    given_ = view.q->data();
    begin();
    this->load_blocks(*view.M, 1);
  }
  // Before the sweeps of a solve: q may have changed. It is kept in the order of the sweep.
  void begin() { copy_blocks<D>(given_, row_, q_); }

  void gather(std::size_t place, const double* z, double* q) const {
    const double* given = q_.data() + place * D;
    const auto begin = at(start_[place]), end = at(start_[place + 1]);
    const double* w = values_.data() + first_ + begin * D * D;
    if constexpr (D == 3)
      add_row_(w, col_.data() + begin, col_.data() + end, z, given, q);
    else
      add_row(w, begin, end, z, given, q);
  }

 private:
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
  Vector q_;
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
      const auto row = at(i);
      double sum = q_[row];
      for (std::int32_t k = row_start_[row]; k < row_start_[row + 1]; ++k) sum += values_[at(k)] * z[col_[at(k)]];
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
