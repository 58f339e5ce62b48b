// Sparse complementarity problems of the literature, deterministic, as compressed columns: obstacle problems, journal bearing,
// American put, M-matrices on graphs. Plain vectors; nothing of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "elementary.hpp"
#include "generators.hpp"

namespace generate {

struct SparseLcp {
  std::int32_t n = 0;
  std::vector<std::int32_t> start, index;  // columns, rows ascending
  Values values, q;
  Values lo, hi;  // empty: z >= 0

  Values multiply(const Values& z) const {
    Values w(at(n), 0.0);
    for (std::size_t j = 0; j < at(n); ++j)
      for (std::size_t k = at(start[j]); k < at(start[j + 1]); ++k) w[at(index[k])] += values[k] * z[j];
    return w;
  }
  // |z - P(z - w)|_2 / max(1, |q|_2), from the definition.
  double residual(const Values& z) const {
    const Values product = multiply(z);
    double sum = 0;
    for (std::size_t i = 0; i < at(n); ++i) {
      const double lower = lo.empty() ? 0 : lo[i], upper = hi.empty() ? HUGE_VAL : hi[i];
      sum += std::pow(z[i] - std::min(std::max(z[i] - product[i] - q[i], lower), upper), 2);
    }
    return std::sqrt(sum) / std::max(1.0, norm(q));
  }
};

// tridiag(sub, diagonal, sup), the same in every row.
inline SparseLcp tridiagonal(std::int32_t n, double sub, double diagonal, double sup, double load) {
  SparseLcp lcp{n, {0}, {}, {}, Values(at(n), load), {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      lcp.index.push_back(i);
      lcp.values.push_back(i == j ? diagonal : i > j ? sub : sup);
    }
    lcp.start.push_back(static_cast<std::int32_t>(lcp.index.size()));
  }
  return lcp;
}

// American put, the first implicit Euler step before maturity (Brennan and Schwartz 1977): V >= payoff on prices S_i = i dS, i =
// 1 .. n, S_n+1 = 4 strikes, upwind drift; z = V - payoff.
inline SparseLcp american_put(std::int32_t n, double rate = 0.05, double volatility = 0.3, double step = 0.01) {
  SparseLcp lcp{n, {0}, {}, {}, Values(at(n)), {}, {}};
  const double strike = 1, dS = 4 * strike / (n + 1);
  const auto payoff = [&](std::int32_t i) { return std::max(0.0, strike - i * dS); };
  const auto down = [&](std::int32_t i) { return -0.5 * volatility * volatility * i * i; };
  const auto up = [&](std::int32_t i) { return -0.5 * volatility * volatility * i * i - rate * i; };
  const auto middle = [&](std::int32_t i) { return 1 / step + rate - down(i) - up(i); };
  for (std::int32_t j = 1; j <= n; ++j) {
    for (std::int32_t i = std::max(1, j - 1); i <= std::min(n, j + 1); ++i) {
      lcp.index.push_back(i - 1);
      lcp.values.push_back(i == j ? middle(i) : i > j ? down(i) : up(i));
    }
    lcp.start.push_back(static_cast<std::int32_t>(lcp.index.size()));
    // S = 0 is held at the payoff, which is linear there.
    const double curvature = down(j) * payoff(j - 1) + (middle(j) - 1 / step) * payoff(j) + up(j) * payoff(j + 1);
    lcp.q[at(j - 1)] = curvature;
  }
  return lcp;
}

// Five-point operator on nx x ny interior points in lexicographic order, x fastest. east(i, j) joins (i, j) with (i + 1, j),
// north(i, j) with (i, j + 1), for i, j from 0 (the boundary) up; values at the boundary are 0.
template <class East, class North>
SparseLcp five_point(std::int32_t nx, std::int32_t ny, East&& east, North&& north) {
  SparseLcp lcp{nx * ny, {0}, {}, {}, Values(at(nx) * at(ny), 0.0), {}, {}};
  const auto add = [&](std::int32_t i, std::int32_t j, double value) {
    if (i < 1 || j < 1 || i > nx || j > ny) return;
    lcp.index.push_back(i - 1 + (j - 1) * nx);
    lcp.values.push_back(value);
  };
  for (std::int32_t j = 1; j <= ny; ++j)
    for (std::int32_t i = 1; i <= nx; ++i) {
      const double w = east(i - 1, j), e = east(i, j), s = north(i, j - 1), n = north(i, j);
      add(i, j - 1, -s);
      add(i - 1, j, -w);
      add(i, j, w + e + s + n);
      add(i + 1, j, -e);
      add(i, j + 1, -n);
      lcp.start.push_back(static_cast<std::int32_t>(lcp.index.size()));
    }
  return lcp;
}

// q = A u - h^2 f of u given with its boundary values: the operator seen from u. u(i, j), i = 0 .. nx + 1.
template <class U>
void shift_by(SparseLcp& lcp, std::int32_t nx, std::int32_t ny, double load, U&& u) {
  for (std::int32_t j = 1; j <= ny; ++j)
    for (std::int32_t i = 1; i <= nx; ++i)
      lcp.q[at(i - 1 + (j - 1) * nx)] = 4 * u(i, j) - u(i - 1, j) - u(i + 1, j) - u(i, j - 1) - u(i, j + 1) - load;
}

// Obstacle problem of More and Toraldo (1991) on the unit square with f = 0, k^2 points: u >= (sin 3.2x sin 3.3y)^3 for wave = 1;
// with wave = 9.2 / 3.2 the second set, with an upper obstacle (sin 9.2x sin 9.3y)^2 + .02 if `two_sided`. z = u - lower
// obstacle.
inline SparseLcp obstacle(std::int32_t k, bool many_waves = false, bool two_sided = false) {
  const auto one = [](std::int32_t, std::int32_t) { return 1.0; };
  SparseLcp lcp = five_point(k, k, one, one);
  const double h = 1.0 / (k + 1), a = many_waves ? 9.2 : 3.2, b = many_waves ? 9.3 : 3.3;
  const auto wave = [&](std::int32_t i, std::int32_t j) { return sine(a * i * h) * sine(b * j * h); };
  const auto lower = [&](std::int32_t i, std::int32_t j) {
    return i == 0 || j == 0 || i == k + 1 || j == k + 1 ? 0.0 : power(wave(i, j), 3);
  };
  shift_by(lcp, k, k, 0, lower);
  if (two_sided) {
    lcp.lo.assign(at(lcp.n), 0.0);
    for (std::int32_t j = 1; j <= k; ++j)
      for (std::int32_t i = 1; i <= k; ++i) lcp.hi.push_back(power(wave(i, j), 2) + 0.02 - lower(i, j));
  }
  return lcp;
}

// Ball under a membrane on (-2, 2)^2 (PETSc ex9; Bueler 2021), whose solution is known: u(r) below. z = u - psi.
struct BallObstacle {
  static constexpr double a = 0.697965148223374, A = 0.680259411891719, B = 0.471519893402112, r0 = 0.9;
  static double psi(double r) {
    const double psi0 = std::sqrt(1 - r0 * r0);
    return r <= r0 ? std::sqrt(1 - r * r) : psi0 - r0 / psi0 * (r - r0);
  }
  static double u(double r) { return r <= a ? psi(r) : -A * logarithm(r) + B; }
  static double radius(std::int32_t k, std::int32_t i, std::int32_t j) {
    const double h = 4.0 / (k + 1);
    return length(i * h - 2, j * h - 2);
  }
};

inline SparseLcp ball_obstacle(std::int32_t k) {
  const auto one = [](std::int32_t, std::int32_t) { return 1.0; };
  SparseLcp lcp = five_point(k, k, one, one);
  shift_by(lcp, k, k, 0, [&](std::int32_t i, std::int32_t j) {
    const double r = BallObstacle::radius(k, i, j);
    return i == 0 || j == 0 || i == k + 1 || j == k + 1 ? BallObstacle::u(r) : BallObstacle::psi(r);
  });
  return lcp;
}

// Journal bearing (Cryer 1971; MINPACK-2): (0, 2 pi) x (0, 20), film (1 + eps cos x)^3, load eps sin x, u >= 0.
inline SparseLcp journal_bearing(std::int32_t nx, std::int32_t ny, double eccentricity) {
  const double hx = 2 * std::numbers::pi / (nx + 1), hy = 20.0 / (ny + 1);
  const auto film = [&](double x) { return power(1 + eccentricity * cosine(x), 3); };
  SparseLcp lcp = five_point(
      nx, ny, [&](std::int32_t i, std::int32_t) { return film((i + 0.5) * hx) * hy / hx; },
      [&](std::int32_t i, std::int32_t) { return film(i * hx) * hx / hy; });
  for (std::int32_t j = 0; j < ny; ++j)
    for (std::int32_t i = 1; i <= nx; ++i) lcp.q[at(i - 1 + j * nx)] = -hx * hy * eccentricity * sine(i * hx);
  return lcp;
}

// Pairs of a row and a value, rows ascending.
template <class Column>
void append_column(SparseLcp& lcp, const Column& column) {
  for (const auto& [i, value] : column) {
    lcp.index.push_back(i);
    lcp.values.push_back(value);
  }
  lcp.start.push_back(static_cast<std::int32_t>(lcp.index.size()));
}

// Each with its diagonal, in any order.
inline void append_columns(SparseLcp& lcp, std::vector<std::vector<std::pair<std::int32_t, double>>>& columns) {
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    append_column(lcp, column);
  }
}

