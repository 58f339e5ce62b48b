// Coulomb friction with rolling resistance, local: per contact |r_T| <= mu r_N and |r_R| <= mu_r r_N,
// u~ = u + (mu |u_T| + mu_r |u_R|) e_N in the dual cone, u~ . r = 0. dimension 5: [N T1 T2 R1 R2]; 3: [N T R].
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Rolling {
  static constexpr nsm_class kind = NSM_ROLLING;
  std::int32_t dimension = 5;
  Matrix W;
  Vector q, mu, mu_r;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"dimension"}, self.dimension);
    visit(Field{"W"}, self.W);
    visit(Field{"q"}, self.q);
    visit(Field{"mu"}, self.mu);
    visit(Field{"mu_r"}, self.mu_r);
  }
  void validate() const;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
