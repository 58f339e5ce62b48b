// Many contacts of elastic bodies: factors of M in the place of W, which no method of `auto` then forms.
#include "problems/applied_compliance.hpp"

#include <gtest/gtest.h>

#include "../support/generators.hpp"
#include "methods/auto/auto_stages.hpp"
#include "methods/solver/solver.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::applied_compliance_test {

using generate::at;
using generate::norm;
using generate::Random;

constexpr std::int32_t contacts = 420;

// Two rows of points in the plane, joined by springs along and across, fall on those of the lower row and are pushed along.
GlobalFriction strip(double stiffness) {
  constexpr std::int32_t points = 2 * contacts;
  CscMatrix M{2 * points, 2 * points, {0}, {}, {}};
  const auto are_joined = [](std::int32_t a, std::int32_t b) {
    return (a / contacts == b / contacts && std::abs(a - b) == 1) || std::abs(a - b) == contacts;
  };
  for (std::int32_t j = 0; j < 2 * points; ++j) {
    const std::int32_t a = j / 2;
    for (const std::int32_t step : {-contacts, -1, 0, 1, contacts}) {
      const std::int32_t b = a + step;
      if (b < 0 || b >= points || (step != 0 && !are_joined(a, b))) continue;
      const int joined = static_cast<int>(a % contacts > 0) + static_cast<int>(a % contacts < contacts - 1) + 1;
      M.row_index.push_back(2 * b + j % 2);
      M.values.push_back(step == 0 ? 1 + joined * stiffness : -stiffness);
    }
    M.col_start.push_back(static_cast<std::int32_t>(M.row_index.size()));
  }
  CscMatrix H{2 * points, 2 * contacts, {0}, {}, {}};
  for (std::int32_t j = 0; j < 2 * contacts; ++j) {
    H.row_index.push_back(j % 2 == 0 ? j + 1 : j - 1);  // normals upwards
    H.values.push_back(1);
    H.col_start.push_back(j + 1);
  }
  GlobalFriction g;
  g.dimension = 2;
  g.M = Matrix(M, "M");
  g.H = Matrix(H, "H");
  Random random(5);
  for (std::int32_t a = 0; a < points; ++a) g.f.push_back(0.4 * random.uniform()), g.f.push_back(random.uniform() - 1);
  g.w.assign(at(2 * contacts), 0.0);
  g.mu.assign(at(contacts), 0.3);
  g.validate();
  return g;
}

void expect_product_with_W(Condensation& condensation, double tolerance) {
  const Inclusion& view = condensation.inclusion();
  Random random(6);
  const Vector z = random.normals(view.size());
  Vector applied(z.size(), 0.0), formed(z.size(), 0.0);
  multiply_add(view, z, applied);
  multiply_add(*view.M, 1.0, z, formed);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(applied[i], formed[i], tolerance * norm(formed));
}

TEST(AppliedCompliance, IsTheProductWithW) {
  const GlobalFriction g = strip(100);
  Condensation condensation(g);
  ASSERT_NE(condensation.inclusion().elastic_operator(), nullptr);
  expect_product_with_W(condensation, 1e-13);
}

TEST(AppliedCompliance, KnowsTheSizeOfEveryContact) {
  const GlobalFriction g = strip(100);
  Condensation condensation(g);
  const ElasticOperator* W = condensation.inclusion().elastic_operator();
  ASSERT_NE(W, nullptr);
  const DenseMatrix formed = to_dense(*condensation.inclusion().M);
  for (std::size_t a = 0; a < at(contacts); ++a) {
    const double own = formed.values[2 * a * (at(formed.rows) + 1)] + formed.values[(2 * a + 1) * (at(formed.rows) + 1)];
    EXPECT_GT(W->diagonal()[a], 0.2 * own);
    EXPECT_LT(W->diagonal()[a], 1.5 * own);
  }
}

// Stiffer, indefinite, and as before: the operator goes while M is not definite, and what was set up for it with it.
TEST(AppliedCompliance, FollowsTheValuesOfM) {
  GlobalFriction g = strip(100);
  Condensation condensation(g);
  const Matrix before = g.M, stiffer = strip(300).M;
  Matrix indefinite = before;
  indefinite.own_values().front() *= -1;
  for (const Matrix* M : {&stiffer, static_cast<const Matrix*>(&indefinite), &before}) {
    g.M = *M;
    condensation.refactorise();
    condensation.refresh();
    EXPECT_EQ(condensation.inclusion().elastic_operator() == nullptr, M == &indefinite);
    expect_product_with_W(condensation, 1e-12);
  }
  EXPECT_EQ(condensation.patterns(), 3);
}

