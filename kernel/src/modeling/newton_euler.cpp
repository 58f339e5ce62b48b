#include "nonsmooth/kernel/newton_euler.hpp"

#include <cmath>
#include <utility>

namespace nonsmooth::kernel {

Matrix3 rotationMatrix(const double* quaternion) {
  return Eigen::Quaterniond(quaternion[0], quaternion[1], quaternion[2], quaternion[3]).toRotationMatrix();
}

Matrix3 crossMatrix(const Vector3& a) {
  Matrix3 result;
  result << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return result;
}

namespace {

// Of a rotation by a vector: the cosine of half its length, and the sine over its length. Rotations of a step are small: series
// in the square of the half, to rounding, cost neither a root nor sine and cosine, and lose no digits in a quotient.
std::pair<double, double> cosineAndFactor(double x, double y, double z) {
  constexpr double series_limit = 2.5e-3;  // terms left out are below 3e-20
  const double square = 0.25 * (x * x + y * y + z * z);
  if (square <= series_limit)
    return {1 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square * (1.0 / 40320)))),
            0.5 - square * (1.0 / 12 - square * (1.0 / 240 - square * (1.0 / 10080 - square * (1.0 / 725760))))};
  const double half = std::sqrt(square);
  return {std::cos(half), 0.5 * std::sin(half) / half};
}

}  // namespace

// The product of the quaternions number by number: packed ones are read while their parts are being written, which the processor
// waits for.
void moveRigidBody(const double* q, const double* increment, double* out) {
  const auto [c, factor] = cosineAndFactor(increment[3], increment[4], increment[5]);
  const double x = factor * increment[3], y = factor * increment[4], z = factor * increment[5];
  const double turned[4] = {q[3] * c - q[4] * x - q[5] * y - q[6] * z, q[3] * x + q[4] * c + q[5] * z - q[6] * y,
                            q[3] * y + q[5] * c + q[6] * x - q[4] * z, q[3] * z + q[6] * c + q[4] * y - q[5] * x};
  const double squares = turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] + turned[3] * turned[3];
  const double scale = 1 / std::sqrt(squares);
  for (int k = 0; k < 3; ++k) out[k] = q[k] + increment[k];
  for (int k = 0; k < 4; ++k) out[3 + k] = scale * turned[k];
}

namespace {

LinearOperator massMatrix(double mass, const Matrix3& inertia) {
  if (inertia.isDiagonal(0.0)) {
    Vector diagonal(6);
    diagonal << mass, mass, mass, inertia.diagonal();
    return Diagonal(diagonal);
  }
  Matrix dense = Matrix::Zero(6, 6);
  dense.topLeftCorner<3, 3>() = mass * Matrix3::Identity();
  dense.bottomRightCorner<3, 3>() = inertia;
  return dense;
}

}  // namespace

NewtonEulerDS::NewtonEulerDS(const Vector& q0, const Vector& twist0, double mass, const Matrix3& inertia)
    : SecondOrderDS(SystemKind::NewtonEuler, q0, twist0),
      scalar_mass_(mass),
      inertia_(inertia),
      mass_(massMatrix(mass, inertia)),
      isotropic_(inertia.isDiagonal(0.0) && inertia(0, 0) == inertia(1, 1) && inertia(1, 1) == inertia(2, 2)) {
  requireSize(q0.size(), 7, "q0 of a NewtonEulerDS");
  requireSize(twist0.size(), 6, "twist0 of a NewtonEulerDS");
  if (!(mass > 0) || !std::isfinite(mass)) fail("the mass of a NewtonEulerDS is %g", mass);
  requireFinite(inertia, "inertia");
  // A body's inertia is symmetric and positive: Omega' I Omega is an energy.
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > 1e-12 * inertia.cwiseAbs().maxCoeff())
    fail("the inertia of a NewtonEulerDS is not symmetric");
  const double least = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues()[0];
  if (!(least > 0)) fail("the inertia of a NewtonEulerDS is not positive: its least principal moment is %g", least);
  NewtonEulerDS::requireCoordinates(q0, "q0");
}

void requirePose(const Vector& q, const char* what) {
  requireSize(q.size(), 7, what);
  requireFinite(q, what);
  const double length = q.tail(4).norm();
  if (!(std::abs(length - 1) <= 1e-8)) fail("the quaternion of %s has length %.17g, not 1", what, length);
}

void NewtonEulerDS::requireCoordinates(const Vector& value, const char* what) const { requirePose(value, what); }

Matrix3 NewtonEulerDS::rotation() const { return rotationMatrix(q().data() + 3); }

