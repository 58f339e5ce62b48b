// Products and triangular solves of panels against sums term by term, for every size around the lengths of vectors; what stands
// between the columns and behind the last one belongs to others.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "../support/lcp_families.hpp"
#include "linalg/panel_product.hpp"
#include "linalg/panel_solve.hpp"

namespace panel_test {

using generate::at;
using generate::Random;
using nonsmooth::PanelSolves;
using nonsmooth::SolvedPanel;

template <class Real>
class Panels : public testing::Test {
 public:
  using Numbers = std::vector<Real>;
  static constexpr Real others = std::numeric_limits<Real>::quiet_NaN();
  static constexpr int gap = 3;  // between the columns

  // Of so many rows, with what belongs to others between the columns. The diagonal is dominant.
  Numbers panel(int rows, int columns) {
    Numbers result(at(rows + gap) * at(columns), others);
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        result[at(i + (rows + gap) * j)] = static_cast<Real>(i == j ? columns + 1 : random_.uniform(-1, 1));
    return result;
  }
  Numbers vector(int size) {
    Numbers result(at(size));
    for (Real& value : result) value = static_cast<Real>(random_.uniform(-1, 1));
    return result;
  }
  // Within the rounding of so many terms whose absolute values add up to that.
  static bool near(Real found, double wanted, int terms, double absolute = 1) {
    const double rounding = (terms + 2) * static_cast<double>(std::numeric_limits<Real>::epsilon());
    return std::abs(found - wanted) <= rounding * std::max(absolute, 4 * std::abs(wanted));
  }

 private:
  Random random_{7};
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Panels, Reals);

TYPED_TEST(Panels, ProductsOfEverySize) {
  for (const int k : {1, 2, 7, 30})
    for (int m = 1; m <= 70; m += m < 40 ? 1 : 7)
      for (int n = 1; n <= 20; n += n < 14 ? 1 : 6) {
        const auto A = this->panel(m, k), B = this->panel(n, k);
        std::vector<TypeParam> C(at(m) * at(n) + 1, TypeParam{-5});
        nonsmooth::multiply_panels<TypeParam>(m, n, k, {A.data(), m + this->gap}, {B.data(), n + this->gap}, C.data());
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < m; ++i) {
            double sum = 0, largest = 0;
            for (int l = 0; l < k; ++l) {
              const double term = static_cast<double>(A[at(i + (m + this->gap) * l)]) * B[at(j + (n + this->gap) * l)];
              sum += term;
              largest += std::abs(term);
            }
            ASSERT_TRUE(this->near(C[at(i + m * j)], sum, k, largest)) << m << " x " << n << " x " << k << ": " << i << ", " << j;
          }
        ASSERT_EQ(C.back(), TypeParam{-5}) << m << " x " << n << " x " << k;
      }
}

// visit(L, columns, rows, x) for sizes around the number of columns that are taken together.
template <class Fixture, class Visit>
void for_each_panel(Fixture& fixture, Visit&& visit) {
  for (int columns = 1; columns <= 13; ++columns)
    for (const int below : {0, 1, 3, 4, 7, 8, 9, 16, 30, 31}) {
      const auto L = fixture.panel(columns + below, columns);
      visit(L, columns, columns + below, fixture.vector(columns + below));
    }
}

TYPED_TEST(Panels, ForwardWithBothDiagonals) {
  for (const bool unit : {false, true})
    for_each_panel(*this, [&](const auto& L, int columns, int rows, const auto& b) {
      const int stride = rows + this->gap;
      const PanelSolves<TypeParam>& solves = nonsmooth::panel_solves<TypeParam>();
      auto x = b;
      x.push_back(-5);
      auto scaled = L;  // a unit triangle grows by every entry below the diagonal
      if (unit)
        for (auto& value : scaled) value /= static_cast<TypeParam>(4 * columns);
      (unit ? solves.forward_unit : solves.forward)({scaled.data(), stride, columns, rows}, x.data());
      for (int i = 0; i < rows; ++i) {
        double sum = 0;
        for (int j = 0; j < std::min(i + 1, columns); ++j)
          sum += (i == j && unit ? 1.0 : static_cast<double>(scaled[at(i + stride * j)])) * x[at(j)];
        if (i >= columns) sum += x[at(i)];
        ASSERT_TRUE(this->near(b[at(i)], sum, columns))
            << columns << " columns, " << rows << " rows, row " << i << ", unit " << unit;
      }
      ASSERT_EQ(x.back(), TypeParam{-5});
    });
}