// A solid block touches with few of its points: products with its W cost less than solves.
TEST(AppliedCompliance, FewContactsHaveTheirW) {
  GlobalFriction g = strip(100);
  const DenseMatrix H = to_dense(g.H);
  g.H = Matrix(to_csc(Matrix(DenseMatrix{H.rows, 200, Vector(H.values.begin(), H.values.begin() + H.rows * 200)}, "H")), "H");
  g.w.resize(200);
  g.mu.resize(100);
  const Condensation condensation(g);
  EXPECT_NE(condensation.inclusion().elastic, nullptr);
  EXPECT_EQ(condensation.inclusion().elastic_operator(), nullptr);
}

// The strip, and points beside it that fall.
GlobalFriction strip_beside(int bodies) {
  GlobalFriction g = strip(100);
  const auto append_diagonal = [&](const Matrix& A, double value) {
    CscMatrix larger = *A.csc();
    for (int k = 0; k < 2 * bodies; ++k) {
      larger.row_index.push_back(static_cast<std::int32_t>(larger.rows++));
      larger.values.push_back(value);
      larger.col_start.push_back(static_cast<std::int32_t>(larger.row_index.size()));
      ++larger.cols;
    }
    return larger;
  };
  g.M = Matrix(append_diagonal(g.M, 0.5), "M");
  g.H = Matrix(append_diagonal(g.H, 1), "H");
  for (int k = 0; k < bodies; ++k) {
    g.f.insert(g.f.end(), {0.3, -1});
    g.w.insert(g.w.end(), {0, 0});
    g.mu.push_back(0.3);
  }
  g.validate();
  return g;
}

TEST(AppliedCompliance, AFewContactsOfRigidBodiesJoinIt) {
  const GlobalFriction g = strip_beside(5);
  Condensation condensation(g);
  const ElasticOperator* W = condensation.inclusion().elastic_operator();
  ASSERT_NE(W, nullptr);
  for (std::size_t a = at(contacts); a < W->diagonal().size(); ++a) EXPECT_DOUBLE_EQ(W->diagonal()[a], 2);
  EXPECT_LT(W->diagonal()[0], 0.1) << "is of the strip alone";
  expect_product_with_W(condensation, 1e-12);
}

// Rigid bodies beside the strip have their rows of W to be swept by, and so has the strip.
TEST(AppliedCompliance, ContactsOfRigidBodiesHaveTheirW) {
  const GlobalFriction g = strip_beside(60);
  const Condensation condensation(g);
  EXPECT_NE(condensation.inclusion().elastic, nullptr);
  EXPECT_EQ(condensation.inclusion().elastic_operator(), nullptr);
}

void expect_solved(const char* method, double tolerance) {
  SCOPED_TRACE(method);
  Problem problem;
  problem.data = strip(1000);
  Options options;
  options.set("tolerance", tolerance);
  Solver solver(problem, method, options);
  EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
  Vector f = global_data(problem)->f;
  for (double& x : f) x *= 1.1;
  solver.update_f(f);
  EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
  solver.update_mu(Vector(at(contacts), 0.5));
  EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
  const CscMatrix M = *strip(1500).M.csc();
  nsm_matrix stiffer{};
  stiffer.struct_size = sizeof(nsm_matrix);
  stiffer.storage = NSM_CSC;
  stiffer.rows = M.rows;
  stiffer.cols = M.cols;
  stiffer.values = M.values.data();
  stiffer.start = M.col_start.data();
  stiffer.index = M.row_index.data();
  solver.update_matrix(stiffer);
  EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
}

// By the operator, by W that is formed for who asks for it, and to what W leaves of the motion.
TEST(AppliedCompliance, MethodsWithAndWithoutWSolveIt) {
  for (const char* method : {"auto", "proximal_newton", "douglas_rachford", "accelerated_projected_gradient",
                             "block_gauss_seidel", "semismooth_newton"})
    expect_solved(method, 1e-6);
  expect_solved("auto", 1e-11);
}

TEST(AppliedCompliance, AutoSweepsNothing) {
  const GlobalFriction g = strip(100);
  const Condensation condensation(g);
  for (const Stage& stage : stages_of(condensation.inclusion(), Options())) EXPECT_STRNE(stage.method, "block_gauss_seidel");
}

}  // namespace nonsmooth::applied_compliance_test
