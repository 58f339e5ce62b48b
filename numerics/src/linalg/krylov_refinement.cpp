#include "linalg/krylov_refinement.hpp"

#include <numeric>

namespace nonsmooth {

// The next vector holds -K P^-1 v_k. Arnoldi's step (twice: rounding is what this is for), and the rotation that makes its column
// of the Hessenberg matrix triangular. false: it holds what is not a number, or nothing new.
bool KrylovRefinement::extend(int k) {
  double* column = triangle_[k];
  const std::span<double> next = basis(k + 1);
  std::fill_n(column, k + 1, 0.0);
  for (double& value : next) value = -value;
  for (int pass = 0; pass < 2; ++pass)
    for (int j = 0; j <= k; ++j) {
      const std::span<const double> known = basis(j);
      const double along = std::inner_product(next.begin(), next.end(), known.begin(), 0.0);
      column[j] += along;
      for (std::size_t i = 0; i < next.size(); ++i) next[i] -= along * known[i];
    }
  column[k + 1] = norm2(next);
  for (double& value : next) value /= column[k + 1] > 0 ? column[k + 1] : 1;
  for (int j = 0; j < k; ++j) {
    const double upper = cosine_[j] * column[j] + sine_[j] * column[j + 1];
    column[j + 1] = cosine_[j] * column[j + 1] - sine_[j] * column[j];
    column[j] = upper;
  }
  const double length = std::hypot(column[k], column[k + 1]);
  if (!(length > 0) || !std::isfinite(length)) return false;
  cosine_[k] = column[k] / length;
  sine_[k] = column[k + 1] / length;
  column[k] = length;
  remaining_[k + 1] = -sine_[k] * remaining_[k];
  remaining_[k] *= cosine_[k];
  return true;
}

// x: the combination of what the factors have made of the basis that leaves least.
void KrylovRefinement::combine(int count, std::span<double> x) {
  double weight[steps];
  for (int i = count - 1; i >= 0; --i) {
    weight[i] = remaining_[i];
    for (int j = i + 1; j < count; ++j) weight[i] -= triangle_[j][i] * weight[j];
    weight[i] /= triangle_[i][i];
  }
  std::fill(x.begin(), x.end(), 0.0);
  for (int k = 0; k < count; ++k)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight[k] * solved(k)[i];
}

}  // namespace nonsmooth
