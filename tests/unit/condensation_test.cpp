// The condensed contact problem W = [H; 0]' K^-1 [H; 0], K = [M -G; G' 0], against dense algebra, and the way back.
#include "problems/condensation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>

#include "../support/generators.hpp"
#include "../support/stiff_body.hpp"
#include "certificate/certificate.hpp"
#include "core/error.hpp"
#include "methods/solver/solver.hpp"
#include "problems/partial_condensation.hpp"

namespace nonsmooth::condensation_test {

using generate::at;
using generate::norm;
using generate::Random;

Matrix in_storage(const DenseMatrix& A, int storage) {
  const Matrix dense(A, "A");
  return storage == 0 ? dense : Matrix(to_csc(dense), "A");
}

// Bodies of 3 degrees of freedom, each contact between one or two of them.
GlobalFriction random_global(Random& random, int dimension, int bodies, int contacts, int bilateral, int storage) {
  const int n = 3 * bodies;
  DenseMatrix M{n, n, Vector(at(n) * at(n), 0.0)}, H{n, dimension * contacts, Vector(at(n) * at(dimension) * at(contacts), 0.0)};
  for (int b = 0; b < bodies; ++b) {
    const Vector block = generate::gram(random, 3, 6, 0.5);
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) M.values[at(3 * b + i + (3 * b + j) * n)] = block[at(i + 3 * j)];
  }
  for (int c = 0; c < contacts; ++c)
    for (int body : {random.integer(0, bodies - 1), random.integer(0, bodies - 1)})
      for (int j = 0; j < dimension; ++j)
        for (int i = 0; i < 3; ++i) H.values[at(3 * body + i + (dimension * c + j) * n)] = random.normal();
  GlobalFriction g;
  g.dimension = dimension;
  g.M = in_storage(M, storage);
  g.H = in_storage(H, storage);
  g.f = random.normals(n);
  g.w = random.normals(dimension * contacts);
  g.mu = random.uniforms(contacts, 0, 1);
  if (bilateral > 0) {
    g.G = in_storage({n, bilateral, random.normals(std::int64_t{n} * bilateral)}, storage);
    g.b = random.normals(bilateral);
  }
  g.validate();
  return g;
}

// K, dense.
Vector saddle(const GlobalFriction& g) {
  const DenseMatrix M = to_dense(g.M), G = to_dense(g.G);
  const std::int64_t n = M.rows, p = g.bilateral_rows(), order = n + p;
  Vector K(at(order * order), 0.0);
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int64_t i = 0; i < n; ++i) K[at(i + j * order)] = M.values[at(i + j * n)];
  for (std::int64_t j = 0; j < p; ++j)
    for (std::int64_t i = 0; i < n; ++i) {
      K[at(i + (n + j) * order)] = -G.values[at(i + j * n)];
      K[at(n + j + i * order)] = G.values[at(i + j * n)];
    }
  return K;
}

void expect_condensed(const GlobalFriction& g) {
  Condensation condensation(g);
  const DenseMatrix W = to_dense(*condensation.inclusion().M), H = to_dense(g.H);
  const Vector K = saddle(g);
  const std::int64_t n = H.rows, m = H.cols, order = g.contact_start();
  auto dual = [&](const Vector& x, std::int64_t column) {  // H(:, column)' x
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += H.values[at(i + column * n)] * x[at(i)];
    return sum;
  };
  const double tolerance = 1e-9 * (1 + norm(W.values));
  Vector x;
  for (std::int64_t j = 0; j < m; ++j) {
    Vector column(at(order), 0.0);
    std::copy_n(H.values.begin() + j * n, n, column.begin());
    ASSERT_TRUE(generate::solve(K, column, x));
    for (std::int64_t i = 0; i < m; ++i) EXPECT_NEAR(W.values[at(i + j * m)], dual(x, i), tolerance);
  }
  Vector load = g.f;
  for (double b : g.b) load.push_back(-b);
  ASSERT_TRUE(generate::solve(K, load, x));
  for (std::int64_t j = 0; j < m; ++j)
    EXPECT_NEAR((*condensation.inclusion().q)[at(j)], dual(x, j) + g.w[at(j)], tolerance * (1 + norm(x)));
  EXPECT_DOUBLE_EQ(condensation.inclusion().scale, std::max(1.0, norm(g.w)));
}

