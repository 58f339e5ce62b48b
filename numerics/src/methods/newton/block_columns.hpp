// M by block columns, as Newton matrices K = diag(L_b) M + diag(R_b) are put together: the blocks that hold an entry, and those
// on the diagonal, whole, each dense by columns. They are read where they stand if M has them so, which most of the memory and
// the time of setting a factorisation up would go to otherwise.
#pragma once

#include "problems/inclusion.hpp"

namespace nonsmooth {

class BlockColumns {
 public:
  // Borrows the matrix. with_zeros: every block that is stored is in the pattern, whatever its values.
  BlockColumns(const Inclusion& view, bool with_zeros);
  BlockColumns(const BlockColumns&) = delete;
  BlockColumns& operator=(const BlockColumns&) = delete;
  // The pattern: column c has the block rows of the blocks of M in block column c, ascending.
  static CscMatrix graph_of(const Inclusion& view, bool with_zeros);
  // After M has changed. false if its entries no longer are inside the pattern, or no longer stand where they did. Allocates
  // nothing.
  bool update(const Inclusion& view);

  const CscMatrix& graph() const { return graph_; }
  const IndexVector& starts() const { return start_; }  // first row of each block, and the number of rows
  const IndexVector& blocks_of_rows() const { return block_of_row_; }
  std::int32_t block_size() const { return block_size_; }  // of all blocks, 0 if they differ
  std::int32_t block_of(std::int32_t row) const { return block_of_row_[at(row)]; }
  std::int32_t start(std::int32_t b) const { return start_[at(b)]; }
  std::int32_t size(std::int32_t b) const { return start_[at(b) + 1] - start_[at(b)]; }
  // Number k of graph(), by columns; its place is kept while update answers true.
  std::int32_t place(std::int32_t k) const { return place_[at(k)]; }
  const double* at_place(std::int32_t place) const { return values_ + place; }
  // visit(block row, its part of column j)
  template <class Visit>
  void for_each_block_of_column(std::int32_t j, Visit&& visit) const {
    const std::int32_t c = block_of(j), inside = j - start(c);
    for (std::int32_t k = graph_.col_start[at(c)]; k < graph_.col_start[at(c) + 1]; ++k) {
      const std::int32_t r = graph_.row_index[at(k)];
      visit(r, at_place(place(k)) + inside * size(r));
    }
  }
  // visit(row, value)
  template <class Visit>
  void for_each_entry_of_column(std::int32_t j, Visit&& visit) const {
    for_each_block_of_column(j, [&](std::int32_t r, const double* values) {
      for (std::int32_t i = 0; i < size(r); ++i) visit(start(r) + i, values[i]);
    });
  }
  // y += M x.
  void multiply_add(std::span<const double> x, std::span<double> y) const;

 private:
  bool borrow(const Inclusion& view);
  void place_own();
  bool copy(const Inclusion& view);

  IndexVector block_of_row_, start_;
  std::int32_t block_size_ = 0;
  CscMatrix graph_;
  IndexVector place_;  // of each block in the values
  IndexVector next_;   // in each block column the block that comes next
  Vector own_;         // none where the values are borrowed
  bool is_borrowed_ = false;
  const double* values_ = nullptr;
  const Matrix* matrix_ = nullptr;
};

}  // namespace nonsmooth
