// One-contact problems by iterations instead of the exact solution of sets/coulomb_cone.hpp: a damped Newton method on one of the
// equations of cone_equations.hpp, or a single projection r <- P_K(r - u~ / s) a sweep (De Saxce and Feng 1991; Jourdan, Alart
// and Jean 1998 with Newton's method on those of Alart and Curnier). Where Newton's direction does not descend, the projection
// steps.
#pragma once

#include "methods/equations/cone_equations.hpp"
#include "sets/contact_cone.hpp"

namespace nonsmooth {

enum class ContactSolver { exact, projection, alart_curnier, jean_moreau, fischer_burmeister };  // in the order of options.def

// D: 2 or 3.
template <int D>
class IteratedContactSolver {
 public:
  // Allocates. solver: any but exact.
  void choose(ContactSolver solver);
  // false: the block is not finite.
  bool prepare(const ContactCone<D - 1, 1>& set, const double* W, double proximal);
  // q: velocity without this contact's reaction. r: in the last reaction, out the next.
  void solve(const double* q, double* r);

 private:
  void velocity(const double* q, const double* r, double* u) const;
  void project(const double* q, double* r) const;
  // |equations at r|.
  double defect(const double* q, const double* r, const BlockEquations& equations);
  // Whether a step along Newton's direction has lowered the defect.
  bool descend(const double* q, double* r, double defect, const BlockEquations& equations);

  bool projects_ = false;
  SetBlock block_;
  ContactCone<D - 1, 1> cone_{};
  double W_[D * D]{};
  double rho_ = 0, step_scale_ = 1, scale_ = 1;  // the proximal term; s of the projection, of the equations
  ConeEquations equations_;
};

extern template class IteratedContactSolver<2>;
extern template class IteratedContactSolver<3>;

}  // namespace nonsmooth
