#include "linalg/minimum_norm.hpp"

#include <Eigen/QR>

namespace nonsmooth {

struct MinimumNorm::Factors : Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> {};

MinimumNorm::MinimumNorm(std::span<const double> A, int order, double tolerance) : factors_(std::make_unique<Factors>()) {
  factors_->setThreshold(tolerance);
  factors_->compute(Eigen::Map<const Eigen::MatrixXd>(A.data(), order, order));
}

MinimumNorm::~MinimumNorm() = default;
MinimumNorm::MinimumNorm(MinimumNorm&&) noexcept = default;
MinimumNorm& MinimumNorm::operator=(MinimumNorm&&) noexcept = default;

int MinimumNorm::rank() const { return static_cast<int>(factors_->rank()); }

void MinimumNorm::solve(std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> view(x.data(), static_cast<Eigen::Index>(x.size()));
  view = factors_->solve(view).eval();
}

void MinimumNorm::solve_transposed(std::span<double> x) const {
  Eigen::Map<Eigen::VectorXd> view(x.data(), static_cast<Eigen::Index>(x.size()));
  view = factors_->transpose().solve(view).eval();
}

std::vector<double> MinimumNorm::kernel() const {
  const Eigen::Index n = factors_->cols(), dimension = n - factors_->rank();
  const Eigen::MatrixXd basis = factors_->colsPermutation() * factors_->matrixZ().transpose().rightCols(dimension);
  return {basis.data(), basis.data() + n * dimension};
}

}  // namespace nonsmooth
