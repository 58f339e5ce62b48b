#include "nonsmooth/kernel/relation.hpp"

namespace nonsmooth::kernel {

const char* name(RelationFamily family) {
  switch (family) {
    case RelationFamily::FirstOrder: return "first order";
    case RelationFamily::Lagrangian: return "Lagrangian";
    case RelationFamily::NewtonEuler: return "Newton-Euler";
  }
  return "unknown";
}

void Relation::checkSizes(Index, Index, Index) const {}
void Relation::evaluateD(const RelationPoint&, MatrixRef D) { D.setZero(); }
void Relation::evaluateg(const RelationPoint&, VectorRef r) { r.setZero(); }
void Relation::evaluateB(const RelationPoint&, MatrixRef B) { B.setZero(); }
void Relation::evaluateK(const RelationPoint&, MatrixRef K) { K.setZero(); }
void Relation::evaluateTimeDerivative(const RelationPoint&, VectorRef hdot) { hdot.setZero(); }
void Relation::evaluateCurvature(const RelationPoint&, VectorRef out) { out.setZero(); }

}  // namespace nonsmooth::kernel
