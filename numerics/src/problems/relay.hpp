// Relay, or box-constrained affine variational inequality: w = M z + q, z in [lo, hi], -w in N_[lo,hi](z). Bounds may be
// infinite.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Relay {
  static constexpr nsm_class kind = NSM_RELAY;
  Matrix M;
  Vector q, lo, hi;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"lo", false, true}, self.lo);
    visit(Field{"hi", false, true}, self.hi);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
