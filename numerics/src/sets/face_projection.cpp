#include "sets/face_projection.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/lifted_factor.hpp"

namespace nonsmooth {
namespace {

constexpr double touching = 1e-9, rounding = 1e-13;  // relative to the largest coordinate or multiplier
constexpr int most_steps = 100, most_halvings = 40;
constexpr double farkas_growth = 10;  // of multipliers against coordinates, before they are asked for a proof
constexpr double sufficient = 1e-4;   // share of the rise that the slope foretells
// Added to the rows' diagonal where steps come out short, less after each that does not.
constexpr double first_damping = 1e-3, smallest_damping = 1e-6, largest_damping = 1e4;

double largest_of(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  return largest;
}

// Rows of H get length 1, so that multipliers are lengths too; 0 where a row is 0.
Vector row_factors(const Matrix& H) {
  Vector factors(at(H.rows()), 0.0);
  for_each_entry(H, [&](std::int64_t i, std::int64_t, double h) { factors[at(i)] += h * h; });
  for (double& factor : factors) factor = factor > 0 ? 1 / std::sqrt(factor) : 0;
  return factors;
}

// [I -H'; H 0] with H scaled.
CscMatrix optimality_matrix(const Matrix& H, const Vector& factors) {
  IndexVector row, column;
  Vector value;
  const std::int64_t n = H.cols(), order = n + H.rows();
  const auto add = [&](std::int64_t i, std::int64_t j, double a) {
    row.push_back(static_cast<std::int32_t>(i));
    column.push_back(static_cast<std::int32_t>(j));
    value.push_back(a);
  };
  for (std::int64_t i = 0; i < order; ++i) add(i, i, i < n ? 1 : 0);
  for_each_entry(H, [&](std::int64_t i, std::int64_t j, double h) {
    if (h == 0) return;
    add(n + i, j, h * factors[at(i)]);
    add(j, n + i, -h * factors[at(i)]);
  });
  return to_csc(Matrix::from_triplets(order, order, row, column, value, "H"));
}

class MultiplierSteps {
 public:
  MultiplierSteps(const Polyhedron& set, std::span<const double> x)
      : set_(set), x_(x), n_(x.size()), factors_(row_factors(set.H)), A_(optimality_matrix(set.H, factors_)), factor_(A_, false) {
    const std::size_t rows = factors_.size();
    for (Vector* v : {&l_, &trial_, &g_, &step_}) v->resize(rows);
    p_.resize(n_);
    combined_.resize(n_);
    is_kept_.resize(n_ + rows);
  }

  Projected run(std::span<const double> near, std::span<double> p) {
    double value = evaluate(l_), damping = 0;
    for (int k = 0; k < most_steps && !is_solved(); ++k) {
      if (k == 0)
        take_face_of(near);
      else
        keep_present_face();
      const bool is_found = find_step(damping);
      if (k == 0) evaluate(l_);
      const double share = is_found ? search(value) : 0;
      if (share == 1)
        damping = damping > smallest_damping ? 0.1 * damping : 0;
      else if (k > 0 && share < 0.25)
        damping = std::max(first_damping, 10 * damping);
      if (proves_empty()) return Projected::empty;
      if (damping > largest_damping || !std::isfinite(value)) return Projected::unsettled;
    }
    std::copy(p_.begin(), p_.end(), p.begin());
    return is_solved() ? Projected::found : Projected::unsettled;
  }

 private:
  double lo(std::size_t j) const { return set_.lo.empty() ? -HUGE_VAL : set_.lo[j]; }
  double hi(std::size_t j) const { return set_.hi.empty() ? HUGE_VAL : set_.hi[j]; }

  // visit(j, h) for the entries of row i, which stand in column n + i with the other sign.
  template <class Visit>
  void for_each_in_row(std::size_t i, Visit&& visit) const {
    for (std::int32_t k = A_.col_start[n_ + i]; k < A_.col_start[n_ + i + 1]; ++k)
      if (at(A_.row_index[at(k)]) < n_) visit(at(A_.row_index[at(k)]), -A_.values[at(k)]);
  }
  double excess(std::size_t i, std::span<const double> p) const {
    double sum = -set_.k[i] * factors_[i];
    for_each_in_row(i, [&](std::size_t j, double h) { sum += h * p[j]; });
    return sum;
  }

  // The dual function; p_ and g_ = H p - k of its multipliers, coordinates between their bounds marked.
  double evaluate(const Vector& l) {
    std::copy(x_.begin(), x_.end(), p_.begin());
    for (std::size_t i = 0; i < l.size(); ++i)
      if (l[i] != 0) for_each_in_row(i, [&](std::size_t j, double h) { p_[j] += l[i] * h; });
    double value = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      is_kept_[j] = p_[j] > lo(j) && p_[j] < hi(j) ? 1 : 0;
      p_[j] = std::min(std::max(p_[j], lo(j)), hi(j));
      value += 0.5 * (p_[j] - x_[j]) * (p_[j] - x_[j]);
    }
    for (std::size_t i = 0; i < l.size(); ++i) {
      g_[i] = excess(i, p_);
      value -= l[i] * g_[i];
    }
    return value;
  }

