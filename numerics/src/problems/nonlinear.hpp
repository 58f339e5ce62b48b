// Nonlinear complementarity, mixed complementarity and variational inequalities: w = F(z) by callbacks, -w in N_C(z)
// (Facchinei and Pang 2003).
#pragma once

#include "linalg/matrix.hpp"
#include "nonsmooth/problem.h"
#include "problems/field.hpp"
#include "problems/inclusion.hpp"
#include "problems/nonlinear_function.hpp"
#include "sets/polyhedron.hpp"
#include "sets/user_set.hpp"

namespace nonsmooth {

// What the three classes share. They have callbacks, so that no file can hold them.
struct NonlinearProblem {
  NonlinearFunction F;
  Polyhedron set;  // box, or box and half-spaces; all empty where the class or the projection says what C is
  UserSet user_set;

  template <class Self, class Visit>
  static void visit_fields(Self& self, Visit&& visit) {
    visit(Field{"lo", true, true}, self.set.lo);
    visit(Field{"hi", true, true}, self.set.hi);
    visit(Field{"H", true}, self.set.H);
    visit(Field{"k", true}, self.set.k);
  }
  void validate() const;

 protected:
  Inclusion inclusion_over(std::vector<SetBlock> blocks) const;
  std::vector<SetBlock> box_blocks() const;
};

// 0 <= F(z) _|_ z >= 0
struct Ncp : NonlinearProblem {
  static constexpr nsm_class kind = NSM_NCP;
  Inclusion inclusion() const;
};

// lo <= z <= hi, -F(z) in N_[lo,hi](z)
struct Mcp : NonlinearProblem {
  static constexpr nsm_class kind = NSM_MCP;
  Inclusion inclusion() const;
};

// z in C, -F(z) in N_C(z); C a polyhedron or known by its projection
struct Vi : NonlinearProblem {
  static constexpr nsm_class kind = NSM_VI;
  Inclusion inclusion() const;
};

}  // namespace nonsmooth
