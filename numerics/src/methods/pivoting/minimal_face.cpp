#include "methods/pivoting/minimal_face.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/nnls.hpp"

namespace nonsmooth {
namespace {

constexpr double active_tolerance = 1e-10;       // relative to the terms of a constraint
constexpr Eigen::Index largest_proof = 2000;     // constraints: the search is dense and cubic
constexpr double independence_tolerance = 1e-9;  // relative to the length of its normal

// All constraints as a_i x >= b_i: bounds first, so that they are preferred to rows of H.
struct FaceConstraints {
  Eigen::MatrixXd normals;  // one column each
  Eigen::VectorXd b;
  std::vector<Eigen::Index> unknown;  // of a bound; for a row of H -1
};

FaceConstraints collect(const Polyhedron& set, Eigen::Index n) {
  const Eigen::Index m = set.H.rows();
  FaceConstraints c{Eigen::MatrixXd::Zero(n, 2 * n + m), Eigen::VectorXd(2 * n + m), {}};
  Eigen::Index count = 0;
  auto append_bounds = [&](const Vector& bound, double sign) {
    for (std::size_t j = 0; j < bound.size(); ++j) {
      if (std::isinf(bound[j])) continue;
      c.normals(static_cast<Eigen::Index>(j), count) = sign;
      c.b[count++] = sign * bound[j];
      c.unknown.push_back(static_cast<Eigen::Index>(j));
    }
  };
  append_bounds(set.lo, 1.0);
  append_bounds(set.hi, -1.0);
  for_each_entry(set.H, [&](std::int64_t i, std::int64_t j, double h) { c.normals(j, count + i) = h; });
  for (Eigen::Index i = 0; i < m; ++i) c.b[count + i] = set.k[at(i)];
  c.unknown.resize(at(count + m), -1);
  c.normals.conservativeResize(n, count + m);
  c.b.conservativeResize(count + m);
  return c;
}

class FaceSearch {
 public:
  FaceSearch(const FaceConstraints& c, Eigen::VectorXd start)
      : c_(c), x_(std::move(start)), Q_(x_.size(), x_.size()), chosen_(c.unknown.size(), 0) {}

  // Takes all constraints that are active, then moves along what is left until another one is, as long as any can be.
  const std::vector<char>& run() {
    for (Eigen::Index i = 0; i < c_.b.size(); ++i)
      if (slack(i) <= active_tolerance * (c_.normals.col(i).cwiseAbs().dot(x_.cwiseAbs()) + std::abs(c_.b[i]))) choose(i);
    for (Eigen::Index i = 0; i < c_.b.size() && rank_ < x_.size(); ++i)
      while (chosen_[at(i)] == 0 && approach(i)) continue;
    return chosen_;
  }

 private:
  double slack(Eigen::Index i) const { return c_.normals.col(i).dot(x_) - c_.b[i]; }

  // The part of a normal that is orthogonal to those chosen; twice, against rounding.
  Eigen::VectorXd remainder(Eigen::Index i) const {
    Eigen::VectorXd r = c_.normals.col(i);
    for (int pass = 0; pass < 2; ++pass) r -= Q_.leftCols(rank_) * (Q_.leftCols(rank_).transpose() * r);
    return r;
  }

  // Of a normal with that remainder.
  bool is_independent(Eigen::Index i, const Eigen::VectorXd& rest) const {
    return rank_ < x_.size() && rest.norm() > independence_tolerance * c_.normals.col(i).norm();
  }

  void choose(Eigen::Index i) {
    const Eigen::VectorXd rest = remainder(i);
    if (!is_independent(i, rest)) return;
    Q_.col(rank_++) = rest.normalized();
    chosen_[at(i)] = 1;
  }

  // Towards constraint i until the first one is met: i itself at the latest. false if it depends on those chosen.
  bool approach(Eigen::Index i) {
    const Eigen::VectorXd rest = remainder(i);
    if (!is_independent(i, rest)) return false;
    const Eigen::VectorXd direction = -rest.normalized();
    Eigen::Index first = i;
    double length = std::max(0.0, slack(i)) / -c_.normals.col(i).dot(direction);
    for (Eigen::Index k = 0; k < c_.b.size(); ++k) {
      const double rate = c_.normals.col(k).dot(direction);
      if (rate >= -independence_tolerance * c_.normals.col(k).norm() || chosen_[at(k)] != 0) continue;
      const double step = std::max(0.0, slack(k)) / -rate;
      if (step >= length) continue;
      length = step;
      first = k;
    }
    x_ += length * direction;
    choose(first);
    return true;
  }

  const FaceConstraints& c_;
  Eigen::VectorXd x_;
  Eigen::MatrixXd Q_;  // orthonormal, spans the normals chosen
  Eigen::Index rank_ = 0;
  std::vector<char> chosen_;
};

// y >= 0 with sum y_i a_i = 0 and sum y_i b_i = 1 over all constraints (Farkas), as non-negative least squares. Its part for the
// rows of H.
Vector prove_empty(const FaceConstraints& c) {
  const Eigen::Index n = c.normals.rows(), count = c.b.size();
  if (count > largest_proof) return {};
  NonnegativeLeastSquares search;
  const int rows = static_cast<int>(n) + 1, cols = static_cast<int>(count);
  search.resize(rows, cols);
  Eigen::Map<Eigen::MatrixXd> matrix(search.matrix().data(), n + 1, count);
  matrix << c.normals, c.b.transpose();
  Vector target(at(rows), 0.0), y(at(cols));
  target.back() = 1;
  search.solve(rows, cols, target, std::vector<char>(y.size(), 0), y);
  Vector proof;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (c.unknown[i] < 0) proof.push_back(std::max(0.0, y[i]));
  return proof;
}

}  // namespace

Vector prove_empty(const Polyhedron& set, std::int64_t unknowns) {
  return prove_empty(collect(set, static_cast<Eigen::Index>(unknowns)));
}

MinimalFace find_minimal_face(const Polyhedron& set, std::int64_t unknowns) {
  const auto n = at(unknowns);
  MinimalFace face{false, {}, std::vector<char>(at(set.H.rows()), 0), std::vector<char>(n, 0), std::vector<char>(n, 0)};
  const FaceConstraints constraints = collect(set, static_cast<Eigen::Index>(n));
  Vector start(n, 0.0);
  face.exists = project(set, Vector(n, 0.0), start);
  if (!face.exists) {
    face.proof = prove_empty(constraints);
    return face;
  }
  FaceSearch search(constraints, Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(n)));
  const std::vector<char>& chosen = search.run();
  std::size_t row = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Eigen::Index j = constraints.unknown[i];
    if (j < 0)
      face.rows[row++] = chosen[i];
    else if (chosen[i] != 0)
      (constraints.normals(j, static_cast<Eigen::Index>(i)) > 0 ? face.at_lower : face.at_upper)[at(j)] = 1;
  }
  return face;
}

}  // namespace nonsmooth
