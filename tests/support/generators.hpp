// Random and classical problems with known answers, from published formulas. Plain vectors, matrices dense column-major.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace generate {

using Values = std::vector<double>;

inline std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low = 0, double high = 1) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  double normal() { return std::normal_distribution<double>()(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine_); }
  bool chance(double probability) { return uniform() < probability; }
  // 10^U(low, high)
  double magnitude(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  Values normals(std::int64_t n) {
    Values v(at(n));
    for (double& x : v) x = normal();
    return v;
  }
  Values uniforms(std::int64_t n, double low, double high) {
    Values v(at(n));
    for (double& x : v) x = uniform(low, high);
    return v;
  }

 private:
  std::mt19937_64 engine_;
};

// --- dense algebra ---

inline Values multiply(const Values& M, const Values& x) {
  const std::size_t cols = x.size(), rows = cols == 0 ? 0 : M.size() / cols;
  Values y(rows, 0.0);
  for (std::size_t j = 0; j < cols; ++j)
    for (std::size_t i = 0; i < rows; ++i) y[i] += M[i + j * rows] * x[j];
  return y;
}

// w - product, where the product is M z: the q with which (z, w) is a solution of w = M z + q.
inline Values right_hand_side(Values w, const Values& product) {
  for (std::size_t i = 0; i < w.size(); ++i) w[i] -= product[i];
  return w;
}

inline Values identity(int n, double factor = 1) {
  Values M(at(n) * at(n), 0.0);
  for (int i = 0; i < n; ++i) M[at(i) * at(n + 1)] = factor;
  return M;
}

// A A' of n x rank random A, divided by rank, plus shift I.
inline Values gram(Random& random, int n, int rank, double shift) {
  const Values A = random.normals(std::int64_t{n} * rank);
  Values M = identity(n, shift);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < rank; ++k) M[at(i + j * n)] += A[at(i + k * n)] * A[at(j + k * n)] / rank;
  return M;
}

inline void add_skew(Random& random, Values& M, int n, double factor) {
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < j; ++i) {
      const double s = factor * random.normal();
      M[at(i + j * n)] += s;
      M[at(j + i * n)] -= s;
    }
}

// Solves A x = b by elimination with complete pivoting; false if A is singular. An independent yardstick for tests.
inline bool solve(Values A, Values b, Values& x) {
  const std::size_t n = b.size();
  std::vector<std::size_t> order(n);
  for (std::size_t j = 0; j < n; ++j) order[j] = j;
  double largest = 0;
  for (double a : A) largest = std::max(largest, std::abs(a));
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t p = k, c = k;
    for (std::size_t j = k; j < n; ++j)
      for (std::size_t i = k; i < n; ++i)
        if (std::abs(A[i + j * n]) > std::abs(A[p + c * n])) p = i, c = j;
    if (std::abs(A[p + c * n]) <= 1e-12 * largest) return false;
    for (std::size_t j = 0; j < n; ++j) std::swap(A[k + j * n], A[p + j * n]);
    for (std::size_t i = 0; i < n; ++i) std::swap(A[i + k * n], A[i + c * n]);
    std::swap(b[k], b[p]);
    std::swap(order[k], order[c]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i + k * n] / A[k + k * n];
      for (std::size_t j = k; j < n; ++j) A[i + j * n] -= factor * A[k + j * n];
      b[i] -= factor * b[k];
    }
  }
  x.assign(n, 0.0);
  for (std::size_t k = n; k-- > 0;) {
    double sum = b[k];
    for (std::size_t j = k + 1; j < n; ++j) sum -= A[k + j * n] * x[order[j]];
    x[order[k]] = sum / A[k + k * n];
  }
  return true;
}

inline double norm(const Values& x) {
  double sum = 0;
  for (double value : x) sum += value * value;
  return std::sqrt(sum);
}

// --- linear complementarity ---

struct Lcp {
  int n = 0;
  Values M, q;
  Values z;  // the known solution, if there is one to know

  // |min(z, M z + q)|_2 / max(1, |q|_2), from the definition.
  double residual(const Values& trial) const {
    const Values w = multiply(M, trial);
    double sum = 0;
    for (std::size_t i = 0; i < w.size(); ++i) sum += std::pow(std::min(trial[i], w[i] + q[i]), 2);
    return std::sqrt(sum) / std::max(1.0, norm(q));
  }
};