// Laplacian of a random graph of about `degree` n / 2 edges plus a diagonal: a symmetric M-matrix without a grid. q of both
// signs.
template <class Source = Random>
SparseLcp graph_laplacian(std::uint64_t seed, std::int32_t n, int degree, double diagonal) {
  Source random(seed);
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns(at(n));
  Values sum(at(n), diagonal);
  for (std::int64_t e = 0; e < std::int64_t{n} * degree / 2; ++e) {
    const std::int32_t i = random.integer(0, n - 1), j = random.integer(0, n - 1);
    const double weight = random.uniform(0.1, 1);
    if (i == j) continue;
    const auto joined = [&](const auto& entry) { return entry.first == j; };
    if (std::any_of(columns[at(i)].begin(), columns[at(i)].end(), joined)) continue;
    columns[at(i)].push_back({j, -weight});
    columns[at(j)].push_back({i, -weight});
    sum[at(i)] += weight;
    sum[at(j)] += weight;
  }
  SparseLcp lcp{n, {0}, {}, {}, random.uniforms(n, -1, 1), {}, {}};
  for (std::int32_t j = 0; j < n; ++j) columns[at(j)].push_back({j, sum[at(j)]});
  append_columns(lcp, columns);
  return lcp;
}

// Elastic-plastic torsion of a square bar (Ting 1986; MINPACK-2): -Laplace u = load on the unit square, |u| <= distance to the
// boundary.
inline SparseLcp torsion(std::int32_t k, double load) {
  const auto one = [](std::int32_t, std::int32_t) { return 1.0; };
  SparseLcp lcp = five_point(k, k, one, one);
  const double h = 1.0 / (k + 1);
  std::fill(lcp.q.begin(), lcp.q.end(), -h * h * load);
  for (std::int32_t j = 1; j <= k; ++j)
    for (std::int32_t i = 1; i <= k; ++i) {
      const double distance = h * std::min(std::min(i, k + 1 - i), std::min(j, k + 1 - j));
      lcp.lo.push_back(-distance);
      lcp.hi.push_back(distance);
    }
  return lcp;
}

