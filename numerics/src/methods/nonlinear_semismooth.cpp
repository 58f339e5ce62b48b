// Newton's method on Phi(z) = 0 (Qi and Sun 1993; De Luca, Facchinei and Kanzow 1996), with steps of Levenberg and Marquardt
// where the Newton matrix is singular or its direction does not descend, projected on C so that F is evaluated where it is
// defined (Kanzow 2001).
#include "methods/nonlinear_semismooth.hpp"

#include <algorithm>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/dense_lu.hpp"
#include "linalg/lapack.hpp"
#include "methods/descent.hpp"
#include "methods/nonlinear_newton.hpp"

namespace nonsmooth {
namespace {

constexpr double normal_dampings[] = {1e-10, 1e-6, 1e-3, 1e-1};  // relative to the largest diagonal entry of H'H

class NonlinearSemismooth final : public NonlinearNewton {
 public:
  void setup(const Inclusion& view, const Options& options) override;

 private:
  int directions() const override { return 1 + static_cast<int>(std::size(normal_dampings)); }
  bool write_direction(int index, Control& control) override;
  bool newton();
  bool levenberg_marquardt(double relative_damping);

  DenseLu lu_;
  DenseFactor normal_;  // of H'H + mu I
  Vector H_;
};

void NonlinearSemismooth::setup(const Inclusion& view, const Options& options) {
  NonlinearNewton::setup(view, options);
  if (!phi_.is_differentiable())
    fail(NSM_UNSUPPORTED, "semismooth_newton: the projection on a polyhedron {H z >= k} has no derivative here");
  refuse_beyond(4000, view.size(), "semismooth_newton factorises a dense matrix");
  const auto n = at(view.size());
  lu_.resize(static_cast<int>(n));
  H_.resize(n * n);
  normal_.resize(static_cast<int>(n));
}

bool NonlinearSemismooth::write_direction(int index, Control&) {
  return index == 0 ? newton() : levenberg_marquardt(normal_dampings[index - 1]);
}

bool NonlinearSemismooth::newton() {
  phi_.write_newton_matrix(J_.matrix(), H_);
  std::copy(H_.begin(), H_.end(), lu_.matrix().begin());
  if (!lu_.factorise(static_cast<int>(z_.size()))) return false;
  for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = -phi_.values()[i];
  lu_.solve(direction_.data());
  return is_descent(dot(gradient_, direction_), norm2(direction_));
}

// (H'H + mu I) d = -H' Phi
bool NonlinearSemismooth::levenberg_marquardt(double relative_damping) {
  const int n = static_cast<int>(z_.size());
  const double one = 1, zero = 0;
  const std::span<double> A = normal_.matrix();
  dgemm_("T", "N", &n, &n, &n, &one, H_.data(), &n, H_.data(), &n, &zero, A.data(), &n);
  double largest = 0;
  for (std::size_t i = 0; i < z_.size(); ++i) largest = std::max(largest, A[i * (z_.size() + 1)]);
  for (std::size_t i = 0; i < z_.size(); ++i) A[i * (z_.size() + 1)] += relative_damping * largest;
  if (!normal_.factorise(n, DenseFactor::Kind::cholesky)) return false;
  for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = -gradient_[i];
  normal_.solve(direction_.data());
  return find_not_finite(direction_) < 0;
}

}  // namespace

std::unique_ptr<Method> make_nonlinear_semismooth() { return std::make_unique<NonlinearSemismooth>(); }

}  // namespace nonsmooth
