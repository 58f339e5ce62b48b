#include "methods/auto/lone_contact.hpp"

#include <algorithm>
#include <cmath>

#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double nearly_on_bound = 1 - 1e-6;  // of a tangential part

// Of Coulomb's law.
template <int PART>
bool solve_contact(const ContactCone<PART, 1>& cone, const double* W, const double* q, double* z) {
  using Cone = ContactCone<PART, 1>;
  typename BlockSolverOf<Cone>::Type solver;
  if (!solver.prepare(cone, W, 0)) return false;
  solver.solve(q, z);
  return true;
}

// Column-major, PART x PART. false if A is no finite regular matrix.
template <int PART>
bool invert(const double* A, double* inverse) {
  const double determinant = PART == 1 ? A[0] : A[0] * A[3] - A[1] * A[2];
  if (determinant == 0 || !std::isfinite(determinant)) return false;
  if constexpr (PART == 1) {
    inverse[0] = 1 / determinant;
  } else {
    inverse[0] = A[3] / determinant;
    inverse[1] = -A[1] / determinant;
    inverse[2] = -A[2] / determinant;
    inverse[3] = A[0] / determinant;
  }
  return true;
}

// A contact with rolling friction of which one part sticks: its velocity is 0, so that it is eliminated, W' = W_ff - W_fs W_ss^-1
// W_sf, and Coulomb's contact of the others is left.
template <int PART>
class HeldPart {
 public:
  HeldPart(const ContactCone<PART, 2>& cone, const double* W, const double* q, int held)
      : cone_(cone), W_(W), q_(q), held_(held), first_(1 + held * PART) {
    for (int i = 0; i < PART; ++i) free_[1 + i] = 1 + (1 - held) * PART + i;
  }
  // false if there is no such solution.
  bool solve(double* r) const {
    double S[PART * PART], inverse[PART * PART], condensed[left * left], load[left], reaction[left] = {};
    for (int j = 0; j < PART; ++j)
      for (int i = 0; i < PART; ++i) S[i + j * PART] = W(first_ + i, first_ + j);
    if (!invert<PART>(S, inverse)) return false;
    for (int i = 0; i < left; ++i) {
      load[i] = q_[free_[i]];
      for (int j = 0; j < left; ++j) condensed[i + j * left] = W(free_[i], free_[j]);
      for (int l = 0; l < PART; ++l) {
        double share = 0;  // of W_fs W_ss^-1
        for (int k = 0; k < PART; ++k) share += W(free_[i], first_ + k) * inverse[k + l * PART];
        load[i] -= share * q_[first_ + l];
        for (int j = 0; j < left; ++j) condensed[i + j * left] -= share * W(first_ + l, free_[j]);
      }
    }
    if (!solve_contact(ContactCone<PART, 1>{{cone_.mu[1 - held_]}}, condensed, load, reaction)) return false;
    for (int i = 0; i < left; ++i) r[free_[i]] = reaction[i];
    stick(inverse, reaction, r + first_);
    return ContactCone<PART, 2>::part_norm(r, held_) <= cone_.mu[held_] * r[0];
  }

 private:
  static constexpr int size = 1 + 2 * PART, left = 1 + PART;
  double W(int i, int j) const { return W_[i + j * size]; }
  void stick(const double* inverse, const double* reaction, double* r) const {
    double velocity[PART];
    for (int l = 0; l < PART; ++l) {
      velocity[l] = q_[first_ + l];
      for (int j = 0; j < left; ++j) velocity[l] += W(first_ + l, free_[j]) * reaction[j];
    }
    for (int k = 0; k < PART; ++k) {
      r[k] = 0;
      for (int l = 0; l < PART; ++l) r[k] -= inverse[k + l * PART] * velocity[l];
    }
  }

  ContactCone<PART, 2> cone_;
  const double *W_, *q_;
  int held_, first_, free_[left] = {};
};

// Of rolling friction. Where both parts slide it is left to others. Not expected to stick is what lies on its bound in z; from 0
// what -q points beyond its bound, as steps from face to face see it.
template <int PART>
bool solve_contact(const ContactCone<PART, 2>& cone, const double* W, const double* q, double* z) {
  using Cone = ContactCone<PART, 2>;
  if (q[0] >= 0) {
    std::fill(z, z + Cone::size, 0.0);
    return true;
  }
  const auto sticks = [&](const double* r, int part) {
    return Cone::part_norm(r, part) < nearly_on_bound * cone.mu[part] * r[0];
  };
  double expected[Cone::size], r[Cone::size] = {};
  for (int i = 0; i < Cone::size; ++i) expected[i] = z[0] > 0 ? z[i] : -q[i] / W[i * (Cone::size + 1)];
  const int held = sticks(expected, 0) ? 0 : 1;
  if (held == 1 && !sticks(expected, 1)) return false;
  bool solved = HeldPart<PART>(cone, W, q, held).solve(r);
  // The other part has stuck beside it: then that may be held.
  if (!solved && sticks(r, 1 - held)) solved = HeldPart<PART>(cone, W, q, 1 - held).solve(r);
  if (solved) std::copy(r, r + Cone::size, z);
  return solved;
}

template <class Cone>
bool solve_view(const Cone& cone, const Inclusion& view, double* z) {
  double W[Cone::size * Cone::size] = {};
  for_each_entry(*view.M, [&](std::int64_t i, std::int64_t j, double value) { W[i + Cone::size * j] = value; });
  return solve_contact(cone, W, view.q->data(), z);
}

bool solve_view(const Inclusion& view, double* z) {
  const SetBlock& block = view.blocks[0];
  switch (block.kind) {
    case SetKind::coulomb_2d: return solve_view(CoulombCone2{{block.a}}, view, z);
    case SetKind::coulomb_3d: return solve_view(CoulombCone3{{block.a}}, view, z);
    case SetKind::rolling_2d: return solve_view(RollingCone2{{block.a, block.b}}, view, z);
    default: return solve_view(RollingCone3{{block.a, block.b}}, view, z);
  }
}

}  // namespace

bool is_lone_contact(const Inclusion& view) { return view.blocks.size() == 1 && has_friction(view.blocks[0].kind); }

Stop solve_lone_contact(const Inclusion& view, std::span<double> z, Control& control) {
  const Stop stop = solve_view(view, z.data()) ? control.check(1, z) : Stop::none;
  return stop == Stop::none ? Stop::stalled : stop;
}

}  // namespace nonsmooth