inline Lcp with_minus_ones(int n, Values M) {
  Lcp lcp{n, std::move(M), Values(at(n), -1.0), Values(at(n), 0.0)};
  lcp.z[0] = 1;
  return lcp;
}

// Murty (1978): z = (1, 0 ... 0).
inline Lcp murty(int n) {
  Values M = identity(n);
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) M[at(i + j * n)] = 2;
  return with_minus_ones(n, M);
}

// Fathi (1979): L L' of Murty's matrix, same solution.
inline Lcp fathi(int n) {
  Values M(at(n) * at(n));
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) M[at(i + j * n)] = i == j ? 4 * i + 1 : 4 * std::min(i, j) + 2;
  return with_minus_ones(n, M);
}

// After Chandrasekaran: unit lower triangular with 2 (-1)^(i+j) below, q = -1; z by forward substitution.
inline Lcp chandrasekaran(int n) {
  Lcp lcp = with_minus_ones(n, identity(n));
  for (int i = 0; i < n; ++i) {
    double w = -1;
    for (int j = 0; j < i; ++j) {
      lcp.M[at(i + j * n)] = (i + j) % 2 == 0 ? 2 : -2;
      w += lcp.M[at(i + j * n)] * lcp.z[at(j)];
    }
    lcp.z[at(i)] = std::max(0.0, -w);
  }
  return lcp;
}

// Harker and Pang (1990): positive definite, unique solution, not known beforehand. hard: q <= 0.
inline Lcp harker_pang(Random& random, int n, bool hard) {
  const Values A = random.uniforms(std::int64_t{n} * n, -5, 5);
  Values M(at(n) * at(n), 0.0);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) M[at(i + j * n)] += A[at(k + i * n)] * A[at(k + j * n)];
  for (int j = 0; j < n; ++j) {
    M[at(j) * at(n + 1)] += random.uniform(0, 0.3);
    for (int i = 0; i < j; ++i) {
      const double b = random.uniform(-5, 5);
      M[at(i + j * n)] += b;
      M[at(j + i * n)] -= b;
    }
  }
  return {n, M, random.uniforms(n, -500, hard ? 0 : 500), {}};
}

// q chosen so that (z, w) with shares .45 z > 0, .45 w > 0, .1 both zero solves it.
inline Lcp constructed(Random& random, int n, Values M) {
  Lcp lcp{n, std::move(M), Values(at(n), 0.0), Values(at(n), 0.0)};
  for (int i = 0; i < n; ++i) {
    const double draw = random.uniform();
    if (draw < 0.45) lcp.z[at(i)] = random.uniform();
    if (draw > 0.55) lcp.q[at(i)] = random.uniform();
  }
  lcp.q = right_hand_side(std::move(lcp.q), multiply(lcp.M, lcp.z));  // q was w so far
  return lcp;
}

// Lemke and Howson (1964): M = [0 A; B' 0], q = -1, A and B positive (integers 1 .. 5 make it degenerate). Always solvable.
inline Lcp bimatrix(Random& random, int k, bool integers) {
  const int n = 2 * k;
  Lcp lcp{n, Values(at(n) * at(n), 0.0), Values(at(n), -1.0), {}};
  for (int j = 0; j < k; ++j)
    for (int i = 0; i < k; ++i) {
      lcp.M[at(i + (k + j) * n)] = integers ? random.integer(1, 5) : random.uniform(0.1, 1);
      lcp.M[at(k + i + j * n)] = integers ? random.integer(1, 5) : random.uniform(0.1, 1);
    }
  return lcp;
}

// Kostreva: least-index pivoting and Lemke without care cycle on it; z = (1/3, 1/3, 1/3).
inline Lcp kostreva() { return {3, {1, 0, 2, 2, 1, 0, 0, 2, 1}, {-1, -1, -1}, Values(3, 1.0 / 3.0)}; }

// --- friction ---

struct Friction {
  int dimension = 3, contacts = 0;
  Values W, q, mu;
  Values r, u;  // a known solution
};

