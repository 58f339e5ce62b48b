// The central path of Coulomb friction, followed with De Saxce's term held back. With s in place of mu |u_T| the problem is
// convex:
//   x o y = tau e,  x = (mu r_N, r_T),  y = ((u_N + s) / mu, u_T),  u = W r + q.
// s follows the flow ds/dt = mu |u_T| - s by implicit steps, ds = theta (mu |u_T| - s + mu t'du_T): theta = 1 is Newton's method,
// theta = 0 centring in the convex problem (pseudo-transient continuation, Kelley and Keyes 1998). Newton follows a branch to
// smaller and smaller tau. Where it ends in a fold, which the path of a pile does several times, the flow moves on to another
// branch, at first with the same tau for every contact, then with others (docs/decisions/0014-friction-second-order.md).
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/cone_scaling.hpp"
#include "methods/newton/contact_newton.hpp"
#include "methods/newton/newton_system.hpp"

namespace nonsmooth {
namespace {

constexpr double held_back = 0.9;  // theta of the flow
constexpr double path_boundary_share = 0.9, short_path_step = 0.3, stuck = 0.02, smaller = 0.4, larger = 1.5, least_theta = 0.01;
constexpr std::int64_t path_newton_steps = 10, few_path_steps = 3, some_steps = 5, flow_steps = 40, first_steps = 200,
                       between_trials = 10;
constexpr double first_factor = 0.5, least_level_factor = 0.2, largest_factor = 0.95, factor_after_jump = 0.8;
constexpr double near_path = 0.3, towards_path = 1, centred = 0.5;
// Where no velocity opens the contacts, as between parts wedged in a ring, the convex problem has no centre and r goes off: of
// 296 problems that the path solved none beyond 106 times the start (a chain of 200 contacts), all but one of 92 without a centre
// beyond 1e5. A body on others a millionth as heavy takes r as far. Newton tells before: in two trials that fail r grows so much.
constexpr double farthest_off = 1e7, trial_goes_off = 30;
constexpr std::int64_t trials_off = 2;
constexpr double smallest_level = 1e-16;  // of tau, relative to the first
constexpr double polished_path_residual = 1e-4, polish_again = 0.1;
constexpr std::int64_t path_memory = 4;
constexpr double jumps[] = {0.3, 0.9, 0.3, 0.9, 0.6};  // of tau
constexpr std::size_t jumps_with_equal_levels = 2;

// One contact at a point.
template <int D>
struct CentralContact {
  using Algebra = JordanAlgebra<D>;
  double mu, x[D], y[D], slip, defect;  // |u_T|, mu |u_T| - s
  CentralContact(double coefficient, const double* r, const double* u, double shift) : mu(coefficient) {
    std::copy(r, r + D, x);
    std::copy(u, u + D, y);
    x[0] *= mu;
    y[0] = (y[0] + shift) / mu;
    slip = Algebra::tangent_norm(y);
    defect = mu * slip - shift;
  }
  // L = I + theta mu e_N t', R = S W^2 S and -(equations), S = diag(mu, 1, 1), W that of Nesterov and Todd.
  void linearise(double theta, double level, double* L, double* R, double* rhs) const {
    const typename Algebra::Scaling scaling(x, y);
    std::fill(L, L + D * D, 0.0);
    for (int j = 0; j < D; ++j) {
      double e[D] = {}, half[D];
      e[j] = j == 0 ? mu : 1;
      scaling.apply(e, half);
      scaling.apply(half, R + j * D);
      R[j * D] *= mu;
      L[j * (D + 1)] = 1;
      if (j > 0 && slip > 0) L[j * D] = theta * mu * y[j] / slip;
    }
    const double determinant = Algebra::determinant(x);
    for (int i = 0; i < D; ++i) rhs[i] = (i == 0 ? 1 : -1) * level * x[i] / determinant - y[i];
    rhs[0] = mu * rhs[0] - theta * defect;
  }
  double change_of_shift(double theta, const double* du) const {
    double along = 0;
    for (int i = 1; i < D; ++i) along += y[i] * du[i];
    return theta * (defect + (slip > 0 ? mu * along / slip : 0));
  }
  double longest_step(const double* dr, const double* du, double dshift, double limit) const {
    double dx[D], dy[D];
    std::copy(dr, dr + D, dx);
    std::copy(du, du + D, dy);
    dx[0] *= mu;
    dy[0] = (dy[0] + dshift) / mu;
    return std::min(Algebra::step(x, dx, limit), Algebra::step(y, dy, limit));
  }
  double off_centre(double level) const {
    return std::sqrt(std::max(0.0, Algebra::determinant(x) * Algebra::determinant(y))) / level - 1;
  }
};

struct PathPoint {
  Vector r, u, shift;  // shift: s, by contact
  double tau = 0;
};

class FrictionCentralPath final : public Method {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override {
    if (change == Change::matrix) system_->update(*view_);
    if (change != Change::right_hand_side) check(*view_);
  }
  Stop solve(std::span<double> z, Control& control) override;

