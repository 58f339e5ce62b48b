#include "sets/polyhedron.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/index.hpp"
#include "sets/face_projection.hpp"
#include "sets/row_factor.hpp"

namespace nonsmooth {
namespace {

// Constraints a_i x >= b_i in the order rows of H, lower bounds, upper bounds (infinite ones too, which nothing violates).
class Constraints {
 public:
  Constraints(const Polyhedron& set, Eigen::Index n) : set_(set), n_(n), rows_(Eigen::MatrixXd::Zero(n, set.H.rows())) {
    for_each_entry(set.H, [&](std::int64_t i, std::int64_t j, double h) { rows_(j, i) = h; });
  }
  Eigen::Index row_count() const { return rows_.cols(); }
  Eigen::Index count() const { return row_count() + 2 * n_; }
  bool patience_lasts() const { return set_.patience_lasts(); }
  bool is_row(Eigen::Index i) const { return i < row_count(); }
  auto row(Eigen::Index i) const { return rows_.col(i); }
  // Of a bound: its coordinate, and the sign of its normal.
  Eigen::Index coordinate(Eigen::Index i) const { return (i - row_count()) % n_; }
  double sign(Eigen::Index i) const { return i < row_count() + n_ ? 1.0 : -1.0; }
  double bound(Eigen::Index i) const {
    if (is_row(i)) return set_.k[at(i)];
    const Vector& bounds = sign(i) > 0 ? set_.lo : set_.hi;
    return bounds.empty() ? -std::numeric_limits<double>::infinity() : sign(i) * bounds[at(coordinate(i))];
  }
  Eigen::VectorXd normal(Eigen::Index i) const {
    if (is_row(i)) return row(i);
    return sign(i) * Eigen::VectorXd::Unit(n_, coordinate(i));
  }
  // a_i x - b_i relative to what rounds it off: b_i, and x as far as it has reached on its way (x itself may be next to 0, and
  // all that is left of it rounding).
  double violation(Eigen::Index i, const Eigen::VectorXd& x, double reach) const {
    const double b = bound(i);
    if (std::isinf(b)) return 0;
    const double product = is_row(i) ? row(i).dot(x) : sign(i) * x[coordinate(i)];
    const double size = (is_row(i) ? row(i).lpNorm<1>() : 1.0) * reach + std::abs(b);
    return size > 0 ? (product - b) / size : 0.0;
  }

 private:
  const Polyhedron& set_;
  Eigen::Index n_;
  Eigen::MatrixXd rows_;  // of H, as columns
};

// The dual active set method. Active bounds fix their coordinates: what is factorised are the active rows of H in the others.
class GoldfarbIdnani {
 public:
  GoldfarbIdnani(const Constraints& c, Eigen::VectorXd start)
      : c_(c),
        x_(std::move(start)),
        reach_(x_.lpNorm<Eigen::Infinity>()),
        factor_(x_.size()),
        done_(at(c.count()), 0),
        is_fixed_(at(x_.size()), 0) {}

  bool run() {
    const Eigen::Index limit = 20 * (c_.count() + x_.size() + 10);
    for (Eigen::Index k = 0; k < limit && c_.patience_lasts(); ++k) {
      const Eigen::Index violated = most_violated();
      if (violated < 0) return true;
      // Constraints that contradict each other by rounding only are met as well as they can be.
      if (!add(violated) && c_.violation(violated, x_, reach_) < -contradiction) return false;
      done_[at(violated)] = 1;
    }
    return false;
  }
  const Eigen::VectorXd& x() const { return x_; }

 private:
  static constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
  static constexpr double contradiction = 1e-10;

  Eigen::Index most_violated() const {
    Eigen::Index worst = -1;
    double worst_value = -rounding;
    for (Eigen::Index i = 0; i < c_.count(); ++i) {
      if (done_[at(i)]) continue;
      const double value = c_.violation(i, x_, reach_);
      if (value < worst_value) {
        worst = i;
        worst_value = value;
      }
    }
    return worst;
  }

  // normal - N r, least in norm, r by active constraint; 0 in the coordinates that are fixed.
  Eigen::VectorXd rest_of(const Eigen::VectorXd& normal, Eigen::VectorXd& r) const {
    Eigen::VectorXd rest = in_free_coordinates(normal), in_all = normal, of_rows;
    factor_.split(rest, of_rows);
    Eigen::Index next_row = 0;
    for (const Eigen::Index i : active_)
      if (c_.is_row(i)) in_all -= of_rows[next_row++] * c_.row(i);
    r.resize(static_cast<Eigen::Index>(active_.size()));
    next_row = 0;
    for (std::size_t k = 0; k < active_.size(); ++k) {
      const Eigen::Index i = active_[k];
      r[static_cast<Eigen::Index>(k)] = c_.is_row(i) ? of_rows[next_row++] : c_.sign(i) * in_all[c_.coordinate(i)];
    }
    return rest;
  }