TEST(Condensation, AgreesWithDenseAlgebra) {
  Random random(61);
  for (int k = 0; k < 100; ++k)
    expect_condensed(random_global(random, random.integer(2, 3), random.integer(1, 6), random.integer(1, 6), 0, k % 2));
}

TEST(Condensation, AgreesWithDenseAlgebraWithBilateralConstraints) {
  Random random(62);
  for (int k = 0; k < 100; ++k)
    expect_condensed(
        random_global(random, random.integer(2, 3), random.integer(2, 6), random.integer(1, 6), random.integer(1, 3), k % 2));
}

// Components above the dense limit take the sparse factorisation.
TEST(Condensation, LargeComponents) {
  Random random(63);
  GlobalFriction g = random_global(random, 3, 30, 4, 0, 1);
  DenseMatrix M = to_dense(g.M);
  for (int i = 0; i + 1 < 90; ++i) {
    M.values[at(i + (i + 1) * 90)] += 0.05;
    M.values[at(i + 1 + i * 90)] += 0.05;
  }
  g.M = in_storage(M, 1);
  expect_condensed(g);
}

// Masses on a line, each joined to the next so many times; every tenth pair in contact with the ground.
GlobalFriction line(int masses, int times, double opening) {
  const int joints = times * (masses - 1), contacts = masses / 10;
  DenseMatrix M{masses, masses, generate::identity(masses)}, G{masses, joints, Vector(at(masses) * at(joints), 0.0)};
  DenseMatrix H{masses, 2 * contacts, Vector(at(masses) * at(2 * contacts), 0.0)};
  for (int j = 0; j < joints; ++j) {
    const int mass = j % (masses - 1);
    G.values[at(mass + j * masses)] = 1;
    G.values[at(mass + 1 + j * masses)] = -1;
  }
  for (int j = 0; j < 2 * contacts; ++j) H.values[at(10 * (j / 2) + j % 2 + j * masses)] = 1;
  GlobalFriction g;
  g.dimension = 2;
  g.M = in_storage(M, 1);
  g.G = in_storage(G, 1);
  g.H = in_storage(H, 1);
  g.f.assign(at(masses), 1.0);
  g.w.assign(at(2 * contacts), 0.0);
  g.b.assign(at(joints), opening);
  g.mu.assign(at(contacts), 0.5);
  g.validate();
  return g;
}

TEST(PartialCondensation, PaysInLongMechanismsWhoseJointsAgree) {
  EXPECT_GT(PartialCondensation::gain(line(200, 1, 0)), 1);
  EXPECT_GT(PartialCondensation::gain(line(200, 1, 0.1)), 1);
  EXPECT_GT(PartialCondensation::gain(line(200, 2, 0)), 1) << "joints that cannot but agree";
  EXPECT_EQ(PartialCondensation::gain(line(200, 2, 0.1)), 0) << "and those that could contradict each other";
  EXPECT_LT(PartialCondensation::gain(line(10, 1, 0)), 1) << "few bodies";
}

// A body without mass moves with those that it is joined to.
TEST(PartialCondensation, BodiesWithoutMassAreCondensedWithTheirJoints) {
  GlobalFriction g = line(200, 1, 0);
  EXPECT_EQ(Reduction::of(g, true)->inclusion().size(), g.bilateral_rows() + g.H.cols());
  EXPECT_EQ(Reduction::of(g, false)->inclusion().size(), g.H.cols());
  g.M.own_values()[55] = 0;
  EXPECT_EQ(Reduction::of(g, true)->inclusion().size(), g.H.cols());
}

// Sweeps would spread the forces joint by joint, and take thousands.
TEST(PartialCondensation, NamedMethodsSeeTheContactsAlone) {
  Problem problem;
  GlobalFriction g = line(200, 1, 0);
  Random random(68);
  g.f = random.normals(g.dynamics_rows());
  problem.data = g;
  Options options;
  options.set("max_iterations", 100);
  EXPECT_EQ(Solver(problem, "block_gauss_seidel", options).solve().outcome, NSM_CONVERGED);
}

