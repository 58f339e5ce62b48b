// What `info` tells of a matrix: symmetry and definiteness.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t dense_spectrum_limit = 300;
constexpr int lanczos_steps = 60;

EigenvalueRange range_of(const Eigen::VectorXd& eigenvalues, bool estimated) {
  return {eigenvalues.minCoeff(), eigenvalues.maxCoeff(), estimated};
}

EigenvalueRange dense_range(const Matrix& A) {
  const DenseMatrix dense = to_dense(A);
  const Eigen::Map<const Eigen::MatrixXd> M(dense.values.data(), dense.rows, dense.cols);
  const Eigen::MatrixXd symmetric = 0.5 * (M + M.transpose());
  return range_of(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues(), false);
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
    const std::span<const double> x(v.data(), at(n));
    const std::span<double> y(Av.data(), at(n));
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
  return range_of(solver.eigenvalues(), true);
}

// holds(a_ij, a_ji, a_ii, a_jj) for all i > j, in tiles, so that the transposed reads stay in the cache.
template <class Holds>
bool every_pair(const DenseMatrix& A, Holds&& holds) {
  constexpr std::int64_t tile = 32;
  const std::int64_t n = A.rows;
  const auto value = [&](std::int64_t i, std::int64_t j) { return A.values[at(i + j * n)]; };
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
  return A.rows() <= dense_spectrum_limit ? dense_range(A) : lanczos_range(A);
}

bool is_symmetric(const DenseMatrix& A) {
  constexpr double tolerance = 1e-14;
  return every_pair(
      A, [](double a, double b, double, double) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); });
}

namespace {

// What minors leave possible, from one to the next.
class Minors {
 public:
  Definiteness most() const { return most_; }
  bool allow_diagonal(double a) { return allow(a, 0); }
  bool allow_pair(double a, double b, double a_ii, double a_jj) {
    constexpr double rounding = 1e-12;  // relative: minors of semidefinite matrices are 0 up to that
    const double product = 4 * a_ii * a_jj;
    return allow(product - (a + b) * (a + b), rounding * product);
  }

 private:
  bool allow(double minor, double tolerance) {
    if (!(minor > tolerance)) most_ = minor >= -tolerance ? std::min(most_, Definiteness::semidefinite) : Definiteness::none;
    return most_ != Definiteness::none;
  }
  Definiteness most_ = Definiteness::definite;
};

Definiteness possible_definiteness(const DenseMatrix& A) {
  Minors minors;
  for (std::int64_t i = 0; i < A.rows; ++i)
    if (!minors.allow_diagonal(A.values[at(i * (A.rows + 1))])) return minors.most();
  every_pair(A, [&](double a, double b, double a_ii, double a_jj) { return minors.allow_pair(a, b, a_ii, a_jj); });
  return minors.most();
}

// Pairs without an entry have minors that their diagonal decides.
Definiteness possible_definiteness(const CscMatrix& A) {
  Minors minors;
  Vector diagonal(at(A.cols));
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    diagonal[i] = value_at(A, static_cast<std::int64_t>(i), static_cast<std::int64_t>(i));
    if (!minors.allow_diagonal(diagonal[i])) return minors.most();
  }
  for (std::size_t j = 0; j < diagonal.size(); ++j)
    for (auto k = at(A.col_start[j]); k < at(A.col_start[j + 1]); ++k) {
      const auto i = at(A.row_index[k]);
      if (i == j) continue;
      const double mirrored = value_at(A, static_cast<std::int64_t>(j), static_cast<std::int64_t>(i));
      if (!minors.allow_pair(A.values[k], mirrored, diagonal[i], diagonal[j])) return minors.most();
    }
  return minors.most();
}

}  // namespace

Definiteness possible_definiteness(const Matrix& A) {
  if (A.rows() != A.cols()) return Definiteness::none;
  if (A.dense() != nullptr) return possible_definiteness(*A.dense());
  return possible_definiteness(*ByColumns(A));
}

double symmetry_defect(const Matrix& A) { return symmetry_defect(*ByColumns(A), frobenius_norm(A)); }

double symmetry_defect(const CscMatrix& A, double norm) {
  // |A - A'|_F^2 = 2 |A|_F^2 - 2 sum a_ij a_ji would cancel; entries are matched column against row instead.
  if (norm == 0) return 0;
  Vector difference;
  difference.reserve(A.values.size());
  // Columns j ascend, and with them the rows j that are looked for in column i: nothing is searched.
  IndexVector reached(A.col_start.begin(), A.col_start.end() - 1);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k) {
      const std::int64_t i = A.row_index[at(k)];
      const std::int32_t end = A.col_start[at(i + 1)];
      std::int32_t& mirror = reached[at(i)];
      while (mirror < end && A.row_index[at(mirror)] < j) ++mirror;
      const double value = A.values[at(k)];
      const double mirrored = mirror < end && A.row_index[at(mirror)] == j ? A.values[at(mirror)] : 0.0;
      if (value == 0) continue;  // stored or not
      // An entry without a mirror image stands for two places of A - A'.
      difference.push_back(mirrored == 0 && i != j ? std::sqrt(2.0) * value : value - mirrored);
    }
  return norm2(difference) / norm;
}

}  // namespace nonsmooth
