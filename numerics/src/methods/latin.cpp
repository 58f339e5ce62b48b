// LATIN (Ladeveze 1985; for contact Champaney, Cognard and Ladeveze 1999): a point that satisfies the set alone and one that
// satisfies w = M z + q alone, linked by search directions K = diag(k):
//   local stage   z^ = P_C(u)                          with  w^ = K (z^ - u)
//   linear stage  (M + K) z = K (2 z^ - u) - q         with  w = K (2 z^ - u - z)
//   u <- u + omega (z - z^)                            since u = z - w / k at the fixed point.
// With one k per block of C this is the splitting of Douglas and Rachford (omega = 1; Lions and Mercier 1979) or Peaceman and
// Rachford (omega = 2), in the metric of K. One factorisation at setup, one solve per iteration.
#include <algorithm>
#include <cmath>
#include <memory>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/component_factor.hpp"
#include "methods/frame/iteration.hpp"
#include "methods/frame/method.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

class Latin final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void choose_directions();
  void factorise();

  const Inclusion* view_ = nullptr;
  double factor_ = 1, relaxation_ = 1;
  std::int64_t check_interval_ = 1;
  std::unique_ptr<ComponentFactor> matrix_;  // M + K
  Vector k_, u_, linear_;
};

void Latin::setup(const Inclusion& view, const Options& options) {
  refuse_polyhedra(view, "latin");
  refuse_contacts(view, "latin");
  view_ = &view;
  factor_ = options.real(Option::search_direction);
  relaxation_ = options.real(Option::relaxation);
  check_interval_ = options.integer(Option::check_interval);
  for (Vector* v : {&k_, &u_, &linear_}) v->resize(at(view.size()));
  factorise();
}

void Latin::update(Change change) {
  if (change == Change::matrix) factorise();
}

// One k per block, so that the projection is that of the set: the mean of its diagonal, or where that is not positive twice the
// mean of the whole, so that M + K keeps away from singular.
void Latin::choose_directions() {
  std::fill(k_.begin(), k_.end(), 0.0);
  double mean = 0;
  for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double a) {
    if (i == j) k_[at(i)] = a;
    mean += std::abs(i == j ? a : 0.0) / static_cast<double>(k_.size());
  });
  for (const SetBlock& block : view_->blocks) {
    const auto first = k_.begin() + block.start, last = first + block.size;
    double sum = 0;
    for (auto k = first; k != last; ++k) sum += *k;
    const double k = sum > 0 ? sum / block.size : mean > 0 ? 2 * mean : 1.0;
    std::fill(first, last, factor_ * k);
  }
}

void Latin::factorise() {
  choose_directions();
  try {
    matrix_ = std::make_unique<ComponentFactor>(plus_diagonal(to_csc(*view_->M), k_), "latin: M + K");
  } catch (const Error& error) {  // nothing is wrong with the problem
    throw Error(error.status() == NSM_INVALID_VALUE ? NSM_UNSUPPORTED : error.status(), error.message());
  }
}

Stop Latin::solve(std::span<double> z, Control& control) {
  const Vector& q = *view_->q;
  std::copy(q.begin(), q.end(), linear_.begin());
  multiply_add(*view_, z, linear_);
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = z[i] - linear_[i] / k_[i];
  return iterate(z, control, check_interval_, [&](std::int64_t) {
    project(view_->blocks, u_.data(), z.data());
    for (std::size_t i = 0; i < u_.size(); ++i) linear_[i] = k_[i] * (2 * z[i] - u_[i]) - q[i];
    matrix_->solve(linear_);
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] += relaxation_ * (linear_[i] - z[i]);
    return Stop::none;
  });
}

}  // namespace

extern const MethodEntry latin_method;
const MethodEntry latin_method{
    {sizeof(nsm_method_info), "latin",
     "LATIN: projections alternating with one factorised linear stage, diagonal search directions",
     "Ladeveze 1985; Champaney, Cognard and Ladeveze 1999; Lions and Mercier 1979",
     "positive semidefinite M, symmetric or not, and any sets but polyhedra and friction; linear convergence, slow where M is "
     "ill-conditioned",
     linear_classes | class_bit(NSM_SOCLCP), 200000,
     "structures with a well-conditioned stiffness and few contacts, and to compare; one factorisation, then cheap iterations of "
     "linear convergence"},
    &make_method<Latin>};

}  // namespace nonsmooth
