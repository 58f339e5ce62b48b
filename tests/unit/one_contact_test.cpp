// The iterated one-contact solvers end at the reaction of the exact one.
#include <gtest/gtest.h>

#include "../support/generators.hpp"
#include "methods/equations/one_contact.hpp"
#include "methods/solver/solver.hpp"
#include "sets/coulomb_cone.hpp"

namespace nonsmooth::one_contact_test {

using generate::at;
using generate::norm;
using generate::Random;

constexpr const char* words[] = {"exact", "projection", "alart_curnier", "jean_moreau", "fischer_burmeister"};

class OneContact : public testing::TestWithParam<ContactSolver> {};

template <int D, class Exact>
void compare_with_exact(ContactSolver solver, std::uint64_t seed) {
  Random random(seed);
  for (int k = 0; k < 2000; ++k) {
    Vector W = generate::gram(random, D, D, 0.5);
    const ContactCone<D - 1, 1> cone{{random.uniform(0, 0.8)}};
    const Vector q = random.normals(D);
    IteratedContactSolver<D> iterated;
    Exact exact;
    iterated.choose(solver);
    ASSERT_TRUE(iterated.prepare(cone, W.data(), 0));
    ASSERT_TRUE(exact.prepare(cone, W.data(), 0));
    Vector r(D, 0.0), expected(D, 0.0);
    exact.solve(q.data(), expected.data());
    for (int sweep = 0; sweep < (solver == ContactSolver::projection ? 5000 : 3); ++sweep) iterated.solve(q.data(), r.data());
    for (std::size_t i = 0; i < D; ++i) ASSERT_NEAR(r[i], expected[i], 1e-8 * (1 + norm(expected))) << k;
  }
}

TEST_P(OneContact, EndsAtTheExactReaction) {
  compare_with_exact<3, CoulombBlockSolver3>(GetParam(), 81);
  compare_with_exact<2, CoulombBlockSolver2>(GetParam(), 82);
}

// Sixteen contacts of a random problem, W = A A' + I / 2.
TEST_P(OneContact, SweepsWithItAreCertified) {
  Random random(83);
  for (int k = 0; k < 20; ++k) {
    const int dimension = 2 + k % 2, contacts = 16;
    const std::int64_t n = dimension * contacts;
    Problem problem;
    problem.data =
        Friction{dimension, Matrix(DenseMatrix{n, n, generate::gram(random, static_cast<int>(n), static_cast<int>(n), 0.5)}, "W"),
                 random.normals(n), random.uniforms(contacts, 0, 0.7)};
    Options options;
    options.set_text("block_solver", words[static_cast<int>(GetParam())]);
    EXPECT_EQ(Solver(problem, "block_gauss_seidel", options).solve().outcome, NSM_CONVERGED) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OneContact,
                         testing::Values(ContactSolver::projection, ContactSolver::alart_curnier, ContactSolver::jean_moreau,
                                         ContactSolver::fischer_burmeister),
                         [](const auto& parameter) { return words[static_cast<int>(parameter.param)]; });

TEST(OneContactOption, IsOfCoulombContactsAlone) {
  Problem problem;
  problem.data = Lcp{Matrix(DenseMatrix{1, 1, {1}}, "M"), {-1}};
  Options options;
  options.set_text("block_solver", "projection");
  EXPECT_ANY_THROW(Solver(problem, "block_gauss_seidel", options));
}

}  // namespace nonsmooth::one_contact_test