TYPED_TEST(Panels, BackwardFromTheRowsBelow) {
  for_each_panel(*this, [&](const auto& L, int columns, int rows, const auto& b) {
    const int stride = rows + this->gap;
    auto x = b;
    nonsmooth::panel_solves<TypeParam>().backward({L.data(), stride, columns, rows}, x.data());
    for (int i = columns; i < rows; ++i) ASSERT_EQ(x[at(i)], b[at(i)]);
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int i = j; i < rows; ++i) sum += static_cast<double>(L[at(i + stride * j)]) * x[at(i)];
      ASSERT_TRUE(this->near(b[at(j)], sum, rows)) << columns << " columns, " << rows << " rows, column " << j;
    }
  });
}

TYPED_TEST(Panels, BackwardWithAnUpperTriangle) {
  for_each_panel(*this, [&](const auto& U, int columns, int rows, const auto& b) {
    const int stride = rows + this->gap;
    auto x = b;
    nonsmooth::panel_solves<TypeParam>().backward_upper({U.data(), stride, columns, columns}, x.data());
    for (int i = 0; i < columns; ++i) {
      double sum = 0;
      for (int j = i; j < columns; ++j) sum += static_cast<double>(U[at(i + stride * j)]) * x[at(j)];
      ASSERT_TRUE(this->near(b[at(i)], sum, columns)) << columns << " columns, row " << i;
    }
    for (int i = columns; i < rows; ++i) ASSERT_EQ(x[at(i)], b[at(i)]);
  });
}

TYPED_TEST(Panels, ColumnsTakenFromRowsBelow) {
  for_each_panel(*this, [&](const auto& B, int columns, int rows, const auto& before) {
    const int stride = rows + this->gap;
    const auto x = this->vector(columns);
    auto y = before;
    y.push_back(-5);
    nonsmooth::panel_solves<TypeParam>().subtract({B.data(), stride, columns, rows}, x.data(), y.data());
    for (int i = 0; i < rows; ++i) {
      double sum = before[at(i)], largest = 1;
      for (int j = 0; j < columns; ++j) {
        const double term = static_cast<double>(B[at(i + stride * j)]) * x[at(j)];
        sum -= term;
        largest += std::abs(term);
      }
      ASSERT_TRUE(this->near(y[at(i)], sum, columns, largest)) << columns << " columns, " << rows << " rows, row " << i;
    }
    ASSERT_EQ(y.back(), TypeParam{-5});
  });
}

TYPED_TEST(Panels, RowsBelowTakenFromColumns) {
  for_each_panel(*this, [&](const auto& B, int columns, int rows, const auto& y) {
    const int stride = rows + this->gap;
    const auto before = this->vector(columns);
    auto x = before;
    nonsmooth::panel_solves<TypeParam>().subtract_transposed({B.data(), stride, columns, rows}, y.data(), x.data());
    for (int j = 0; j < columns; ++j) {
      double sum = before[at(j)], largest = 1;
      for (int i = 0; i < rows; ++i) {
        const double term = static_cast<double>(B[at(i + stride * j)]) * y[at(i)];
        sum -= term;
        largest += std::abs(term);
      }
      ASSERT_TRUE(this->near(x[at(j)], sum, rows, largest)) << columns << " columns, " << rows << " rows, column " << j;
    }
  });
}

}  // namespace panel_test
