// One contact with rolling friction by `auto`: solutions made up with each part sticking or sliding.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nonsmooth/nonsmooth.hpp>

#include "../support/generators.hpp"

namespace lone_contact_test {

using generate::at;
using generate::Random;
using generate::Values;

using Slides = std::array<bool, 2>;  // the parts of a contact, of friction and of rolling

constexpr double mu = 0.4, mu_r = 0.1;

// Its solution is r: each part within its bound at rest, or on it and moving against it.
struct Contact {
  Contact(Random& random, int part, const Slides& slides) : size(1 + 2 * part), W(generate::gram(random, size, 2 * size, 0.5)) {
    r.assign(at(size), 0.0);
    Values w = r;
    r[0] = random.uniform(0.5, 2);
    for (const int g : {0, 1}) {
      const double angle = random.uniform(0, 6), bound = (g == 0 ? mu : mu_r) * r[0], speed = random.uniform(0.2, 1),
                   share = slides[at(g)] ? 1 : random.uniform(0, 0.9);
      const Values direction = part == 1 ? Values{angle < 3 ? -1.0 : 1.0} : Values{std::cos(angle), std::sin(angle)};
      for (int i = 0; i < part; ++i) {
        r[at(1 + g * part + i)] = share * bound * direction[at(i)];
        w[at(1 + g * part + i)] = slides[at(g)] ? -speed * direction[at(i)] : 0;
      }
    }
    q = generate::right_hand_side(w, generate::multiply(W, r));
  }
  nsm::Problem problem() const { return nsm::Problem::rolling(size, nsm::Matrix::dense(size, size, W), q, {mu}, {mu_r}); }
  int size;
  Values W, r, q;
};

void expect_solution(nsm::Solver& solver, const nsm::Result& result, const Contact& contact, const char* where) {
  EXPECT_TRUE(result.converged()) << where;
  for (std::size_t i = 0; i < contact.r.size(); ++i) EXPECT_NEAR(solver.solution().z[i], contact.r[i], 1e-6) << where;
}

constexpr Slides statuses[] = {{false, false}, {false, true}, {true, false}, {true, true}};

TEST(LoneContact, OneThatRollsIsSolvedWhateverSlides) {
  Random random(7);
  for (const int part : {1, 2})
    for (const Slides& slides : statuses)
      for (int k = 0; k < 20; ++k) {
        const Contact contact(random, part, slides);
        nsm::Solver solver(contact.problem());
        expect_solution(solver, solver.solve(), contact, "from 0");
        Values start = contact.r;
        for (double& x : start) x *= 1.5;
        solver.warm_start(start);
        const nsm::Result warm = solver.solve();
        expect_solution(solver, warm, contact, "from its statuses");
        const bool is_eliminated = !slides[0] || !slides[1];
        EXPECT_TRUE(!is_eliminated || warm.iterations() == 1) << "what sticks is eliminated, " << warm.iterations();
      }
}

TEST(LoneContact, OneThatOpensHasNoReaction) {
  Random random(8);
  const Contact contact(random, 2, statuses[1]);
  nsm::Solver solver(contact.problem());
  ASSERT_TRUE(solver.solve().converged());
  solver.update_q({0.5, 3, -2, 1, 1});
  const nsm::Result result = solver.solve();
  EXPECT_TRUE(result.converged());
  EXPECT_EQ(solver.solution().z, Values(5, 0.0));
}

// From each status to each other, by one solver; from the same start a fresh one ends on the same bits.
TEST(LoneContact, StatusesChangeFromSolveToSolve) {
  for (const int part : {1, 2}) {
    Random random(9);
    nsm::Solver solver(Contact(random, part, statuses[0]).problem());
    Values start(at(1 + 2 * part), 0.0);
    for (std::size_t k = 0; k < 16; ++k)
      for (const Slides& slides : {statuses[k / 4], statuses[k % 4]}) {
        const Contact contact(random, part, slides);
        solver.update_matrix(nsm::Matrix::dense(contact.size, contact.size, contact.W));
        solver.update_q(contact.q);
        solver.warm_start(start);
        expect_solution(solver, solver.solve(), contact, "after another");
        nsm::Solver fresh(contact.problem());
        fresh.warm_start(start);
        fresh.solve();
        EXPECT_EQ(solver.solution().z, fresh.solution().z);
        start = solver.solution().z;
      }
  }
}

}  // namespace lone_contact_test
