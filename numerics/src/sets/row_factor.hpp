// Thin orthogonal factors N = Q R of normals, kept up to date in O(n k) while normals come and go and coordinates are left out.
#pragma once

#include <Eigen/Dense>

namespace nonsmooth {

// The columns of N must stay independent: whoever appends one, or leaves out a coordinate, has seen that they do. Rows of Q that
// belong to coordinates left out are 0.
class RowFactor {
 public:
  explicit RowFactor(Eigen::Index n) : n_(n), Q_(n, 0) {}
  Eigen::Index count() const { return count_; }

  // rest (0 in the coordinates left out) becomes what is left of it beside the normals, r its coefficients.
  void split(Eigen::VectorXd& rest, Eigen::VectorXd& r) const;
  // `normal` is 0 in the coordinates left out.
  void append(const Eigen::VectorXd& normal);
  void remove(Eigen::Index k);
  void leave_out(Eigen::Index coordinate);
  // values[k]: the entry of the k-th normal in a coordinate that was left out.
  void take_back(Eigen::Index coordinate, Eigen::VectorXd values);

 private:
  void grow();
  Eigen::VectorXd orthogonalise(Eigen::VectorXd& v) const;

  Eigen::Index n_, count_ = 0;
  Eigen::MatrixXd Q_, R_;  // the first count_ columns, the leading block of that order
};

}  // namespace nonsmooth
