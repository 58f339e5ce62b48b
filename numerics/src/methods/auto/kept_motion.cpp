#include "methods/auto/kept_motion.hpp"

#include <algorithm>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/matrix_layout.hpp"
#include "linalg/symmetry.hpp"
#include "linalg/triplets.hpp"
#include "methods/frame/infeasibility.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

[[noreturn]] void refuse(const char* why) { fail(NSM_UNSUPPORTED, "kept equations of motion: %s", why); }

// Entries of a block of M, and of the one across the diagonal, which must be its negative transpose.
struct Coupling {
  Triplets own, mirrored;

  Matrix matrix(std::int64_t rows, std::int64_t cols, const char* name) const {
    Matrix A = own.to_matrix(rows, cols, name);
    const Matrix B = mirrored.to_matrix(rows, cols, name);
    if (!same_pattern(A, B) || !std::ranges::equal(A.values(), B.values())) refuse("forces and velocities are not by one matrix");
    return A;
  }
};

}  // namespace

void KeptMotion::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  options_ = options;
  order_rows();
  read_matrices();
  read_vectors();
  read_coefficients();
  reduction_ = Reduction::of(data_, true);
  reduced_ = reduction_->inclusion();
  reduced_.scale = view.scale;
  reduced_.workers = view.workers;
  local_.resize(at(reduced_.size()));
  all_.resize(order_.size());
  for (Vector* v : {&candidate_, &proof_}) v->resize(order_.size());
  workspace_.resize(refinement_workspace(view));
  ray_ = {};
  const MethodEntry* portfolio = find_method("auto");
  inner_.setup(reduced_, portfolio->create(), options, portfolio->info.default_iterations);
}

// Free rows with a mass on the diagonal are equations of motion, those without are joints.
void KeptMotion::order_rows() {
  std::vector<char> has_mass(at(view_->size()), 0);
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double a) {
    if (i == j && a > 0) has_mass[at(i)] = 1;
  });
  IndexVector joints, contacts;
  order_.clear();
  const SetKind kind = std::ranges::find_if(view_->blocks, has_friction, &SetBlock::kind)->kind;
  if (kind != SetKind::coulomb_2d && kind != SetKind::coulomb_3d) refuse("contacts roll");
  for (const SetBlock& block : view_->blocks) {
    if (block.kind != SetKind::free_space && block.kind != kind) refuse("there are other rows than contacts of one kind");
    for (std::int32_t i = block.start; i < block.start + block.size; ++i) {
      const bool is_contact = block.kind == kind;
      (is_contact ? contacts : has_mass[at(i)] != 0 ? order_ : joints).push_back(i);
    }
  }
  data_.dimension = kind == SetKind::coulomb_2d ? 2 : 3;
  motions_ = std::ssize(order_);
  joints_ = std::ssize(joints);
  order_.insert(order_.end(), joints.begin(), joints.end());
  order_.insert(order_.end(), contacts.begin(), contacts.end());
  place_.resize(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) place_[at(order_[k])] = static_cast<std::int32_t>(k);
}

void KeptMotion::read_matrices() {
  const auto n = static_cast<std::int32_t>(motions_), p = n + static_cast<std::int32_t>(joints_);
  Triplets masses;
  Coupling joints, contacts;
  for_each_entry(*view_->M, [&](std::int64_t I, std::int64_t J, double a) {
    const std::int32_t i = place_[at(I)], j = place_[at(J)];
    if (a == 0) return;
    if (i >= n && j >= n) refuse("contacts or joints have a compliance of their own");
    if (i < n && j < n) {
      masses.add(i, j, a);
    } else if (i < n) {
      j < p ? joints.own.add(i, j - n, -a) : contacts.own.add(i, j - p, -a);
    } else {
      i < p ? joints.mirrored.add(j, i - n, a) : contacts.mirrored.add(j, i - p, a);
    }
  });
  data_.M = masses.to_matrix(n, n, "M");
  if (!is_symmetric(data_.M)) refuse("the mass matrix is not symmetric");
  data_.H = contacts.matrix(n, std::ssize(order_) - p, "H");
  data_.G = joints_ > 0 ? joints.matrix(n, joints_, "G") : Matrix();
}

void KeptMotion::read_vectors() {
  const Vector& q = *view_->q;
  data_.f.resize(at(motions_));
  data_.b.resize(at(joints_));
  data_.w.resize(order_.size() - data_.f.size() - data_.b.size());
  std::size_t k = 0;
  for (double& f : data_.f) f = -q[at(order_[k++])];
  for (double& b : data_.b) b = q[at(order_[k++])];
  for (double& w : data_.w) w = q[at(order_[k++])];
}

void KeptMotion::read_coefficients() {
  data_.mu.clear();
  for (const SetBlock& block : view_->blocks)
    if (has_friction(block.kind)) data_.mu.push_back(block.a);
}

void KeptMotion::update(Change change) {
  if (change == Change::matrix) return setup(*view_, options_);
  read_vectors();
  if (change == Change::sets) read_coefficients();
  reduction_->refresh_free_motion();
  reduction_->refresh();
  reduced_.blocks = reduction_->inclusion().blocks;
  reduced_.scale = view_->scale;
  if (!inner_.update(change)) refuse("no method treats the new values");
}

// y of the contacts (and joints) proves that they close; with M y_v + G y_l + H y_r = 0 it does so of all rows.
void KeptMotion::keep_ray(const Control& control) {
  const std::span<const double> y = inner_.method().infeasibility_ray();
  if (std::ssize(y) != reduced_.size()) return;
  reduction_->lift_change(y, all_);
  for (double& v : std::span(all_).first(at(motions_))) v = -v;
  put_entries(order_, all_, candidate_);
  ray_ = verified_proof(*view_, control, candidate_, proof_, workspace_);
}

Stop KeptMotion::solve(std::span<double> z, Control& control) {
  ray_ = {};
  take_entries(std::span(order_).last(local_.size()), z, local_);
  const Stop stop = inner_.solve(local_, control);
  control.count_setup(inner_.control().setup_seconds());
  reduction_->lift(local_, all_);
  put_entries(order_, all_, z);
  const Stop end = control.check(inner_.control().iterations(), z);
  if (stop == Stop::infeasible) keep_ray(control);
  if (stop == Stop::infeasible && !ray_.empty()) return stop;
  if (end != Stop::none) return end;
  return stop == Stop::time_limit || stop == Stop::cancelled || stop == Stop::out_of_memory ? stop : Stop::stalled;
}

}  // namespace nonsmooth
