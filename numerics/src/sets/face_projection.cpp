#include "sets/face_projection.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/lifted_factor.hpp"

namespace nonsmooth {
namespace {

constexpr double touching = 1e-9, rounding = 1e-13;  // relative to the largest coordinate
constexpr int most_halvings = 40;
// Multipliers are asked for a proof that the set is empty once they are larger than coordinates by the first; of what they leave
// of a coordinate without a bound they must hold as far as the second, times what is known of lengths.
constexpr double farkas_growth = 10, farkas_reach = 1e6;
constexpr double sufficient_descent = 1e-4;  // share of the rise that the slope foretells
// Added to the rows' diagonal where steps come out short, less after each that does not.
constexpr double first_damping = 1e-3, smallest_damping = 1e-6, largest_damping = 1e4;

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

// visit(j, h) for the entries of row i of H, which stand in column n + i with the other sign.
template <class Visit>
void for_each_in_row(const CscMatrix& A, std::size_t n, std::size_t i, Visit&& visit) {
  for (std::int32_t k = A.col_start[n + i]; k < A.col_start[n + i + 1]; ++k)
    if (at(A.row_index[at(k)]) < n) visit(at(A.row_index[at(k)]), -A.values[at(k)]);
}

// Newton's step for H p = k in the rows kept, with `damping` on their diagonal; coordinates that are not kept are held.
class StepEquations {
 public:
  virtual ~StepEquations() = default;
  // is_kept: of coordinates, then of rows; g: H p - k, per row, as is the step. false if the equations are singular.
  virtual bool solve(const std::vector<char>& is_kept, const Vector& g, double damping, Vector& step) = 0;
};

// [I -H'; H damping] of what is kept, sparse.
class SparseEquations final : public StepEquations {
 public:
  SparseEquations(const CscMatrix& A, std::size_t n, Patience* patience) : n_(n), factor_(A, false) {
    factor_.set_patience(patience);
  }

  bool solve(const std::vector<char>& is_kept, const Vector& g, double damping, Vector& step) override {
    indices_.clear();
    added_.clear();
    rhs_.clear();
    for (std::size_t i = 0; i < is_kept.size(); ++i) {
      if (!is_kept[i]) continue;
      indices_.push_back(static_cast<int>(i));
      added_.push_back(i < n_ ? 0 : damping);
      rhs_.push_back(i < n_ ? 0 : -g[i - n_]);
    }
    if (!factor_.factorise(indices_, added_)) return false;
    factor_.solve(rhs_.data());
    std::fill(step.begin(), step.end(), 0.0);
    for (std::size_t c = 0; c < indices_.size(); ++c)
      if (at(indices_[c]) >= n_) step[at(indices_[c]) - n_] = rhs_[c];
    return true;
  }

 private:
  std::size_t n_;
  LiftedFactor factor_;
  std::vector<int> indices_;
  Vector added_, rhs_;
};

// H H' + damping of what is kept, dense; lifted, and refined.
class DenseEquations final : public StepEquations {
 public:
  DenseEquations(const CscMatrix& A, std::size_t n) : A_(A), n_(n) {}

  bool solve(const std::vector<char>& is_kept, const Vector& g, double damping, Vector& step) override {
    gather(is_kept);
    const auto rows = static_cast<int>(H_.rows()), columns = static_cast<int>(H_.cols());
    S_.setIdentity(rows, rows);
    S_ *= damping + lift;
    if (!factorise(rows, columns)) return false;
    Eigen::VectorXd b(rows);
    for (Eigen::Index r = 0; r < rows; ++r) b[r] = -g[at(row_[at(r)])];
    Eigen::VectorXd t = solved(b);
    double last = b.norm();
    for (int k = 0; k < most_refinements; ++k) {
      const Eigen::VectorXd rest = b - damping * t - H_ * (H_.transpose() * t);
      if (!(rest.norm() < 0.5 * last)) break;
      last = rest.norm();
      t += solved(rest);
    }
    std::fill(step.begin(), step.end(), 0.0);
    for (Eigen::Index r = 0; r < rows; ++r) step[at(row_[at(r)])] = t[r];
    return true;
  }

 private:
  static constexpr double lift = 1e-9;  // rows have length 1
  static constexpr int most_refinements = 4;

  bool factorise(int rows, int columns) {
    constexpr double one = 1;
    int info = 0;
    if (rows == 0) return true;
    if (columns > 0) dsyrk_("L", "N", &rows, &columns, &one, H_.data(), &rows, &one, S_.data(), &rows);
    dpotrf_("L", &rows, S_.data(), &rows, &info);
    return info == 0;
  }
  Eigen::VectorXd solved(Eigen::VectorXd x) const {
    constexpr int one = 1;
    const auto rows = static_cast<int>(S_.rows());
    int info = 0;
    if (rows > 0) dpotrs_("L", &rows, &one, S_.data(), &rows, x.data(), &rows, &info);
    return x;
  }

  // Rows kept, in the coordinates kept.
  void gather(const std::vector<char>& is_kept) {
    row_.clear();
    place_.assign(n_, -1);
    Eigen::Index columns = 0;
    for (std::size_t j = 0; j < n_; ++j)
      if (is_kept[j]) place_[j] = columns++;
    for (std::size_t i = n_; i < is_kept.size(); ++i)
      if (is_kept[i]) row_.push_back(static_cast<std::int32_t>(i - n_));
    H_.setZero(std::ssize(row_), columns);
    for (std::size_t r = 0; r < row_.size(); ++r)
      for_each_in_row(A_, n_, at(row_[r]), [&](std::size_t j, double h) {
        if (place_[j] >= 0) H_(static_cast<Eigen::Index>(r), place_[j]) = h;
      });
  }

