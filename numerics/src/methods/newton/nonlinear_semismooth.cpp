// Newton's method on Phi(z) = 0 (Qi and Sun 1993; De Luca, Facchinei and Kanzow 1996), with steps of Levenberg and Marquardt
// where the Newton matrix is singular or its direction does not descend, projected on C so that F is evaluated where it is
// defined (Kanzow 2001). Of bounds it is as sparse as the Jacobian is told to be.
#include "methods/newton/nonlinear_semismooth.hpp"

#include <algorithm>
#include <numeric>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/dense_factor.hpp"
#include "linalg/lapack.hpp"
#include "linalg/left_looking_lu.hpp"
#include "methods/frame/descent.hpp"
#include "methods/newton/nonlinear_newton.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_newton_fill = 100;                // of sparse factors, relative to the entries of their matrix
constexpr double normal_dampings[] = {1e-10, 1e-6, 1e-3, 1e-1};  // relative to the largest diagonal entry of H'H

class NonlinearSemismooth final : public NonlinearNewton {
 public:
  void setup(const Inclusion& view, const Options& options) override;

 private:
  int directions() const override { return 1 + static_cast<int>(std::size(normal_dampings)); }
  bool write_direction(int index, Control& control) override;
  bool newton();
  bool levenberg_marquardt(double relative_damping);
  void setup_sparse();
  bool newton_sparse();
  bool levenberg_marquardt_sparse(double relative_damping);
  double square_of_column(std::size_t j) const;

  DenseFactor lu_;
  DenseFactor normal_;  // of H'H + mu I
  Vector H_;
  bool is_sparse_ = false;
  CscMatrix newton_matrix_;  // with the whole diagonal
  IndexVector place_;        // in it: of each value of the Jacobian
  // Its entries row by row, by their places.
  IndexVector row_start_, row_place_, row_column_;
  LeftLookingLu sparse_lu_, augmented_lu_;
  ControlPatience patience_;
  Vector augmented_;
};

void NonlinearSemismooth::setup(const Inclusion& view, const Options& options) {
  NonlinearNewton::setup(view, options);
  if (!phi_.is_differentiable())
    fail(NSM_UNSUPPORTED, "semismooth_newton: the projection on a polyhedron {H z >= k} has no derivative here");
  is_sparse_ = phi_.is_rowwise() && is_sparse(J_.matrix());
  if (is_sparse_) return setup_sparse();
  refuse_beyond(4000, view.size(), "semismooth_newton factorises a dense matrix");
  const auto n = at(view.size());
  lu_.resize(static_cast<int>(n));
  H_.resize(n * n);
  normal_.resize(static_cast<int>(n));
}

bool NonlinearSemismooth::write_direction(int index, Control& control) {
  patience_.begin(control);
  if (is_sparse_) return index == 0 ? newton_sparse() : levenberg_marquardt_sparse(normal_dampings[index - 1]);
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

void NonlinearSemismooth::setup_sparse() {
  const Matrix pattern = with_full_diagonal(*J_.matrix().csc());
  newton_matrix_ = *pattern.csc();
  const std::int64_t n = pattern.rows(), entries = std::ssize(newton_matrix_.values);
  place_.clear();
  for_each_entry(J_.matrix(), [&](std::int64_t i, std::int64_t j, double) {
    place_.push_back(static_cast<std::int32_t>(place_of(newton_matrix_, i, j)));
  });
  row_start_.assign(at(n) + 1, 0);
  for_each_entry(pattern, [&](std::int64_t i, std::int64_t, double) { ++row_start_[at(i) + 1]; });
  std::partial_sum(row_start_.begin(), row_start_.end(), row_start_.begin());
  row_place_.resize(at(entries));
  row_column_.resize(at(entries));
  IndexVector next(row_start_);
  std::int32_t place = 0;
  for_each_entry(pattern, [&](std::int64_t i, std::int64_t j, double) {
    const std::size_t k = at(next[at(i)]++);
    row_place_[k] = place++;
    row_column_[k] = static_cast<std::int32_t>(j);
  });
  sparse_lu_.resize(static_cast<int>(n), entries, std::min(n * (n + 3) / 2, largest_newton_fill * entries));
  augmented_lu_.resize(static_cast<int>(2 * n), 2 * (entries + n),
                       std::min(n * (2 * n + 3), largest_newton_fill * (entries + n)));
  augmented_.resize(2 * at(n));
  for (LeftLookingLu* lu : {&sparse_lu_, &augmented_lu_}) lu->set_patience(&patience_);
}

bool NonlinearSemismooth::newton_sparse() {
  phi_.write_newton_values(J_.matrix(), place_, newton_matrix_);
  sparse_lu_.clear();
  for (std::int64_t j = 0; j < newton_matrix_.cols; ++j) {
    for_each_entry_of_column(newton_matrix_, j,
                             [&](std::int64_t i, std::int64_t, double a) { sparse_lu_.add(static_cast<int>(i), a); });
    sparse_lu_.finish_column();
  }
  if (!sparse_lu_.factorise(static_cast<int>(newton_matrix_.rows), 0)) return false;
  for (std::size_t i = 0; i < z_.size(); ++i) direction_[i] = -phi_.values()[i];
  sparse_lu_.solve(direction_.data());
  return is_descent(dot(gradient_, direction_), norm2(direction_));
}

// [I H; H' -mu I] (r, d) = (-Phi, 0): the same without H'H, which is far less sparse.
bool NonlinearSemismooth::levenberg_marquardt_sparse(double relative_damping) {
  const std::size_t n = z_.size();
  double largest = 0;
  augmented_lu_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    augmented_lu_.add(static_cast<int>(i), 1);
    for (std::int32_t k = row_start_[i]; k < row_start_[i + 1]; ++k)
      augmented_lu_.add(static_cast<int>(n) + row_column_[at(k)], newton_matrix_.values[at(row_place_[at(k)])]);
    augmented_lu_.finish_column();
  }
  for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, square_of_column(j));
  for (std::size_t j = 0; j < n; ++j) {
    for_each_entry_of_column(newton_matrix_, static_cast<std::int64_t>(j),
                             [&](std::int64_t i, std::int64_t, double a) { augmented_lu_.add(static_cast<int>(i), a); });
    augmented_lu_.add(static_cast<int>(n + j), -relative_damping * largest);
    augmented_lu_.finish_column();
  }
  if (!augmented_lu_.factorise(static_cast<int>(2 * n), 0)) return false;
  std::fill(augmented_.begin(), augmented_.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) augmented_[i] = -phi_.values()[i];
  augmented_lu_.solve(augmented_.data());
  std::copy(augmented_.begin() + static_cast<std::ptrdiff_t>(n), augmented_.end(), direction_.begin());
  return find_not_finite(direction_) < 0;
}

double NonlinearSemismooth::square_of_column(std::size_t j) const {
  double sum = 0;
  for_each_entry_of_column(newton_matrix_, static_cast<std::int64_t>(j),
                           [&](std::int64_t, std::int64_t, double a) { sum += a * a; });
  return sum;
}

}  // namespace

std::unique_ptr<Method> make_nonlinear_semismooth() { return std::make_unique<NonlinearSemismooth>(); }

}  // namespace nonsmooth
