// Block principal pivoting for the dense LCP (Kostreva 1978; Judice and Pires 1994): all infeasible indices change sides at once;
// if that has not reduced their number ten times in a row, only the one of largest index does (Murty 1974), which makes it finite
// on P-matrices. Four to eight factorisations of the active block are usual, each a third or less of what one elimination of M
// costs.
//
// A block that turns out singular shows that M is no P-matrix. Where M is symmetric it is semidefinite then, if anything: the
// problem of M + eps I, q - eps z' is solved instead, z' the last such solution (proximal points, Rockafellar 1976), with a
// smaller eps each time. Where M is not symmetric nothing is proven any more, and twelve factorisations without progress end the
// solve.
#include <algorithm>
#include <climits>
#include <cmath>
#include <utility>

#include "certificate/farkas.hpp"
#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/dense_factor.hpp"
#include "methods/frame/halving.hpp"
#include "methods/frame/infeasibility.hpp"
#include "methods/frame/method.hpp"
#include "methods/frame/row_sides.hpp"
#include "methods/sweeps/column_sweeps.hpp"

namespace nonsmooth {
namespace {

constexpr int start_sweeps = 2;
constexpr int no_stop_loss = INT_MAX;
// Factorisations without progress: once M is known to be no P-matrix; and in search of a proximal point, which Lemke can do
// without.
constexpr int stop_loss = 12, proximal_stop_loss = 6;
// eps relative to the mean diagonal, its factor from one proximal point to the next, and factorisations for the first and for
// others.
constexpr double first_proximal = 1e-3, proximal_factor = 1e-2, smallest_proximal = 1e-9;
constexpr int first_bases = 30, further_bases = 10;
// What of q is left at the first proximal point where a problem has no solution, and eps relative to the mean diagonal for the
// kernel of its block.
constexpr double left_over = 0.05, kernel_proximal = 1e-8;
constexpr double pivoted_sign_tolerance = 1e-13;  // of the largest |z| or |w|: below it a sign is rounding
constexpr double regularisation = 1e-10;          // of the largest entry, on a singular block
constexpr int pivoted_refinements = 3;

class BlockPrincipalPivoting final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  const double* column(int j) const { return values_ + at(j) * at(n_); }
  void load_matrix();
  double start(std::span<double> z);
  void gather();
  double largest_entry() const;
  bool solve_basis();
  bool next_proximal_point();
  void set_proximal(double eps);
  bool factorise();
  void evaluate();
  void refine();
  double scan();
  bool flip(std::int64_t iteration);
  Stop finish(std::span<double> z, Control& control, std::int64_t iteration);
  bool proves_infeasible(const Control& control);

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  const double* values_ = nullptr;  // of M: the problem's own if it is dense, else dense_
  DenseMatrix dense_;
  bool symmetric_ = false, proven_ = true;
  FewestWrong fewest_;
  Halving halving_;                     // of the number of wrong signs
  double halving_patience_ = HUGE_VAL;  // factorisations; infinite: never out of it
  double best_violation_ = 0;
  double smallest_eps_ = 0;
  double proximal_ = 0;  // eps; 0: the problem itself
  int bases_left_ = 0;   // factorisations until the next proximal point
  DenseFactor factor_;
  Vector z_, w_, best_, step_, q_;  // q_ of the proximal problem
  Vector proof_, workspace_;
  std::span<const double> ray_;
  std::vector<int> active_, infeasible_;
  std::vector<char> basic_;
};

void BlockPrincipalPivoting::setup(const Inclusion& view, const Options& options) {
  refuse_beyond(20000, view.size(), "block_principal_pivoting factorises dense matrices");
  const std::int64_t patience = options.integer(Option::patience);
  halving_patience_ = patience > 0 ? static_cast<double>(patience) : HUGE_VAL;
  view_ = &view;
  n_ = static_cast<int>(view.size());
  factor_.resize(n_);
  for (Vector* v : {&z_, &w_, &best_, &step_, &q_}) v->resize(at(n_));
  proof_.resize(at(n_));
  workspace_.resize(refinement_workspace(view));
  basic_.resize(at(n_));
  active_.reserve(at(n_));
  infeasible_.reserve(at(n_));
  load_matrix();
}

void BlockPrincipalPivoting::update(Change change) {
  if (change == Change::matrix) load_matrix();
}

void BlockPrincipalPivoting::load_matrix() {
  const DenseMatrix* dense = view_->M->dense();
  if (dense == nullptr) {
    dense_.rows = dense_.cols = n_;
    dense_.values.assign(at(n_) * at(n_), 0.0);
    for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double a) { dense_.values[at(i) + at(j) * at(n_)] = a; });
    dense = &dense_;
  }
  values_ = dense->values.data();
  symmetric_ = is_symmetric(*dense);
}

