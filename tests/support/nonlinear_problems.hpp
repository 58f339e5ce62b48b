// Nonlinear problems from published formulas (most of them in MCPLIB, Dirkse and Ferris 1995), with their published starting
// points and, where they are known, their solutions.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "solve.hpp"

namespace nonlinear {

using generate::at;
using generate::Values;

struct Problem {
  std::string name;
  int n = 0;
  std::function<bool(const double* z, double* F)> F;
  std::function<bool(const double* z, double* J)> J;  // dense, column-major; empty: differences
  Values lo, hi;                                      // empty: z >= 0
  std::vector<Values> starts;
  std::vector<Values> solutions;  // empty: not published, or not isolated
  bool singular = false;          // the Newton matrix at the solution, so that z is less accurate than the residual
};

inline std::int32_t call_function(void* user, std::int64_t, const double* z, double* F) {
  return static_cast<const Problem*>(user)->F(z, F) ? 0 : 1;
}
inline std::int32_t call_jacobian(void* user, std::int64_t, const double* z, double* J) {
  return static_cast<const Problem*>(user)->J(z, J) ? 0 : 1;
}

// The description must outlive the handle.
inline support::ProblemPtr create(const Problem& p) {
  nsm_problem* raw = nullptr;
  void* user = const_cast<Problem*>(&p);
  const nsm_jacobian jacobian = p.J ? call_jacobian : nullptr;
  const nsm_status status =
      p.lo.empty() && p.hi.empty()
          ? nsm_problem_create_ncp(p.n, call_function, jacobian, nullptr, user, &raw)
          : nsm_problem_create_mcp(p.n, call_function, jacobian, nullptr, user, p.lo.empty() ? nullptr : p.lo.data(),
                                   p.hi.empty() ? nullptr : p.hi.data(), &raw);
  EXPECT_EQ(status, NSM_OK) << nsm_last_error();
  return support::ProblemPtr(raw);
}

// Kojima and Shindo (1986), with a degenerate solution; Josephy (1979) changed two coefficients.
inline Problem kojima_shindo(const std::string& name, double c23, double c34, double constant3) {
  Problem p{name, 4, {}, {}, {}, {}, {}, {}};
  p.F = [=](const double* x, double* F) {
    const double a = x[0], b = x[1], c = x[2], d = x[3];
    F[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
    F[1] = 2 * a * a + a + b * b + c23 * c + 2 * d - 2;
    F[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + c34 * d - constant3;
    F[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
    return true;
  };
  p.J = [=](const double* x, double* J) {
    const double a = x[0], b = x[1];
    const double columns[] = {
        6 * a + 2 * b, 4 * a + 1, 6 * a + b, 2 * a, 2 * a + 4 * b, 2 * b, a + 4 * b, 6 * b, 1, c23, 2, 2, 3, 2, c34, 3};
    std::copy(std::begin(columns), std::end(columns), J);
    return true;
  };
  p.starts = {Values(4, 0.0), Values(4, 1.0), Values(4, 100.0), {1, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 1, 0}};
  p.solutions = {{std::sqrt(1.5), 0, 0, 0.5}};
  return p;
}

inline Problem josephy() { return kojima_shindo("josephy", 3, 3, 1); }

inline Problem kojshin() {
  Problem p = kojima_shindo("kojshin", 10, 9, 9);
  p.solutions.push_back({1, 0, 3, 0});
  return p;
}

// Mathiesen (1987): a Walrasian equilibrium, undefined where a price is 0; prices are determined up to a factor.
inline Problem mathiesen(const std::string& name, double share, double b2, double b3) {
  Problem p{name, 4, {}, {}, {}, {}, {}, {}};
  p.F = [=](const double* x, double* F) {
    const double income = b2 * x[2] + b3 * x[3];
    F[0] = -x[1] + x[2] + x[3];
    F[1] = x[0] - share * income / x[1];
    F[2] = b2 - x[0] - (1 - share) * income / x[2];
    F[3] = b3 - x[0];
    return true;
  };
  p.starts = {Values(4, 1.0), {1, 2, 3, 4}, Values(4, 10.0)};
  return p;
}

// Billups (1995): the merit has a local minimum next to the start, where Newton's methods get caught.
inline Problem billups() {
  Problem p{"billups", 1, {}, {}, {}, {}, {}, {}};
  p.F = [](const double* x, double* F) { return F[0] = (x[0] - 1) * (x[0] - 1) - 1.01, true; };
  p.J = [](const double* x, double* J) { return J[0] = 2 * (x[0] - 1), true; };
  p.starts = {{0}};
  p.solutions = {{1 + std::sqrt(1.01)}};
  return p;
}

// Optimality conditions of min exp(x1 x2 x3 x4 x5) under three equations and bounds (Powell 1969; Hock and Schittkowski 80).
inline Problem powell() {
  Problem p{"powell", 8, {}, {}, {}, {}, {}, {}};
  p.F = [](const double* x, double* F) {
    const double e = std::exp(x[0] * x[1] * x[2] * x[3] * x[4]), u = x[5], v = x[6], t = x[7];
    F[0] = e * x[1] * x[2] * x[3] * x[4] - 2 * u * x[0] - 3 * t * x[0] * x[0];
    F[1] = e * x[0] * x[2] * x[3] * x[4] - 2 * u * x[1] - v * x[2] - 3 * t * x[1] * x[1];
    F[2] = e * x[0] * x[1] * x[3] * x[4] - 2 * u * x[2] - v * x[1];
    F[3] = e * x[0] * x[1] * x[2] * x[4] - 2 * u * x[3] + 5 * v * x[4];
    F[4] = e * x[0] * x[1] * x[2] * x[3] - 2 * u * x[4] + 5 * v * x[3];
    F[5] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] + x[4] * x[4] - 10;
    F[6] = x[1] * x[2] - 5 * x[3] * x[4];
    F[7] = x[0] * x[0] * x[0] + x[1] * x[1] * x[1] + 1;
    return true;
  };
  const double free = HUGE_VAL;
  p.lo = {-2.3, -2.3, -3.2, -3.2, -3.2, -free, -free, -free};
  p.hi = {2.3, 2.3, 3.2, 3.2, 3.2, free, free, free};
  p.starts = {{-2, 2, 2, -1, -1, 0, 0, 0}};
  return p;
}

// Cournot equilibrium of firms with cost c q + ... and inverse demand (5000 / Q)^(1 / gamma) (Murphy, Sherali and Soyster 1982;
// ten firms: Harker 1984). marginal(i, q) is the rising part of the marginal cost. Undefined where all q are 0.
inline Problem nash(const std::string& name, const Values& c, const Values& beta, double factor, double gamma) {
  Problem p{name, static_cast<int>(c.size()), {}, {}, {}, {}, {}, {}};
  p.F = [=](const double* q, double* F) {
    double Q = 0;
    for (std::size_t i = 0; i < c.size(); ++i) Q += q[i];
    const double price = std::pow(5000 / Q, 1 / gamma);
    for (std::size_t i = 0; i < c.size(); ++i)
      F[i] = c[i] + std::pow(factor * q[i], 1 / beta[i]) - price * (1 - q[i] / (gamma * Q));
    return true;
  };
  p.starts = {Values(c.size(), 1.0), Values(c.size(), 10.0), Values(c.size(), 0.0)};
  return p;
}

inline Problem nash5() {
  Problem p = nash("nash5", {10, 8, 6, 4, 2}, {1.2, 1.1, 1.0, 0.9, 0.8}, 0.2, 1.1);
  p.solutions = {{36.93, 41.82, 43.71, 42.66, 39.18}};
  return p;
}

inline Problem nash10() {
  Problem p = nash("nash10", {5, 3, 8, 5, 1, 3, 7, 4, 6, 3}, {1.2, 1, 0.9, 0.6, 1.5, 1, 0.7, 1.1, 0.95, 0.75}, 10, 1.2);
  p.solutions = {{7.44, 4.10, 2.59, 0.94, 17.95, 4.10, 1.30, 5.59, 3.22, 1.68}};
  return p;
}

// Bratu's equation -Laplace u = lambda exp(u) on the unit square under an obstacle u <= ceiling, five-point differences with
// k x k inner points (Hoppe and Mittelmann 1989).
inline Problem bratu(int k, double lambda, double ceiling) {
  Problem p{"bratu" + std::to_string(k), k * k, {}, {}, {}, {}, {}, {}};
  p.F = [=](const double* u, double* F) {
    const double h = 1.0 / (k + 1);
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < k; ++i) {
        const int c = i + k * j;
        F[c] = 4 * u[c] - h * h * lambda * std::exp(u[c]);
        if (i > 0) F[c] -= u[c - 1];
        if (i + 1 < k) F[c] -= u[c + 1];
        if (j > 0) F[c] -= u[c - k];
        if (j + 1 < k) F[c] -= u[c + k];
      }
    return true;
  };
  p.lo.assign(at(k) * at(k), -HUGE_VAL);
  p.hi.assign(at(k) * at(k), ceiling);
  p.starts = {Values(at(k) * at(k), 0.0)};
  return p;
}

// Optimality conditions of Colville's first problem (1968; Hock and Schittkowski 86): min e'x + x'C x + d'x^3, A x >= b, x >= 0.
inline Problem colvncp() {
  static constexpr double e[] = {-15, -27, -36, -18, -12}, d[] = {4, 8, 10, 6, 2};
  static constexpr double C[5][5] = {
      {30, -20, -10, 32, -10}, {-20, 39, -6, -31, 32}, {-10, -6, 10, -6, -10}, {32, -31, -6, 39, -20}, {-10, 32, -10, -20, 30}};
  static constexpr double A[10][5] = {{-16, 2, 0, 1, 0},    {0, -2, 0, 4, 2}, {-3.5, 0, 2, 0, 0},   {0, -2, 0, -4, -1},
                                      {0, -9, -2, 1, -2.8}, {2, 0, -4, 0, 0}, {-1, -1, -1, -1, -1}, {-1, -2, -3, -2, -1},
                                      {1, 2, 3, 4, 5},      {1, 1, 1, 1, 1}};
  static constexpr double b[] = {-40, -2, -0.25, -4, -4, -1, -40, -60, 5, 1};
  Problem p{"colvncp", 15, {}, {}, {}, {}, {}, {}};
  p.F = [](const double* x, double* F) {
    const double* multiplier = x + 5;
    for (int i = 0; i < 5; ++i) {
      F[i] = e[i] + 3 * d[i] * x[i] * x[i];
      for (int j = 0; j < 5; ++j) F[i] += 2 * C[i][j] * x[j];
      for (int r = 0; r < 10; ++r) F[i] -= A[r][i] * multiplier[r];
    }
    for (int r = 0; r < 10; ++r) {
      F[5 + r] = -b[r];
      for (int j = 0; j < 5; ++j) F[5 + r] += A[r][j] * x[j];
    }
    return true;
  };
  Values published(15, 0.0);
  published[4] = 1;
  p.starts = {Values(15, 0.0), published, Values(15, 1.0)};
  return p;
}

// Optimality conditions of min c'x, x2 >= exp(x1), x3 >= exp(x2), 0 <= x <= (100, 100, 10): Hock and Schittkowski 34 and 66.
inline Problem exponentials(const std::string& name, double c1, double c3, Values solution) {
  Problem p{name, 5, {}, {}, Values(5, 0.0), {100, 100, 10, HUGE_VAL, HUGE_VAL}, {}, {}};
  p.F = [=](const double* x, double* F) {
    F[0] = c1 + x[3] * std::exp(x[0]);
    F[1] = -x[3] + x[4] * std::exp(x[1]);
    F[2] = c3 - x[4];
    F[3] = x[1] - std::exp(x[0]);
    F[4] = x[2] - std::exp(x[1]);
    return true;
  };
  p.starts = {{0, 1.05, 2.9, 0, 0}, Values(5, 0.0), {50, 50, 5, 1, 1}};
  p.solutions = {std::move(solution)};
  return p;
}

inline Problem hs34() {
  const double x2 = std::log(10), x1 = std::log(x2);
  return exponentials("hs34", -1, 0, {x1, x2, 10, 1 / x2, 0.1 / x2});
}

inline Problem hs66() {
  const double x1 = 0.1841264879, x2 = 1.202167873;
  return exponentials("hs66", -0.8, 0.2, {x1, x2, 3.327322322, 0.8 * std::exp(-x1), 0.2});
}

// Watson (1979), third problem: at the start |F| is 1e90, at the solution 5.
inline Problem watson() {
  Problem p{"watson", 10, {}, {}, {}, {}, {}, {}};
  p.F = [](const double* x, double* F) {
    double sum = 0;
    for (int i = 0; i < 10; ++i) sum += (x[i] - i + 1) * (x[i] - i + 1);
    for (int i = 0; i < 10; ++i) F[i] = 2 * (x[i] - i + 1) * std::exp(sum);
    return true;
  };
  p.starts = {Values(10, 0.0), Values(10, 1.0)};
  p.solutions = {{0, 0, 1, 2, 3, 4, 5, 6, 7, 8}};
  return p;
}

// Three households with Cobb-Douglas utility exchange what they own (Arrow and Debreu 1954), and may turn one good into the next
// at a loss. Prices are determined up to a factor, and undefined where one is 0, as all are at the first start: every row must
// have left its bound before F tells anything.
inline Problem exchange(int goods) {
  constexpr double kept = 0.9;
  const int n = 2 * goods;
  Problem p{"exchange" + std::to_string(goods), n, {}, {}, {}, {}, {}, {}};
  const auto owned = [](int household, int i) { return 1.0 + (i + household) % 3; };
  Values sums(3, 0.0);
  for (int i = 0; i < 3 * goods; ++i) sums[at(i % 3)] += 1 + (i / 3 * (i % 3)) % 4;
  const auto share = [sums](int household, int i) { return (1 + (i * household) % 4) / sums[at(household)]; };
  p.F = [=](const double* z, double* F) {
    std::fill(F, F + n, 0.0);
    for (int h = 0; h < 3; ++h) {
      double income = 0;
      for (int i = 0; i < goods; ++i) income += owned(h, i) * z[i];
      for (int i = 0; i < goods; ++i) F[i] += owned(h, i) - share(h, i) * income / z[i];
    }
    for (int i = 0; i < goods; ++i) {
      const int next = (i + 1) % goods;
      F[i] -= z[goods + i];
      F[next] += kept * z[goods + i];
      F[goods + i] = z[i] - kept * z[next];
    }
    return true;
  };
  p.J = [=](const double* z, double* J) {
    std::fill(J, J + at(n) * at(n), 0.0);
    const auto entry = [=](int i, int j) -> double& { return J[i + j * n]; };
    for (int h = 0; h < 3; ++h) {
      double income = 0;
      for (int i = 0; i < goods; ++i) income += owned(h, i) * z[i];
      for (int i = 0; i < goods; ++i) {
        for (int j = 0; j < goods; ++j) entry(i, j) -= share(h, i) * owned(h, j) / z[i];
        entry(i, i) += share(h, i) * income / (z[i] * z[i]);
      }
    }
    for (int i = 0; i < goods; ++i) {
      const int next = (i + 1) % goods;
      entry(i, goods + i) = -1;
      entry(next, goods + i) = kept;
      entry(goods + i, i) = 1;
      entry(goods + i, next) = -kept;
    }
    return true;
  };
  p.starts = {Values(at(n), 0.0), Values(at(n), 1.0)};
  for (const double size : {0.1, 1e-2, 1e-3}) {
    Values start(at(n));
    for (int i = 0; i < n; ++i) start[at(i)] = size * (1 + (7 * i + goods) % 11) / 11;
    p.starts.push_back(start);
  }
  return p;
}

inline std::vector<Problem> collection() {
  return {josephy(),
          kojshin(),
          mathiesen("mathiesen_a", 0.75, 1, 0.5),
          mathiesen("mathiesen_b", 0.9, 5, 3),
          billups(),
          powell(),
          nash5(),
          nash10(),
          colvncp(),
          hs34(),
          hs66(),
          watson(),
          bratu(10, 6, 0.3)};
}

}  // namespace nonlinear
