// Generic mechanical problem: M z + q = w, split in blocks of equality, complementarity, relay and friction.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Generic {
  static constexpr nsm_class kind = NSM_GENERIC;
  Matrix M;
  Vector q;
  IndexVector block_kind;  // nsm_block_kind
  IndexVector block_size;
  Vector mu;      // per block, read on friction blocks; may be empty
  Vector lo, hi;  // per row, read on relay blocks; may be empty

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"block_kind"}, self.block_kind);
    visit(Field{"block_size"}, self.block_size);
    visit(Field{"mu", true}, self.mu);
    visit(Field{"lo", true, true}, self.lo);
    visit(Field{"hi", true, true}, self.hi);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
