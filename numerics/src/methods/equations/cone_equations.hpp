// The condition of one block, z in K and -w in N_K(z) (w after De Saxce for friction), as a system of equations in z and w, with
// elements of its generalised Jacobian. Of contacts, with x = z - w / s:
//   alart_curnier       z_N = max(0, x_N), z_T = P(x_T) on the disk of radius mu max(0, x_N)    (Alart and Curnier 1991)
//   jean_moreau         the same with the radius mu max(0, z_N)                                 (Jean and Moreau 1987)
//   natural_map         z = P_K(z - u~ / s)                                                     (De Saxce and Feng 1991)
//   fischer_burmeister  x + y = (x o x + y o y)^(1/2) in the Jordan algebra of the cone, x = S z, y = S^-1 u~ / s with
//                       S = diag(mu, 1, 1)                                (Fukushima, Luo and Tseng 2002; Daviet et al. 2011)
// Rolling friction has two disks in the first two and no Jordan algebra; of a dilatant cone (dilatant_cone.hpp) the first two are
// z = x where that lies in the cone, else the point that the law gives for W = 1. Where there is no friction the first three are
// one.
#pragma once

#include "problems/inclusion.hpp"

namespace nonsmooth {

enum class ConeFunction { alart_curnier, jean_moreau, natural_map, fischer_burmeister };  // in the order of options.def

// In units of w. L = d/dw, R = d/dz, column-major; nullptr: the value only.
struct BlockEquations {
  double* value;
  double *L, *R;
};

class ConeEquations {
 public:
  static bool treats(const Inclusion& view, ConeFunction function);
  // Allocates.
  void setup(const Inclusion& view, ConeFunction function);
  void setup(std::int32_t largest_block, ConeFunction function);
  // scale: s above, in units of w over those of z.
  void evaluate(const SetBlock& block, const double* z, const double* w, double scale, const BlockEquations& e);

 private:
  template <class Set>
  void natural_map(const Set& set, std::int32_t n, const double* z, const double* w, double scale, const BlockEquations& e);
  void fischer_burmeister(const SetBlock& block, const double* z, const double* w, double scale, const BlockEquations& e);

  ConeFunction function_ = ConeFunction::alart_curnier;
  Vector workspace_;
};

}  // namespace nonsmooth
