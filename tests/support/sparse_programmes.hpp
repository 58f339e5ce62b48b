// Programmes with few entries per row: optimal control, convex and linear ones over polyhedra, transport, least squares; and rows
// that contradict each other. For tests and benchmarks.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "generators.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace generate {

// A sparse matrix that grows entry by entry.
class Entries {
 public:
  Entries(int rows, int cols) : rows_(rows), columns_(at(cols)) {}
  void add(int i, int j, double a) { columns_[at(j)][i] += a; }
  // a at (i, j), -a at (j, i): a constraint and its multiplier.
  void couple(int i, int j, double a) {
    add(i, j, a);
    add(j, i, -a);
  }
  int cols() const { return static_cast<int>(columns_.size()); }
  nsm::Matrix matrix() const {
    nsm::Indices start{0}, index;
    Values values;
    for (const auto& column : columns_) {
      for (const auto& [i, a] : column) {
        index.push_back(i);
        values.push_back(a);
      }
      start.push_back(static_cast<std::int32_t>(index.size()));
    }
    return nsm::Matrix::csc(rows_, static_cast<std::int64_t>(columns_.size()), start, index, values);
  }
  Values operator*(const Values& x) const {
    Values y(at(rows_), 0.0);
    for (std::size_t j = 0; j < columns_.size(); ++j)
      for (const auto& [i, a] : columns_[j]) y[at(i)] += a * x[j];
    return y;
  }

 private:
  int rows_;
  std::vector<std::map<int, double>> columns_;
};

inline Entries sparse_rows(Random& random, int rows, int cols, int per_row) {
  Entries H(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < per_row; ++k) H.add(i, random.integer(0, cols - 1), random.normal());
  return H;
}

// G'G of random rows with three entries among the first n unknowns: semidefinite. `order` unknowns in all.
inline Entries sparse_gram(Random& random, int rows, int n, int order) {
  Entries M(order, order);
  for (int row = 0; row < rows; ++row) {
    std::map<int, double> g;
    for (int k = 0; k < 3; ++k) g[random.integer(0, n - 1)] = random.normal();
    for (const auto& [i, a] : g)
      for (const auto& [j, b] : g) M.add(i, j, a * b);
  }
  return M;
}

// q from a solution z, w; a share of the rows is degenerate.
inline nsm::Problem constructed_sparse_lcp(Random& random, const Entries& M, int n, double degenerate) {
  Values z(at(n), 0.0), w(at(n), 0.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (random.chance(degenerate)) continue;
    (random.chance(0.5) ? z : w)[i] = random.uniform(0.1, 2);
  }
  Values q = M * z;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = w[i] - q[i];
  return nsm::Problem::lcp(M.matrix(), q);
}

// A car on a line: position and speed, a bounded force, steps of 0.1 s; minimise x^2 + v^2 + 0.1 u^2. Multipliers are free.
inline nsm::Problem steered_car(int steps) {
  const int per = 5, n = per * steps;  // u, x, v, and the multipliers of the two equations of motion
  Entries M(n, n);
  Values q(at(n), 0.0), lo(at(n), -HUGE_VAL), hi(at(n), HUGE_VAL);
  for (int k = 0; k < steps; ++k) {
    const int u = per * k, x = u + 1, v = u + 2, of_x = u + 3, of_v = u + 4;
    M.add(u, u, 0.1);
    M.add(x, x, 1);
    M.add(v, v, 1);
    lo[at(u)] = -0.5;
    hi[at(u)] = 0.5;
    M.couple(of_x, x, 1);
    M.couple(of_v, v, 1);
    M.couple(of_v, u, -0.1);
    if (k == 0) {
      q[at(of_x)] = -3;  // the car starts at x = 3 with v = 0
    } else {
      M.couple(of_x, x - per, -1);
      M.couple(of_x, v - per, -0.1);
      M.couple(of_v, v - per, -1);
    }
  }
  return nsm::Problem::relay(M.matrix(), q, lo, hi);
}

// min 1/2 z'Mz + q'z over 0 <= z <= 10, H z >= k, M of rank n / 2; half of the rows hold with equality at a point inside the box.
struct SparseProgramme {
  Entries M, H;
  Values q, k;
  int n() const { return static_cast<int>(q.size()); }
  nsm::Problem problem() const {
    return nsm::Problem::qp(M.matrix(), q, H.matrix(), k, Values(q.size(), 0.0), Values(q.size(), 10.0));
  }
};

inline SparseProgramme sparse_programme(Random& random, int n) {
  Entries M = sparse_gram(random, n / 2, n, n), H = sparse_rows(random, n / 3, n, 4);
  Values k = H * random.uniforms(n, 0, 2);
  for (double& bound : k) bound -= random.chance(0.5) ? 0 : random.uniform();
  return {M, H, random.normals(n), k};
}

