// Linear complementarity: w = M z + q, 0 <= w _|_ z >= 0  (Cottle, Pang, Stone 1992).
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Lcp {
  static constexpr nsm_class kind = NSM_LCP;
  Matrix M;
  Vector q;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