// Joints are kept for some solves, condensed for the others: velocities are the same.
TEST(PartialCondensation, SequencesCondenseJointsOnceThatPays) {
  Problem problem;
  problem.data = line(200, 1, 0);
  const auto& g = std::get<GlobalFriction>(problem.data);
  Options options;
  options.set("tolerance", 1e-10);
  Solver sequence(problem, nullptr, options);
  options.set("all_stages", 1);
  Solver condensed(problem, nullptr, options);
  int messages = 0;
  sequence.control().log_user = &messages;
  sequence.control().log_callback = [](void* count, const char* text) {
    if (std::string_view(text).starts_with("joints are condensed")) ++*static_cast<int*>(count);
  };
  Random random(67);
  const auto solves = static_cast<int>(PartialCondensation::gain(g)) + 5;
  for (int k = 0; k < solves; ++k) {
    EXPECT_EQ(messages, k > solves - 5 ? 1 : 0) << k;
    ASSERT_EQ(sequence.solve().outcome, NSM_CONVERGED) << k;
    ASSERT_EQ(condensed.solve().outcome, NSM_CONVERGED) << k;
    for (std::int64_t i = 0; i < g.dynamics_rows(); ++i)
      EXPECT_NEAR(sequence.z()[at(i)], condensed.z()[at(i)], 1e-7 * (1 + std::abs(condensed.z()[at(i)]))) << k;
    const Vector f = random.normals(g.dynamics_rows());
    sequence.update_f(f);
    condensed.update_f(f);
  }
  EXPECT_EQ(messages, 1);
}

// C = [G H], dense; x = M^-1 C for each column.
TEST(PartialCondensation, AgreesWithDenseAlgebra) {
  Random random(65);
  for (int k = 0; k < 100; ++k) {
    GlobalFriction g =
        random_global(random, random.integer(2, 3), random.integer(2, 6), random.integer(1, 6), random.integer(1, 8), k % 2);
    PartialCondensation partial(g);
    if (k % 3 == 0) {  // other values
      for (double& m : g.M.own_values()) m *= 2;
      partial.refactorise();
      partial.refresh();
    }
    const DenseMatrix M = to_dense(g.M), G = to_dense(g.G), H = to_dense(g.H), W = to_dense(*partial.inclusion().M);
    Vector C = G.values;
    C.insert(C.end(), H.values.begin(), H.values.end());
    const std::int64_t n = M.rows, m = G.cols + H.cols;
    const auto dual = [&](const Vector& x, std::int64_t column) {
      return std::inner_product(x.begin(), x.end(), C.begin() + column * n, 0.0);
    };
    const double tolerance = 1e-9 * (1 + norm(W.values));
    Vector x;
    for (std::int64_t j = 0; j < m; ++j) {
      ASSERT_TRUE(generate::solve(M.values, Vector(C.begin() + j * n, C.begin() + (j + 1) * n), x));
      for (std::int64_t i = 0; i < m; ++i) EXPECT_NEAR(W.values[at(i + j * m)], dual(x, i), tolerance);
    }
    ASSERT_TRUE(generate::solve(M.values, g.f, x));
    for (std::int64_t j = 0; j < m; ++j)
      EXPECT_NEAR((*partial.inclusion().q)[at(j)], dual(x, j) + (j < G.cols ? g.b[at(j)] : g.w[at(j - G.cols)]),
                  tolerance * (1 + norm(x)));
  }
}

