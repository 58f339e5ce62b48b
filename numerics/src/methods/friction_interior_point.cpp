// Interior point for Coulomb and rolling friction. With x = (mu r_N, r_T) and y, both in the second-order cone, a contact is
//   M r + q = S (y - (|y_T|^2 / y_N) e_N),   x o y = 0,   x = S r,   S = diag(mu, 1, 1).
// De Saxce's term is |y_T|, with y = (u~_N / mu, u~_T). Where a contact slides or sticks y_N = |y_T| and both terms are equal;
// where it is open y_N > |y_T| is free to fit u_N. So the law is the same, and the equations are smooth on the axis of the cone,
// where |y_T| is not. Nesterov and Todd's scaling turns x o y = sigma gap e into dy = W ds - W^2 dx, so that the Newton matrix is
// M + diag(S (I - e_N s') W^2 S), s the gradient of the term, of the order of the problem. Mehrotra's predictor and corrector
// (1992), one step length for both variables (after Acary, Armand, Nguyen and Shpakovych 2024, who solve the equations with |y_T|
// in the variables of the bodies). Rows with bounds carry one multiplier for each.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/cone_scaling.hpp"
#include "methods/newton/contact_newton.hpp"
#include "methods/newton/newton_system.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

constexpr double cone_boundary_share = 0.99, smallest_cone_step = 1e-7, just_inside = 1 + 1e-14;
constexpr double progress_share = 0.9;
constexpr std::int64_t steps_without_progress = 5, patient_steps = 20, polish_memory = 4;
// Two steps in a row that short are the end of nearly every solve that fails, and of hardly any that does not.
// (Not of convex problems, whose central path has an end.)
constexpr double short_step = 0.05;
// Where q suggests it more solves fail, further out all take longer.
constexpr double start_size = 3;
// A pair far behind the others holds all back: no step leaves one with less of the mean product than this share (the
// neighbourhood of Kojima, Mizuno and Yoshise 1989). Where the corrector leaves hardly a step it is left out.
constexpr double least_share = 1e-3, shortening = 0.8, corrected_step = 0.1;
constexpr int shortenings = 60;
constexpr double polished_residual = 1e-4;
// Of the diagonal of M: a proximal term of free rows. Those that depend on others (a loop of joints) have no step of their own
// without it, and rounding would take them as far as it likes. Those that nearly do (the loop as a simulation has bent it) go to
// their forces by the share of the term in what they are left with: far above rounding it would hold them where they are.
constexpr double free_weight = 1e-13;
constexpr int largest_cone = 8;             // rows; a type for each size
constexpr std::size_t scaling_numbers = 2;  // room of each row for what tells the scalings of its contact

// What x o y is after a step: x'y, and the smaller eigenvalue. Of several pairs the sum and the least.
struct PairProducts {
  double sum = 0, least = HUGE_VAL;
  void add(const PairProducts& pair) {
    sum += pair.sum;
    least = std::min(least, pair.least);
  }
};

// A point or a direction: z, and its dual variables by row. A cone's stand in `dual`; a row has one multiplier for each bound.
struct Point {
  Vector z, dual, upper;
  void resize(std::size_t n) {
    for (Vector* v : {&z, &dual, &upper}) v->assign(n, 0.0);
  }
};
struct Rows {
  double *z, *dual, *upper;
  Rows(Point& p, std::size_t i) : z(&p.z[i]), dual(&p.dual[i]), upper(&p.upper[i]) {}
  Rows(double* z_rows, double* dual_rows) : z(z_rows), dual(dual_rows), upper(nullptr) {}
};