// basic_ from the signs after two projected Gauss-Seidel sweeps, or from those of the point given. Sweeps by columns: w follows
// z.
double BlockPrincipalPivoting::start(std::span<double> z) {
  const bool cold = is_zero(z);
  std::copy(z.begin(), z.end(), z_.begin());
  const double left =
      column_sweeps(values_, *view_->q, z_, w_, cold ? start_sweeps : 0, [](std::size_t, double x) { return std::max(x, 0.0); });
  for (std::size_t i = 0; i < basic_.size(); ++i) basic_[i] = z_[i] > w_[i] ? 1 : 0;
  return left;
}

// The active block, its lower triangle only where that is enough.
void BlockPrincipalPivoting::gather() {
  const auto k = active_.size();
  for (std::size_t c = 0; c < k; ++c) {
    const double* source = column(active_[c]);
    double* target = factor_.matrix().data() + c * k;
    for (std::size_t r = symmetric_ ? c : 0; r < k; ++r) target[r] = source[active_[r]];
    target[c] += proximal_;
  }
}

bool BlockPrincipalPivoting::factorise() {
  return factor_.factorise(static_cast<int>(active_.size()), symmetric_ ? DenseFactor::Kind::cholesky : DenseFactor::Kind::lu);
}

// The problem of M + eps I whose solution is the proximal point of the present one.
void BlockPrincipalPivoting::set_proximal(double eps) {
  proximal_ = eps;
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = (*view_->q)[i] - (eps > 0 ? eps * best_[i] : 0.0);
  fewest_.begin(n_ + 1);
  halving_ = {};
}

bool BlockPrincipalPivoting::next_proximal_point() {
  if (proximal_ > 0) {
    set_proximal(proximal_ * proximal_factor);
    bases_left_ = further_bases;
  } else {
    double trace = 0;
    for (int i = 0; i < n_; ++i) trace += std::abs(column(i)[i]);
    std::fill(best_.begin(), best_.end(), 0.0);
    set_proximal(first_proximal * trace / n_);
    smallest_eps_ = smallest_proximal * trace / n_;
    bases_left_ = first_bases;
  }
  return proximal_ > smallest_eps_;
}

// Asked for where a block is singular: few matrices have one, and the pass costs a tenth of what a definite one takes.
double BlockPrincipalPivoting::largest_entry() const {
  double largest = 0;
  for (double x : std::span(values_, at(n_) * at(n_))) largest = std::max(largest, std::abs(x));
  return largest;
}

// z_ and w_ of the basis. A singular block that is not symmetric gets a little on its diagonal; false if one is symmetric and not
// definite.
bool BlockPrincipalPivoting::solve_basis() {
  active_.clear();
  for (int i = 0; i < n_; ++i)
    if (basic_[at(i)]) active_.push_back(i);
  std::fill(z_.begin(), z_.end(), 0.0);
  if (!active_.empty()) {
    gather();
    if (!factorise()) {
      if (symmetric_) return false;
      proven_ = false;
      gather();
      const double lift = regularisation * largest_entry();
      for (std::size_t i = 0; i < active_.size(); ++i) factor_.matrix()[i * (active_.size() + 1)] += lift;
      factorise();
    }
    for (std::size_t c = 0; c < active_.size(); ++c) step_[c] = -q_[at(active_[c])];
    factor_.solve(step_.data());
    for (std::size_t c = 0; c < active_.size(); ++c) z_[at(active_[c])] = step_[c];
  }
  evaluate();
  return true;
}

