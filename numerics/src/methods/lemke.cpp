// Lemke's method for the LCP: w - M z - d z0 = q (Lemke 1965; Cottle, Pang and Stone 1992, 4.4), lexicographic so that it cannot cycle.
//
// The basis is kept as an LU factorisation with updates. Ties of the ratio test go to z0 first (which ends the run: Fathi's problems take
// 2 pivots instead of 2^n), then to the lexicographically smallest row of [x_B, B^-1], whose columns are computed only as far as they are needed.
// A run that ends on a ray is tried again with other covering vectors d; what all end on is turned into a proof of infeasibility if there is one.
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>

#include "core/error.hpp"
#include "methods/basis_factor.hpp"
#include "methods/equilibration.hpp"
#include "methods/infeasibility.hpp"
#include "methods/method.hpp"

namespace nonsmooth {
namespace {

constexpr double pivot_tolerance = 1e-11;  // relative to the largest entry of the column
constexpr double tie_tolerance = 1e-13;    // relative to the size of x_B
constexpr int largest_order = 20000;

class Lemke final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update() override {}  // everything is read again at the start of each run
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  // Variables: w_i is i, z_i is n + i, z0 is 2 n.
  int complement(int variable) const { return variable < n_ ? variable + n_ : variable - n_; }
  void write_column(int variable, double* column) const;
  bool refactorise();
  bool start(int attempt, int& entering);
  void choose_cover(int attempt);
  int leaving_row();
  int smallest_tied_row();
  bool pivot(int row, int entering);
  Stop run(int attempt, std::int64_t largest_pivots, Control& control, std::span<double> z);
  std::int64_t budget() const;
  bool prove_infeasible(int attempt);
  bool try_basis(Control& control, std::span<double> z);
  void write_ray(int entering);