// One contact at its present point. Steps and products, which are asked for most often, need neither the scaling nor De Saxce's
// term: who needs the term works it out. The scaling, which is dearer, is what `matrix` has stored.
template <int D>
class ContactTerm {
 public:
  using Algebra = JordanAlgebra<D>;
  using Scaling = typename Algebra::Scaling;
  ContactTerm(double mu, bool associated, const Rows& at, double* scaling) : mu_(mu), scaling_(scaling), associated_(associated) {
    std::copy(at.dual, at.dual + D, y_);
    primal(at.z, x_);
  }
  void primal(const double* r, double* x) const {
    x[0] = mu_ * r[0];
    for (int i = 1; i < D; ++i) x[i] = r[i];
  }
  void matrix(double* R) const {
    const Scaling scaling(x_, y_);
    scaling.store(scaling_);
    const DeSaxce term(y_, associated_);
    for (int j = 0; j < D; ++j) {
      double e[D] = {};
      e[j] = j == 0 ? mu_ : 1;
      square(scaling, e, R + j * D);
      to_velocity(term, R + j * D);
    }
  }
  // shift: W ds, the part of dy that does not depend on dr. d: the affine direction for the corrector, or nullptr.
  void target(double gap, const Rows* d, const Rows& shift) const {
    if (gap == 0 && d == nullptr) {
      for (int i = 0; i < D; ++i) shift.dual[i] = -y_[i];
      return;
    }
    const Scaling scaling(scaling_);
    double p[D], ds[D], lambda[D];
    scaling.apply(x_, lambda);
    Algebra::product(lambda, lambda, p);
    for (double& value : p) value = -value;
    p[0] += gap;
    if (d != nullptr) {
      double dx[D], a[D], b[D], c[D];
      primal(d->z, dx);
      scaling.apply(dx, a);
      scaling.apply_inverse(d->dual, b);
      Algebra::product(a, b, c);
      for (int i = 0; i < D; ++i) p[i] -= c[i];
    }
    Algebra::divide(p, lambda, ds);
    scaling.apply(ds, shift.dual);
  }
  // -(w - S (y - term e_N)) + S (I - e_N s') shift
  void right_hand_side(const double* w, const Rows& shift, double* rhs) const {
    const DeSaxce term(y_, associated_);
    double v[D];
    std::copy(shift.dual, shift.dual + D, v);
    to_velocity(term, v);
    rhs[0] = v[0] - w[0] + mu_ * (y_[0] - term.value);
    for (int i = 1; i < D; ++i) rhs[i] = v[i] - w[i] + y_[i];
  }
  void dual_direction(const Rows& shift, const Rows& d) const {
    double dx[D], p[D];
    primal(d.z, dx);
    square(Scaling(scaling_), dx, p);
    for (int i = 0; i < D; ++i) d.dual[i] = shift.dual[i] - p[i];
  }
  double longest_step(const Rows& d, double limit) const {
    double dx[D];
    primal(d.z, dx);
    return Algebra::step(y_, d.dual, Algebra::step(x_, dx, limit));
  }
  // Rounding must not put the point outside.
  void keep_inside(const Rows& at) const {
    double x[D];
    primal(at.z, x);
    at.z[0] = std::max(at.z[0], just_inside * Algebra::tangent_norm(x) / mu_);
    at.dual[0] = std::max(at.dual[0], just_inside * Algebra::tangent_norm(at.dual));
  }
  double sum_after(double t, const Rows& d) const {
    double dx[D], sum = 0;
    primal(d.z, dx);
    for (int i = 0; i < D; ++i) sum += (x_[i] + t * dx[i]) * (y_[i] + t * d.dual[i]);
    return sum;
  }
  PairProducts products_after(double t, const Rows& d) const {
    double x[D], y[D], sum = 0;
    primal(d.z, x);
    for (int i = 0; i < D; ++i) {
      x[i] = x_[i] + t * x[i];
      y[i] = y_[i] + t * d.dual[i];
      sum += x[i] * y[i];
    }
    // The eigenvalues of the scaled point have the sum 2 x'y and the product det x det y.
    const double product = Algebra::determinant(x) * Algebra::determinant(y);
    return {sum, product / (sum + std::sqrt(std::max(0.0, sum * sum - product)))};
  }