  Eigen::VectorXd in_free_coordinates(Eigen::VectorXd v) const {
    for (Eigen::Index j = 0; j < v.size(); ++j)
      if (is_fixed_[at(j)]) v[j] = 0;
    return v;
  }
  // Entries of the active rows in one coordinate.
  Eigen::VectorXd across(Eigen::Index coordinate) const {
    Eigen::VectorXd values(factor_.count());
    Eigen::Index next = 0;
    for (const Eigen::Index i : active_)
      if (c_.is_row(i)) values[next++] = c_.row(i)[coordinate];
    return values;
  }
  void activate(Eigen::Index i, double multiplier) {
    if (c_.is_row(i)) {
      factor_.append(in_free_coordinates(c_.row(i)));
    } else {
      is_fixed_[at(c_.coordinate(i))] = 1;
      factor_.leave_out(c_.coordinate(i));
    }
    active_.push_back(i);
    u_.push_back(multiplier);
  }
  void drop(std::size_t k) {
    const Eigen::Index i = active_[k];
    done_[at(i)] = 0;
    if (c_.is_row(i)) {
      factor_.remove(std::count_if(active_.begin(), active_.begin() + static_cast<std::ptrdiff_t>(k),
                                   [this](Eigen::Index other) { return c_.is_row(other); }));
    } else {
      is_fixed_[at(c_.coordinate(i))] = 0;
      factor_.take_back(c_.coordinate(i), across(c_.coordinate(i)));
    }
    active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(k));
    u_.erase(u_.begin() + static_cast<std::ptrdiff_t>(k));
  }

  // Moves x until constraint p holds, dropping active constraints whose multiplier would turn negative.
  bool add(Eigen::Index p) {
    const Eigen::VectorXd normal = c_.normal(p);
    Eigen::VectorXd r;
    double multiplier = 0;
    for (std::size_t guard = 0; guard <= active_.size() + 1 + at(c_.count()); ++guard) {
      const Eigen::VectorXd step = rest_of(normal, r);
      double partial = std::numeric_limits<double>::infinity();
      std::size_t leaving = 0;
      for (std::size_t j = 0; j < active_.size(); ++j)
        if (r[static_cast<Eigen::Index>(j)] > 0 && u_[j] / r[static_cast<Eigen::Index>(j)] < partial) {
          partial = u_[j] / r[static_cast<Eigen::Index>(j)];
          leaving = j;
        }
      const bool blocked = step.norm() <= 1e-12 * normal.norm();
      const double full = blocked ? std::numeric_limits<double>::infinity() : (c_.bound(p) - normal.dot(x_)) / step.dot(normal);
      const double length = std::min(partial, full);
      if (std::isinf(length)) return false;  // the constraints contradict each other
      if (!blocked) {
        x_ += length * step;
        reach_ = std::max(reach_, x_.lpNorm<Eigen::Infinity>());
      }
      for (std::size_t j = 0; j < active_.size(); ++j) u_[j] -= length * r[static_cast<Eigen::Index>(j)];
      multiplier += length;
      if (full <= partial) {
        activate(p, multiplier);
        return true;
      }
      drop(leaving);
    }
    return false;
  }

  const Constraints& c_;
  Eigen::VectorXd x_;
  double reach_;      // the largest entry that x has had
  RowFactor factor_;  // of the active rows in the coordinates that are not fixed
  std::vector<Eigen::Index> active_;
  std::vector<double> u_;
  std::vector<char> done_;  // active, or as good as met: no step can improve it
  std::vector<char> is_fixed_;
};

// How a projection begins, by how H is stored: with so many steps for the multipliers, from so many unknowns and rows on; of a
// dense H with some, where `near` is to lead there. The dual active set method follows up to so many entries of a dense H.
struct Beginning {
  std::size_t smallest_stepped, largest_dense;
  int steps;
};
constexpr Beginning of_dense{160, 4'000'000, 4}, of_sparse{64, 1'000'000, 100};

// Exactly within bounds, beyond which a callback may have no value.
void clip(const Polyhedron& set, std::span<double> p) {
  for (std::size_t j = 0; j < p.size(); ++j) {
    if (!set.lo.empty()) p[j] = std::max(p[j], set.lo[j]);
    if (!set.hi.empty()) p[j] = std::min(p[j], set.hi[j]);
  }
}

}  // namespace

bool project(const Polyhedron& set, std::span<const double> x, std::span<double> p, std::span<const double> near) {
  const Beginning& beginning = set.H.dense() != nullptr ? of_dense : of_sparse;
  if (x.size() + set.k.size() >= beginning.smallest_stepped) {
    const bool is_large = x.size() * set.k.size() > beginning.largest_dense;
    const int steps = is_large ? of_sparse.steps : beginning.steps;
    const Projected answer = project_by_multipliers(set, x, near.empty() ? x : near, p, steps);
    if (answer == Projected::found) clip(set, p);
    if (answer != Projected::unsettled) return answer == Projected::found;
    if (is_large || !set.patience_lasts()) return false;
  }
  const auto n = static_cast<Eigen::Index>(x.size());
  const Constraints constraints(set, n);
  GoldfarbIdnani method(constraints, Eigen::Map<const Eigen::VectorXd>(x.data(), n));
  const bool ok = method.run();
  for (std::size_t j = 0; j < p.size(); ++j) p[j] = method.x()[static_cast<Eigen::Index>(j)];
  clip(set, p);
  return ok;
}

double largest_violation(const Polyhedron& set, std::span<const double> x) {
  Vector gap = set.k, square(set.k.size(), 0.0);
  for_each_entry(set.H, [&](std::int64_t i, std::int64_t j, double h) {
    gap[at(i)] -= h * x[at(j)];
    square[at(i)] += h * h;
  });
  double largest = 0;
  const auto raise = [&largest](double distance) {
    if (!(distance <= largest) && !std::isnan(largest)) largest = distance;
  };
  for (std::size_t i = 0; i < gap.size(); ++i)
    if (square[i] > 0) raise(gap[i] / std::sqrt(square[i]));
  for (std::size_t j = 0; j < x.size(); ++j) {
    if (!set.lo.empty()) raise(set.lo[j] - x[j]);
    if (!set.hi.empty()) raise(x[j] - set.hi[j]);
  }
  return largest;
}

}  // namespace nonsmooth
