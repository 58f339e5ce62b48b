#include "nonsmooth/kernel/lagrangian.hpp"

#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

namespace nonsmooth::kernel {

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& velocity0) : SecondOrderDS(SystemKind::Lagrangian, q0, velocity0) {
  requireSize(velocity0.size(), q0.size(), "velocity0");
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass) : LagrangianDS(q0, velocity0) {
  setMass(mass);
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& velocity0, ConfigurationToMatrix mass) : LagrangianDS(q0, velocity0) {
  setComputeMassFunction(std::move(mass));
}

LagrangianDS::LagrangianDS(const Vector& q0, const Vector& velocity0, const std::string& plugin, const std::string& mass)
    : LagrangianDS(q0, velocity0) {
  setComputeMass(plugin, mass);
}

void LagrangianDS::requireOperator(const LinearOperator& value, const char* what) const {
  if (value.isZero()) return;
  requireSize(value.rows(), dimension(), what);
  requireSize(value.cols(), dimension(), what);
  if (const Vector* diagonal = value.diagonal()) requireFinite(*diagonal, what);
  if (const Matrix* dense = value.dense()) requireFinite(*dense, what);
  if (const SparseMatrix* sparse = value.sparse())
    for (Index j = 0; j < sparse->outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(*sparse, j); entry; ++entry)
        if (!std::isfinite(entry.value()))
          fail("%s(%lld, %lld) is %g", what, static_cast<long long>(entry.row()), static_cast<long long>(entry.col()),
               entry.value());
}

LinearOperator LagrangianDS::sharedOperator(std::shared_ptr<Matrix> value, const char* what) const {
  LinearOperator result = LinearOperator::shared(std::move(value), what);
  requireOperator(result, what);
  return result;
}

namespace {

constexpr double rounding = 1e-12;  // of entries that should be equal, relative to the roots of those on the diagonal

void requireDiagonal(const Vector& diagonal) {
  for (Index i = 0; i < diagonal.size(); ++i)
    if (diagonal[i] < 0)
      fail("mass(%lld, %lld) is %g: negative", static_cast<long long>(i), static_cast<long long>(i), diagonal[i]);
}

// Symmetric, and each pair of degrees of freedom by itself has no negative energy.
void requirePairs(const SparseMatrix& mass, const Vector& diagonal) {
  for (Index j = 0; j < mass.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(mass, j); entry; ++entry) {
      const Index i = entry.row();
      const double value = entry.value(), other = mass.coeff(j, i), greatest = std::sqrt(diagonal[i]) * std::sqrt(diagonal[j]);
      const auto row = static_cast<long long>(i), column = static_cast<long long>(j);
      if (std::abs(value - other) > rounding * std::max(std::abs(value), std::abs(other)) + rounding * greatest)
        fail("mass is not symmetric: mass(%lld, %lld) is %.15g, mass(%lld, %lld) is %.15g", row, column, value, column, row,
             other);
      if (std::abs(value) > (1 + rounding) * greatest)
        fail("mass(%lld, %lld) is %.15g, at most %.15g would be a mass: the root of the product of the entries on the diagonal",
             row, column, value, greatest);
    }
}

// Factors of a semidefinite matrix have negative pivots by rounding, and pivots of zero at which a factorisation ends: so each
// entry of the diagonal is raised by rounding, and those that are zero, whose rows are, by the least that there is.
template <class Factor, class Stored>
void requireEnergy(const Stored& mass, const Vector& raise) {
  const Factor factor(mass + Stored(SparseMatrix(raise.asDiagonal())));
  const double least = factor.vectorD().minCoeff();
  if (factor.info() != Eigen::Success || !(least > 0))
    fail("mass has a negative eigenvalue: the least pivot of its factors is %g", least);
}

// A kinetic energy is not negative. Zero is left to the integrators: what has no mass may have a stiffness.
void requireMass(const LinearOperator& mass, Index size) {
  if (mass.isZero()) return;
  if (const Vector* diagonal = mass.diagonal()) return requireDiagonal(*diagonal);
  const SparseMatrix entries = mass.toSparse(size);
  const Vector diagonal = entries.diagonal();
  requireDiagonal(diagonal);
  requirePairs(entries, diagonal);
  const Vector raise = (rounding * diagonal).cwiseMax(std::numeric_limits<double>::min());
  if (const Matrix* dense = mass.dense())
    requireEnergy<Eigen::LDLT<Matrix>>(*dense, raise);
  else
    requireEnergy<Eigen::SimplicialLDLT<SparseMatrix>>(entries, raise);
}

}  // namespace

