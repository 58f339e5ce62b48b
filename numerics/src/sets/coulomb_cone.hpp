// Coulomb's cone K_mu = {|r_T| <= mu r_N} and the exact one-contact problem
//   u = W r + q,  r in K_mu,  u~ = u + mu |u_T| e_N in K_mu*,  u~ . r = 0.
//
// Either q_N >= 0 (r = 0), or u_N = 0 and u_T = -alpha r_T with alpha >= 0, alpha (mu r_N - |r_T|) = 0. Eliminating r_N leaves
// (Wbar + alpha I) r_T = -g, and the scalar secular equation |r_T(alpha)| = mu r_N(alpha): it has a root in (0, inf) whenever
// sticking (alpha = 0) is not admissible and W is positive definite (also if not symmetric), which safeguarded Newton steps on
// 1/|r_T| - 1/(mu r_N) find (cf. Daviet, Bertails-Descoubes and Boissieux 2011, Bonnefon and Daviet 2011, who solve a quartic
// instead). Of several roots the one next to the last alpha is taken, which keeps Gauss-Seidel sweeps continuous.
#pragma once

#include "sets/contact_cone.hpp"
#include "sets/coulomb_block.hpp"
#include "sets/set_block.hpp"

namespace nonsmooth {

using CoulombCone2 = ContactCone<1, 1>;
using CoulombCone3 = ContactCone<2, 1>;

// One-contact problem in 3D, prepared once per matrix. Two cache lines, read in every sweep.
class alignas(64) CoulombBlockSolver3 {
 public:
  // false: no usable block (not finite). proximal: weight of a proximal term, relative to the mean diagonal.
  bool prepare(const CoulombCone3& set, const double* W, double proximal);
  // q: velocity without this contact's reaction. r: in the last reaction, out the solution.
  void solve(const double* q, double* r);
  void forget() { block_.alpha = 0; }
  BlockCondition condition() const { return condition_; }
  const CoulombBlock3<double>& block() const { return block_; }

 private:
  CoulombBlock3<double> block_;
  BlockCondition condition_ = BlockCondition::definite;
};

// The same in 2D, in closed form.
class CoulombBlockSolver2 {
 public:
  bool prepare(const CoulombCone2& set, const double* W, double proximal);
  void solve(const double* q, double* r);
  BlockCondition condition() const { return condition_; }

 private:
  double mu_ = 0, rho_ = 0;
  double wnn_ = 1, wnt_ = 0, wtn_ = 0, wbar_ = 1;
  BlockCondition condition_ = BlockCondition::definite;
};

}  // namespace nonsmooth
