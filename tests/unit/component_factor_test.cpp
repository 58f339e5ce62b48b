// Matrices that fall into parts, each with the factors that suit it: small, symmetric positive definite, and any other.
#include "linalg/component_factor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "../support/generators.hpp"
#include "core/error.hpp"

namespace nonsmooth::component_factor_test {

using generate::Random;

enum class Part { definite, indefinite, unsymmetric };

// A chain of n rows: 2 + 0.01 i on the diagonal, -1 beside it, not quite the same on both sides; with an indefinite or an
// unsymmetric twist.
void append_chain(CscMatrix& A, std::int32_t n, Part part) {
  const std::int32_t first = static_cast<std::int32_t>(A.cols);
  for (std::int32_t j = 0; j < n; ++j) {
    for (std::int32_t i = std::max(0, j - 1); i <= std::min(n - 1, j + 1); ++i) {
      A.row_index.push_back(first + i);
      const double diagonal = (part == Part::indefinite && j % 3 == 0 ? -2 : 2) + 0.01 * j;
      A.values.push_back(i == j ? diagonal : part == Part::unsymmetric && i < j ? 0.5 : i < j ? -1 : -1 + 4e-15);
    }
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  A.rows = A.cols = first + n;
}

double defect(const Matrix& A, const Vector& x, const Vector& b, bool transposed) {
  Vector r = b;
  transposed ? multiply_transposed_add(A, -1.0, x, r) : multiply_add(A, -1.0, x, r);
  return generate::norm(r);
}

TEST(ComponentFactor, SolvesEveryKindOfPart) {
  CscMatrix A{0, 0, {0}, {}, {}};
  append_chain(A, 5, Part::unsymmetric);
  append_chain(A, 300, Part::definite);
  append_chain(A, 200, Part::indefinite);
  append_chain(A, 100, Part::unsymmetric);
  const Matrix matrix(A, "A");
  ComponentFactor factor(A, "A");
  EXPECT_EQ(factor.components(), 4U);
  Random random(1);
  for (const bool transposed : {false, true}) {
    const Vector b = random.normals(A.cols);
    Vector x = b;
    factor.solve(x, transposed);
    EXPECT_LE(defect(matrix, x, b, transposed), 1e-12);
  }
}

// [M -G; G' 0] of a closed ring of n links in the plane, pinned to each other: M diagonal, two constraints for each pin.
CscMatrix ring_of_links(int n) {
  const double pi = std::acos(-1.0), radius = 0.25 * n / pi, mass = 4, inertia = 0.05667;
  std::vector<std::vector<std::pair<std::int32_t, double>>> columns(static_cast<std::size_t>(5 * n));
  const auto place = [&](int i) { return std::array{radius * std::cos(2 * pi * i / n), radius * std::sin(2 * pi * i / n)}; };
  const auto couple = [&](int velocity, int constraint, double g) {
    columns[static_cast<std::size_t>(velocity)].emplace_back(constraint, g);
    columns[static_cast<std::size_t>(constraint)].emplace_back(velocity, -g);
  };
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) columns[static_cast<std::size_t>(3 * i + k)].emplace_back(3 * i + k, k < 2 ? mass : inertia);
    const auto a = place(i), b = place((i + 1) % n);
    for (const int sign : {1, -1}) {
      const int link = sign > 0 ? i : (i + 1) % n, pin = 3 * n + 2 * i;
      const double x = sign * (b[0] - a[0]) / 2, y = sign * (b[1] - a[1]) / 2;  // from its middle to the pin
      couple(3 * link, pin, sign), couple(3 * link + 1, pin + 1, sign);
      couple(3 * link + 2, pin, -sign * y), couple(3 * link + 2, pin + 1, sign * x);
    }
  }
  CscMatrix K{5 * n, 5 * n, {0}, {}, {}};
  for (auto& column : columns) {
    std::sort(column.begin(), column.end());
    for (const auto& [row, value] : column) K.row_index.push_back(row), K.values.push_back(value);
    K.col_start.push_back(static_cast<std::int32_t>(K.row_index.size()));
  }
  return K;
}

