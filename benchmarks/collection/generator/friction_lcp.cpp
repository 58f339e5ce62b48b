#include "friction_lcp.hpp"

#include "dense.hpp"

namespace nonsmooth::collection {
namespace {

Dense dense_delassus(const LocalData& data) {
  const nsm_matrix W = data.W.view();
  Dense result(static_cast<int>(W.rows), static_cast<int>(W.cols));
  const int d = W.block_size;
  for (int I = 0; I < static_cast<int>(W.block_rows); ++I)
    for (int k = W.start[I]; k < W.start[I + 1]; ++k)
      for (int j = 0; j < d; ++j)
        for (int i = 0; i < d; ++i)
          result(d * I + i, d * W.index[k] + j) = W.values[(static_cast<std::ptrdiff_t>(k) * d + j) * d + i];
  return result;
}

// One unknown impulse: contact, row of the contact, sign along it.
struct Direction {
  int contact, row;
  double sign;
};

}  // namespace

nsm::Problem frictionless_lcp(const LocalData& data) {
  const Dense W = dense_delassus(data);
  const int d = data.dimension, n = static_cast<int>(data.contacts());
  Dense M(n, n);
  nsm::Vector q(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) {
    q[static_cast<std::size_t>(i)] = data.q[static_cast<std::size_t>(d * i)];
    for (int j = 0; j < n; ++j) M(i, j) = W(d * i, d * j);
  }
  return nsm::Problem::lcp(M.matrix(), q);
}

nsm::Problem friction_lcp(const LocalData& data) {
  const Dense W = dense_delassus(data);
  const int d = data.dimension, contacts = static_cast<int>(data.contacts());
  std::vector<Direction> directions;
  for (int c = 0; c < contacts; ++c) {
    directions.push_back({c, 0, 1});
    for (int row = 1; row < d; ++row)
      for (double sign : {1.0, -1.0}) directions.push_back({c, row, sign});
  }
  const int impulses = static_cast<int>(directions.size()), n = impulses + contacts;
  Dense M(n, n);
  nsm::Vector q(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < impulses; ++i) {
    const Direction& a = directions[static_cast<std::size_t>(i)];
    q[static_cast<std::size_t>(i)] = a.sign * data.q[static_cast<std::size_t>(d * a.contact + a.row)];
    for (int j = 0; j < impulses; ++j) {
      const Direction& b = directions[static_cast<std::size_t>(j)];
      M(i, j) = a.sign * b.sign * W(d * a.contact + a.row, d * b.contact + b.row);
    }
    const int slack = impulses + a.contact;
    M(slack, i) = a.row == 0 ? data.mu[static_cast<std::size_t>(a.contact)] : -1;
    if (a.row != 0) M(i, slack) = 1;
  }
  return nsm::Problem::lcp(M.matrix(), q);
}

}  // namespace nonsmooth::collection
