// Rows of H that bound one unknown each, as programmes come that know no other bounds: to methods they are bounds.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sets/polyhedron.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

class BoundsInRows {
 public:
  // nullptr where no row of H is one, or where they contradict each other: proofs of that are in terms of all rows.
  static std::unique_ptr<BoundsInRows> of(const Polyhedron& set, std::int64_t unknowns);

  // The same set: a box for every unknown if no other rows are left, else a polyhedron of those. Borrowed from here.
  std::vector<SetBlock> blocks() const;
  // From multipliers of the rows that are left, which prove that the set is empty, to those of all rows.
  Vector lift(std::span<const double> y) const;

 private:
  // The row that bounds an unknown, and its entry there; none if its bound is no row's.
  struct Source {
    std::int32_t row = -1;
    double entry = 0;
  };
  bool read_rows(const Polyhedron& set);
  void keep_rows(const CscMatrix& H, std::span<const std::int32_t> place, const Vector& k);

  Polyhedron set_;  // the rows that are left, and all bounds
  std::int64_t rows_ = 0;
  IndexVector kept_;  // of H
  std::vector<Source> lower_, upper_;
};

}  // namespace nonsmooth