  const Inclusion* view_ = nullptr;
  int n_ = 0, restarts_ = 0;
  std::int64_t pivots_ = 0;
  EquilibratedLcp lcp_;
  BasisFactor basis_;
  InfeasibilitySearch infeasibility_;
  std::vector<int> basic_;  // variable at each basis position
  std::vector<int> tied_;
  Vector cover_, x_, y_, column_, solution_, scaled_ray_;
  std::span<const double> ray_;
};

void Lemke::setup(const Inclusion& view, const Options& options) {
  if (view.size() > largest_order)
    fail(NSM_TOO_LARGE, "lemke keeps a dense basis: %lld unknowns exceed its limit %d", static_cast<long long>(view.size()), largest_order);
  view_ = &view;
  n_ = static_cast<int>(view.size());
  restarts_ = static_cast<int>(options.integer(Option::restarts));
  lcp_.resize(n_);
  basis_.resize(n_, static_cast<int>(options.integer(Option::refactor_interval)));
  infeasibility_.resize(n_);
  basic_.resize(static_cast<std::size_t>(n_));
  tied_.reserve(static_cast<std::size_t>(n_));
  for (Vector* v : {&cover_, &x_, &y_, &column_, &solution_, &scaled_ray_}) v->resize(static_cast<std::size_t>(n_));
}

void Lemke::write_column(int variable, double* column) const {
  if (variable < n_) {
    std::fill_n(column, n_, 0.0);
    column[variable] = 1;
  } else if (variable < 2 * n_) {
    const double* m = lcp_.column(variable - n_);
    for (int i = 0; i < n_; ++i) column[i] = -m[i];
  } else {
    for (int i = 0; i < n_; ++i) column[i] = -cover_[static_cast<std::size_t>(i)];
  }
}

// Factorises the basis and recomputes x_B.
bool Lemke::refactorise() {
  for (int k = 0; k < n_; ++k) write_column(basic_[static_cast<std::size_t>(k)], basis_.matrix().data() + std::ptrdiff_t{k} * n_);
  if (!basis_.refactorise()) return false;
  std::copy(lcp_.q().begin(), lcp_.q().end(), x_.begin());
  basis_.ftran(x_.data());
  for (double& x : x_) x = std::max(x, 0.0);
  return true;
}

void Lemke::choose_cover(int attempt) {
  std::uint64_t state = 0x9e3779b97f4a7c15u * static_cast<std::uint64_t>(attempt + 1);
  for (std::size_t i = 0; i < cover_.size(); ++i) {
    switch (attempt) {
      case 0:
      case 1: cover_[i] = 1; break;
      case 2: cover_[i] = std::max(-lcp_.q()[i], 1e-3); break;
      case 3: {
        double sum = 0;
        for (int j = 0; j < n_; ++j) sum += std::abs(lcp_.column(j)[i]);
        cover_[i] = std::max(sum, 1e-3);
        break;
      }
      default:  // fixed seed, entries in [1/16, 16]
        state = state * 6364136223846793005u + 1442695040888963407u;
        cover_[i] = std::exp2(8.0 * (static_cast<double>(state >> 11) * 0x1p-53) - 4.0);
    }
  }
}

// Basis of all w, then z0 in for the lexicographically smallest row of [q, I] / d. false if q >= 0.
bool Lemke::start(int attempt, int& entering) {
  lcp_.load(*view_, attempt % 2 == 0 ? EquilibratedLcp::Kind::symmetric : EquilibratedLcp::Kind::two_sided);
  choose_cover(attempt);
  for (int i = 0; i < n_; ++i) basic_[static_cast<std::size_t>(i)] = i;
  int row = 0;
  double smallest = HUGE_VAL;
  for (std::size_t i = 0; i < cover_.size(); ++i) {
    // <= : of equal ratios the last row is the smallest, its unit vector starts with the most zeros.
    const double ratio = lcp_.q()[i] / cover_[i];
    if (ratio <= smallest) {
      smallest = ratio;
      row = static_cast<int>(i);
    }
  }
  if (smallest >= 0) return false;
  entering = complement(row);
  basic_[static_cast<std::size_t>(row)] = 2 * n_;
  return true;
}

// Of the tied rows the lexicographically smallest one of B^-1, each divided by its pivot: column after column, until one is left. A column
// costs one solve for all rows together, and the first few columns usually decide.
int Lemke::smallest_tied_row() {
  for (int j = 0; j < n_ && tied_.size() > 1; ++j) {
    std::fill(column_.begin(), column_.end(), 0.0);
    column_[static_cast<std::size_t>(j)] = 1;
    basis_.ftran(column_.data());
    auto ratio = [&](int row) { return column_[static_cast<std::size_t>(row)] / y_[static_cast<std::size_t>(row)]; };
    double smallest = HUGE_VAL;
    for (int row : tied_) smallest = std::min(smallest, ratio(row));
    std::erase_if(tied_, [&](int row) { return ratio(row) - smallest > 1e-12 * (std::abs(ratio(row)) + std::abs(smallest)); });
  }
  // Rows equal to rounding: the largest pivot.
  return *std::max_element(tied_.begin(), tied_.end(),
                           [&](int a, int b) { return y_[static_cast<std::size_t>(a)] < y_[static_cast<std::size_t>(b)]; });
}

// Ratio test on y_ = B^-1 a_entering; -1 on a ray.
int Lemke::leaving_row() {
  double largest = 0, x_size = 0;
  for (int i = 0; i < n_; ++i) {
    largest = std::max(largest, std::abs(y_[static_cast<std::size_t>(i)]));
    x_size = std::max(x_size, x_[static_cast<std::size_t>(i)]);
  }
  const double threshold = pivot_tolerance * largest;
  double smallest = HUGE_VAL;
  for (std::size_t i = 0; i < y_.size(); ++i)
    if (y_[i] > threshold) smallest = std::min(smallest, x_[i] / y_[i]);
  if (std::isinf(smallest)) return -1;
  tied_.clear();
  for (int i = 0; i < n_; ++i) {
    const auto k = static_cast<std::size_t>(i);
    // Tied: the excess over the smallest ratio is rounding of x_B.
    if (y_[k] <= threshold || (x_[k] - smallest * y_[k]) > tie_tolerance * std::max(x_size, smallest * y_[k])) continue;
    if (basic_[k] == 2 * n_) return i;
    tied_.push_back(i);
  }
  return smallest_tied_row();
}

// Exchanges basis position `row`; false if the basis has become singular.
bool Lemke::pivot(int row, int entering) {
  const auto r = static_cast<std::size_t>(row);
  const double theta = x_[r] / y_[r];
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::max(0.0, x_[i] - theta * y_[i]);
  x_[r] = theta;
  basic_[r] = entering;
  if (basis_.full()) return refactorise();
  basis_.update(row, y_);
  return true;
}

// The solution of the present basis, from a fresh factorisation with one step of refinement, is put before the certificate.
bool Lemke::try_basis(Control& control, std::span<double> z) {
  for (int k = 0; k < n_; ++k) write_column(basic_[static_cast<std::size_t>(k)], basis_.matrix().data() + std::ptrdiff_t{k} * n_);
  if (!basis_.refactorise()) return false;
  std::copy(lcp_.q().begin(), lcp_.q().end(), x_.begin());
  basis_.ftran(x_.data());
  std::copy(lcp_.q().begin(), lcp_.q().end(), y_.begin());
  for (std::size_t k = 0; k < x_.size(); ++k) {
    write_column(basic_[k], column_.data());
    for (std::size_t i = 0; i < y_.size(); ++i) y_[i] -= x_[k] * column_[i];
  }
  basis_.ftran(y_.data());
  std::fill(solution_.begin(), solution_.end(), 0.0);
  for (std::size_t k = 0; k < x_.size(); ++k) {
    x_[k] = std::max(0.0, x_[k] + y_[k]);
    if (basic_[k] >= n_ && basic_[k] < 2 * n_) solution_[static_cast<std::size_t>(basic_[k] - n_)] = x_[k];
  }
  lcp_.unscale(solution_, z);
  return control.check(pivots_, z) == Stop::finished;
}

// z part of the direction: entering goes up by 1, basic variables by -y.
void Lemke::write_ray(int entering) {
  std::fill(scaled_ray_.begin(), scaled_ray_.end(), 0.0);
  auto add = [&](int variable, double value) {
    if (variable >= n_ && variable < 2 * n_) scaled_ray_[static_cast<std::size_t>(variable - n_)] = value;
  };
  add(entering, 1.0);
  for (std::size_t k = 0; k < y_.size(); ++k) add(basic_[k], -y_[k]);
}

// Pivots of one run before another covering vector is tried: usual problems take n or 2 n, Murty's 2^n with the wrong one.
std::int64_t Lemke::budget() const { return 20 * std::int64_t{n_} + 200; }

Stop Lemke::run(int attempt, std::int64_t largest_pivots, Control& control, std::span<double> z) {
  const std::int64_t first_pivot = pivots_;
  int entering = 0;
  if (!start(attempt, entering)) {
    std::fill(z.begin(), z.end(), 0.0);
    control.check(pivots_, z);
    return Stop::finished;
  }
  if (!refactorise()) return Stop::breakdown;
  for (;;) {
    if (const Stop stop = control.check_limits(pivots_); stop != Stop::none) return stop;
    write_column(entering, y_.data());
    basis_.ftran(y_.data());
    if (pivots_ - first_pivot >= largest_pivots) return Stop::stalled;
    const int row = leaving_row();
    if (row < 0) {
      // A ray met with an old factorisation may be drift: look again with a fresh one.
      if (basis_.updates() > 0) {
        if (!refactorise()) return Stop::breakdown;
        continue;
      }
      write_ray(entering);
      return Stop::ray;
    }
    const int leaving = basic_[static_cast<std::size_t>(row)];
    ++pivots_;
    if (!pivot(row, entering)) return Stop::breakdown;
    if (leaving == 2 * n_) return try_basis(control, z) ? Stop::finished : Stop::stalled;
    entering = complement(leaving);
  }
}

// For copositive-plus M the z part of a ray is a proof (Cottle, Pang and Stone 1992, theorem 4.4.11). R = C makes it one of the rows.
bool Lemke::prove_infeasible(int attempt) {
  ray_ = attempt % 2 == 0 ? infeasibility_.verify(scaled_ray_, lcp_, *view_) : std::span<const double>{};
  if (ray_.empty() && attempt == 0) ray_ = infeasibility_.find(lcp_, *view_);
  return !ray_.empty();
}

Stop Lemke::solve(std::span<double> z, Control& control) {
  pivots_ = 0;
  ray_ = {};
  Stop first = Stop::none;
  bool cut_short = false;
  for (int attempt = 0; attempt <= restarts_; ++attempt) {
    const std::int64_t before = pivots_;
    const Stop stop = run(attempt, budget(), control, z);
    if (stop == Stop::finished || stop == Stop::cancelled || stop == Stop::iteration_limit || stop == Stop::time_limit) return stop;
    if (attempt == 0) {
      first = stop;
      cut_short = pivots_ - before >= budget();
    }
    control.log("lemke: covering vector %d ended (%s) after %lld pivots", attempt,
                stop == Stop::ray ? "ray" : stop == Stop::stalled ? "too many pivots, or not certified" : "breakdown",
                static_cast<long long>(pivots_));
    if (stop == Stop::ray && prove_infeasible(attempt)) return Stop::infeasible;
  }
  if (!cut_short) return first;
  // The first covering vector, which the theory is about, to its end.
  const Stop last = run(0, control.iteration_limit(), control, z);
  return last == Stop::ray && prove_infeasible(0) ? Stop::infeasible : last;
}

}  // namespace

extern const MethodEntry lemke_method;
const MethodEntry lemke_method{
    {sizeof(nsm_method_info), "lemke", "lexicographic Lemke pivoting, dense basis with LU updates, restarts with other covering vectors",
     "Lemke 1965; Cottle, Pang, Stone 1992, 4.4",
     "copositive-plus M (positive semidefinite included): a solution or a proof that there is none; P-matrices; any other M: may end on a ray",
     class_bit(NSM_LCP), 1000000},
    &make_method<Lemke>};

}  // namespace nonsmooth
