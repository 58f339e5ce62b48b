// K = diag(L) M + diag(R), solved with and without blocks whose rows do not contain M.
#include "methods/newton/newton_system.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"

namespace newton_system_test {

using namespace nonsmooth;

constexpr std::int32_t block = 3, blocks = 60, n = block * blocks;

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

// Each block coupled to the two beside it, not symmetric.
CscMatrix band(generate::Random& random) {
  CscMatrix M{n, n, {0}, {}, {}};
  for (std::int32_t j = 0; j < n; ++j) {
    const std::int32_t b = j / block;
    for (std::int32_t i = block * std::max(0, b - 1); i < block * std::min(blocks, b + 2); ++i) {
      M.row_index.push_back(i);
      M.values.push_back(random.uniform(-1, 1) + (i == j ? 8 : 0));
    }
    M.col_start.push_back(static_cast<std::int32_t>(M.row_index.size()));
  }
  return M;
}

Inclusion contacts(const Matrix& M, const Vector& q) {
  Inclusion view;
  view.M = &M;
  view.q = &q;
  for (std::int32_t b = 0; b < blocks; ++b) view.blocks.push_back({SetKind::coulomb_3d, b * block, block, 0.5});
  return view;
}

// Random L and R; those of every `open`-th block say R z = rhs alone (0: none).
void fill(NewtonSystem& system, std::int32_t open, generate::Random& random, Vector& L, Vector& R) {
  for (std::int32_t b = 0; b < blocks; ++b)
    for (std::int32_t k = 0; k < block * block; ++k) {
      const bool diagonal = k % (block + 1) == 0, alone = open > 0 && b % open == 0;
      const double l = alone ? 0 : random.uniform(-0.2, 0.2) + (diagonal ? 1 : 0);
      const double r = alone && !diagonal ? 0 : random.uniform(0.5, 1);
      system.left(at(b))[k] = L[at(b * block * block + k)] = l;
      system.right(at(b))[k] = R[at(b * block * block + k)] = r;
    }
}

// |K x - rhs| for a K in which every `open`-th block says R z = rhs alone; 0: none.
double defect(std::int32_t open) {
  generate::Random random(11);
  Matrix matrix(band(random), "M");
  const Vector q(n, 0.0);
  const Inclusion view = contacts(matrix, q);
  NewtonSystem system;
  system.setup(view, NewtonSystem::Space::contacts);
  Vector L(n * block, 0.0), R(n * block, 0.0), x(n);
  fill(system, open, random, L, R);
  for (double& value : x) value = random.uniform(-1, 1);
  const Vector rhs = x;
  EXPECT_TRUE(system.factorise());
  system.solve(x);
  Vector Mx(n, 0.0);
  multiply_add(matrix, 1.0, x, Mx);
  double worst = 0;
  for (std::int32_t i = 0; i < n; ++i) {
    double sum = -rhs[at(i)];
    for (std::int32_t c = 0; c < block; ++c) {
      const std::size_t entry = at(i / block * block * block + i % block + block * c);
      sum += L[entry] * Mx[at(i / block * block + c)] + R[entry] * x[at(i / block * block + c)];
    }
    worst = std::max(worst, std::abs(sum));
  }
  return worst;
}

TEST(NewtonSystem, SolvesWithAllRows) { EXPECT_LE(defect(0), 1e-13); }
TEST(NewtonSystem, SolvesWithRowsThatAreLeftOutOfTheFactors) {
  for (const std::int32_t open : {1, 2, 3, 7}) EXPECT_LE(defect(open), 1e-13) << open;
}

// Of several sizes, coupled from one side only here and there, some alone.
TEST(NewtonSystem, SolvesWithBlocksOfDifferentSizes) {
  generate::Random random(17);
  const std::int32_t sizes[] = {1, 3, 5, 2};
  Inclusion view;
  std::int32_t order = 0;
  for (std::int32_t b = 0; b < blocks; order += sizes[b++ % 4]) view.blocks.push_back({SetKind::free_space, order, sizes[b % 4]});
  IndexVector row, column;
  Vector value;
  const auto couple = [&](std::int32_t to, std::int32_t from) {
    const SetBlock &a = view.blocks[at(to)], &c = view.blocks[at(from)];
    for (std::int32_t i = a.start; i < a.start + a.size; ++i)
      for (std::int32_t j = c.start; j < c.start + c.size; ++j) {
        row.push_back(i);
        column.push_back(j);
        value.push_back(random.uniform(-1, 1) + (i == j ? 12 : 0));
      }
  };
  for (std::int32_t b = 0; b < blocks; ++b) {
    couple(b, b);
    couple((b + 7) % blocks, b);
    if (b % 3 != 0) couple(b, (b + 7) % blocks);
  }
  const Matrix matrix = Matrix::from_triplets(order, order, row, column, value, "M");
  const Vector q(at(order), 0.0);
  view.M = &matrix;
  view.q = &q;
  NewtonSystem system;
  system.setup(view, NewtonSystem::Space::contacts);
  Vector x(at(order)), defect(at(order)), Mx(at(order), 0.0);
  for (double& v : x) v = random.uniform(-1, 1);
  for (std::size_t i = 0; i < x.size(); ++i) defect[i] = -x[i];
  for (std::size_t b = 0; b < view.blocks.size(); ++b)
    for (std::int32_t k = 0, d = view.blocks[b].size; k < d * d; ++k) {
      const bool is_diagonal = k % (d + 1) == 0, alone = b % 5 == 0;
      system.left(b)[k] = alone ? 0 : random.uniform(-0.1, 0.1) + (is_diagonal ? 1 : 0);
      system.right(b)[k] = is_diagonal ? random.uniform(0.5, 1) : alone ? 0 : 0.1;
    }
  ASSERT_TRUE(system.factorise());
  system.solve(x);
  multiply_add(matrix, 1.0, x, Mx);
  for (std::size_t b = 0; b < view.blocks.size(); ++b)
    for (std::int32_t i = 0, d = view.blocks[b].size; i < d; ++i)
      for (std::int32_t k = 0; k < d; ++k) {
        const std::size_t from = at(view.blocks[b].start + k);
        defect[at(view.blocks[b].start + i)] += system.left(b)[i + k * d] * Mx[from] + system.right(b)[i + k * d] * x[from];
      }
  EXPECT_LE(norm2(defect), 1e-13);
}

// What sources in some rows bring about there, beside whole solves.
TEST(NewtonSystem, RespondsToSourcesInSomeRows) {
  for (const std::int32_t open : {0, 4}) {
    generate::Random random(13);
    Matrix matrix(band(random), "M");
    const Vector q(n, 0.0);
    NewtonSystem system;
    system.setup(contacts(matrix, q), NewtonSystem::Space::contacts);
    Vector L(n * block, 0.0), R(n * block, 0.0);
    fill(system, open, random, L, R);
    ASSERT_TRUE(system.factorise());
    const IndexVector A{12, 13, 14, 15, 16, 17, 90, 91, 92};  // blocks 4 (alone, if there are such), 5 and 30
    const std::size_t order = A.size();
    Vector Z(order * order, NAN), W(order * order, NAN);
    ASSERT_TRUE(system.reserve_responses());
    system.respond(A, Z, W);
    for (std::size_t j = 0; j < order; ++j) {
      Vector x(n, 0.0), Mx(n, 0.0);
      x[at(A[j])] = 1;
      system.solve(x);
      multiply_add(matrix, 1.0, x, Mx);
      for (std::size_t i = 0; i < order; ++i) {
        EXPECT_NEAR(Z[i + j * order], x[at(A[i])], 1e-13);
        EXPECT_NEAR(W[i + j * order], Mx[at(A[i])], 1e-12);
      }
    }
  }
}

// So large that its factors are in single precision: all blocks coupled, the last of them nearly as the one before it.
TEST(NewtonSystem, RefinesFactorsOfSinglePrecisionOrGoesBackToDouble) {
  constexpr std::int32_t order = 750;
  const Vector q(order, 0.0);
  for (const double apart : {1.0, 1e-9}) {
    generate::Random random(14);
    DenseMatrix dense{order, order, random.uniforms(order * order, -1, 1)};
    for (std::int32_t i = 0; i < order; ++i) dense.values[at(i * (order + 1))] += 40;
    if (apart < 1)
      for (std::int32_t j = 0; j < order; ++j)
        dense.values[at(order - 1 + j * order)] = dense.values[at(order - 2 + j * order)] + (j == order - 1 ? apart : 0);
    const Matrix matrix(dense, "M");
    Inclusion view;
    view.M = &matrix;
    view.q = &q;
    for (std::int32_t b = 0; b < order / block; ++b) view.blocks.push_back({SetKind::coulomb_3d, b * block, block, 0.5});
    NewtonSystem system;
    system.setup(view, NewtonSystem::Space::contacts);
    for (std::int32_t b = 0; b < order / block; ++b)
      for (std::int32_t k = 0; k < block * block; ++k) {
        system.left(at(b))[k] = k % (block + 1) == 0 ? 1 : 0;
        system.right(at(b))[k] = 0;
      }
    ASSERT_TRUE(system.factorise());
    Vector x = random.uniforms(order, -1, 1), residual = x;
    const double size = norm2(residual);
    system.solve(x);
    multiply_add(matrix, -1.0, x, residual);
    EXPECT_LE(norm2(residual), (apart < 1 ? 1e-5 : 1e-8) * size) << "rows apart by " << apart;
  }
}

// Whoever owns a system sets it up with the values at hand; of those who share one the first does.
TEST(NewtonSystem, IsSetUpOnceByThoseWhoShareIt) {
  generate::Random random(12);
  Matrix matrix(band(random), "M");
  const Vector q(n, 0.0);
  const Inclusion view = contacts(matrix, q);
  const auto system = std::make_shared<NewtonSystem>();
  NewtonSystem::setup_shared(system, view);
  const double before = system->scale(0);
  for (double& value : matrix.own_values()) value *= 2;
  auto other = system;
  NewtonSystem::setup_shared(other, view);
  EXPECT_EQ(system->scale(0), before);
  other.reset();
  NewtonSystem::setup_shared(system, view);
  EXPECT_EQ(system->scale(0), 2 * before);
}

}  // namespace newton_system_test