// w_ = q + M z_ over the active columns, four at a time: w is read and written a quarter as often.
void BlockPrincipalPivoting::evaluate() {
  for (std::size_t i = 0; i < w_.size(); ++i) w_[i] = q_[i] + proximal_ * z_[i];
  double* w = w_.data();
  std::size_t c = 0;
  for (; c + 4 <= active_.size(); c += 4) {
    const int* j = active_.data() + c;
    const double *m0 = column(j[0]), *m1 = column(j[1]), *m2 = column(j[2]), *m3 = column(j[3]);
    const double z0 = z_[at(j[0])], z1 = z_[at(j[1])], z2 = z_[at(j[2])], z3 = z_[at(j[3])];
    for (int i = 0; i < n_; ++i) w[i] += (m0[i] * z0 + m1[i] * z1) + (m2[i] * z2 + m3[i] * z3);
  }
  for (; c < active_.size(); ++c) {
    const double* m = column(active_[c]);
    const double x = z_[at(active_[c])];
    for (int i = 0; i < n_; ++i) w[i] += m[i] * x;
  }
}

// One step of iterative refinement: evaluate has left the residual of the active rows in w_.
void BlockPrincipalPivoting::refine() {
  if (active_.empty()) return;
  for (std::size_t c = 0; c < active_.size(); ++c) step_[c] = -w_[at(active_[c])];
  factor_.solve(step_.data());
  for (std::size_t c = 0; c < active_.size(); ++c) z_[at(active_[c])] += step_[c];
  evaluate();
}

// Fills infeasible_; returns the size of all violations. NaN counts as infeasible.
double BlockPrincipalPivoting::scan() {
  double largest_z = 0, largest_w = 0, sum = 0;
  for (double x : z_) largest_z = std::max(largest_z, std::abs(x));
  for (double x : w_) largest_w = std::max(largest_w, std::abs(x));
  infeasible_.clear();
  for (int i = 0; i < n_; ++i) {
    const double x = basic_[at(i)] ? z_[at(i)] : w_[at(i)];
    if (!(x >= 0)) sum += x * x;
    if (!(x >= -pivoted_sign_tolerance * (basic_[at(i)] ? largest_z : largest_w))) infeasible_.push_back(i);
  }
  return std::sqrt(sum);
}

// The exchange; false when the stop-loss says that it leads nowhere.
bool BlockPrincipalPivoting::flip(std::int64_t iteration) {
  const std::int64_t fruitless = fewest_.since(std::ssize(infeasible_));
  const bool all = fruitless <= FewestWrong::patience;
  if (halving_.since(static_cast<double>(iteration), static_cast<double>(fewest_.fewest())) > halving_patience_) return false;
  if (fruitless >= (proximal_ > 0 ? proximal_stop_loss : proven_ ? no_stop_loss : stop_loss)) return false;
  for (std::size_t k = all ? 0 : infeasible_.size() - 1; k < infeasible_.size(); ++k) basic_[at(infeasible_[k])] ^= 1;
  return true;
}

// No sign is wrong: refined while that helps. Rounding may keep a residual above a tolerance asked too small; the certificate
// knows.
Stop BlockPrincipalPivoting::finish(std::span<double> z, Control& control, std::int64_t iteration) {
  double last = HUGE_VAL;
  for (int k = 0; k < pivoted_refinements; ++k) {
    refine();
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::max(0.0, z_[i]);
    if (const Stop stop = control.check(iteration, z); stop != Stop::none) return stop;
    if (control.residual() >= 0.5 * last) break;
    last = control.residual();
  }
  return Stop::stalled;
}

