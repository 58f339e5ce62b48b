// One factor of the product set C: which set, where its unknowns stand, its parameters.
#pragma once

#include <cmath>
#include <cstdint>

namespace nonsmooth {

struct Polyhedron;
struct UserSet;

enum class SetKind : std::uint8_t {
  free_space,         // R^n: w = 0
  orthant,            // z >= 0, one row
  box,                // lo <= z <= hi, one row
  coulomb_2d,         // |r_T| <= mu r_N, rows N T; w after De Saxce
  coulomb_3d,         // the same, rows N T1 T2
  rolling_2d,         // |r_T| <= mu r_N, |r_R| <= mu_r r_N, rows N T R
  rolling_3d,         // the same, rows N T1 T2 R1 R2
  dilatant_3d,        // |r_T| <= eta r_N, rows N T1 T2; w with the shift theta |w_T|
  second_order_cone,  // |z_T| <= tau z_N, any size
  disk,               // |z| <= radius, two rows
  polyhedron,         // H z >= k and bounds, all rows of the problem
  user_set            // known by its projection, a callback; all rows of the problem
};

// What preparing a one-block problem has found.
enum class BlockCondition : std::uint8_t {
  definite,
  regularised,  // singular or indefinite: it gets a proximal term
  ambiguous     // W_NN <= mu |W_NT|: no or several solutions are possible (Painleve)
};

struct SetBlock {
  SetKind kind = SetKind::free_space;
  std::int32_t start = 0, size = 0;
  double a = 0, b = 0;  // box: lo, hi; friction: mu, mu_r; dilatant cone: eta, theta; second-order cone: tau; disk: radius
  const Polyhedron* polyhedron = nullptr;  // borrowed from the problem
  const UserSet* user_set = nullptr;       // borrowed from the problem
};

inline bool is_free(const SetBlock& block) {
  return block.kind == SetKind::free_space || (block.kind == SetKind::box && block.a == -HUGE_VAL && block.b == HUGE_VAL);
}

}  // namespace nonsmooth
