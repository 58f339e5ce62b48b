// Factors of normals that come and go, in coordinates that are left out and taken back, against least squares from scratch.
#include "sets/row_factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "../support/generators.hpp"

namespace nonsmooth::row_factor_test {

using generate::Random;

struct Normals {
  Eigen::Index n;
  std::vector<Eigen::VectorXd> columns;
  std::vector<char> out;

  Eigen::VectorXd masked(Eigen::VectorXd v) const {
    for (Eigen::Index j = 0; j < n; ++j)
      if (out[generate::at(j)]) v[j] = 0;
    return v;
  }
  Eigen::Index coordinates() const { return n - std::count(out.begin(), out.end(), 1); }
};

void expect_same(const Normals& normals, const RowFactor& factor, const Eigen::VectorXd& v) {
  Eigen::VectorXd rest = normals.masked(v), r;
  Eigen::MatrixXd N(normals.n, static_cast<Eigen::Index>(normals.columns.size()));
  for (Eigen::Index k = 0; k < N.cols(); ++k) N.col(k) = normals.masked(normals.columns[generate::at(k)]);
  const Eigen::VectorXd target = rest;
  factor.split(rest, r);
  ASSERT_EQ(r.size(), N.cols());
  if (N.cols() == 0) {
    EXPECT_EQ(rest, target);
    return;
  }
  const Eigen::VectorXd expected = N.colPivHouseholderQr().solve(target);
  EXPECT_LT((r - expected).norm(), 1e-9 * (1 + expected.norm()));
  EXPECT_LT((rest - (target - N * expected)).norm(), 1e-11 * (1 + target.norm()));
  EXPECT_LT((N.transpose() * rest).norm(), 1e-11 * N.norm() * (1 + target.norm()));
}

TEST(RowFactor, IsWhatAFactorisationAnewWouldBe) {
  Random random(7);
  const auto vector = [&random](Eigen::Index n) -> Eigen::VectorXd {
    return Eigen::Map<const Eigen::VectorXd>(random.normals(n).data(), n);
  };
  for (const int n : {1, 2, 5, 14, 30}) {
    Normals normals{n, {}, std::vector<char>(generate::at(n), 0)};
    RowFactor factor(n);
    for (int step = 0; step < 300; ++step) {
      const int what = random.integer(0, 3), j = random.integer(0, n - 1);
      const auto count = static_cast<Eigen::Index>(normals.columns.size());
      char& out = normals.out[generate::at(j)];
      if (what == 0 && count + 1 < normals.coordinates()) {
        normals.columns.push_back(vector(n));
        factor.append(normals.masked(normals.columns.back()));
      } else if (what == 1 && count > 0) {
        const int k = random.integer(0, static_cast<int>(count) - 1);
        normals.columns.erase(normals.columns.begin() + k);
        factor.remove(k);
      } else if (what == 2 && !out && count + 1 < normals.coordinates()) {
        out = 1;
        factor.leave_out(j);
      } else if (what == 3 && out) {
        Eigen::VectorXd values(count);
        for (Eigen::Index k = 0; k < count; ++k) values[k] = normals.columns[generate::at(k)][j];
        out = 0;
        factor.take_back(j, values);
      }
      ASSERT_EQ(factor.count(), static_cast<Eigen::Index>(normals.columns.size()));
      expect_same(normals, factor, vector(n));
    }
  }
}

}  // namespace nonsmooth::row_factor_test