// Whatever the multipliers are: what is left is that of the joints and the contacts.
TEST(PartialCondensation, LiftSatisfiesTheDynamics) {
  Random random(66);
  for (int k = 0; k < 100; ++k) {
    Problem problem;
    problem.data = random_global(random, 3, random.integer(2, 5), random.integer(1, 5), random.integer(1, 6), k % 2);
    const auto& g = std::get<GlobalFriction>(problem.data);
    PartialCondensation partial(g);
    const Vector s = random.normals(partial.inclusion().size());
    Vector z(at(g.size())), w(at(g.size())), expected = *partial.inclusion().q;
    partial.lift(s, z);
    EXPECT_TRUE(std::equal(s.begin(), s.end(), z.begin() + g.dynamics_rows()));
    Certifier(problem).certify(z, {}, 1e-8, w);
    EXPECT_LE(norm(Vector(w.begin(), w.begin() + g.dynamics_rows())), 1e-9 * (1 + norm(z)));
    multiply_add(*partial.inclusion().M, 1.0, s, expected);
    for (std::size_t i = 0; i < s.size(); ++i)
      EXPECT_NEAR(w[at(g.dynamics_rows()) + i], expected[i], 1e-9 * (1 + norm(expected)));
    const Vector gz = random.normals(g.size());
    Vector dz(gz.size()), gradient(s.size());
    partial.lift_change(s, dz);
    partial.lift_change_transposed(gz, gradient);
    EXPECT_NEAR(std::inner_product(gz.begin(), gz.end(), dz.begin(), 0.0),
                std::inner_product(s.begin(), s.end(), gradient.begin(), 0.0), 1e-9 * (1 + norm(gz) * norm(dz)));
  }
}

// Whatever r is, the lifted z satisfies the dynamics: only the contact part of the residual is left.
TEST(Condensation, LiftSatisfiesTheDynamics) {
  Random random(64);
  for (int k = 0; k < 200; ++k) {
    Problem problem;
    problem.data =
        random_global(random, random.integer(2, 3), random.integer(2, 5), random.integer(1, 5), random.integer(0, 2), k % 2);
    const auto& g = std::get<GlobalFriction>(problem.data);
    Condensation condensation(g);
    const Vector r = random.normals(g.H.cols());
    Vector z(at(g.size())), w(at(g.size()));
    condensation.lift(r, z);
    EXPECT_TRUE(std::equal(r.begin(), r.end(), z.begin() + g.contact_start()));
    const nsm_certificate c = Certifier(problem).certify(z, {}, 1e-8, w);
    EXPECT_LE(c.dynamics, 1e-10);
    // u = W r + q.
    Vector u = *condensation.inclusion().q;
    multiply_add(*condensation.inclusion().M, 1.0, r, u);
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(w[at(g.contact_start()) + i], u[i], 1e-9 * (1 + norm(u)));
  }
}

TEST(Condensation, SingularMatricesAreRefusedByName) {
  Random random(65);
  GlobalFriction g = random_global(random, 3, 2, 1, 0, 0);
  DenseMatrix M = to_dense(g.M);
  for (int i = 0; i < 6; ++i) M.values[at(4 + i * 6)] = M.values[at(i + 4 * 6)] = 0;
  g.M = in_storage(M, 0);
  try {
    Condensation condensation(g);
    FAIL() << "a singular M was factorised";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), NSM_INVALID_VALUE);
    EXPECT_NE(error.message().find("M is singular"), std::string::npos) << error.message();
  }
}

// Constraints that depend on others, as in every closed chain of joints: K is singular though M is not. The velocities and W are
// those of the independent ones, and all constraints hold.
void expect_same_without_redundancy(const GlobalFriction& independent, const Vector& combination) {
  const std::int64_t n = independent.dynamics_rows(), p = independent.bilateral_rows();
  GlobalFriction redundant = independent;
  DenseMatrix G = to_dense(independent.G);
  Vector dependent(at(n), 0.0);
  double b = 0;
  for (std::int64_t j = 0; j < p; ++j) {
    for (std::int64_t i = 0; i < n; ++i) dependent[at(i)] += combination[at(j)] * G.values[at(i + j * n)];
    b += combination[at(j)] * independent.b[at(j)];
  }
  G.values.insert(G.values.end(), dependent.begin(), dependent.end());
  G.values.insert(G.values.end(), at(n), 0.0);  // 0 = 0
  G.cols = p + 2;
  redundant.b.insert(redundant.b.end(), {b, 0.0});
  redundant.G = in_storage(G, 1);
  redundant.validate();
  Condensation reference(independent), condensation(redundant);
  const DenseMatrix W = to_dense(*condensation.inclusion().M), expected = to_dense(*reference.inclusion().M);
  for (std::size_t k = 0; k < W.values.size(); ++k) ASSERT_NEAR(W.values[k], expected.values[k], 1e-8 * (1 + norm(W.values)));
  Problem problem;
  problem.data = redundant;
  const Vector r(at(redundant.H.cols()), 1.0);
  Vector z(at(redundant.size())), w(z.size());
  condensation.lift(r, z);
  EXPECT_LE(Certifier(problem).certify(z, {}, 1e-8, w).dynamics, 1e-9);
  for (std::int64_t j = p; j < p + 2; ++j) EXPECT_EQ(z[at(n + j)], 0);
}