// Laplacian of a geometric graph: points in the unit square joined with those nearer than 1.6 / sqrt(n) (about 8 neighbours),
// weights from the distance, plus a small diagonal. load 0: q of both signs at random; 1: a smooth load of both signs, as of a
// membrane, which makes large contact zones.
inline SparseLcp geometric_graph(std::uint64_t seed, std::int32_t n, int load) {
  Random random(seed);
  const double radius = 1.6 / std::sqrt(n);
  const auto cells = static_cast<std::int32_t>(1 / radius);
  const Values x = random.uniforms(n, 0, 1), y = random.uniforms(n, 0, 1);
  const auto cell_of = [&](double t) { return std::min(cells - 1, static_cast<std::int32_t>(t * cells)); };
  std::vector<std::vector<std::int32_t>> members(at(cells) * at(cells));
  for (std::int32_t i = 0; i < n; ++i) members[at(cell_of(x[at(i)]) + cells * cell_of(y[at(i)]))].push_back(i);
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns(at(n));
  SparseLcp lcp{n, {0}, {}, {}, random.uniforms(n, -1, 1), {}, {}};
  for (std::int32_t i = 0; i < n; ++i) {
    double sum = 10.0 / n;
    const std::int32_t cx = cell_of(x[at(i)]), cy = cell_of(y[at(i)]);
    for (std::int32_t b = std::max(0, cy - 1); b <= std::min(cells - 1, cy + 1); ++b)
      for (std::int32_t a = std::max(0, cx - 1); a <= std::min(cells - 1, cx + 1); ++a)
        for (std::int32_t j : members[at(a + cells * b)]) {
          const double distance = std::hypot(x[at(i)] - x[at(j)], y[at(i)] - y[at(j)]);
          if (j == i || distance >= radius) continue;
          const double weight = 1 - distance / radius;
          columns[at(i)].push_back({j, -weight});
          sum += weight;
        }
    columns[at(i)].push_back({i, sum});
    if (load == 1) lcp.q[at(i)] = (std::sin(9.2 * x[at(i)]) * std::sin(9.3 * y[at(i)]) + 0.2) / n;
  }
  append_columns(lcp, columns);
  return lcp;
}

// Optimal stopping of a Markov chain of discount b (d'Epenoux 1963): M = I - b P, P of some random transitions of each state to
// states not far off; a nonsymmetric Z-matrix.
template <class Source = Random>
SparseLcp markov(std::uint64_t seed, std::int32_t n, double discount) {
  Source random(seed);
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns(at(n));
  SparseLcp lcp{n, {0}, {}, {}, random.uniforms(n, -1, 1), {}, {}};
  for (std::int32_t i = 0; i < n; ++i) {
    std::vector<std::pair<std::int32_t, double>> row;
    double total = 0;
    for (int step : {-300, -2, -1, 1, 3, 300}) {
      const std::int32_t j = i + step;
      if (j < 0 || j >= n) continue;
      row.push_back({j, random.uniform(0.1, 1)});
      total += row.back().second;
    }
    columns[at(i)].push_back({i, 1.0});
    for (const auto& [j, weight] : row) columns[at(j)].push_back({i, -discount * weight / total});
  }
  append_columns(lcp, columns);
  return lcp;
}

}  // namespace generate