 private:
  // De Saxce's term and its gradient, 0 where the law is associated.
  struct DeSaxce {
    double value = 0, s[D]{};
    DeSaxce(const double* y, bool associated) {
      if (associated) return;
      const double ratio = Algebra::tangent_norm(y) / y[0];
      value = ratio * ratio * y[0];
      s[0] = -ratio * ratio;
      for (int i = 1; i < D; ++i) s[i] = 2 * y[i] / y[0];
    }
  };
  // S (I - e_N s') v in place.
  void to_velocity(const DeSaxce& term, double* v) const {
    double along = 0;
    for (int i = 0; i < D; ++i) along += term.s[i] * v[i];
    v[0] = mu_ * (v[0] - along);
  }
  static void square(const Scaling& scaling, const double* v, double* p) {
    double t[D];
    scaling.apply(v, t);
    scaling.apply(t, p);
  }

  double mu_, x_[D], y_[D];
  double* scaling_;
  bool associated_;
};

// One contact with rolling friction: two cones that share the normal, each with a dual variable of its own, so that
//   u_N = sum mu_g (y_gN - |y_gT|^2 / y_gN),   R = sum of both,
// and no unknown is added to the Newton matrix. The normal of the second dual variable stands in `upper`. A part without friction
// carries nothing.
template <int PART>
class RollingTerm {
 public:
  RollingTerm(double mu, double mu_r, const Rows& at, double* scalings) {
    const double coefficients[] = {mu, mu_r};
    for (int g = 0; g < 2; ++g)
      if (coefficients[g] > 0)
        cones_[g].emplace(coefficients[g], false, Part(at, g).rows(), scalings + g * Cone::Scaling::numbers);
  }
  void matrix(double* R) const {
    for_each_cone([&](const Cone& cone, int g) {
      double own[D * D];
      cone.matrix(own);
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i) R[row(i, g) + row(j, g) * (1 + 2 * PART)] += own[i + j * D];
    });
  }
  void target(double gap, const Rows* d, const Rows& shift) const {
    for_each_cone([&](const Cone& cone, int g) {
      Part own(shift, g), step(d != nullptr ? *d : shift, g);
      const Rows step_rows = step.rows();
      cone.target(gap, d != nullptr ? &step_rows : nullptr, own.rows());
      own.store_dual(shift, g);
    });
  }
  void right_hand_side(const double* w, const Rows& shift, double* rhs) const {
    rhs[0] = -w[0];
    for_each_cone([&](const Cone& cone, int g) {
      double v[D] = {0}, own[D];
      for (int i = 1; i < D; ++i) v[i] = w[row(i, g)];
      cone.right_hand_side(v, Part(shift, g).rows(), own);
      rhs[0] += own[0];
      for (int i = 1; i < D; ++i) rhs[row(i, g)] = own[i];
    });
  }
  void dual_direction(const Rows& shift, const Rows& d) const {
    for_each_cone([&](const Cone& cone, int g) {
      Part own(d, g);
      cone.dual_direction(Part(shift, g).rows(), own.rows());
      own.store_dual(d, g);
    });
  }
  double longest_step(const Rows& d, double limit) const {
    double t = limit;
    for_each_cone([&](const Cone& cone, int g) { t = cone.longest_step(Part(d, g).rows(), t); });
    return t;
  }
  void keep_inside(const Rows& at) const {
    for_each_cone([&](const Cone& cone, int g) {
      Part own(at, g);
      cone.keep_inside(own.rows());
      at.z[0] = std::max(at.z[0], own.z[0]);
      own.store_dual(at, g);
    });
  }
  double sum_after(double t, const Rows& d) const {
    double sum = 0;
    for_each_cone([&](const Cone& cone, int g) { sum += cone.sum_after(t, Part(d, g).rows()); });
    return sum;
  }
  PairProducts products_after(double t, const Rows& d) const {
    PairProducts all;
    for_each_cone([&](const Cone& cone, int g) { all.add(cone.products_after(t, Part(d, g).rows())); });
    return all;
  }

 private:
  static constexpr int D = 1 + PART;
  using Cone = ContactTerm<D>;
  static int row(int i, int g) { return i == 0 ? 0 : i + g * PART; }
  // The rows of one cone, copied.
  struct Part {
    double z[D], dual[D];
    Part(const Rows& from, int g) {
      for (int i = 0; i < D; ++i) {
        z[i] = from.z[row(i, g)];
        dual[i] = from.dual[row(i, g)];
      }
      if (g == 1) dual[0] = from.upper[0];
    }
    Rows rows() { return {z, dual}; }
    void store_dual(const Rows& to, int g) const {
      (g == 0 ? to.dual[0] : to.upper[0]) = dual[0];
      for (int i = 1; i < D; ++i) to.dual[row(i, g)] = dual[i];
    }
  };
  template <class Visit>
  void for_each_cone(Visit&& visit) const {
    for (int g = 0; g < 2; ++g)
      if (cones_[g]) visit(*cones_[g], g);
  }

  std::optional<Cone> cones_[2];
};

