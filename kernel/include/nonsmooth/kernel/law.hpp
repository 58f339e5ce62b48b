// Nonsmooth laws: what links y and lambda of an interaction. Immutable values; one law may serve any number of interactions and
// threads.
#ifndef NONSMOOTH_KERNEL_LAW_HPP
#define NONSMOOTH_KERNEL_LAW_HPP

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// What kind a law is.
enum class LawKind {
  ComplementarityCondition,
  NewtonImpact,
  NewtonImpactFriction,
  NewtonImpactRollingFriction,
  Relay,
  EqualityCondition,
  MixedComplementarityCondition,
  NormalCone,
  MultipleImpact
};
// Its name, for tables and messages.
const char* name(LawKind kind);

// Base of all laws.
class NonSmoothLaw {
 public:
  virtual ~NonSmoothLaw() = default;
  // Its kind.
  LawKind kind() const { return kind_; }
  // Rows of the interactions it serves: one block of the nonsmooth problem.
  Index size() const { return size_; }
  // Restitution of row i of a velocity-level law: y'_i + restitution(i) y'_i(before) takes part in the law; 0 where there is
  // none. Rotations of a contact that rolls, its last rows, have none.
  double restitution(Index row) const {
    if (kind_ == LawKind::NewtonImpactRollingFriction && row > size_ / 2) return 0;
    return row == 0 ? en_ : et_;
  }
  double mu() const { return mu_; }
  double muR() const { return mu_r_; }

 protected:
  NonSmoothLaw(LawKind kind, Index size);
  double en_ = 0, et_ = 0, mu_ = 0, mu_r_ = 0;

 private:
  LawKind kind_;
  Index size_;
};

// 0 <= y _|_ lambda >= 0, row by row.
class ComplementarityConditionNSL : public NonSmoothLaw {
 public:
  explicit ComplementarityConditionNSL(Index size) : NonSmoothLaw(LawKind::ComplementarityCondition, size) {}
};

// If y <= 0: 0 <= y'(after) + e y'(before) _|_ lambda >= 0. e in [0, 1].
class NewtonImpactNSL : public NonSmoothLaw {
 public:
  explicit NewtonImpactNSL(double e) : NewtonImpactNSL(1, e) {}
  NewtonImpactNSL(Index size, double e);
  // Coefficient of restitution.
  double e() const { return en_; }
};

// Newton impact on row 0 (normal) and Coulomb friction with coefficient mu on rows 1 (, 2); size 2 or 3.
class NewtonImpactFrictionNSL : public NonSmoothLaw {
 public:
  NewtonImpactFrictionNSL(double en, double et, double mu, Index size);
  // Restitution along the normal and along the tangents.
  double en() const { return en_; }
  double et() const { return et_; }
};

// The same with rolling resistance mu_r (length): rows normal, tangent, rotation (size 3, in the plane), or normal, two tangents,
// two rotations (size 5).
class NewtonImpactRollingFrictionNSL : public NonSmoothLaw {
 public:
  NewtonImpactRollingFrictionNSL(double en, double et, double mu, double mu_r, Index size);
  // Restitution along the normal and along the tangents.
  double en() const { return en_; }
  double et() const { return et_; }
};

// -y in N_[lb, ub](lambda): lambda in [lb, ub], y = 0 inside, y <= 0 at ub, y >= 0 at lb. Of mechanical systems lambda is the
// impulse of a step: the bounds of a force are to be multiplied by the length of the steps.
class RelayNSL : public NonSmoothLaw {
 public:
  explicit RelayNSL(Index size, double lb = -1.0, double ub = 1.0);
  // Bounds of lambda.
  double lb() const { return lb_; }
  double ub() const { return ub_; }

 private:
  double lb_, ub_;
};

// y = 0.
class EqualityConditionNSL : public NonSmoothLaw {
 public:
  explicit EqualityConditionNSL(Index size) : NonSmoothLaw(LawKind::EqualityCondition, size) {}
};

// y = 0 on the first `equalities` rows, complementarity on the others.
class MixedComplementarityConditionNSL : public NonSmoothLaw {
 public:
  MixedComplementarityConditionNSL(Index size, Index equalities);
  // Number of rows with y = 0.
  Index equalities() const { return equalities_; }

 private:
  Index equalities_;
};

// -y in N_P(lambda), P = {lambda : H lambda >= K}; H [m, size], K [m].
class NormalConeNSL : public NonSmoothLaw {
 public:
  NormalConeNSL(Index size, const Matrix& H, const Vector& K);
  // The polyhedron.
  const Matrix& H() const { return H_; }
  const Vector& K() const { return K_; }

 private:
  Matrix H_;
  Vector K_;
};

// Law of Liu, Zhao and Brogliato for multiple impacts: energetic restitution e, contact stiffness K and exponent eta of the
// contact law force = K delta^eta. Problems that know Newton's law only take e for its restitution.
class MultipleImpactNSL : public NonSmoothLaw {
 public:
  MultipleImpactNSL(double e, double K, double eta);
  // Energetic restitution, stiffness and exponent of the contact.
  double e() const { return en_; }
  double K() const { return stiffness_; }
  double eta() const { return eta_; }

 private:
  double stiffness_, eta_;
};

}  // namespace nonsmooth::kernel
#endif