void LagrangianDS::setMass(const LinearOperator& mass) {
  requireOperator(mass, "mass");
  requireMass(mass, dimension());
  mass_ = mass;
  mass_function_ = nullptr;
  touch();
}

void LagrangianDS::setMassPtr(std::shared_ptr<Matrix> mass) {
  LinearOperator given = sharedOperator(std::move(mass), "mass");
  requireMass(given, dimension());
  mass_ = std::move(given);
  mass_function_ = nullptr;
  touch();
}

void LagrangianDS::setComputeMassFunction(ConfigurationToMatrix function) {
  if (!function) fail("mass: an empty function was given");
  mass_function_ = std::move(function);
  touch();
}

void LagrangianDS::setComputeMass(const std::string& plugin, const std::string& function) {
  setComputeMassFunction(loadFunction<ConfigurationToMatrix>(plugin, function));
}

void LagrangianDS::computeMass() {
  Matrix mass;
  evaluateMass(q(), mass);
  mass_ = mass;
}

void LagrangianDS::evaluateMass(ConstVectorRef q, Matrix& out) {
  if (!mass_function_) {
    if (mass_.isZero()) fail("%s number %d has no mass", className(), number());
    mass_.copyTo(out, dimension());
    return;
  }
  out.setZero(dimension(), dimension());
  mass_function_(q, out, z());
  requireFinite(out.data(), out.size(), "Mass", number(), 0.0);
}

void LagrangianDS::evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) {
  out.setZero();
  if (fExt_.given()) {
    out += fExt_.compute(dimension(), 1, z(), time);
    if (fExt_.computed()) requireFinite(out.data(), out.size(), "FExt", number(), time);
  }
  if (fInt_.given()) {
    out -= fInt_.compute(dimension(), 1, z(), time, q, v);
    if (fInt_.computed()) requireFinite(out.data(), out.size(), "FInt", number(), time);
  }
  if (fGyr_.given()) {
    out -= fGyr_.compute(dimension(), 1, z(), time, q, v);
    if (fGyr_.computed()) requireFinite(out.data(), out.size(), "FGyr", number(), time);
  }
}

bool LagrangianDS::hasForceJacobians() const {
  return jacobianFIntq_.given() || jacobianFIntqDot_.given() || jacobianFGyrq_.given() || jacobianFGyrqDot_.given();
}

void LagrangianDS::evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) {
  dq.setZero(dimension(), dimension());
  dv.setZero(dimension(), dimension());
  if (jacobianFIntq_.given()) dq -= jacobianFIntq_.compute(dimension(), dimension(), z(), time, q, v);
  if (jacobianFGyrq_.given()) dq -= jacobianFGyrq_.compute(dimension(), dimension(), z(), time, q, v);
  if (jacobianFIntqDot_.given()) dv -= jacobianFIntqDot_.compute(dimension(), dimension(), z(), time, q, v);
  if (jacobianFGyrqDot_.given()) dv -= jacobianFGyrqDot_.compute(dimension(), dimension(), z(), time, q, v);
  requireFiniteResult(dq, "a Jacobian of the forces with respect to q", time);
  requireFiniteResult(dv, "a Jacobian of the forces with respect to the velocity", time);
}

