#include "linalg/krylov_refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "../support/generators.hpp"

namespace krylov_refinement_test {

using namespace nonsmooth;

// K = D + U V' of rank `rank`, and D as its factors.
struct Perturbed {
  std::size_t n;
  Vector diagonal, u, v;

  Perturbed(std::size_t size, std::size_t rank, generate::Random& random)
      : n(size),
        diagonal(random.uniforms(static_cast<std::int64_t>(size), 1, 2)),
        u(random.normals(static_cast<std::int64_t>(size * rank))),
        v(random.normals(static_cast<std::int64_t>(size * rank))) {}
  Perturbed scaled(double share) const {
    Perturbed result = *this;
    for (double& value : result.u) value *= share;
    return result;
  }
  void subtract_product(std::span<const double> x, std::span<double> y) const {
    for (std::size_t i = 0; i < n; ++i) y[i] -= diagonal[i] * x[i];
    for (std::size_t k = 0; k < u.size() / n; ++k) {
      double along = 0;
      for (std::size_t i = 0; i < n; ++i) along += v[k * n + i] * x[i];
      for (std::size_t i = 0; i < n; ++i) y[i] -= along * u[k * n + i];
    }
  }
  double defect(std::span<const double> x, std::span<const double> b) const {
    Vector left(b.begin(), b.end());
    subtract_product(x, left);
    return norm2(left) / norm2(b);
  }
  Vector solve(const Vector& b, double share) const {
    KrylovRefinement krylov;
    krylov.reserve(n);
    Vector x = b;
    krylov.solve(
        x, share,
        [&](std::span<double> r) {
          for (std::size_t i = 0; i < n; ++i) r[i] /= diagonal[i];
        },
        [&](std::span<const double> s, std::span<double> y) { subtract_product(s, y); });
    return x;
  }
};

// Factors wrong in k directions: k + 1 steps; steps of refinement would diverge.
TEST(KrylovRefinement, MendsFactorsThatAreWrongInAFewDirections) {
  generate::Random random(5);
  for (const std::size_t rank : {0u, 1u, 4u, 9u}) {
    const Perturbed K(60, rank, random);
    const Vector b = random.normals(60);
    EXPECT_LT(K.defect(K.solve(b, 1e-12), b), 1e-10) << rank;
  }
}

TEST(KrylovRefinement, LeavesWhatItCannotReachSmallerThanBefore) {
  generate::Random random(6);
  const Perturbed K(60, 30, random);
  const Vector b = random.normals(60);
  EXPECT_LT(K.defect(K.solve(b, 1e-12), b), 1);
}

TEST(KrylovRefinement, StopsAtTheShareThatIsAsked) {
  generate::Random random(7);
  const Perturbed K = Perturbed(60, 30, random).scaled(0.02);
  const Vector b = random.normals(60);
  const double rough = K.defect(K.solve(b, 0.1), b);
  EXPECT_LE(rough, 0.1 * (1 + 1e-12));
  EXPECT_GT(rough, 1e-8);
}

TEST(KrylovRefinement, WhatIsNoNumberEndsIt) {
  KrylovRefinement krylov;
  krylov.reserve(3);
  Vector zero(3, 0.0), x{1, 2, 3};
  const auto identity = [](std::span<double>) {};
  const auto broken = [](std::span<const double>, std::span<double> y) { y[0] = NAN; };
  krylov.solve(zero, 1e-10, identity, broken);
  EXPECT_EQ(zero, Vector(3, 0.0));
  krylov.solve(x, 1e-10, identity, broken);
  EXPECT_EQ(x, Vector(3, 0.0));  // no step
}

}  // namespace krylov_refinement_test
