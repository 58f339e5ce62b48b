// Cone K_eta = {|r_T| <= eta r_N} of a law that dilates as it yields (Drucker and Prager 1952, not associated):
//   u~ = u + theta |u_T| e_N in K_eta*,  u~ . r = 0,  r in K_eta,
// so that u_N = (eta - theta) |u_T| where it yields: theta = eta is Coulomb's law (coulomb_cone.hpp), theta = 0 the associated
// one. And its one-block problem, u = W r + q.
#pragma once

#include <array>

#include "sets/coulomb_cone.hpp"

namespace nonsmooth {

struct DilatantCone {
  static constexpr int size = 3, part_size = 2, parts = 1;
  CoulombCone3 cone;  // K_eta
  double theta;

  double eta() const { return cone.mu[0]; }
  double dilatancy() const { return eta() - theta; }
  static double part_norm(const double* x, int part) { return CoulombCone3::part_norm(x, part); }
  double shift_slope(int) const { return theta; }
  void add_normal_shift(double* u) const { u[0] += theta * part_norm(u, 0); }
  void project(const double* x, double* p) const { cone.project(x, p); }
  void jacobian(const double* x, double* J) const { cone.jacobian(x, J); }

  // The solution where W is the identity: z and z - x obey the law.
  void obey(const double* x, double* z) const;
  // An element of the generalised Jacobian of obey, column-major 3 x 3.
  void obey_jacobian(const double* x, double* J) const;
};

// Of a symmetric positive definite W exactly one alpha >= 0 and r_N > 0 satisfy  (W + alpha diag(-eta delta, 1, 1)) r = -q,
// |r_T| = eta r_N, delta = eta - theta, unless r = 0 or r = -W^-1 q solves the problem. Tangents are eliminated,
// r_T = a - y r_N; S r_N = N is left, where S = W_NN - alpha eta delta - W_NT y has one root alpha_p > 0 if delta > 0. There
// |y| < eta, so that |a - y r_N| = eta r_N has one root, which needs no division by S.
class DilatantBlockSolver {
 public:
  // false: no usable block (not finite). proximal: weight of a proximal term, relative to the mean diagonal.
  bool prepare(const DilatantCone& set, const double* W, double proximal);
  // q: w without what this block adds. r: in the last solution, out the next one.
  void solve(const double* q, double* r);
  void forget() { alpha_ = 0; }
  BlockCondition condition() const { return definite_.condition(); }

 private:
  struct Eliminated {
    std::array<double, 2> a, y;
    double S, N;
    double quadratic(double eta) const { return eta * eta - y[0] * y[0] - y[1] * y[1]; }
  };
  std::array<double, 2> solve_tangents(double alpha, double b0, double b1, bool transposed) const;
  Eliminated eliminate(double alpha, const double* q) const;
  bool is_at_tip(const double* q) const;
  bool stay(const double* q, double* r) const;
  bool is_on_cone(const Eliminated& at) const;
  double normal(const Eliminated& at) const;
  double excess(double alpha, const double* q) const;
  double pole() const;
  void yield(const double* q, double* r);

  CoulombBlockSolver3 definite_;  // what makes W definite where it is not, and the solution for eta = 0
  double W_[9]{};                 // with the proximal term
  double eta_ = 0, delta_ = 0, rho_ = 0, scale_ = 1, pole_ = 0;
  double alpha_ = 0;  // warm start
};

}  // namespace nonsmooth