TEST(Condensation, ConstraintsThatDependOnOthers) {
  Random random(69);
  for (int k = 0; k < 100; ++k) {
    const int p = random.integer(1, 3);
    const GlobalFriction g = random_global(random, random.integer(2, 3), random.integer(2, 30), random.integer(1, 4), p, k % 2);
    Vector combination = random.normals(p);
    if (k % 3 == 0)
      combination = Vector(at(p), 0.0), combination[0] = k % 2 == 0 ? 1.0 : 1.0 / 3;  // rounds: no pivot is exactly 0
    expect_same_without_redundancy(g, combination);
  }
}

TEST(Condensation, MassesOfVeryDifferentSizeAreNotSingular) {
  GlobalFriction g;
  g.dimension = 2;
  // A mass of 10^9 kg and an inertia of 10^-9 kg m^2, coupled a little: positive definite, condition 10^18 by units alone.
  g.M = Matrix(DenseMatrix{2, 2, {1e9, 0.1, 0.1, 1e-9}}, "M");
  g.H = Matrix(DenseMatrix{2, 2, {1, 0, 0, 1}}, "H");
  g.f = {-1, 0};
  g.w = {0, 0};
  g.mu = {0.5};
  EXPECT_NO_THROW(Condensation condensation(g));
}

TEST(Condensation, NoContacts) {
  GlobalFriction g;
  g.dimension = 3;
  g.M = Matrix(DenseMatrix{2, 2, {2, 0, 0, 4}}, "M");
  g.H = Matrix(DenseMatrix{2, 0, {}}, "H");
  g.f = {1, 1};
  g.validate();
  Condensation condensation(g);
  EXPECT_EQ(condensation.inclusion().size(), 0);
  Vector z(2);
  condensation.lift({}, z);
  EXPECT_EQ(z, (Vector{0.5, 0.25}));
}

TEST(Condensation, FollowsItsData) {
  Random random(66);
  GlobalFriction g = random_global(random, 3, 2, 2, 1, 0);
  Condensation condensation(g);
  g.w = random.normals(6);
  g.mu = {0.1, 0.2};
  condensation.refresh();
  DenseMatrix M = to_dense(g.M);
  for (double& entry : M.values) entry *= 2;
  g.M = Matrix(M, "M");
  condensation.refactorise();
  condensation.refresh();
  const Condensation fresh(g);
  EXPECT_EQ(*condensation.inclusion().q, *fresh.inclusion().q);
  EXPECT_EQ(to_dense(*condensation.inclusion().M).values, to_dense(*fresh.inclusion().M).values);
  EXPECT_EQ(condensation.inclusion().blocks[1].a, 0.2);
  EXPECT_EQ(condensation.patterns(), 1);
}

constexpr int bodies = 20, order = 3 * bodies;

// Couples neighbouring bodies up to `last`, but for one pair of them.
DenseMatrix coupled(DenseMatrix M, int last, int apart = -1) {
  for (int b = 0; b < last; ++b)
    if (b != apart) M.values[at(3 * b + (3 * b + 3) * order)] = M.values[at(3 * b + 3 + 3 * b * order)] = 0.1;
  return M;
}