// A row with finite bounds: w = lower multiplier - upper multiplier, each complementary to its slack.
class BoundedTerm {
 public:
  BoundedTerm(double lo, double hi, const Rows& at)
      : below_(std::isfinite(lo) ? at.z[0] - lo : 0),
        above_(std::isfinite(hi) ? hi - at.z[0] : 0),
        lower_(at.dual[0]),
        upper_(at.upper[0]) {}
  void matrix(double* R) const { R[0] = (below_ > 0 ? lower_ / below_ : 0) + (above_ > 0 ? upper_ / above_ : 0); }
  void target(double gap, const Rows* d, const Rows& shift) const {
    shift.dual[0] = below_ > 0 ? (gap - (d != nullptr ? d->z[0] * d->dual[0] : 0)) / below_ - lower_ : 0;
    shift.upper[0] = above_ > 0 ? (gap + (d != nullptr ? d->z[0] * d->upper[0] : 0)) / above_ - upper_ : 0;
  }
  void right_hand_side(const double* w, const Rows& shift, double* rhs) const {
    rhs[0] = lower_ - upper_ - w[0] + shift.dual[0] - shift.upper[0];
  }
  void dual_direction(const Rows& shift, const Rows& d) const {
    d.dual[0] = shift.dual[0] - (below_ > 0 ? lower_ / below_ * d.z[0] : 0);
    d.upper[0] = shift.upper[0] + (above_ > 0 ? upper_ / above_ * d.z[0] : 0);
  }
  double longest_step(const Rows& d, double limit) const {
    double t = limit;
    const auto keep = [&](double value, double change) {
      if (change < 0) t = std::min(t, -value / change);
    };
    if (below_ > 0) {
      keep(below_, d.z[0]);
      keep(lower_, d.dual[0]);
    }
    if (above_ > 0) {
      keep(above_, -d.z[0]);
      keep(upper_, d.upper[0]);
    }
    return t;
  }
  void keep_inside(const Rows&) const {}
  double sum_after(double t, const Rows& d) const { return products_after(t, d).sum; }
  PairProducts products_after(double t, const Rows& d) const {
    const double below = (below_ + t * d.z[0]) * (lower_ + t * d.dual[0]),
                 above = (above_ - t * d.z[0]) * (upper_ + t * d.upper[0]);
    PairProducts both;
    if (below_ > 0) both.add({below, below});
    if (above_ > 0) both.add({above, above});
    return both;
  }

 private:
  double below_, above_, lower_, upper_;  // slacks, 0 where there is no bound; multipliers
};

// Second-order cones are contacts whose law is associated: De Saxce's term is left out. Of one row they are half-lines.
bool is_associated(const SetBlock& block) {
  return block.kind == SetKind::second_order_cone && block.size > 1 && block.size <= largest_cone;
}
bool has_cone(const SetBlock& block) { return has_friction(block.kind) || is_associated(block); }
// A tangent of a part without friction, or a box of one point.
bool is_fixed(const SetBlock& block, std::int32_t k) {
  if (block.kind == SetKind::box) return block.a == block.b;
  if (!has_cone(block) || k == 0) return false;
  return !((rolls(block.kind) && k > block.size / 2 ? block.b : block.a) > 0);
}
bool is_half_line(const SetBlock& block) {
  return block.kind == SetKind::orthant || (block.kind == SetKind::second_order_cone && block.size == 1);
}
bool is_treated(const SetBlock& block) {
  return has_cone(block) || is_half_line(block) || block.kind == SetKind::box || block.kind == SetKind::free_space;
}