  bool is_solved() const {
    const double small = rounding * std::max({largest_of(x_), largest_of(p_), largest_of(l_)});
    for (std::size_t i = 0; i < l_.size(); ++i)
      if (!(std::abs(std::min(l_[i], g_[i])) <= small)) return false;
    return true;
  }

  // Farkas: l'(H p - k) < 0 for all p within the bounds. Then l grows without limit.
  bool proves_empty() {
    const double size = largest_of(l_);
    if (size < farkas_growth * std::max(largest_of(x_), largest_of(p_))) return false;
    std::fill(combined_.begin(), combined_.end(), 0.0);
    double most = 0;
    for (std::size_t i = 0; i < l_.size(); ++i) {
      most -= l_[i] * set_.k[i] * factors_[i];
      if (l_[i] != 0) for_each_in_row(i, [&](std::size_t j, double h) { combined_[j] += l_[i] * h; });
    }
    for (std::size_t j = 0; j < n_; ++j) {
      const double a = std::abs(combined_[j]) > rounding * size ? combined_[j] : 0;
      if (a != 0) most += a > 0 ? a * hi(j) : a * lo(j);
    }
    return most < 0;
  }

  void keep_present_face() {
    for (std::size_t i = 0; i < l_.size(); ++i) is_kept_[n_ + i] = l_[i] > 0 || g_[i] < 0 ? 1 : 0;
  }
  // While all multipliers are 0: x in the coordinates that are free there, bounds in the others.
  void take_face_of(std::span<const double> point) {
    const double close = touching * largest_of(point);
    for (std::size_t i = 0; i < l_.size(); ++i) is_kept_[n_ + i] = factors_[i] > 0 && excess(i, point) <= close ? 1 : 0;
    for (std::size_t j = 0; j < n_; ++j) {
      is_kept_[j] = point[j] > lo(j) + close && point[j] < hi(j) - close ? 1 : 0;
      p_[j] = is_kept_[j] ? x_[j] : std::min(std::max(point[j], lo(j)), hi(j));
    }
    for (std::size_t i = 0; i < l_.size(); ++i) g_[i] = excess(i, p_);
  }

  // Newton's step for H p = k in the rows kept, coordinates outside of their bounds held.
  bool find_step(double damping) {
    indices_.clear();
    added_.clear();
    rhs_.clear();
    for (std::size_t i = 0; i < is_kept_.size(); ++i) {
      if (!is_kept_[i]) continue;
      indices_.push_back(static_cast<int>(i));
      added_.push_back(i < n_ ? 0 : damping);
      rhs_.push_back(i < n_ ? 0 : -g_[i - n_]);
    }
    if (!factor_.factorise(indices_, added_)) return false;
    factor_.solve(rhs_.data());
    std::fill(step_.begin(), step_.end(), 0.0);
    for (std::size_t c = 0; c < indices_.size(); ++c)
      if (at(indices_[c]) >= n_) step_[at(indices_[c]) - n_] = rhs_[c];
    return true;
  }

  // Along max(0, l + t step) until the dual function has risen. Returns t, 0 if it does not rise.
  double search(double& value) {
    const Vector slope = g_;
    double t = 1;
    for (int k = 0; k < most_halvings; ++k, t *= 0.5) {
      double foretold = 0;
      for (std::size_t i = 0; i < l_.size(); ++i) {
        trial_[i] = std::max(0.0, l_[i] + t * step_[i]);
        foretold -= slope[i] * (trial_[i] - l_[i]);
      }
      const double reached = evaluate(trial_);
      if (reached >= value + sufficient * foretold - rounding * std::abs(value)) {
        std::swap(l_, trial_);
        value = reached;
        return t;
      }
    }
    value = evaluate(l_);
    return 0;
  }

  const Polyhedron& set_;
  std::span<const double> x_;
  std::size_t n_;
  Vector factors_;
  CscMatrix A_;
  LiftedFactor factor_;
  Vector l_, trial_, p_, combined_, g_, step_, rhs_, added_;
  std::vector<char> is_kept_;  // coordinates between their bounds, and rows that hold with equality
  std::vector<int> indices_;
};

}  // namespace

Projected project_by_multipliers(const Polyhedron& set, std::span<const double> x, std::span<const double> near,
                                 std::span<double> p) {
  try {
    return MultiplierSteps(set, x).run(near, p);
  } catch (const Error&) {
    return Projected::unsettled;
  }
}

}  // namespace nonsmooth