void expect_as_fresh(Condensation& condensation, const GlobalFriction& g, double tolerance) {
  Condensation fresh(g);
  const Inclusion &own = condensation.inclusion(), &expected = fresh.inclusion();
  EXPECT_EQ(own.bodies == nullptr, expected.bodies == nullptr);
  const DenseMatrix W = to_dense(*own.M), V = to_dense(*expected.M);
  ASSERT_EQ(own.M->values().size(), expected.M->values().size());
  for (std::size_t k = 0; k < W.values.size(); ++k) ASSERT_NEAR(W.values[k], V.values[k], tolerance);
  for (std::size_t k = 0; k < own.q->size(); ++k) ASSERT_NEAR((*own.q)[k], (*expected.q)[k], tolerance);
  Vector r(own.q->size(), 1.0), u(r.size(), 0.0), v(r.size(), 0.0);
  multiply_add(own, r, u);
  multiply_add(expected, r, v);
  for (std::size_t k = 0; k < u.size(); ++k) ASSERT_NEAR(u[k], v[k], tolerance);
}

// Zeros of a dense M leave bodies apart, until others take their place.
TEST(Condensation, FindsAnewWhatADenseMassCouples) {
  for (const bool joint : {false, true}) {
    Random random(67);
    GlobalFriction g = random_global(random, 3, bodies, 24, 0, 0);
    if (joint) {
      DenseMatrix G{order, 1, Vector(order, 0.0)};
      G.values[0] = 1, G.values[3] = -1;
      g.G = Matrix(G, "G");
      g.b = {0.5};
    }
    Condensation condensation(g);
    EXPECT_NE(condensation.inclusion().bodies, nullptr);
    const DenseMatrix M = to_dense(g.M);
    DenseMatrix turning = M;
    turning.values[1] += 0.1;  // no longer symmetric
    const struct {
      DenseMatrix M;
      bool is_new;
    } steps[] = {{coupled(M, bodies - 1), true},
                 {coupled(M, bodies - 1, bodies / 2), true},
                 {coupled(M, bodies - 1), true},
                 {coupled(M, 2), true},
                 {M, true},
                 {turning, !joint},  // K of a joint has never been symmetric
                 {M, !joint}};
    std::int64_t patterns = 1;
    for (const auto& step : steps) {
      g.M = Matrix(step.M, "M");
      condensation.refactorise();
      condensation.refresh();
      EXPECT_EQ(condensation.patterns(), patterns += step.is_new ? 1 : 0);
      expect_as_fresh(condensation, g, 0);
    }
  }
}

// A pattern that cannot be factorised is none.
TEST(Condensation, ASingularMassLeavesThePattern) {
  Random random(68);
  GlobalFriction g = random_global(random, 3, bodies, 24, 0, 0);
  Condensation condensation(g);
  const DenseMatrix M = to_dense(g.M);
  DenseMatrix singular = coupled(M, bodies - 1);
  for (int i = 0; i < order; ++i) singular.values[at(7 + i * order)] = 0;
  g.M = Matrix(singular, "M");
  EXPECT_THROW(condensation.refactorise(), Error);
  EXPECT_EQ(condensation.patterns(), 1);
  g.M = Matrix(coupled(M, bodies - 1), "M");
  condensation.refactorise();
  condensation.refresh();
  EXPECT_EQ(condensation.patterns(), 2);
  expect_as_fresh(condensation, g, 0);
}

// One joint couples two bodies, whatever the storage.
TEST(Condensation, AJointLeavesTheOtherBodiesApart) {
  Random random(70);
  for (int storage : {0, 1}) {
    GlobalFriction g = random_global(random, 3, bodies, 24, 0, storage);
    DenseMatrix G{order, 1, Vector(order, 0.0)};
    G.values[0] = 1, G.values[3] = -1;
    g.G = in_storage(G, 1 - storage);
    g.b = {0};
    expect_condensed(g);
    Condensation condensation(g);
    ASSERT_NE(condensation.inclusion().bodies, nullptr);
    EXPECT_LE(condensation.inclusion().bodies->contacts_of_bodies().size(), at(bodies));
  }
}

