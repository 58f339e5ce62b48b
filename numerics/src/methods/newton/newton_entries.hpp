// K = diag(L_b) M + diag(R_b), whose blocks are worked out where the panels of its factors want them: no other place has them.
#pragma once

#include <algorithm>
#include <type_traits>

#include "linalg/panel_entries.hpp"
#include "methods/newton/block_columns.hpp"
#include "methods/newton/newton_blocks.hpp"

namespace nonsmooth {

// visit(D) with the size of all blocks as a constant, 0 if it is another or not the same for all.
template <class Visit>
void with_block_size(std::int32_t size, Visit&& visit) {
  switch (size) {
    case 2: return visit(std::integral_constant<int, 2>());
    case 3: return visit(std::integral_constant<int, 3>());
    case 5: return visit(std::integral_constant<int, 5>());
    default: return visit(std::integral_constant<int, 0>());
  }
}

// put(i, j, value) of a block L M + R; R may be null. M has `columns` columns, `stride` apart. D: rows of every block, or 0.
template <int D, class Put>
void put_block(const double* L, std::int32_t d, const double* M, std::ptrdiff_t stride, std::int32_t columns, const double* R,
               Put&& put) {
  if constexpr (D > 0) {
    // What is read is copied: the compiler cannot tell that what is put is none of it.
    double own[D * D];
    std::copy_n(L, D * D, own);
    for (int j = 0; j < D; ++j, M += stride) {
      double sum[D] = {};
      if (R != nullptr) std::copy_n(R + j * D, D, sum);
      for (int k = 0; k < D; ++k)
        for (int i = 0; i < D; ++i) sum[i] += own[i + k * D] * M[k];
      for (int i = 0; i < D; ++i) put(i, j, sum[i]);
    }
    return;
  }
  for (std::int32_t j = 0; j < columns; ++j, M += stride)
    for (std::int32_t i = 0; i < d; ++i) {
      double sum = R != nullptr ? R[i + j * d] : 0;
      for (std::int32_t k = 0; k < d; ++k) sum += L[i + k * d] * M[k];
      put(i, j, sum);
    }
}

class NewtonEntries final : public PanelEntries {
 public:
  // M is borrowed.
  NewtonEntries(const BlockColumns& M, const Supernodes& nodes);
  // Borrowed for what is put from now on.
  void take(const NewtonBlocks& blocks, double shift) {
    blocks_ = &blocks;
    shift_ = shift;
  }
  void put(const KeptPanel<float>& panel) const override;
  void put(const KeptPanel<double>& panel) const override;

 private:
  struct Entry {  // a block of M on one side of the diagonal: its row or, across, its column; `row` in the new order
    std::int32_t row, block, place;
    bool across;
  };
  template <class Real>
  void put_blocks(const KeptPanel<Real>& panel) const;
  template <int D, class Real>
  void put_column(const KeptPanel<Real>& panel, std::int32_t c) const;

  const BlockColumns& M_;
  const NewtonBlocks* blocks_ = nullptr;
  double shift_ = 0;
  IndexVector block_of_column_;  // by new column
  std::vector<std::int64_t> start_;
  std::vector<Entry> entries_;
  IndexVector diagonal_;  // places, by block
};

}  // namespace nonsmooth
