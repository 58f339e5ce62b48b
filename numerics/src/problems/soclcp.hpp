// Second-order-cone LCP: w = M z + q, K* contains w _|_ z in K, K a product of cones |z_T| <= tau z_N.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Soclcp {
  static constexpr nsm_class kind = NSM_SOCLCP;
  Matrix M;
  Vector q;
  IndexVector cone_start;  // one more than cones, from 0 to n
  Vector tau;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"cone_start"}, self.cone_start);
    visit(Field{"tau"}, self.tau);
  }
  // Cones of one row are half-lines, whatever tau: with no others it is an LCP, which has more methods, and proofs.
  bool is_lcp() const { return q.size() == tau.size(); }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
