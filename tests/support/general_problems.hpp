// Problems with general M, made with a solution.
#pragma once

#include <algorithm>

#include "generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace generate {

// A linear congruence, so that the problems are the same everywhere.
class Draw {
 public:
  explicit Draw(std::uint32_t seed) : state_(seed) {}
  int next() {
    state_ = (1103515245u * state_ + 12345u) & 0x7fffffffu;
    return static_cast<int>(state_ >> 16);
  }
  Values matrix(int rows, int cols) {
    Values M(at(rows) * at(cols));
    for (double& value : M) value = next() % 7 - 3;
    return M;
  }

 private:
  std::uint32_t state_;
};

inline nsm::Problem complementarity(std::uint32_t seed, int n = 40) {
  Draw draw(seed);
  const Values M = draw.matrix(n, n);
  Values z(at(n), 0.0), w = z;
  for (int i = 0; i < n; ++i) {
    const int k = draw.next();
    (k % 2 != 0 ? z : w)[at(i)] = 1 + k % 5;
  }
  return nsm::Problem::lcp(nsm::Matrix::dense(n, n, M), right_hand_side(w, multiply(M, z)));
}

// F_i = (M z)_i + c_i z_i^2 + q_i.
inline nsm::Problem squares(std::uint32_t seed, int n) {
  Draw draw(seed);
  const Values M = draw.matrix(n, n), c = draw.matrix(n, 1);
  Values z(at(n), 0.0), w = z;
  for (int i = 0; i < n; ++i) {
    const int k = draw.next();
    (k % 2 != 0 ? z : w)[at(i)] = (1 + k % 5) / 4.0;
  }
  const auto without_q = [n, M, c](const double* x) {
    Values F = multiply(M, Values(x, x + n));
    for (std::size_t i = 0; i < F.size(); ++i) F[i] += c[i] * x[i] * x[i];
    return F;
  };
  const Values q = right_hand_side(w, without_q(z.data()));
  const auto F = [without_q, q](const double* x, double* values) {
    const Values terms = without_q(x);
    for (std::size_t i = 0; i < q.size(); ++i) values[i] = terms[i] + q[i];
    return true;
  };
  const auto jacobian = [M, c](const double* x, double* values) {
    std::copy(M.begin(), M.end(), values);
    for (std::size_t i = 0; i < c.size(); ++i) values[i * (c.size() + 1)] += 2 * c[i] * x[i];
    return true;
  };
  return nsm::Problem::ncp(n, F, jacobian);
}

// The first rows are equations.
inline nsm::Problem mixed(std::uint32_t seed, int n, int equations) {
  Draw draw(seed);
  const Values M = draw.matrix(n, n);
  Values z(at(n), 0.0), w = z;
  std::vector<std::int32_t> is_complementarity(at(n), 1);
  for (int i = 0; i < n; ++i) {
    const int k = draw.next();
    if (i < equations) is_complementarity[at(i)] = 0;
    if (i < equations)
      z[at(i)] = k % 5 - 2;
    else
      (k % 2 != 0 ? z : w)[at(i)] = 1 + k % 5;
  }
  return nsm::Problem::mlcp(nsm::Matrix::dense(n, n, M), right_hand_side(w, multiply(M, z)), is_complementarity);
}

// -2 <= z <= 3, a third of the rows at either bound.
inline nsm::Problem boxes(std::uint32_t seed, int n) {
  Draw draw(seed);
  const Values M = draw.matrix(n, n);
  Values z(at(n), 0.0), w = z;
  for (std::size_t i = 0; i < z.size(); ++i) {
    const int k = draw.next() % 3, size = 1 + draw.next() % 4;
    z[i] = k == 0 ? -2 : k == 1 ? 3 : size - 2;
    w[i] = k == 0 ? size : k == 1 ? -size : 0;
  }
  return nsm::Problem::relay(nsm::Matrix::dense(n, n, M), right_hand_side(w, multiply(M, z)), Values(z.size(), -2.0),
                             Values(z.size(), 3.0));
}

// Of three rows each, of both kinds of interior and of boundary.
inline nsm::Problem cones(std::uint32_t seed, int n = 12) {
  Draw draw(seed);
  const Values M = draw.matrix(n, n);
  Values z(at(n), 0.0), w = z;
  std::vector<std::int32_t> cone_start{0};
  for (std::size_t i = 0; i < z.size(); i += 3) {
    const int k = draw.next() % 3, size = 1 + draw.next() % 5;
    for (std::size_t j = 0; j < 3; ++j) {
      const double along[] = {5.0, 3.0, 4.0};
      if (k < 2) z[i + j] = size * along[j];
      if (k > 0) w[i + j] = j == 0 ? size * along[j] : -size * along[j];
    }
    if (k != 1) (k == 0 ? z : w)[i] *= 2;
    cone_start.push_back(static_cast<std::int32_t>(i) + 3);
  }
  return nsm::Problem::soclcp(nsm::Matrix::dense(n, n, M), right_hand_side(w, multiply(M, z)), cone_start,
                              Values(z.size() / 3, 1.0));
}

inline nsm::Problem inequality(std::uint32_t seed) {
  constexpr int n = 12, rows = 8;
  Draw draw(seed);
  const Values M = draw.matrix(n, n), H = draw.matrix(rows, n);
  Values z(at(n)), w(at(n), 0.0);
  for (double& value : z) value = draw.next() % 5 - 2;
  Values k = multiply(H, z);
  for (std::size_t i = 0; i < k.size(); ++i) {
    const bool active = draw.next() % 2 != 0;
    const double size = 1 + draw.next() % 4;
    if (!active) k[i] -= size;
    for (std::size_t j = 0; active && j < w.size(); ++j) w[j] += size * H[i + j * rows];
  }
  return nsm::Problem::avi(nsm::Matrix::dense(n, n, M), right_hand_side(w, multiply(M, z)), nsm::Matrix::dense(rows, n, H), k);
}

}  // namespace generate
