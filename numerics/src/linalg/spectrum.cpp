// What `info` tells of a matrix: symmetry and definiteness.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "linalg/matrix.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t dense_limit = 300;
constexpr int lanczos_steps = 60;

EigenvalueRange range_of(const Eigen::VectorXd& eigenvalues) { return {eigenvalues.minCoeff(), eigenvalues.maxCoeff()}; }

EigenvalueRange dense_range(const Matrix& A) {
  const DenseMatrix dense = to_dense(A);
  const Eigen::Map<const Eigen::MatrixXd> M(dense.values.data(), dense.rows, dense.cols);
  const Eigen::MatrixXd symmetric = 0.5 * (M + M.transpose());
  return range_of(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues());
}

// Lanczos with full reorthogonalisation (Golub and Van Loan 2013, 10.3); the start vector is deterministic.
EigenvalueRange lanczos_range(const Matrix& A) {
  const Eigen::Index n = A.rows();
  const int steps = static_cast<int>(std::min<Eigen::Index>(lanczos_steps, n));
  Eigen::MatrixXd basis(n, steps);
  Eigen::VectorXd diagonal(steps), off(steps);
  Eigen::VectorXd v(n), Av(n);
  for (Eigen::Index i = 0; i < n; ++i) v[i] = 1.0 + 0.5 * std::sin(1.0 + 2.3 * static_cast<double>(i));
  v.normalize();
  int k = 0;
  for (; k < steps; ++k) {
    basis.col(k) = v;
    Av.setZero();
    const std::span<const double> x(v.data(), static_cast<std::size_t>(n));
    const std::span<double> y(Av.data(), static_cast<std::size_t>(n));
    multiply_add(A, 0.5, x, y);
    multiply_transposed_add(A, 0.5, x, y);
    diagonal[k] = v.dot(Av);
    for (int pass = 0; pass < 2; ++pass) Av -= basis.leftCols(k + 1) * (basis.leftCols(k + 1).transpose() * Av);
    off[k] = Av.norm();
    if (off[k] <= 1e-14 * (std::abs(diagonal[k]) + 1e-300)) {
      ++k;
      break;
    }
    v = Av / off[k];
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal.head(k), off.head(std::max(0, k - 1)), Eigen::EigenvaluesOnly);
  return range_of(solver.eigenvalues());
}

// holds(a_ij, a_ji, a_ii, a_jj) for all i > j, in tiles, so that the transposed reads stay in the cache.
template <class Holds>
bool every_pair(const DenseMatrix& A, Holds&& holds) {
  constexpr std::int64_t tile = 32;
  const std::int64_t n = A.rows;
  const auto value = [&](std::int64_t i, std::int64_t j) { return A.values[static_cast<std::size_t>(i + j * n)]; };
  for (std::int64_t J = 0; J < n; J += tile)
    for (std::int64_t I = J; I < n; I += tile)
      for (std::int64_t j = J; j < std::min(n, J + tile); ++j)
        for (std::int64_t i = std::max(I, j + 1); i < std::min(n, I + tile); ++i)
          if (!holds(value(i, j), value(j, i), value(i, i), value(j, j))) return false;
  return true;
}

}  // namespace

EigenvalueRange symmetric_eigenvalue_range(const Matrix& A) {
  if (A.rows() == 0) return {};
  return A.rows() <= dense_limit ? dense_range(A) : lanczos_range(A);
}

bool is_symmetric(const DenseMatrix& A) {
  constexpr double tolerance = 1e-14;
  return every_pair(
      A, [](double a, double b, double, double) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); });
}

Definiteness possible_definiteness(const Matrix& A) {
  constexpr double rounding = 1e-12;  // relative: minors of semidefinite matrices are 0 up to that
  if (A.rows() != A.cols()) return Definiteness::none;
  const auto test = [](const DenseMatrix& dense) {
    Definiteness most = Definiteness::definite;
    const auto allow = [&most](double minor, double tolerance) {
      if (!(minor > tolerance)) most = minor >= -tolerance ? std::min(most, Definiteness::semidefinite) : Definiteness::none;
      return most != Definiteness::none;
    };
    for (std::int64_t i = 0; i < dense.rows; ++i)
      if (!allow(dense.values[static_cast<std::size_t>(i * (dense.rows + 1))], 0)) return most;
    every_pair(dense, [&](double a, double b, double a_ii, double a_jj) {
      const double product = 4 * a_ii * a_jj;
      return allow(product - (a + b) * (a + b), rounding * product);
    });
    return most;
  };
  return A.dense() != nullptr ? test(*A.dense()) : test(to_dense(A));
}

double symmetry_defect(const Matrix& A) {
  // |A - A'|_F^2 = 2 |A|_F^2 - 2 sum a_ij a_ji would cancel; entries are matched column against row instead.
  const CscMatrix csc = to_csc(A);
  const double norm = frobenius_norm(A);
  if (norm == 0) return 0;
  Vector difference;
  difference.reserve(csc.values.size());
  for (std::int64_t j = 0; j < csc.cols; ++j)
    for (std::int32_t k = csc.col_start[static_cast<std::size_t>(j)]; k < csc.col_start[static_cast<std::size_t>(j + 1)]; ++k) {
      const std::int64_t i = csc.row_index[static_cast<std::size_t>(k)];
      const double mirrored = value_at(csc, j, i), delta = csc.values[static_cast<std::size_t>(k)] - mirrored;
      // An entry without a mirror image stands for two places of A - A'.
      difference.push_back(mirrored == 0 && i != j ? std::sqrt(2.0) * delta : delta);
    }
  return norm2(difference) / norm;
}

}  // namespace nonsmooth
