// Sparse problems for pivoting methods, with known solutions: general graphs, grids, contact of bodies with its dynamics kept
// unreduced. Bounds say the class: free variables have infinite ones.
#pragma once

#include <map>
#include <utility>

#include "lcp_families.hpp"
#include "solve.hpp"

namespace generate {

class SparseBuilder {
 public:
  explicit SparseBuilder(int n) : columns_(at(n)) {}
  void add(int i, int j, double value) { columns_[at(j)][i] += value; }
  // value x x' for a sparse x.
  void add_square(const std::map<int, double>& x, double value) {
    for (const auto& [i, a] : x)
      for (const auto& [j, b] : x) add(i, j, value * a * b);
  }
  SparseLcp finish() const {
    SparseLcp lcp{static_cast<std::int32_t>(columns_.size()), {0}, {}, {}, Values(columns_.size(), 0.0), {}, {}};
    for (const auto& column : columns_) append_column(lcp, column);
    return lcp;
  }

 private:
  std::vector<std::map<int, double>> columns_;
};

// q for a solution with this share of the z_i inside their bounds, the rest at one, and w_i != 0 there.
inline void construct_solution(SparseLcp& lcp, Random& random, double share) {
  Values z(at(lcp.n)), w(at(lcp.n), 0.0);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double lo = lcp.lo.empty() ? 0 : lcp.lo[i], hi = lcp.hi.empty() ? HUGE_VAL : lcp.hi[i];
    const bool is_free = std::isinf(lo) && std::isinf(hi), inside = is_free || random.uniform() < share;
    if (is_free) {
      z[i] = random.normal();
    } else if (inside) {
      z[i] = std::isinf(hi) ? lo + random.uniform() : std::isinf(lo) ? hi - random.uniform() : lo + (hi - lo) * random.uniform();
    } else {
      const bool upper = std::isinf(lo) || (!std::isinf(hi) && random.uniform() < 0.5);
      z[i] = upper ? hi : lo;
      w[i] = (upper ? -1 : 1) * random.uniform();
    }
  }
  lcp.q = right_hand_side(std::move(w), lcp.multiply(z));
}

// Entries that are not zero.
inline SparseLcp sparse(int n, const Values& M, Values q) {
  SparseBuilder builder(n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (const double value = M[at(i + std::int64_t{j} * n)]; value != 0) builder.add(i, j, value);
  SparseLcp lcp = builder.finish();
  lcp.q = std::move(q);
  return lcp;
}

enum class Graph { local, random };

// Sum of squares of `squares` sparse vectors (three entries each) and a skew part with two entries per row; + shift I. Local: the
// entries of a row lie on a grid of about sqrt(n) columns.
inline SparseLcp sparse_monotone(Random& random, int n, int squares, double skew, double shift, Graph graph) {
  SparseBuilder builder(n);
  const int side = std::max(1, static_cast<int>(std::sqrt(n)));
  const auto neighbour = [&](int i) {
    if (graph == Graph::random) return random.integer(0, n - 1);
    const int step[4] = {1, -1, side, -side};
    return std::clamp(i + step[random.integer(0, 3)], 0, n - 1);
  };
  for (int i = 0; i < n; ++i) builder.add(i, i, shift);
  for (int k = 0; k < squares; ++k) {
    const int i = squares == n ? k : random.integer(0, n - 1);
    std::map<int, double> x{{i, random.normal()}};
    x[neighbour(i)] += random.normal();
    x[neighbour(i)] += random.normal();
    builder.add_square(x, 1);
  }
  for (int i = 0; i < n && skew > 0; ++i) {
    const int j = neighbour(i);
    const double value = skew * random.normal();
    if (i == j) continue;
    builder.add(i, j, value);
    builder.add(j, i, -value);
  }
  return builder.finish();
}

// [M -H'; H 0]: velocities of points on a grid (free), unit masses coupled to their neighbours, contacts between neighbours >= 0.
inline SparseLcp sparse_contact(Random& random, int points, double share_of_contacts) {
  const int side = std::max(1, static_cast<int>(std::sqrt(points)));
  std::vector<std::pair<int, int>> contacts;
  for (int i = 0; i < points; ++i)
    for (int j : {i + 1, i + side})
      if (j < points && random.uniform() < share_of_contacts) contacts.emplace_back(i, j);
  SparseBuilder builder(2 * points + static_cast<int>(contacts.size()));
  for (int i = 0; i < points; ++i)
    for (int k = 0; k < 2; ++k) {
      builder.add(2 * i + k, 2 * i + k, 1 + random.uniform());
      builder.add(2 * i, 2 * i + 1, 0.1);
      builder.add(2 * i + 1, 2 * i, 0.1);
    }
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    const int row = 2 * points + static_cast<int>(c);
    const double angle = 6.28 * random.uniform();
    for (int k = 0; k < 2; ++k) {
      const double h = k == 0 ? std::cos(angle) : std::sin(angle);
      for (const auto& [point, sign] : {std::pair{contacts[c].first, -1.0}, std::pair{contacts[c].second, 1.0}}) {
        builder.add(row, 2 * point + k, sign * h);
        builder.add(2 * point + k, row, -sign * h);
      }
    }
  }
  SparseLcp lcp = builder.finish();
  lcp.lo.assign(at(lcp.n), 0.0);
  lcp.hi.assign(at(lcp.n), HUGE_VAL);
  std::fill_n(lcp.lo.begin(), 2 * points, -HUGE_VAL);
  return lcp;
}

}  // namespace generate

namespace support {

// z >= 0 as an LCP, other bounds as a relay problem.
inline ProblemPtr problem(const generate::SparseLcp& p) {
  nsm_problem* raw = nullptr;
  const nsm_matrix M = nsm_matrix_csc(p.n, p.n, p.start.data(), p.index.data(), p.values.data());
  const nsm_status status = p.lo.empty() ? nsm_problem_create_lcp(&M, p.q.data(), &raw)
                                         : nsm_problem_create_relay(&M, p.q.data(), p.lo.data(), p.hi.data(), &raw);
  EXPECT_EQ(status, NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

}  // namespace support
