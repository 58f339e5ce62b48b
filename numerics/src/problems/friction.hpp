// Coulomb friction, local: u = W r + q; per contact r in K_mu = {|r_T| <= mu r_N}, u~ = u + mu |u_T| e_N in K_mu*, u~ . r = 0
// (De Saxce and Feng 1991). dimension 2: [N T] per contact; 3: [N T1 T2].
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Friction {
  static constexpr nsm_class kind = NSM_FRICTION;
  std::int32_t dimension = 3;
  Matrix W;
  Vector q, mu;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"dimension"}, self.dimension);
    visit(Field{"W"}, self.W);
    visit(Field{"q"}, self.q);
    visit(Field{"mu"}, self.mu);
  }
  std::int64_t contacts() const { return static_cast<std::int64_t>(mu.size()); }
  void validate() const;
  Inclusion inclusion() const;
};

// Blocks of `dimension` rows from row `start` on, with the coefficients of each contact (mu_r empty: no rolling friction).
void append_contact_blocks(std::vector<SetBlock>& blocks, std::int32_t start, std::int32_t dimension, const Vector& mu,
                           const Vector& mu_r = {});

}  // namespace nonsmooth