// visit(term) of a contact or a second-order cone, whose size becomes a constant.
template <int D = largest_cone, class Visit>
void visit_cone(const SetBlock& block, const Rows& rows, double* scaling, Visit&& visit) {
  if (block.size == D) return visit(ContactTerm<D>(block.a, is_associated(block), rows, scaling));
  if constexpr (D > 2) visit_cone<D - 1>(block, rows, scaling, visit);
}

class FrictionInteriorPoint final : public Method {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override {
    if (change == Change::matrix) system_->update(*view_);
  }
  Stop solve(std::span<double> z, Control& control) override;

 private:
  template <class Visit>
  void for_each_term(Visit&& visit);
  double start();
  bool linearise();
  void find_direction(double gap, bool corrects);
  double longest_step(double limit);
  double gap_after(double t);             // the mean of the sums
  PairProducts products_after(double t);  // with the least, which takes roots
  double centred_step();
  void leave_corrector(double gap, double& step);
  void move(double t);
  Stop interior(std::span<double> z, Control& control, std::int64_t& k);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  ContactNewton newton_;
  Point at_, direction_, shift_, corrected_;
  Vector w_, scalings_;
  double pairs_ = 0;  // complementary ones
  bool is_convex_ = false;
};

void FrictionInteriorPoint::setup(const Inclusion& view, const Options&) {
  if (!std::all_of(view.blocks.begin(), view.blocks.end(), is_treated))
    fail(NSM_UNSUPPORTED,
         "friction_interior_point treats Coulomb and rolling friction, second-order cones of up to %d rows, orthants, boxes and "
         "free rows only",
         largest_cone);
  view_ = &view;
  is_convex_ = std::none_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& b) { return has_friction(b.kind); });
  for (Point* p : {&at_, &direction_, &shift_, &corrected_}) p->resize(at(view.size()));
  w_.resize(at(view.size()));
  scalings_.assign(scaling_numbers * at(view.size()), 0.0);
  NewtonSystem::setup_shared(system_, view);
  newton_.setup(view, *system_, polish_memory);
}

// visit(term, first row, block) for all blocks but free ones and points. A contact without friction is its normal row.
template <class Visit>
void FrictionInteriorPoint::for_each_term(Visit&& visit) {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto i = at(block.start);
    const Rows rows(at_, i);
    double* scalings = &scalings_[scaling_numbers * i];
    if (block.kind == SetKind::rolling_2d && (block.a > 0 || block.b > 0))
      visit(RollingTerm<1>(block.a, block.b, rows, scalings), i, b);
    else if (block.kind == SetKind::rolling_3d && (block.a > 0 || block.b > 0))
      visit(RollingTerm<2>(block.a, block.b, rows, scalings), i, b);
    else if (has_cone(block) && !rolls(block.kind) && block.a > 0)
      visit_cone(block, rows, scalings, [&](const auto& term) { visit(term, i, b); });
    else if (block.kind == SetKind::box && block.a < block.b && !is_free(block))
      visit(BoundedTerm(block.a, block.b, rows), i, b);
    else if (block.kind != SetKind::free_space && block.kind != SetKind::box)
      visit(BoundedTerm(0, HUGE_VAL, rows), i, b);
  }
}