// Random contacts, open .2, sticking .5, sliding .3, with q = u - W r: r solves it (other solutions may exist).
inline Friction constructed_friction(Random& random, int dimension, int contacts, Values W, double mu_low = 0.1,
                                     double mu_high = 0.9) {
  const std::size_t n = at(dimension) * at(contacts), d = at(dimension);
  Friction f{dimension, contacts, std::move(W), {}, random.uniforms(contacts, mu_low, mu_high), Values(n, 0.0), Values(n, 0.0)};
  for (std::size_t c = 0; c < at(contacts); ++c) {
    double *r = f.r.data() + c * d, *u = f.u.data() + c * d, mu = f.mu[c];
    Values e = random.normals(dimension - 1);
    const double length = norm(e), draw = random.uniform();
    if (draw < 0.2) {
      u[0] = random.uniform();
      for (std::size_t k = 1; k < d; ++k) u[k] = random.normal();
      continue;
    }
    const bool slides = draw > 0.7;
    r[0] = random.uniform();
    const double share = slides ? 1.0 : random.uniform(0, 0.95), speed = slides ? random.uniform() : 0.0;
    for (std::size_t k = 1; k < d; ++k) {
      r[k] = share * mu * r[0] * e[k - 1] / length;
      u[k] = -speed * e[k - 1] / length;
    }
  }
  f.q = right_hand_side(f.u, multiply(f.W, f.r));
  return f;
}

// A column of boxes in the plane, 2 x 2, of mass 1, with contacts under their lower corners; one step from rest in which gravity
// gives a velocity of 1. A known solution is r_N = half the weight above, r_T = 0, u = 0.
struct BoxColumn {
  int boxes = 0;
  Values inverse_masses;  // of the three degrees of freedom of a box
  Values H;               // 3 boxes x 4 boxes, column-major
  Friction local;         // with W = H' M^-1 H
};

inline BoxColumn box_column(int boxes, double mu = 0.5) {
  const int dofs = 3 * boxes, rows = 4 * boxes;
  BoxColumn column{boxes, {1, 1, 1.5}, Values(at(dofs) * at(rows), 0.0), {}};
  Friction& f = column.local;
  f = {2,
       2 * boxes,
       identity(rows, 0),
       Values(at(rows), 0.0),
       Values(at(2 * boxes), mu),
       Values(at(rows), 0.0),
       Values(at(rows), 0.0)};
  for (int box = 0; box < boxes; ++box)
    for (int corner = 0; corner < 2; ++corner) {
      const double x = corner == 0 ? -1 : 1;
      const int normal = 4 * box + 2 * corner;
      const auto put = [&](int body, double sign, double y) {
        double* rows_of_body = column.H.data() + at(3 * body) + at(normal) * at(dofs);
        rows_of_body[1] = sign;
        rows_of_body[2] = sign * x;
        rows_of_body[dofs] = sign;
        rows_of_body[dofs + 2] = -sign * y;
      };
      put(box, 1, -1);
      if (box > 0) put(box - 1, -1, 1);
      f.q[at(normal)] = box == 0 ? -1 : 0;
      f.r[at(normal)] = 0.5 * (boxes - box);
    }
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < dofs; ++k)
        f.W[at(i + j * rows)] += column.H[at(k + i * dofs)] * column.inverse_masses[at(k % 3)] * column.H[at(k + j * dofs)];
  return column;
}

// |r - P_K(r - u~)|_2 / max(1, |q|_2) with De Saxce's shift, from the definition (K: |r_T| <= mu r_N).
inline double friction_residual(const Friction& f, const Values& r) {
  const Values w = multiply(f.W, r);
  const std::size_t d = at(f.dimension);
  double sum = 0;
  for (std::size_t c = 0; c < at(f.contacts); ++c) {
    const double mu = f.mu[c];
    Values x(d);
    double slip = 0, t = 0;
    for (std::size_t k = 1; k < d; ++k) slip += std::pow(w[c * d + k] + f.q[c * d + k], 2);
    for (std::size_t k = 0; k < d; ++k) x[k] = r[c * d + k] - w[c * d + k] - f.q[c * d + k];
    x[0] -= mu * std::sqrt(slip);
    for (std::size_t k = 1; k < d; ++k) t += x[k] * x[k];
    t = std::sqrt(t);
    Values p = x;
    if (t > mu * x[0]) {
      const double n = std::max(0.0, (x[0] + mu * t) / (1 + mu * mu));
      p[0] = n;
      for (std::size_t k = 1; k < d; ++k) p[k] = mu * n * x[k] / t;
    }
    for (std::size_t k = 0; k < d; ++k) sum += std::pow(r[c * d + k] - p[k], 2);
  }
  return std::sqrt(sum) / std::max(1.0, norm(f.q));
}

}  // namespace generate
