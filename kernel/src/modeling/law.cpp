#include "nonsmooth/kernel/law.hpp"

#include <cmath>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {
namespace {

void requireRange(double value, double low, double high, const char* what) {
  if (!(value >= low && value <= high)) fail("%s = %.15g is outside [%g, %g]", what, value, low, high);
}

constexpr double unbounded = 1e300;

}  // namespace

const char* name(LawKind kind) {
  switch (kind) {
    case LawKind::ComplementarityCondition: return "ComplementarityConditionNSL";
    case LawKind::NewtonImpact: return "NewtonImpactNSL";
    case LawKind::NewtonImpactFriction: return "NewtonImpactFrictionNSL";
    case LawKind::NewtonImpactRollingFriction: return "NewtonImpactRollingFrictionNSL";
    case LawKind::Relay: return "RelayNSL";
    case LawKind::EqualityCondition: return "EqualityConditionNSL";
    case LawKind::MixedComplementarityCondition: return "MixedComplementarityConditionNSL";
    case LawKind::NormalCone: return "NormalConeNSL";
    case LawKind::MultipleImpact: return "MultipleImpactNSL";
  }
  return "unknown";
}

NonSmoothLaw::NonSmoothLaw(LawKind kind, Index size) : kind_(kind), size_(size) {
  if (size <= 0) fail("the size of a %s is %lld", name(kind), static_cast<long long>(size));
}

NewtonImpactNSL::NewtonImpactNSL(Index size, double e) : NonSmoothLaw(LawKind::NewtonImpact, size) {
  requireRange(e, 0, 1, "restitution e");
  en_ = et_ = e;
}

NewtonImpactFrictionNSL::NewtonImpactFrictionNSL(double en, double et, double mu, Index size)
    : NonSmoothLaw(LawKind::NewtonImpactFriction, size) {
  if (size != 2 && size != 3) fail("a NewtonImpactFrictionNSL has size 2 or 3, not %lld", static_cast<long long>(size));
  requireRange(en, 0, 1, "restitution en");
  requireRange(et, -1, 1, "restitution et");
  requireRange(mu, 0, unbounded, "friction mu");
  en_ = en;
  et_ = et;
  mu_ = mu;
}

NewtonImpactRollingFrictionNSL::NewtonImpactRollingFrictionNSL(double en, double et, double mu, double mu_r, Index size)
    : NonSmoothLaw(LawKind::NewtonImpactRollingFriction, size) {
  if (size != 3 && size != 5) fail("a NewtonImpactRollingFrictionNSL has size 3 or 5, not %lld", static_cast<long long>(size));
  requireRange(en, 0, 1, "restitution en");
  requireRange(et, -1, 1, "restitution et");
  requireRange(mu, 0, unbounded, "friction mu");
  requireRange(mu_r, 0, unbounded, "rolling friction mu_r");
  en_ = en;
  et_ = et;
  mu_ = mu;
  mu_r_ = mu_r;
}

RelayNSL::RelayNSL(Index size, double lb, double ub) : NonSmoothLaw(LawKind::Relay, size), lb_(lb), ub_(ub) {
  if (!(lb <= ub)) fail("RelayNSL: lb = %.15g is above ub = %.15g", lb, ub);
  if (std::isinf(lb) && lb == ub) fail("RelayNSL: lb and ub are both %g", lb);
}

MixedComplementarityConditionNSL::MixedComplementarityConditionNSL(Index size, Index equalities)
    : NonSmoothLaw(LawKind::MixedComplementarityCondition, size), equalities_(equalities) {
  if (equalities < 0 || equalities > size)
    fail("%lld equalities in a law of size %lld", static_cast<long long>(equalities), static_cast<long long>(size));
}

NormalConeNSL::NormalConeNSL(Index size, const Matrix& H, const Vector& K)
    : NonSmoothLaw(LawKind::NormalCone, size), H_(H), K_(K) {
  requireSize(H.cols(), size, "rows of H of a NormalConeNSL");
  requireSize(K.size(), H.rows(), "K of a NormalConeNSL");
  requireFinite(H, "H of a NormalConeNSL");
  requireFinite(K, "K of a NormalConeNSL");
}

MultipleImpactNSL::MultipleImpactNSL(double e, double K, double eta)
    : NonSmoothLaw(LawKind::MultipleImpact, 1), stiffness_(K), eta_(eta) {
  requireRange(e, 0, 1, "restitution e");
  if (!(K > 0)) fail("stiffness K = %g is not positive", K);
  if (!(eta > 0)) fail("exponent eta = %g is not positive", eta);
  requireRange(K, 0, unbounded, "stiffness K");
  requireRange(eta, 0, unbounded, "exponent eta");
  en_ = et_ = e;
}

}  // namespace nonsmooth::kernel