// The same kind, whose first row and its negative ask for more than 0 together.
inline SparseProgramme empty_programme(Random& random, int n) {
  SparseProgramme p = sparse_programme(random, n);
  Entries H(n / 3 + 1, n);
  for (int i = 0; i < n / 3; ++i)
    for (int k = 0; k < 3; ++k) {
      const int j = random.integer(0, n - 1);
      const double h = random.normal();
      H.add(i, j, h);
      if (i == 0) H.add(n / 3, j, -h);
    }
  p.H = H;
  p.k.assign(at(n / 3 + 1), -1.0);
  p.k.back() = 1.5;
  return p;
}

// min c'x, H x >= b, x >= 0 with its dual, a third of the unknowns multipliers: skew.
inline nsm::Problem sparse_linear_programme(Random& random, int n, double degenerate) {
  const int m = n / 3;
  Entries M(n, n);
  for (int i = 0; i < m; ++i)
    for (int k = 0; k < 4; ++k) M.couple(n - m + i, random.integer(0, n - m - 1), random.normal());
  return constructed_sparse_lcp(random, M, n, degenerate);
}

// From k places to k others at random costs; what leaves and what arrives is given.
inline nsm::Problem transport(Random& random, int k) {
  const int ways = k * k, n = ways + 2 * k;
  Entries M(n, n);
  Values q(at(n), 0.0);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      const int way = i * k + j;
      q[at(way)] = random.uniform(1, 5);
      M.couple(ways + i, way, 1);
      M.couple(ways + k + j, way, 1);
      const double carried = random.uniform();
      q[at(ways + i)] -= carried;
      q[at(ways + k + j)] -= carried;
    }
  nsm::Indices kinds(at(n), 1);
  std::fill(kinds.begin() + ways, kinds.end(), 0);
  return nsm::Problem::mlcp(M.matrix(), q, kinds);
}

// A second-order cone programme and its dual: M skew, with four entries per row, cones of one to five rows |z_T| <= tau z_N; z
// and w inside, at 0, or both on the boundary.
inline nsm::Problem cone_programme(Random& random, int n) {
  Entries M(n, n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      if (const int j = random.integer(0, n - 1); j != i) M.couple(i, j, random.normal());
  nsm::Indices start{0};
  Values tau, z(at(n), 0.0), w(at(n), 0.0);
  while (start.back() < n) {
    const int first = start.back(), size = std::min(n - first, random.integer(1, 5));
    start.push_back(first + size);
    tau.push_back(random.uniform(0.3, 1.5));
    double length = 0;
    Values tangent = random.normals(size - 1);
    for (const double t : tangent) length = std::hypot(length, t);
    const double draw = random.uniform();
    const bool on_boundary = draw >= 0.6 && size > 1;
    Values& inside = draw < 0.3 ? z : w;
    Values& axis = on_boundary ? z : inside;
    const double slope = &axis == &z ? tau.back() : 1 / tau.back();
    axis[at(first)] = (on_boundary ? 1 : 1.5) * length / slope + (size == 1 ? random.uniform(0.1, 1) : 0);
    for (int k = 1; k < size; ++k) axis[at(first + k)] = tangent[at(k - 1)];
    if (!on_boundary) continue;
    const double factor = random.uniform(0.2, 1.5);
    w[at(first)] = factor * tau.back() * length;
    for (int k = 1; k < size; ++k) w[at(first + k)] = -factor * tangent[at(k - 1)];
  }
  Values q = M * z;
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = w[i] - q[i];
  return nsm::Problem::soclcp(M.matrix(), q, start, tau);
}

// A programme with equalities, the first two of which have the same left side; `contradiction` is what their right sides differ
// by.
inline nsm::Problem repeated_equality(Random& random, int n, double contradiction) {
  const int m = n / 5, unknowns = n - m;
  Entries M = sparse_gram(random, unknowns / 2, unknowns, n);
  for (int i = 1; i < m; ++i)
    for (int k = 0; k < 3; ++k) {
      const int j = random.integer(0, unknowns - 1);
      const double a = random.normal();
      M.couple(unknowns + i, j, a);
      if (i == 1) M.couple(unknowns, j, a);
    }
  nsm::Indices kinds(at(n), 1);
  std::fill(kinds.begin() + unknowns, kinds.end(), 0);
  Values q = M * Values(at(n), 1.0);
  for (double& x : q) x = -x;
  q[at(unknowns)] += contradiction;
  return nsm::Problem::mlcp(M.matrix(), q, kinds);
}

}  // namespace generate