// On the axis of every cone, at the size that q and the diagonal of M suggest.
double FrictionInteriorPoint::start() {
  double velocity = 0, scale = 0;
  for (double q : *view_->q) velocity = std::max(velocity, std::abs(q));
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) scale += system_->scale(b) / static_cast<double>(view_->blocks.size());
  if (!(velocity > 0)) velocity = 1;
  velocity *= start_size;
  const double reaction = velocity / scale;
  pairs_ = 0;
  for (Vector* v : {&at_.z, &at_.dual, &at_.upper}) std::fill(v->begin(), v->end(), 0.0);
  for (const SetBlock& block : view_->blocks) {
    const auto i = at(block.start);
    if (block.kind == SetKind::free_space) continue;
    if (is_fixed(block, 0)) {
      at_.z[i] = block.a;
      continue;
    }
    const bool has_first = has_cone(block) && block.a > 0, has_second = rolls(block.kind) && block.b > 0;
    const int cones = (has_first ? 1 : 0) + (has_second ? 1 : 0);
    const double lo = block.kind == SetKind::box ? block.a : 0, hi = block.kind == SetKind::box ? block.b : HUGE_VAL;
    const bool has_lo = std::isfinite(lo), has_hi = std::isfinite(hi);
    at_.z[i] = cones > 0          ? reaction / (has_first ? block.a : block.b)
               : has_lo && has_hi ? lo + std::min(reaction, 0.5 * (hi - lo))
               : has_lo           ? lo + reaction
               : has_hi           ? hi - reaction
                                  : 0;
    at_.dual[i] = has_lo ? velocity : 0;
    at_.upper[i] = has_hi || has_second ? velocity : 0;
    pairs_ += cones > 0 ? cones : (has_lo ? 1 : 0) + (has_hi ? 1 : 0);
  }
  return velocity;
}

bool FrictionInteriorPoint::linearise() {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const std::int32_t d = block.size;
    std::fill_n(system_->left(b), d * d, 0.0);
    std::fill_n(system_->right(b), d * d, 0.0);
    for (std::int32_t k = 0; k < d; ++k) (is_fixed(block, k) ? system_->right(b) : system_->left(b))[k * (d + 1)] = 1;
    for (std::int32_t k = 0; k < d && is_free(block); ++k) system_->right(b)[k * (d + 1)] = free_weight * system_->scale(b);
  }
  for_each_term([&](const auto& term, std::size_t, std::size_t b) { term.matrix(system_->right(b)); });
  return system_->factorise();
}

void FrictionInteriorPoint::find_direction(double gap, bool corrects) {
  for_each_term([&](const auto& term, std::size_t i, std::size_t) {
    const Rows d(direction_, i);
    term.target(gap, corrects ? &d : nullptr, Rows(shift_, i));
  });
  for (std::size_t i = 0; i < w_.size(); ++i) direction_.z[i] = -w_[i];
  for (const SetBlock& block : view_->blocks)
    for (std::int32_t k = 0; k < block.size; ++k)
      if (is_fixed(block, k)) direction_.z[at(block.start + k)] = 0;
  for_each_term(
      [&](const auto& term, std::size_t i, std::size_t) { term.right_hand_side(&w_[i], Rows(shift_, i), &direction_.z[i]); });
  system_->solve(direction_.z);
  for_each_term([&](const auto& term, std::size_t i, std::size_t) { term.dual_direction(Rows(shift_, i), Rows(direction_, i)); });
}

double FrictionInteriorPoint::longest_step(double limit) {
  double t = limit;
  for_each_term([&](const auto& term, std::size_t i, std::size_t) { t = term.longest_step(Rows(direction_, i), t); });
  return t;
}

double FrictionInteriorPoint::gap_after(double t) {
  double sum = 0;
  for_each_term([&](const auto& term, std::size_t i, std::size_t) { sum += term.sum_after(t, Rows(direction_, i)); });
  return sum / std::max(pairs_, 1.0);
}

PairProducts FrictionInteriorPoint::products_after(double t) {
  PairProducts all;
  for_each_term([&](const auto& term, std::size_t i, std::size_t) { all.add(term.products_after(t, Rows(direction_, i))); });
  return {all.sum / std::max(pairs_, 1.0), all.least};
}