// Cholesky factors, LU of what is not symmetric, and the way from one to the other: their order is kept.
TEST(Condensation, OtherValuesOfLargeComponents) {
  for (const int bilateral : {0, 2}) {
    Random random(71);
    GlobalFriction g = random_global(random, 3, 30, 20, bilateral, 1);
    DenseMatrix M = to_dense(g.M);
    for (int i = 0; i + 1 < 90; ++i) M.values[at(i + (i + 1) * 90)] = M.values[at(i + 1 + i * 90)] = 0.05;
    g.M = in_storage(M, 1);
    Condensation condensation(g);
    DenseMatrix turning = M;
    turning.values[1] += 0.1;
    for (const int step : {0, 1, 2}) {
      g.M = in_storage(step == 1 ? turning : M, 1);
      for (int k = 0; k < 2; ++k) {
        condensation.refactorise();
        condensation.refresh();
        // An elastic body, none, and one again; with joints it is not taken for one.
        EXPECT_EQ(condensation.patterns(), bilateral == 0 ? 1 + step : 1);
        expect_as_fresh(condensation, g, 1e-9);
      }
    }
  }
}

// Its W has the rounding of the springs; see support/stiff_body.hpp.
GlobalFriction stiff_body(std::int32_t n, double stiffness) {
  const generate::StiffBody body(n, stiffness);
  GlobalFriction g;
  g.dimension = 2;
  g.M = in_storage(DenseMatrix{body.rows, body.rows, body.M}, 1);
  g.H = in_storage(DenseMatrix{body.rows, 2 * n, body.H}, 1);
  g.f = body.f;
  g.w.assign(at(2 * n), 0.0);
  g.mu.assign(at(n), 0.5);
  g.validate();
  return g;
}

// Some 1e-9 of W and more is rounding, which the tolerance does not allow. The next solve begins with q as it is.
TEST(Condensation, RoundingOfWIsMadeUpFor) {
  for (const double stiffness : {1e6, 3e6, 5e6, 1e8, 1e10}) {
    Problem problem;
    problem.data = stiff_body(24, stiffness);
    Options options;
    options.set("tolerance", 1e-9);
    Solver solver(problem, "auto", options);
    EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED) << "stiffness " << stiffness;
    const Vector first(solver.z().begin(), solver.z().end());
    solver.warm_start(Vector(first.size(), 0.0));
    EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
    EXPECT_TRUE(std::ranges::equal(first, solver.z())) << "the same bits from the same start";
  }
}

// Forces of some units that leave 1e-9 of each other, on springs of 1e7, masses of 1: that rest alone moves the body, as a whole.
TEST(Condensation, ABodyMovesByWhatItsForcesLeave) {
  GlobalFriction g = stiff_body(24, 0x1p23);
  const double speed = 0x1p-30;
  Vector r(g.w.size()), z(at(g.size()));
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<double>(i % 7 + 1);
  g.f.assign(g.f.size(), speed);
  multiply_add(g.H, -1.0, r, g.f);
  Condensation condensation(g);
  condensation.lift(r, z);
  for (std::int64_t i = 0; i < g.dynamics_rows(); ++i) EXPECT_NEAR(z[at(i)], speed, 1e-11 * speed);
}

// What a method has set up for bodies, or for parts of W, is of no use once they are coupled.
TEST(Condensation, MethodsFollowWhatADenseMassCouples) {
  Random random(72);
  Problem problem;
  GlobalFriction g = random_global(random, 3, bodies, 24, 0, 0);
  g.mu.assign(g.mu.size(), 0.3);
  const DenseMatrix M = to_dense(g.M);
  for (const char* method : {"auto", "block_gauss_seidel", "jacobi", "friction_interior_point", "proximal_newton",
                             "accelerated_projected_gradient", "admm"}) {
    problem.data = g;
    Solver solver(problem, method, Options());
    solver.solve();
    const DenseMatrix steps[] = {coupled(M, bodies - 1), coupled(M, bodies - 1, bodies / 2), coupled(M, bodies - 1), M};
    for (const DenseMatrix& step : steps) {
      solver.update_matrix(nsm_matrix_dense(order, order, step.values.data()));
      GlobalFriction now = g;
      now.M = Matrix(step, "M");
      problem.data = now;
      EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED) << method;
      EXPECT_EQ(Solver(problem, method, Options()).solve().outcome, NSM_CONVERGED) << method;
    }
  }
}

}  // namespace nonsmooth::condensation_test