std::optional<double> NewtonEulerDS::potentialEnergy() const {
  if (fExt_.computed() || fInt_.computed() || mExt_.given() || mInt_.given()) return std::nullopt;
  double energy = 0;
  if (fExt_.given()) energy -= fExt_.constant(3, 1).dot(q().head<3>());
  if (fInt_.given()) energy += fInt_.constant(3, 1).dot(q().head<3>());
  return energy;
}

void NewtonEulerDS::evaluateMass(ConstVectorRef, Matrix& out) { mass_.copyTo(out, 6); }

void NewtonEulerDS::evaluateForces(double time, ConstVectorRef q, ConstVectorRef v, VectorRef out) {
  out.setZero();
  const auto add = [&](auto& operand, double sign, Index start, const char* what, const auto&... arguments) {
    if (!operand.given()) return;
    out.segment<3>(start) += sign * operand.compute(3, 1, z(), arguments...);
    if (operand.computed()) requireFinite(out.data() + start, 3, what, number(), time);
  };
  add(fExt_, 1.0, 0, "FExt", time);
  add(mExt_, 1.0, 3, "MExt", time);
  add(fInt_, -1.0, 0, "FInt", time, q, v);
  add(mInt_, -1.0, 3, "MInt", time, q, v);
  if (isotropic_) return;
  const Vector3 omega = v.tail<3>();
  out.tail<3>() -= omega.cross(inertia_ * omega);
}

bool NewtonEulerDS::hasForceJacobians() const {
  return (!isotropic_ && !explicit_gyroscopic_) || jacobianFIntq_.given() || jacobianFIntTwist_.given() ||
         jacobianMIntq_.given() || jacobianMIntTwist_.given();
}

void NewtonEulerDS::evaluateForceJacobians(double time, ConstVectorRef q, ConstVectorRef v, Matrix& dq, Matrix& dv) {
  dq.setZero(6, 6);
  dv.setZero(6, 6);
  if (jacobianFIntq_.given()) dq.topRows<3>() -= jacobianFIntq_.compute(3, 6, z(), time, q, v);
  if (jacobianMIntq_.given()) dq.bottomRows<3>() -= jacobianMIntq_.compute(3, 6, z(), time, q, v);
  if (jacobianFIntTwist_.given()) dv.topRows<3>() -= jacobianFIntTwist_.compute(3, 6, z(), time, q, v);
  if (jacobianMIntTwist_.given()) dv.bottomRows<3>() -= jacobianMIntTwist_.compute(3, 6, z(), time, q, v);
  requireFiniteResult(dq, "a Jacobian of the forces with respect to q", time);
  requireFiniteResult(dv, "a Jacobian of the forces with respect to the twist", time);
  if (isotropic_ || explicit_gyroscopic_) return;
  dv.bottomRightCorner<3, 3>() -= gyroscopicJacobian(v);
}

// Of Omega x I Omega with respect to Omega.
Matrix3 NewtonEulerDS::gyroscopicJacobian(ConstVectorRef v) const {
  const Vector3 omega = v.tail<3>();
  return crossMatrix(omega) * inertia_ - crossMatrix(inertia_ * omega);
}

// The quaternion turns by half its product with (0, Omega).
void NewtonEulerDS::evaluateRate(ConstVectorRef q, ConstVectorRef v, VectorRef out) const {
  const Eigen::Quaterniond half =
      Eigen::Quaterniond(q[3], q[4], q[5], q[6]) * Eigen::Quaterniond(0, v[3] / 2, v[4] / 2, v[5] / 2);
  out << v.head<3>(), half.w(), half.vec();
}

void NewtonEulerDS::move(ConstVectorRef q, ConstVectorRef increment, VectorRef out) const {
  moveRigidBody(q.data(), increment.data(), out.data());
}

void NewtonEulerDS::checkJacobians(double time, double tolerance) {
  if (!hasForceJacobians()) return;
  Matrix dq, dv;
  const Vector q_now = q(), v_now = velocity();
  evaluateForceJacobians(time, q_now, v_now, dq, dv);
  if (explicit_gyroscopic_ && !isotropic_) dv.bottomRightCorner<3, 3>() -= gyroscopicJacobian(v_now);  // the forces have it
  const auto turned = [&](ConstVectorRef at, VectorRef out) { evaluateForces(time, q_now, at, out); };
  const auto moved = [&](ConstVectorRef increment, VectorRef out) {
    Vector at(7);
    move(q_now, increment, at);
    evaluateForces(time, at, v_now, out);
  };
  const bool has_q = jacobianFIntq_.given() || jacobianMIntq_.given();
  const bool has_v = jacobianFIntTwist_.given() || jacobianMIntTwist_.given();
  requireForceJacobians(has_q ? jacobianDefect(moved, Vector::Zero(6), dq) : 0, has_v ? jacobianDefect(turned, v_now, dv) : 0,
                        tolerance, "the twist");
}

}  // namespace nonsmooth::kernel
