// Plasticity with a cone of yield, not associated (Drucker and Prager 1952): per point r = (r_N, r_T1, r_T2), |r_T| <= eta r_N,
// and u~ = u + theta |u_T| e_N in the dual cone, u~ . r = 0, u = W r + q: as it yields it dilates by (eta - theta) |u_T|.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Plasticity {
  static constexpr nsm_class kind = NSM_PLASTICITY;
  Matrix W;
  Vector q, eta, theta;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"W"}, self.W);
    visit(Field{"q"}, self.q);
    visit(Field{"eta"}, self.eta);
    visit(Field{"theta"}, self.theta);
  }
  // Without dilatancy the law is Coulomb's, which has more methods, and proofs that there is no solution.
  bool is_coulomb() const { return theta == eta; }
  void validate() const;
  // Where all cones are associated the law is that of second-order cones, which have more methods too.
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
