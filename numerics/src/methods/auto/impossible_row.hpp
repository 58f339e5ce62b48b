// Rows that no z >= 0 can satisfy, looked for before anything else: what proves them to be such is a look at their signs.
#pragma once

#include <span>

#include "core/index.hpp"
#include "methods/frame/control.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class ImpossibleRow {
 public:
  // For a view of so many rows, before a solve that is not to allocate.
  void make_room(std::int64_t rows) { proof_.reserve(at(rows)); }
  // Of an LCP: a row without a positive entry and with q_i < 0 has w_i <= q_i for every z >= 0 (a test of presolvers, Andersen
  // and Andersen 1995). Stop::infeasible if there is one beyond the tolerance, Stop::none if not, and for other problems. Of a
  // dense M it looks at the diagonal first: seldom more than O(n); a sparse one costs no more than a product. Allocates where no
  // room was made.
  Stop find(const Inclusion& view, Control& control);
  // After Stop::infeasible: 1 for that row, 0 for all others. Else empty.
  std::span<const double> proof() const { return proof_; }

 private:
  Vector proof_;
};

}  // namespace nonsmooth
