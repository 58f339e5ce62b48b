#include "io/fclib_bilateral.hpp"

#include <algorithm>

#include "core/checked.hpp"
#include "linalg/triplets.hpp"

namespace nonsmooth::fclib {
namespace {

bool are_equal(const Matrix& A, const Matrix& B) {
  const CscMatrix &a = *A.csc(), &b = *B.csc();
  return a.has_pattern_of(b) && a.values == b.values;
}

}  // namespace

Generic join(const BilateralLocal& parts) {
  const Friction& contacts = parts.contacts;
  const auto m = static_cast<std::int64_t>(parts.s.size()), n = static_cast<std::int64_t>(contacts.q.size());
  const std::int32_t order = checked_index(checked_add(m, n, "V"), "V");
  Triplets M;
  for_each_entry(parts.R, [&](std::int64_t i, std::int64_t j, double x) { M.add(i, j, x); });
  for_each_entry(parts.V, [&](std::int64_t i, std::int64_t j, double x) {
    M.add(m + i, j, x);
    M.add(j, m + i, x);
  });
  for_each_entry(contacts.W, [&](std::int64_t i, std::int64_t j, double x) { M.add(m + i, m + j, x); });
  Generic problem;
  problem.M = M.to_matrix(order, order, "M");
  problem.q = parts.s;
  problem.q.insert(problem.q.end(), contacts.q.begin(), contacts.q.end());
  if (m > 0) {
    problem.block_kind.push_back(NSM_BLOCK_EQUALITY);
    problem.block_size.push_back(static_cast<std::int32_t>(m));
    problem.mu.push_back(0);
  }
  const nsm_block_kind kind = contacts.dimension == 2 ? NSM_BLOCK_FRICTION_2D : NSM_BLOCK_FRICTION_3D;
  problem.block_kind.resize(problem.block_kind.size() + contacts.mu.size(), kind);
  problem.block_size.resize(problem.block_kind.size(), contacts.dimension);
  problem.mu.insert(problem.mu.end(), contacts.mu.begin(), contacts.mu.end());
  return problem;
}

std::int64_t bilateral_rows(const Generic& problem) {
  const IndexVector& kind = problem.block_kind;
  if (kind.size() < 2 || kind[0] != NSM_BLOCK_EQUALITY) return 0;
  const bool contacts = kind[1] == NSM_BLOCK_FRICTION_2D || kind[1] == NSM_BLOCK_FRICTION_3D;
  return contacts && std::all_of(kind.begin() + 1, kind.end(), [&](std::int32_t k) { return k == kind[1]; })
             ? problem.block_size[0]
             : 0;
}

std::optional<BilateralLocal> split(const Generic& problem) {
  const std::int64_t m = bilateral_rows(problem), n = problem.M.rows() - m;
  if (m == 0 || problem.mu[0] != 0 || !problem.lo.empty() || !problem.hi.empty()) return std::nullopt;
  Triplets W, V, R, transposed;
  for_each_entry(problem.M, [&](std::int64_t i, std::int64_t j, double x) {
    if (i < m && j < m)
      R.add(i, j, x);
    else if (i < m)
      transposed.add(j - m, i, x);
    else if (j < m)
      V.add(i - m, j, x);
    else
      W.add(i - m, j - m, x);
  });
  BilateralLocal parts;
  parts.V = V.to_matrix(n, m, "V");
  if (!are_equal(parts.V, transposed.to_matrix(n, m, "V"))) return std::nullopt;
  parts.R = R.to_matrix(m, m, "R");
  parts.s.assign(problem.q.begin(), problem.q.begin() + m);
  parts.contacts = {problem.block_size[1], W.to_matrix(n, n, "W"), Vector(problem.q.begin() + m, problem.q.end()),
                    Vector(problem.mu.begin() + 1, problem.mu.end())};
  return parts;
}

}  // namespace nonsmooth::fclib
