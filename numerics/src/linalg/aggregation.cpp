#include "linalg/aggregation.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace nonsmooth {

bool is_z_matrix(const CscMatrix& A) {
  for (std::int32_t j = 0; j < A.cols; ++j)
    for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j) + 1]; ++k)
      if (A.row_index[at(k)] != j && A.values[at(k)] > 0) return false;
  return true;
}

Aggregation aggregate_pairs(const CscMatrix& A) {
  Aggregation map{IndexVector(at(A.cols), -1), 0};
  for (std::int32_t j = 0; j < A.cols; ++j) {
    if (map.aggregate[at(j)] >= 0) continue;
    std::int32_t partner = -1;
    double strongest = 0;
    for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j) + 1]; ++k) {
      const std::int32_t i = A.row_index[at(k)];
      if (i == j || map.aggregate[at(i)] >= 0 || A.values[at(k)] >= strongest) continue;
      strongest = A.values[at(k)];
      partner = i;
    }
    if (partner >= 0) map.aggregate[at(partner)] = map.count;
    map.aggregate[at(j)] = map.count++;
  }
  return map;
}

CscMatrix aggregated_matrix(const CscMatrix& A, const Aggregation& map, double coupling) {
  // Members of each aggregate.
  IndexVector start(at(map.count) + 1, 0), member(map.aggregate.size());
  for (std::int32_t a : map.aggregate) ++start[at(a) + 1];
  for (std::size_t a = 0; a + 1 < start.size(); ++a) start[a + 1] += start[a];
  IndexVector next(start.begin(), start.end() - 1);
  for (std::size_t j = 0; j < map.aggregate.size(); ++j) member[at(next[at(map.aggregate[j])]++)] = static_cast<std::int32_t>(j);

  CscMatrix coarse{map.count, map.count, {0}, {}, {}};
  IndexVector place(at(map.count), -1);
  std::vector<std::pair<std::int32_t, double>> column;
  for (std::int32_t a = 0; a < map.count; ++a) {
    column.assign(1, {a, 0.0});
    place[at(a)] = 0;
    for (std::int32_t m = start[at(a)]; m < start[at(a) + 1]; ++m) {
      const auto j = at(member[at(m)]);
      for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
        const std::int32_t b = map.aggregate[at(A.row_index[at(k)])];
        const double inside = b == a ? 1.0 : coupling;
        if (place[at(b)] < 0) {
          place[at(b)] = static_cast<std::int32_t>(column.size());
          column.push_back({b, 0.0});
        }
        column[at(place[at(b)])].second += inside * A.values[at(k)];
        column[0].second += (1 - inside) * A.values[at(k)];  // the sum of the column stays
      }
    }
    for (const auto& [b, value] : column) place[at(b)] = -1;
    std::sort(column.begin(), column.end());
    for (const auto& [b, value] : column) {
      coarse.row_index.push_back(b);
      coarse.values.push_back(value);
    }
    coarse.col_start.push_back(static_cast<std::int32_t>(coarse.row_index.size()));
  }
  return coarse;
}

Aggregation aggregate_fours(const CscMatrix& A) {
  Aggregation map = aggregate_pairs(A);
  const Aggregation second = aggregate_pairs(aggregated_matrix(A, map, 1.0));
  for (std::int32_t& a : map.aggregate) a = second.aggregate[at(a)];
  map.count = second.count;
  return map;
}

}  // namespace nonsmooth
