// The matrix S of bodies, a dense block for each body and for each two that share a contact, put block by block where the panels
// of its factors want them.
#pragma once

#include "linalg/panel_entries.hpp"

namespace nonsmooth {

class BodyEntries final : public PanelEntries {
 public:
  // S by columns, full blocks; borrowed. start: first row of each body, and the number of rows.
  BodyEntries(const CscMatrix& S, const IndexVector& start, const Supernodes& nodes);
  void put(const KeptPanel<float>& panel) const override;
  void put(const KeptPanel<double>& panel) const override;

 private:
  struct Block {  // numbers `place`, place + 1, ... of S, the next column `stride` behind
    std::int32_t place, stride, rows, columns;
  };
  struct Entry {  // a block on one side of the diagonal: `row` is its first row or, across, its first column in the new order
    std::int32_t row;
    bool across;
    Block block;
  };
  template <class Real>
  void put_bodies(const KeptPanel<Real>& panel) const;
  template <class Real>
  void copy(const Block& block, const typename KeptPanel<Real>::Places& places) const;

  const CscMatrix& S_;
  IndexVector body_of_column_;  // by new column
  IndexVector first_;           // of the entries of each body; one more at the end
  std::vector<Entry> entries_;
  std::vector<Block> diagonal_;
};

}  // namespace nonsmooth
