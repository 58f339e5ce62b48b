// What a supernodal factorisation starts from: entries of a matrix, put where they are wanted in the panels of its factors.
#pragma once

#include "core/index.hpp"
#include "linalg/supernodes.hpp"

namespace nonsmooth {

// The kept part of a supernode, zero as yet. Rows and columns are numbered in the new order.
template <class Real>
struct KeptPanel {
  std::int32_t columns, rows;  // the rows below the diagonal block
  const std::int32_t* column;
  const std::int32_t* local;  // place of a row in the panel, -1 if it is left out
  Real* lower;                // columns and rows
  Real* upper;                // (LU) the rows of U', transposed, without the diagonal block

  // Places of A_ij and of what follows it in its column and in its row, for entries of a block on one side of the diagonal.
  struct Places {
    Real* first;
    std::ptrdiff_t down, along;
    Real& operator()(std::int32_t i, std::int32_t j) const { return first[i * down + j * along]; }
  };
  // Of A_ic, row i at or below the diagonal block.
  Places below(std::int32_t i, std::int32_t c) const {
    const std::ptrdiff_t stride = columns + rows;
    return {lower + i + stride * c, 1, stride};
  }
  // Of A_ci.
  Places across(std::int32_t i, std::int32_t c) const {
    if (i < columns) return below(c, i);
    return {upper + (i - columns) + std::ptrdiff_t{rows} * c, rows, 1};
  }
};

class PanelEntries {
 public:
  virtual ~PanelEntries() = default;
  virtual void put(const KeptPanel<float>& panel) const = 0;
  virtual void put(const KeptPanel<double>& panel) const = 0;
};

// Of a matrix by columns, which is borrowed.
class ColumnEntries final : public PanelEntries {
 public:
  // Of a symmetric A, one triangle is read; of its `tail`, as SparsePrincipalFactor has it, the columns.
  ColumnEntries(const CscMatrix& A, const Supernodes& nodes, bool symmetric, std::int32_t tail);
  void put(const KeptPanel<float>& panel) const override;
  void put(const KeptPanel<double>& panel) const override;

 private:
  struct Entry {  // below the diagonal of a column, in the new order; positions in the values of A, -1 if there is none
    std::int32_t row, lower, upper;
  };
  template <class Real>
  void put_values(const KeptPanel<Real>& panel) const;

  const CscMatrix& A_;
  std::vector<std::int64_t> start_;
  std::vector<Entry> entries_;
  IndexVector diagonal_;  // positions in the values of A, by new column
};

}  // namespace nonsmooth
