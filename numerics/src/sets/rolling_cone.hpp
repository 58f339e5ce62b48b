// Rolling cone {|r_T| <= mu r_N, |r_R| <= mu_r r_N} and its one-contact problem.
//
// With u_N = 0, u_T = -a r_T and u_R = -b r_R (a, b >= 0, each zero unless its bound is reached) the problem is two coupled
// secular equations. They are solved by nested bracketing, b outside, a inside (the other way round if that fails): each function
// is positive at 0 unless its part sticks, and negative at infinity on a positive definite block. For one b all but the part of a
// is eliminated.
#pragma once

#include "sets/contact_cone.hpp"

namespace nonsmooth {

using RollingCone2 = ContactCone<1, 2>;
using RollingCone3 = ContactCone<2, 2>;

template <int PART>
class RollingBlockSolver {
 public:
  static constexpr int size = 1 + 2 * PART;
  bool prepare(const ContactCone<PART, 2>& set, const double* W, double proximal);
  void solve(const double* q, double* r);
  void forget() { warm_[0] = warm_[1] = 0; }

 private:
  static constexpr int held = 1 + PART;
  // What is left for the inner part y at a given outer parameter: (S + t I) y = -g; the others are base + slope y.
  struct Condensed {
    int row[held], first;  // of the others, of the inner part
    double S[PART * PART], g[PART], base[held * (1 + PART)];
    const double* slope() const { return base + held; }
  };
  void condense(int outer, double parameter, const double* q, Condensed& condensed) const;
  // Reaction for a given inner parameter; x[0] is the normal part.
  static void evaluate(const Condensed& condensed, double parameter, double* x);
  // |part| - mu_g x_N for part g.
  double excess(const double* x, int part) const;
  // Finds the parameter of part g that brings its excess to 0 (0 if it is not positive there) from the last one on; `at`
  // evaluates.
  template <class Evaluate>
  double find_root(int part, double warm, double* x, Evaluate&& at) const;

  void solve_nested(int outer, const double* q, double* r);
  double residual(const double* q, const double* r) const;

  ContactCone<PART, 2> cone_{};
  double W_[size * size]{};
  double rho_ = 0, scale_ = 1;
  double warm_[2] = {0, 0};
};

extern template class RollingBlockSolver<1>;
extern template class RollingBlockSolver<2>;

}  // namespace nonsmooth
