// Rows of blocks times a vector: whatever instructions are chosen, the numbers of a plain loop.
#include "methods/sweeps/row_product.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace nonsmooth::row_product_test {

constexpr int D = 3;

// Two sums in turns, products rounded before they are added.
void plain(const double* w, const std::int32_t* col, std::size_t blocks, const double* z, double* q) {
  double odd[D]{};
  for (std::size_t k = 0; k < blocks; ++k, w += D * D)
    for (int i = 0; i < D; ++i) {
      double row = w[i] * z[col[k]];
      for (int j = 1; j < D; ++j) row += w[i + j * D] * z[col[k] + j];
      (k % 2 == 1 ? odd : q)[i] += row;
    }
  for (int i = 0; i < D; ++i) q[i] += odd[i];
}

TEST(RowProduct, HasTheNumbersOfAPlainLoop) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  constexpr std::size_t most = 12;
  std::vector<double> w(most * D * D + 1), z(D * most);
  for (std::vector<double>* v : {&w, &z})
    for (double& x : *v) x = value(random);
  std::vector<std::int32_t> col(most + columns_ahead, 0);
  for (std::size_t k = 0; k < most; ++k) col[k] = static_cast<std::int32_t>(D * (k * 5 % most));
  for (std::size_t blocks = 0; blocks <= most; ++blocks) {
    const double given[D] = {0.5, -0.25, 0.125};
    double q[D], expected[D] = {0.5, -0.25, 0.125};
    row_product_of_threes()(w.data(), col.data(), col.data() + blocks, z.data(), given, q);
    plain(w.data(), col.data(), blocks, z.data(), expected);
    for (int i = 0; i < D; ++i) {
#if defined(__x86_64__) && !defined(__FMA__)
      EXPECT_EQ(q[i], expected[i]) << blocks << " blocks, row " << i;
#else
      EXPECT_NEAR(q[i], expected[i], 1e-14) << blocks << " blocks, row " << i;
#endif
    }
  }
}

}  // namespace nonsmooth::row_product_test