 private:
  static void check(const Inclusion& view);
  template <class Visit>
  void for_each_contact(Visit&& visit);
  void start();
  void move(const PathPoint& from, double factor);
  bool step(double theta);
  bool is_at_goal(double share);
  bool newton(std::int64_t steps, Control& control);
  bool settle(std::int64_t steps, Control& control);
  bool descend(Control& control);
  void draw_weights();
  bool jump(Control& control);
  bool retreat(Control& control);
  Stop polish(std::span<double> z, Control& control);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  ContactNewton newton_;
  PathPoint at_, kept_, landed_, tried_;  // kept_: the last on the path; landed_: the first of its branch
  Vector dr_, du_, dshift_, weight_;
  double farthest_ = 0;                                                             // size of r beyond which there is no centre
  double length_ = 0, factor_ = first_factor, polish_at_ = polished_path_residual;  // length_: of the last step
  std::int64_t iteration_ = 0, used_ = 0, restarts_ = 0;
  Stop stop_ = Stop::none;
  std::mt19937_64 random_;
};

void FrictionCentralPath::check(const Inclusion& view) {
  for (const SetBlock& block : view.blocks)
    if ((block.kind != SetKind::coulomb_2d && block.kind != SetKind::coulomb_3d) || !(block.a > 0))
      fail(NSM_UNSUPPORTED, "friction_central_path treats contacts with Coulomb friction only, mu above 0");
}

void FrictionCentralPath::setup(const Inclusion& view, const Options& options) {
  check(view);
  restarts_ = options.integer(Option::restarts);
  view_ = &view;
  for (PathPoint* p : {&at_, &kept_, &landed_, &tried_}) {
    p->r.resize(at(view.size()));
    p->u.resize(p->r.size());
    p->shift.resize(view.blocks.size());
  }
  for (Vector* v : {&dr_, &du_}) v->resize(at_.r.size());
  for (Vector* v : {&dshift_, &weight_}) v->resize(view.blocks.size());
  NewtonSystem::setup_shared(system_, view);
  newton_.setup(view, *system_, path_memory);
}

// visit(contact, first row, contact's number)
template <class Visit>
void FrictionCentralPath::for_each_contact(Visit&& visit) {
  for (std::size_t b = 0; b < view_->blocks.size(); ++b) {
    const SetBlock& block = view_->blocks[b];
    const auto i = at(block.start);
    if (block.size == 2)
      visit(CentralContact<2>(block.a, &at_.r[i], &at_.u[i], at_.shift[b]), i, b);
    else
      visit(CentralContact<3>(block.a, &at_.r[i], &at_.u[i], at_.shift[b]), i, b);
  }
}

// r on the axes of the cones, s large enough for y to be inside.
void FrictionCentralPath::start() {
  const double contacts = static_cast<double>(view_->blocks.size());
  const double given = norm2(*view_->q), size = given > 0 ? given : view_->scale, velocity = size / std::sqrt(contacts);
  std::fill(at_.r.begin(), at_.r.end(), 0.0);
  std::fill(weight_.begin(), weight_.end(), 1.0);
  for (std::size_t b = 0; b < view_->blocks.size(); ++b)
    at_.r[at(view_->blocks[b].start)] = 3 * velocity / (system_->scale(b) * view_->blocks[b].a);
  std::fill(at_.shift.begin(), at_.shift.end(), 0.0);
  farthest_ = farthest_off * norm2(at_.r);
  move(at_, 1);
  double gap = 0;
  for_each_contact([&](auto contact, std::size_t i, std::size_t b) {
    at_.shift[b] = std::max(contact.mu * contact.slip, 1.5 * contact.mu * contact.slip - at_.u[i] + 0.02 * velocity);
    gap += contact.x[0] * (at_.u[i] + at_.shift[b]) / contact.mu;
  });
  at_.tau = 0.5 * gap / contacts;
  factor_ = first_factor;
  polish_at_ = polished_path_residual * residual_of_zero(*view_);
  random_.seed(1);
}

// To a point, with a level so many times its own, and u free of what has been rounded.
void FrictionCentralPath::move(const PathPoint& from, double factor) {
  if (&from != &at_) at_ = from;
  at_.tau *= factor;
  std::copy(view_->q->begin(), view_->q->end(), at_.u.begin());
  multiply_add(*view_, at_.r, at_.u);
}

bool FrictionCentralPath::step(double theta) {
  for_each_contact([&](const auto& contact, std::size_t i, std::size_t b) {
    contact.linearise(theta, at_.tau * weight_[b], system_->left(b), system_->right(b), &dr_[i]);
  });
  ++iteration_;
  if (!system_->factorise()) return false;
  system_->solve(dr_);
  std::fill(du_.begin(), du_.end(), 0.0);
  multiply_add(*view_, dr_, du_);
  double longest = 1 / path_boundary_share;
  for_each_contact([&](const auto& contact, std::size_t i, std::size_t b) {
    dshift_[b] = contact.change_of_shift(theta, &du_[i]);
    longest = std::min(longest, contact.longest_step(&dr_[i], &du_[i], dshift_[b], longest));
  });
  length_ = path_boundary_share * longest;
  if (!(length_ > 0)) return false;
  for (std::size_t i = 0; i < dr_.size(); ++i) {
    at_.r[i] += length_ * dr_[i];
    at_.u[i] += length_ * du_[i];
  }
  for (std::size_t b = 0; b < dshift_.size(); ++b) at_.shift[b] += length_ * dshift_[b];
  return true;
}

// Whether s is mu |u_T| to what a contact's part of tau is worth in velocity, and x o y its level.
bool FrictionCentralPath::is_at_goal(double share) {
  double defect = 0, off = 0;
  for_each_contact([&](const auto& contact, std::size_t, std::size_t b) {
    const double own = contact.off_centre(at_.tau * weight_[b]);
    defect += contact.defect * contact.defect;
    off += own * own;
  });
  const double contacts = static_cast<double>(view_->blocks.size());
  return std::sqrt(defect) * norm2(at_.r) <= share * contacts * at_.tau && std::sqrt(off / contacts) < centred;
}

bool FrictionCentralPath::newton(std::int64_t steps, Control& control) {
  for (used_ = 1; used_ <= steps; ++used_) {
    const bool has_moved = step(1);
    if (stop_ = control.check_limits(iteration_); stop_ != Stop::none) return false;  // a step that fails counts too
    if (!has_moved || length_ < stuck) return false;
    if (is_at_goal(near_path)) return true;
  }
  return false;
}

// The flow, at the present tau, until Newton converges from it.
bool FrictionCentralPath::settle(std::int64_t steps, Control& control) {
  double theta = held_back;
  std::int64_t off = 0;
  for (std::int64_t k = 1; k <= steps; ++k) {
    const bool has_moved = step(theta);
    if (stop_ = control.check_limits(iteration_); stop_ != Stop::none) return false;
    if (!has_moved || !(norm2(at_.r) <= farthest_)) return false;
    theta = length_ < short_path_step ? smaller * theta : std::min(held_back, std::max(least_theta, larger * theta));
    if (k % between_trials != 0 && !is_at_goal(towards_path)) continue;
    tried_ = at_;
    if (newton(path_newton_steps, control)) return true;
    if (stop_ != Stop::none) return false;
    off += norm2(at_.r) <= trial_goes_off * norm2(tried_.r) ? 0 : 1;
    if (off == trials_off) return false;
    move(tried_, 1);
  }
  return false;
}

// The next level on the same branch.
bool FrictionCentralPath::descend(Control& control) {
  for (; factor_ < largest_factor; factor_ = std::sqrt(factor_)) {
    move(kept_, factor_);
    if (!newton(path_newton_steps, control)) {
      if (stop_ != Stop::none) return false;
      continue;
    }
    if (used_ <= few_path_steps) factor_ = std::max(least_level_factor, factor_ * factor_);
    if (used_ > some_steps) factor_ = std::min(factor_after_jump, std::sqrt(factor_));
    return true;
  }
  return false;
}

// Levels of their own for the contacts, between half and twice tau.
void FrictionCentralPath::draw_weights() {
  for (double& weight : weight_) weight = std::exp2(2 * static_cast<double>(random_() >> 11) * 0x1p-53 - 1);
}

bool FrictionCentralPath::jump(Control& control) {
  factor_ = factor_after_jump;
  for (std::size_t k = 0; k < std::size(jumps); ++k) {
    if (k >= jumps_with_equal_levels) draw_weights();
    move(kept_, jumps[k]);
    if (settle(flow_steps, control)) {
      landed_ = at_;
      return true;
    }
    if (stop_ != Stop::none) return false;
  }
  return false;
}

// To where the branch began, with other weights: another way on.
bool FrictionCentralPath::retreat(Control& control) {
  draw_weights();
  move(landed_, 1);
  return settle(flow_steps, control);
}

Stop FrictionCentralPath::polish(std::span<double> z, Control& control) {
  if (!(control.residual() <= polish_at_)) return Stop::none;
  polish_at_ = polish_again * control.residual();
  const ContactNewton::Outcome outcome = newton_.polish(z, control, iteration_);
  iteration_ += outcome.steps;
  return outcome.stop;
}

Stop FrictionCentralPath::solve(std::span<double> z, Control& control) {
  iteration_ = 0;
  system_->begin();
  stop_ = control.check(0, z);
  if (stop_ != Stop::none) return stop_;
  start();
  const double first_level = at_.tau;
  bool on_path = settle(first_steps, control);
  landed_ = at_;
  std::int64_t retreats = 0;
  while (on_path) {
    kept_ = at_;
    std::copy(at_.r.begin(), at_.r.end(), z.begin());
    Stop stop = control.check(iteration_, z);
    control.log("friction_central_path: level %.2e, factor %.2f, residual %.3e", at_.tau, factor_, control.residual());
    if (stop == Stop::none) stop = polish(z, control);
    if (stop != Stop::none) return stop;
    if (at_.tau <= smallest_level * first_level) break;
    on_path = descend(control) || (stop_ == Stop::none && restarts_ > 0 && jump(control)) ||
              (stop_ == Stop::none && retreats++ < restarts_ && retreat(control));
  }
  return stop_ != Stop::none ? stop_ : Stop::stalled;
}

}  // namespace

extern const MethodEntry friction_central_path_method;
const MethodEntry friction_central_path_method{
    {sizeof(nsm_method_info), "friction_central_path",
     "central path with De Saxce's term held back: Newton along its branches, an implicit flow from one to the next",
     "De Saxce and Feng 1991; Nesterov and Todd 1997; Kelley and Keyes 1998",
     "none proven with friction; hyperstatic piles in which many contacts slide", coulomb_classes, 20000,
     "piles of hundreds and thousands of contacts in which many slide, where friction_interior_point stalls and proximal_newton "
     "takes long"},
    &make_method<FrictionCentralPath>};

}  // namespace nonsmooth
