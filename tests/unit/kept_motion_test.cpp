// Contacts beside equations of motion that are kept as rows: auto solves them by the reactions.
#include "methods/auto/kept_motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "linalg/triplets.hpp"
#include "nonsmooth/nonsmooth.hpp"
#include "problems/generic.hpp"

namespace kept_motion_test {

using namespace nonsmooth;

constexpr std::int32_t bodies = 24, motions = 3 * bodies, contacts = 2 * bodies;

// Discs one upon the other in the plane, x, y, angle of each; a ceiling on the top one, or not. Row by row, as [M -H; H' 0].
struct Column {
  explicit Column(bool has_ceiling, double mass = 1) : count(bodies + (has_ceiling ? 1 : 0)) {
    for (std::int32_t i = 0; i < motions; ++i) entries.add(i, i, i % 3 == 2 ? 0.2 * mass : mass);
    for (std::int32_t c = 0; c < count; ++c)
      for (const std::int32_t body : {c, c - 1}) {
        if (body < 0 || body >= bodies) continue;
        const double sign = c == bodies ? -1 : body == c ? 1 : -1;
        couple(3 * body + 1, motions + 2 * c, sign);
        couple(3 * body, motions + 2 * c + 1, sign);
        couple(3 * body + 2, motions + 2 * c + 1, 0.5);
      }
    q.assign(static_cast<std::size_t>(motions + 2 * count), 0.0);
    for (std::int32_t b = 0; b < bodies; ++b) q[static_cast<std::size_t>(3 * b + 1)] = 1;  // weight
    q[motions - 3] = -0.4;                                                                 // and a push on the top
    kind.assign(static_cast<std::size_t>(count + 1), NSM_BLOCK_FRICTION_2D);
    size.assign(kind.size(), 2);
    mu.assign(kind.size(), 0.05);
    kind[0] = NSM_BLOCK_EQUALITY;
    size[0] = motions;
  }
  void couple(std::int32_t motion, std::int32_t contact, double h) {
    entries.add(motion, contact, -h);
    entries.add(contact, motion, h);
  }
  nonsmooth::Matrix matrix() const { return entries.to_matrix(std::ssize(q), std::ssize(q), "M"); }
  nsm::Matrix columns() const {
    const nonsmooth::Matrix M = matrix();
    const CscMatrix& A = *M.csc();
    return nsm::Matrix::csc(A.rows, A.cols, {A.col_start.begin(), A.col_start.end()}, {A.row_index.begin(), A.row_index.end()},
                            {A.values.begin(), A.values.end()});
  }
  nsm::Problem problem() const { return nsm::Problem::generic(columns(), q, kind, size, mu); }

  std::int32_t count;
  Triplets entries;
  nsm::Vector q, mu;
  nsm::Indices kind, size;
};

double top_velocity(const nsm::Solver& solver) { return solver.solution().w[static_cast<std::size_t>(motions + contacts - 1)]; }

TEST(KeptMotion, IsReducedAndFollowsUpdates) {
  Column column(false);
  nsm::Solver solver(column.problem());
  ASSERT_TRUE(solver.solve().converged());
  const double slides = top_velocity(solver);
  EXPECT_GT(slides, 0.01);
  std::fill(column.mu.begin(), column.mu.end(), 2.0);
  solver.update_mu(column.mu);
  ASSERT_TRUE(solver.solve().converged());
  EXPECT_NEAR(top_velocity(solver), 0, 1e-7) << "sticks";
  for (std::size_t b = 0; b < bodies; ++b) column.q[3 * b + 1] = -1;
  solver.update_q(column.q);
  ASSERT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.solution().z[1], 1, 1e-7) << "all fly";
  solver.update_matrix(Column(false, 2).columns());
  ASSERT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.solution().z[1], 0.5, 1e-7) << "half as fast";
}

TEST(KeptMotion, ProofsAreThoseOfAllRows) {
  Column column(true);
  column.q[static_cast<std::size_t>(motions + contacts)] = -1;  // the ceiling comes down
  nsm::Solver solver(column.problem());
  ASSERT_EQ(solver.solve().outcome(), NSM_INFEASIBLE);
  EXPECT_TRUE(nsm::certify_infeasible(column.problem(), solver.infeasibility_certificate()));
}

TEST(KeptMotion, RefusesWhatIsNone) {
  Generic problem;
  Column column(false);
  problem.q.assign(column.q.begin(), column.q.end());
  problem.block_kind.assign(column.kind.begin(), column.kind.end());
  problem.block_size.assign(column.size.begin(), column.size.end());
  problem.mu.assign(column.mu.begin(), column.mu.end());
  const auto refuses = [&] {
    problem.M = column.matrix();
    const Inclusion view = problem.inclusion();
    KeptMotion method;
    try {
      method.setup(view, Options());
    } catch (const Error&) {
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses());
  column.entries.value.back() *= 2;
  EXPECT_TRUE(refuses()) << "velocities are not those of the forces";
  column.entries.value.back() /= 2;
  column.entries.add(motions, motions, 1e-3);
  EXPECT_TRUE(refuses()) << "compliance";
}

}  // namespace kept_motion_test