void LagrangianDS::checkJacobians(double time, double tolerance) {
  if (!hasForceJacobians()) return;
  Matrix dq, dv;
  const Vector q_now = q(), v_now = velocity();
  evaluateForceJacobians(time, q_now, v_now, dq, dv);
  const bool has_q = jacobianFIntq_.given() || jacobianFGyrq_.given();
  const bool has_v = jacobianFIntqDot_.given() || jacobianFGyrqDot_.given();
  const auto of_q = [&](ConstVectorRef at, VectorRef out) { evaluateForces(time, at, v_now, out); };
  const auto of_v = [&](ConstVectorRef at, VectorRef out) { evaluateForces(time, q_now, at, out); };
  requireForceJacobians(has_q ? jacobianDefect(of_q, q_now, dq) : 0, has_v ? jacobianDefect(of_v, v_now, dv) : 0, tolerance,
                        "the velocity");
}

std::optional<double> LagrangianDS::potentialEnergy() const {
  if (fExt_.computed() || fInt_.computed()) return std::nullopt;
  double energy = 0;
  if (fExt_.given()) energy -= fExt_.constant(dimension(), 1).dot(q());
  if (fInt_.given()) energy += fInt_.constant(dimension(), 1).dot(q());
  return energy;
}

std::optional<double> LagrangianLinearTIDS::potentialEnergy() const {
  const std::optional<double> of_forces = LagrangianDS::potentialEnergy();
  if (!of_forces || !K_.isSymmetric()) return std::nullopt;
  Vector elastic = Vector::Zero(dimension());
  K_.addProduct(1.0, q(), elastic);
  return *of_forces + 0.5 * elastic.dot(q());
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass)
    : LagrangianDS(q0, velocity0, mass) {
  if (mass.isZero()) fail("a LagrangianLinearTIDS needs a mass");
}

LagrangianLinearTIDS::LagrangianLinearTIDS(const Vector& q0, const Vector& velocity0, const LinearOperator& mass,
                                           const LinearOperator& K, const LinearOperator& C)
    : LagrangianLinearTIDS(q0, velocity0, mass) {
  setK(K);
  setC(C);
}

void LagrangianLinearTIDS::setK(const LinearOperator& K) {
  requireOperator(K, "K");
  K_ = K;
  touch();
}

void LagrangianLinearTIDS::setC(const LinearOperator& C) {
  requireOperator(C, "C");
  C_ = C;
  touch();
}

void LagrangianLinearTIDS::setKPtr(std::shared_ptr<Matrix> K) {
  K_ = sharedOperator(std::move(K), "K");
  touch();
}

void LagrangianLinearTIDS::setCPtr(std::shared_ptr<Matrix> C) {
  C_ = sharedOperator(std::move(C), "C");
  touch();
}

// Through a LagrangianDS* they can be given, and would be left out.
void LagrangianLinearTIDS::refuseOperators() const {
  fail("%s number %d has %s: it takes M, C, K and FExt only, a LagrangianDS takes the others", className(), number(),
       fInt_.given() ? "FInt" : (fGyr_.given() ? "FGyr" : "a mass that is computed"));
}

void LagrangianLinearTIDS::evaluateExternalForces(double time, VectorRef out) {
  if (fInt_.given() || fGyr_.given() || !massIsConstant()) refuseOperators();
  if (!fExt_.given()) {
    out.setZero();
    return;
  }
  out = fExt_.compute(dimension(), 1, z(), time);
  if (fExt_.computed()) requireFinite(out.data(), out.size(), "FExt", number(), time);
}

void LagrangianLinearTIDS::evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) {
  evaluateExternalForces(time, out);
  if (!K_.isZero()) K_.addProduct(-1.0, q, out);
  if (!C_.isZero()) C_.addProduct(-1.0, v, out);
}

void LagrangianLinearTIDS::evaluateForceJacobians(double, ConstVectorRef, ConstVectorRef, Matrix& dq, Matrix& dv) {
  K_.copyTo(dq, dimension());
  dq *= -1;
  C_.copyTo(dv, dimension());
  dv *= -1;
}

}  // namespace nonsmooth::kernel
