// Mixed LCP: rows of equality (w_i = 0, z_i free) and rows of complementarity (0 <= w_i _|_ z_i >= 0), in any order.
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

struct Mlcp {
  static constexpr nsm_class kind = NSM_MLCP;
  Matrix M;
  Vector q;
  IndexVector is_complementarity;  // 0 equality, 1 complementarity

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"M"}, self.M);
    visit(Field{"q"}, self.q);
    visit(Field{"is_complementarity"}, self.is_complementarity);
  }
  void validate() const;
  Inclusion inclusion() const;

  // The layout A u + C v + a = 0, w = D u + B v + b, 0 <= w _|_ v >= 0, as M = [A C; D B], q = (a, b), z = (u, v).
  static Mlcp from_blocks(const Matrix& A, const Matrix& B, const Matrix& C, const Matrix& D, const Vector& a, const Vector& b);
};

}  // namespace nonsmooth