// A point that is outside of the neighbourhood must not go further out.
double FrictionInteriorPoint::centred_step() {
  double t = cone_boundary_share * longest_step(1 / cone_boundary_share), now = HUGE_VAL;
  for (int k = 0; k < shortenings; ++k, t *= shortening) {
    const PairProducts then = products_after(t);
    if (then.least >= least_share * then.sum) break;
    if (k == 0) now = products_after(0).least;
    if (then.least >= 0.99 * now) break;
  }
  return t;
}

// The step without the second-order term, if that is the longer one.
void FrictionInteriorPoint::leave_corrector(double gap, double& step) {
  std::swap(direction_, corrected_);
  find_direction(gap, false);
  const double simple = centred_step();
  if (simple > step)
    step = simple;
  else
    std::swap(direction_, corrected_);
}

void FrictionInteriorPoint::move(double t) {
  for (std::size_t i = 0; i < w_.size(); ++i) {
    at_.z[i] += t * direction_.z[i];
    at_.dual[i] += t * direction_.dual[i];
    at_.upper[i] += t * direction_.upper[i];
  }
  for_each_term([&](const auto& term, std::size_t i, std::size_t) { term.keep_inside(Rows(at_, i)); });
}

Stop FrictionInteriorPoint::interior(std::span<double> z, Control& control, std::int64_t& k) {
  start();
  double milestone = HUGE_VAL, last_step = 1;
  std::int64_t milestone_iteration = 0;
  for (k = 0;; ++k) {
    std::copy(at_.z.begin(), at_.z.end(), z.begin());
    evaluate(*view_, z, w_);
    if (const Stop stop = control.check(k, z, w_); stop != Stop::none) return stop;
    if (control.residual() < progress_share * milestone) {
      milestone = control.residual();
      milestone_iteration = k;
    }
    if (k - milestone_iteration >= (is_convex_ ? patient_steps : steps_without_progress)) return Stop::stalled;
    if (!linearise()) return Stop::breakdown;
    find_direction(0, false);
    const double gap = gap_after(0), predicted = gap_after(longest_step(1));
    const double sigma = gap > 0 ? std::pow(std::clamp(predicted / gap, 0.0, 1.0), 2) : 0.0;
    find_direction(sigma * gap, true);
    double step = centred_step();
    if (step < corrected_step) leave_corrector(sigma * gap, step);
    control.log("friction_interior_point: residual %.2e gap %.2e sigma %.2e step %.3f", control.residual(), gap, sigma, step);
    if (!(step > smallest_cone_step) || (!is_convex_ && std::max(step, last_step) < short_step)) return Stop::stalled;
    last_step = step;
    move(step);
  }
}

// An end short of the tolerance by rounding, or by contacts between two statuses, is polished.
Stop FrictionInteriorPoint::solve(std::span<double> z, Control& control) {
  std::int64_t k = 0;
  system_->begin();
  const Stop stop = interior(z, control, k);
  const double near = polished_residual * residual_of_zero(*view_);
  if ((stop != Stop::stalled && stop != Stop::breakdown) || !(control.best_residual() <= near)) return stop;
  std::copy(control.best().begin(), control.best().end(), z.begin());
  const Stop polished = newton_.polish(z, control, k).stop;
  return polished == Stop::none ? stop : polished;
}

}  // namespace

extern const MethodEntry friction_interior_point_method;
const MethodEntry friction_interior_point_method{
    {sizeof(nsm_method_info), "friction_interior_point",
     "interior point with De Saxce's term in the Newton matrix, Nesterov-Todd scaling, predictor-corrector, sparse LU",
     "Nesterov and Todd 1997; Mehrotra 1992; Acary, Armand, Nguyen and Shpakovych 2024",
     "monotone M over second-order cones of up to 8 rows; none proven with friction; stacks, chains, arches and walls with "
     "singular W; may stall where most contacts slide",
     contact_classes | class_bit(NSM_SOCLCP), 200,
     "friction at 1e-6 and below with more constraints than the bodies have freedoms: stacks, walls, arches; a sparse "
     "factorisation per iteration, less at ease where most contacts slide"},
    &make_method<FrictionInteriorPoint>};

}  // namespace nonsmooth
