// Affine variational inequality: z in P = {H z >= k, lo <= z <= hi}, -(M z + q) in N_P(z). Without H it is a relay problem.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

struct Avi {
  static constexpr nsm_class kind = NSM_AVI;
  Matrix M;
  Vector q;
  Polyhedron set;  // lo and hi are empty (no bounds) or have one entry per unknown

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"lo", true, true}, self.set.lo);
    visit(Field{"hi", true, true}, self.set.hi);
    visit(Field{"H", true}, self.set.H);
    visit(Field{"k", true}, self.set.k);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