// Without a solution proximal points grow like y / eps, where M y = 0, y >= 0 and q'y < 0 (Banjac, Goulart, Stellato and Boyd
// 2019). y is what two steps of inverse iteration leave of q in the kernel of the block.
bool BlockPrincipalPivoting::proves_infeasible(const Control& control) {
  if (!(proximal_ * norm2(z_) > left_over * norm2(*view_->q))) return false;
  const double eps = std::exchange(proximal_, kernel_proximal / first_proximal * proximal_);
  gather();
  proximal_ = eps;
  if (!factorise()) return false;
  for (std::size_t c = 0; c < active_.size(); ++c) step_[c] = -(*view_->q)[at(active_[c])];
  for (int k = 0; k < 2; ++k) factor_.solve(step_.data());
  for (std::size_t c = 0; c < active_.size(); ++c) z_[at(active_[c])] = step_[c];
  ray_ = verified_proof(*view_, control, z_, proof_, workspace_);
  return !ray_.empty();
}

Stop BlockPrincipalPivoting::solve(std::span<double> z, Control& control) {
  const double left = start(z);
  if (left <= nearly_solved * view_->scale) {
    std::copy(z_.begin(), z_.end(), z.begin());
    if (const Stop stop = control.check(0, z); stop != Stop::none) return stop;
  }
  proven_ = true;
  ray_ = {};
  bool is_first_point = true;
  best_violation_ = HUGE_VAL;
  set_proximal(0);
  Stop stop = control.check_limits(0);
  for (std::int64_t k = 1; stop == Stop::none; ++k) {
    if (solve_basis()) {
      const double violation = scan();
      if (violation < best_violation_ || (proximal_ > 0 && infeasible_.empty())) {
        best_violation_ = violation;
        for (std::size_t i = 0; i < best_.size(); ++i) best_[i] = std::max(0.0, z_[i]);
      }
      if (infeasible_.empty() && proximal_ == 0) return finish(z, control, k);
      if (infeasible_.empty()) {
        stop = control.check(k, best_);
        if (stop == Stop::none && is_first_point && proves_infeasible(control)) return Stop::infeasible;
        is_first_point = false;
        if (stop == Stop::none && !next_proximal_point()) stop = Stop::stalled;
      } else {
        stop = control.check_limits(k);
        if (stop == Stop::none && ((proximal_ > 0 && --bases_left_ == 0) || !flip(k))) stop = Stop::stalled;
      }
    } else {
      stop = control.check_limits(k);
      if (stop == Stop::none && (proximal_ > 0 || !next_proximal_point())) stop = Stop::stalled;
      best_violation_ = HUGE_VAL;
    }
  }
  // The solver puts what z holds at the end before the certificate.
  if (best_violation_ < HUGE_VAL) std::copy(best_.begin(), best_.end(), z.begin());
  return stop;
}

}  // namespace

extern const MethodEntry block_principal_pivoting_method;
const MethodEntry block_principal_pivoting_method{
    {sizeof(nsm_method_info), "block_principal_pivoting",
     "block principal pivoting: all wrong signs exchanged at once, Murty's rule as safeguard; dense Cholesky or LU",
     "Kostreva 1978; Judice and Pires 1994; Murty 1974; Banjac, Goulart, Stellato and Boyd 2019",
     "P-matrices (finite); semidefinite M: through proximal points, a solution or a proof that there is none; may stall, and "
     "says so",
     class_bit(NSM_LCP), 2000,
     "LCPs with a P-matrix, such as symmetric positive definite ones: a handful of factorisations, usually the fastest from 16 "
     "unknowns on; not for matrices without that property"},
    &make_method<BlockPrincipalPivoting>};

}  // namespace nonsmooth