  const CscMatrix& A_;
  std::size_t n_;
  Eigen::MatrixXd H_, S_;
  IndexVector row_;
  std::vector<Eigen::Index> place_;
};

class MultiplierSteps {
 public:
  MultiplierSteps(const Polyhedron& set, std::span<const double> x, int most_steps)
      : set_(set),
        x_(x),
        most_steps_(most_steps),
        n_(x.size()),
        factors_(row_factors(set.H)),
        A_(optimality_matrix(set.H, factors_)) {
    if (is_sparse(A_.cols, std::ssize(A_.values)))
      equations_ = std::make_unique<SparseEquations>(A_, n_, set.patience);
    else
      equations_ = std::make_unique<DenseEquations>(A_, n_);
    const std::size_t rows = factors_.size();
    for (Vector* v : {&l_, &trial_, &g_, &step_}) v->resize(rows);
    p_.resize(n_);
    is_kept_.resize(n_ + rows);
  }

  Projected run(std::span<const double> near, std::span<double> p) {
    for (std::size_t i = 0; i < factors_.size(); ++i)
      if (factors_[i] == 0 && set_.k[i] > 0) return Projected::empty;  // 0 >= k
    double value = evaluate(l_), damping = 0;
    for (int k = 0; k < most_steps_ && !is_solved() && set_.patience_lasts(); ++k) {
      if (k == 0)
        take_face_of(near);
      else
        keep_present_face();
      const bool is_found = equations_->solve(is_kept_, g_, damping, step_);
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
  double excess(std::size_t i, std::span<const double> p) const {
    double sum = -set_.k[i] * factors_[i];
    for_each_in_row(A_, n_, i, [&](std::size_t j, double h) { sum += h * p[j]; });
    return sum;
  }

  // target += H'l.
  void add_combination(const Vector& l, Vector& target) const {
    for (std::size_t i = 0; i < l.size(); ++i)
      if (l[i] != 0) for_each_in_row(A_, n_, i, [&](std::size_t j, double h) { target[j] += l[i] * h; });
  }

  // The dual function; p_ and g_ = H p - k of its multipliers, coordinates between their bounds marked.
  double evaluate(const Vector& l) {
    std::copy(x_.begin(), x_.end(), p_.begin());
    add_combination(l, p_);
    double value = 0;
    for (std::size_t j = 0; j < n_; ++j) {
      is_kept_[j] = p_[j] > set_.low(j) && p_[j] < set_.high(j) ? 1 : 0;
      p_[j] = std::min(std::max(p_[j], set_.low(j)), set_.high(j));
      value += 0.5 * (p_[j] - x_[j]) * (p_[j] - x_[j]);
    }
    for (std::size_t i = 0; i < l.size(); ++i) {
      g_[i] = excess(i, p_);
      value -= l[i] * g_[i];
    }
    return value;
  }

  // p is the projection on a polyhedron whose rows are moved by no more than this.
  bool is_solved() const {
    const double small = rounding * std::max(norm_inf(x_), norm_inf(p_));
    for (std::size_t i = 0; i < l_.size(); ++i)
      if (!(std::abs(std::min(l_[i], g_[i])) <= small)) return false;
    return true;
  }

  // Farkas: l'(H p - k) < 0 for all p within the bounds, and within reach where there are none. Then l grows without limit.
  bool proves_empty() const {
    double length = std::max(norm_inf(x_), norm_inf(p_));
    if (norm_inf(l_) < farkas_growth * length) return false;
    double most = 0;
    for (std::size_t i = 0; i < l_.size(); ++i) {
      most -= l_[i] * set_.k[i] * factors_[i];
      length = std::max(length, std::abs(set_.k[i]) * factors_[i]);
    }
    Vector combined(n_, 0.0);
    add_combination(l_, combined);
    for (std::size_t j = 0; j < n_; ++j) {
      const double bound = combined[j] > 0 ? set_.high(j) : set_.low(j);
      most += std::isfinite(bound) ? combined[j] * bound : std::abs(combined[j]) * farkas_reach * length;
    }
    return most < 0;
  }

  void keep_present_face() {
    for (std::size_t i = 0; i < l_.size(); ++i) is_kept_[n_ + i] = l_[i] > 0 || g_[i] < 0 ? 1 : 0;
  }
  // While all multipliers are 0: x in the coordinates that are free there, bounds in the others.
  void take_face_of(std::span<const double> point) {
    const double close = touching * norm_inf(point);
    for (std::size_t i = 0; i < l_.size(); ++i) is_kept_[n_ + i] = factors_[i] > 0 && excess(i, point) <= close ? 1 : 0;
    for (std::size_t j = 0; j < n_; ++j) {
      is_kept_[j] = point[j] > set_.low(j) + close && point[j] < set_.high(j) - close ? 1 : 0;
      p_[j] = is_kept_[j] ? x_[j] : std::min(std::max(point[j], set_.low(j)), set_.high(j));
    }
    for (std::size_t i = 0; i < l_.size(); ++i) g_[i] = excess(i, p_);
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
      if (reached >= value + sufficient_descent * foretold - rounding * std::abs(value)) {
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
  int most_steps_;
  std::size_t n_;
  Vector factors_;
  CscMatrix A_;
  std::unique_ptr<StepEquations> equations_;
  Vector l_, trial_, p_, g_, step_;
  std::vector<char> is_kept_;  // coordinates between their bounds, and rows that hold with equality
};

}  // namespace

Projected project_by_multipliers(const Polyhedron& set, std::span<const double> x, std::span<const double> near,
                                 std::span<double> p, int most_steps) {
  try {
    return MultiplierSteps(set, x, most_steps).run(near, p);
  } catch (const Error&) {
    return Projected::unsettled;
  }
}

}  // namespace nonsmooth
