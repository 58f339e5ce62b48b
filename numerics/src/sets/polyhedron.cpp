#include "sets/polyhedron.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nonsmooth {
namespace {

// All constraints as rows a_i x >= b_i.
struct Constraints {
  Eigen::MatrixXd A;
  Eigen::VectorXd b;
};

Constraints collect(const Polyhedron& set, Eigen::Index n) {
  auto count_finite = [](const Vector& v) {
    Eigen::Index count = 0;
    for (double x : v) count += std::isfinite(x) ? 1 : 0;
    return count;
  };
  const Eigen::Index m = set.H.rows(), total = m + count_finite(set.lo) + count_finite(set.hi);
  Constraints c{Eigen::MatrixXd::Zero(total, n), Eigen::VectorXd(total)};
  for_each_entry(set.H, [&](std::int64_t i, std::int64_t j, double h) { c.A(i, j) = h; });
  for (Eigen::Index i = 0; i < m; ++i) c.b[i] = set.k[static_cast<std::size_t>(i)];
  Eigen::Index row = m;
  auto append_bounds = [&](const Vector& bound, double sign) {
    for (std::size_t j = 0; j < bound.size(); ++j)
      if (std::isfinite(bound[j])) {
        c.A(row, static_cast<Eigen::Index>(j)) = sign;
        c.b[row++] = sign * bound[j];
      }
  };
  append_bounds(set.lo, 1.0);
  append_bounds(set.hi, -1.0);
  return c;
}

class GoldfarbIdnani {
 public:
  GoldfarbIdnani(const Constraints& c, Eigen::VectorXd start)
      : c_(c), x_(std::move(start)), settled_(static_cast<std::size_t>(c.A.rows()), 0) {}

  bool run() {
    for (Eigen::Index i = 0; i < c_.A.rows(); ++i)
      if (c_.A.row(i).isZero(0.0) && c_.b[i] > 0) return false;  // 0 >= b
    const Eigen::Index limit = 20 * (c_.A.rows() + x_.size() + 10);
    for (Eigen::Index k = 0; k < limit; ++k) {
      const Eigen::Index violated = most_violated();
      if (violated < 0) return true;
      // Constraints that contradict each other by rounding only are met as well as they can be.
      if (!add(violated) && violation(violated) < -contradiction) return false;
      settled_[static_cast<std::size_t>(violated)] = is_active(violated) ? 0 : 1;
    }
    return false;
  }
  const Eigen::VectorXd& x() const { return x_; }

 private:
  static constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  static constexpr double contradiction = 1e-10;

  bool is_active(Eigen::Index i) const { return std::find(active_.begin(), active_.end(), i) != active_.end(); }

  // a_i x - b_i relative to the terms it is the sum of.
  double violation(Eigen::Index i) const {
    const double size = c_.A.row(i).cwiseAbs().dot(x_.cwiseAbs()) + std::abs(c_.b[i]);
    return size > 0 ? (c_.A.row(i).dot(x_) - c_.b[i]) / size : 0.0;
  }

  Eigen::Index most_violated() const {
    Eigen::Index worst = -1;
    double worst_value = 0;
    for (Eigen::Index i = 0; i < c_.A.rows(); ++i) {
      if (settled_[static_cast<std::size_t>(i)] || is_active(i)) continue;
      const double value = violation(i);
      if (value < -rounding && value < worst_value) {
        worst = i;
        worst_value = value;
      }
    }
    return worst;
  }

  // Moves x until constraint p holds, dropping active constraints whose multiplier would turn negative.
  bool add(Eigen::Index p) {
    const Eigen::VectorXd normal = c_.A.row(p).transpose();
    double multiplier = 0;
    for (std::size_t guard = 0; guard <= active_.size() + 1 + static_cast<std::size_t>(c_.A.rows()); ++guard) {
      Eigen::VectorXd r;
      Eigen::VectorXd step = normal;
      if (!active_.empty()) {
        Eigen::MatrixXd N(x_.size(), static_cast<Eigen::Index>(active_.size()));
        for (std::size_t j = 0; j < active_.size(); ++j) N.col(static_cast<Eigen::Index>(j)) = c_.A.row(active_[j]).transpose();
        r = N.colPivHouseholderQr().solve(normal);
        step -= N * r;
      }
      double partial = std::numeric_limits<double>::infinity();
      std::size_t drop = 0;
      for (std::size_t j = 0; j < active_.size(); ++j)
        if (r[static_cast<Eigen::Index>(j)] > 0 && u_[j] / r[static_cast<Eigen::Index>(j)] < partial) {
          partial = u_[j] / r[static_cast<Eigen::Index>(j)];
          drop = j;
        }
      const bool blocked = step.norm() <= 1e-12 * normal.norm();
      const double full = blocked ? std::numeric_limits<double>::infinity() : (c_.b[p] - normal.dot(x_)) / step.dot(normal);
      const double length = std::min(partial, full);
      if (std::isinf(length)) return false;  // the constraints contradict each other
      if (!blocked) x_ += length * step;
      for (std::size_t j = 0; j < active_.size(); ++j) u_[j] -= length * r[static_cast<Eigen::Index>(j)];
      multiplier += length;
      if (full <= partial) {
        active_.push_back(p);
        u_.push_back(multiplier);
        return true;
      }
      active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(drop));
      u_.erase(u_.begin() + static_cast<std::ptrdiff_t>(drop));
    }
    return false;
  }

  const Constraints& c_;
  Eigen::VectorXd x_;
  std::vector<Eigen::Index> active_;
  std::vector<double> u_;
  std::vector<char> settled_;  // as good as met: no step can improve it
};

}  // namespace

bool project(const Polyhedron& set, std::span<const double> x, std::span<double> p) {
  const auto n = static_cast<Eigen::Index>(x.size());
  const Constraints constraints = collect(set, n);
  GoldfarbIdnani method(constraints, Eigen::Map<const Eigen::VectorXd>(x.data(), n));
  const bool ok = method.run();
  Eigen::Map<Eigen::VectorXd>(p.data(), n) = method.x();
  return ok;
}

}  // namespace nonsmooth
