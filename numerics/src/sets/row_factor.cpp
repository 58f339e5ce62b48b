// Daniel, Gragg, Kaufman and Stewart (1976): Gram and Schmidt's process twice, plane rotations for all else.
#include "sets/row_factor.hpp"

#include <algorithm>
#include <cmath>

namespace nonsmooth {
namespace {

struct Rotation {
  double cosine = 1, sine = 0;
  // Takes (a, b) to (|(a, b)|, 0).
  Rotation(double a, double b) {
    const double length = std::hypot(a, b);
    if (length == 0) return;
    cosine = a / length;
    sine = b / length;
  }
  template <class A, class B>
  void apply(A&& a, B&& b) const {
    const Eigen::VectorXd turned = cosine * a + sine * b;
    b = cosine * b - sine * a;
    a = turned;
  }
};

}  // namespace

void RowFactor::grow() {
  if (count_ < Q_.cols()) return;
  const Eigen::Index columns = std::min(n_, std::max<Eigen::Index>(8, 2 * Q_.cols()));
  Q_.conservativeResize(n_, columns);
  R_.conservativeResize(columns, columns);
}

// v loses its part along Q, whose coefficients are returned.
Eigen::VectorXd RowFactor::orthogonalise(Eigen::VectorXd& v) const {
  if (count_ == 0) return {};  // Q_ may have no rows yet
  const auto Q = Q_.leftCols(count_);
  Eigen::VectorXd h = Q.transpose() * v;
  v.noalias() -= Q * h;
  const Eigen::VectorXd again = Q.transpose() * v;
  v.noalias() -= Q * again;
  return h + again;
}

void RowFactor::split(Eigen::VectorXd& rest, Eigen::VectorXd& r) const {
  r = orthogonalise(rest);
  R_.topLeftCorner(count_, count_).triangularView<Eigen::Upper>().solveInPlace(r);
}

void RowFactor::append(const Eigen::VectorXd& normal) {
  grow();
  Eigen::VectorXd v = normal;
  R_.col(count_).head(count_) = orthogonalise(v);
  R_.row(count_).head(count_).setZero();
  const double length = v.norm();
  R_(count_, count_) = length;
  Q_.col(count_) = v / length;
  ++count_;
}

void RowFactor::remove(Eigen::Index k) {
  for (Eigen::Index j = k; j + 1 < count_; ++j) R_.col(j).head(j + 2) = R_.col(j + 1).head(j + 2);
  --count_;
  for (Eigen::Index i = k; i < count_; ++i) {
    const Rotation turn(R_(i, i), R_(i + 1, i));
    turn.apply(R_.row(i).segment(i, count_ - i).transpose(), R_.row(i + 1).segment(i, count_ - i).transpose());
    turn.apply(Q_.col(i), Q_.col(i + 1));
  }
}

// Beside Q goes what of the coordinate's unit vector is left; turned until its row alone reaches the coordinate, it is dropped.
void RowFactor::leave_out(Eigen::Index coordinate) {
  if (count_ == 0) return;
  Eigen::VectorXd beside = Eigen::VectorXd::Unit(n_, coordinate), row = Eigen::VectorXd::Zero(count_);
  orthogonalise(beside);
  beside.normalize();
  for (Eigen::Index i = count_ - 1; i >= 0; --i) {
    const Rotation turn(beside[coordinate], Q_(coordinate, i));
    turn.apply(beside, Q_.col(i));
    turn.apply(row.tail(count_ - i), R_.row(i).segment(i, count_ - i).transpose());
  }
  Q_.row(coordinate).head(count_).setZero();
}

void RowFactor::take_back(Eigen::Index coordinate, Eigen::VectorXd values) {
  if (count_ == 0) return;
  Eigen::VectorXd beside = Eigen::VectorXd::Unit(n_, coordinate);
  for (Eigen::Index i = 0; i < count_; ++i) {
    const Rotation turn(R_(i, i), values[i]);
    turn.apply(R_.row(i).segment(i, count_ - i).transpose(), values.tail(count_ - i));
    turn.apply(Q_.col(i), beside);
  }
}

}  // namespace nonsmooth