// Pivots by threshold let the factors of long closed chains grow by 1e20 and more, though the matrix is well-conditioned.
TEST(ComponentFactor, LongClosedChainsOfJoints) {
  Random random(3);
  for (const int n : {13, 20, 30, 40, 60, 80, 100, 200, 400}) {
    const CscMatrix K = ring_of_links(n);
    const Matrix matrix(K, "K");
    ComponentFactor factor(K, "K");
    for (const bool transposed : {false, true}) {
      const Vector b = random.normals(K.cols);
      Vector x = b;
      factor.solve(x, transposed);
      EXPECT_LE(defect(matrix, x, b, transposed), 1e-11 * (generate::norm(b) + generate::norm(x))) << n << " links";
    }
  }
}

// C' inverse(A) C, by whatever factors a part has, against a solve for each column.
TEST(ComponentFactor, ResponseOfColumns) {
  CscMatrix A{0, 0, {0}, {}, {}};
  append_chain(A, 5, Part::unsymmetric);
  append_chain(A, 90, Part::definite);
  append_chain(A, 70, Part::unsymmetric);
  append_chain(A, 1100, Part::unsymmetric);
  append_chain(A, 80, Part::definite);  // met by no column
  Random random(2);
  constexpr std::int32_t columns = 14;
  CscMatrix C{A.cols, columns, {0}, {}, {}};
  for (std::int32_t j = 0; j < columns; ++j) {
    for (std::int32_t row = j % 4; row < 1265 && j != 3; row += 1 + random.integer(1, 60)) {
      C.row_index.push_back(row);
      C.values.push_back(random.normal());
    }
    C.col_start.push_back(static_cast<std::int32_t>(C.row_index.size()));
  }
  ComponentFactor factor(A, "A", &C);
  for (const double scale : {1.0, 3.0}) {
    CscMatrix scaled = A;
    for (double& value : scaled.values) value *= scale;
    factor.factorise(scaled);
    Vector response(std::size_t{columns} * columns, 0.0);
    for (std::size_t c = 0; c < factor.components(); ++c)
      factor.for_each_response(c, [&](std::int32_t i, std::int32_t j, double value) {
        response[generate::at(i) + generate::at(j) * columns] += value;
      });
    const Matrix matrix(C, "C");
    for (std::int32_t j = 0; j < columns; ++j) {
      Vector unit(columns, 0.0), x(generate::at(A.cols), 0.0), expected(columns, 0.0);
      unit[generate::at(j)] = 1;
      multiply_add(matrix, 1.0, unit, x);
      factor.solve(x);
      multiply_transposed_add(matrix, 1.0, x, expected);
      for (std::size_t i = 0; i < columns; ++i)
        EXPECT_NEAR(response[i + generate::at(j) * columns], expected[i], 1e-13 * (1 + generate::norm(expected)))
            << i << ", " << j;
    }
  }
}

// Small parts by hand: rows have to be exchanged, for A and A' alike.
TEST(ComponentFactor, SmallPartsExchangeRows) {
  const CscMatrix A{3, 3, {0, 2, 4, 7}, {1, 2, 0, 2, 0, 1, 2}, {4, 1, 3, -2, 1, 2, 5}};
  ComponentFactor factor(A, "A");
  for (const bool transposed : {false, true}) {
    const Vector b{1, -2, 3};
    Vector x = b;
    factor.solve(x, transposed);
    EXPECT_LE(defect(Matrix(A, "A"), x, b, transposed), 1e-14);
  }
}

TEST(ComponentFactor, NamesTheSingularPart) {
  CscMatrix A{0, 0, {0}, {}, {}};
  append_chain(A, 70, Part::definite);
  append_chain(A, 80, Part::definite);
  for (std::size_t k = static_cast<std::size_t>(A.col_start[70]); k < A.values.size(); ++k) A.values[k] = 0;
  try {
    ComponentFactor factor(A, "M");
    FAIL() << "a part of zeros was factorised";
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("M is singular (in the part that holds row 70)"), std::string::npos) << error.message();
  }
}

}  // namespace nonsmooth::component_factor_test
