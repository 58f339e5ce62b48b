// Contacts that close whatever the bodies do: `auto` proves it, and takes the proof back when they open.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "../support/generators.hpp"
#include "../support/random_bodies.hpp"
#include "certificate/farkas.hpp"
#include "methods/solver/solver.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth::closing_contacts_test {

using generate::at;
using generate::Random;

// Bodies with joints G, and y > 0 on some normals with H y + G l = 0 and w'y + b'l = -gap: no motion opens all of them.
struct Closing {
  GlobalContactData data;
  std::int32_t last = 0;  // of the rows of w with y > 0
  double y_last = 0;
};

template <class Data>
Closing closing_bodies(Random& random, const support::Shape& shape, int joints, double gap) {
  Data data = support::random_bodies<Data>(random, shape, false);
  const std::int64_t n = data.M.rows();
  Vector y(data.w.size(), 0.0), l = random.normals(joints);
  std::int32_t last = 0;
  for (int c = 0; c < shape.contacts; ++c)
    if (c < 2 || random.chance(0.3)) y[at(last = c * shape.dimension)] = random.uniform(0.1, 1);
  if (joints > 0) {
    data.G = Matrix(DenseMatrix{n, joints, random.normals(n * joints)}, "G");
    data.b = random.normals(joints);
  }
  DenseMatrix H = to_dense(data.H);
  Vector left(at(n), 0.0);
  multiply_add(data.H, 1.0, y, left);
  if (joints > 0) multiply_add(data.G, 1.0, l, left);
  for (std::int64_t i = 0; i < n; ++i) H.values[at(i + last * n)] -= left[at(i)] / y[at(last)];
  data.H = Matrix(std::move(H), "H");
  const double excess =
      std::inner_product(y.begin(), y.end(), data.w.begin(), 0.0) + std::inner_product(l.begin(), l.end(), data.b.begin(), 0.0);
  data.w[at(last)] -= (excess + gap) / y[at(last)];
  data.validate();
  return {data, last, y[at(last)]};
}

// W and q in place of the bodies.
Problem condensed(const GlobalContactData& data) {
  const Condensation condensation(data);
  const Inclusion& view = condensation.inclusion();
  Problem problem;
  if (data.mu_r.empty())
    problem.data = Friction{data.dimension, *view.M, *view.q, data.mu};
  else
    problem.data = Rolling{data.dimension, *view.M, *view.q, data.mu, data.mu_r};
  return problem;
}

template <class Data>
Problem global(const GlobalContactData& data) {
  Problem problem;
  Data own;
  static_cast<GlobalContactData&>(own) = data;
  problem.data = own;
  return problem;
}

void expect_proof(const Problem& problem, Solver& solver) {
  const nsm_result result = solver.solve();
  EXPECT_EQ(result.outcome, NSM_INFEASIBLE) << nsm_outcome_name(static_cast<nsm_outcome>(result.outcome)) << " by "
                                            << result.finished_by;
  if (result.outcome != NSM_INFEASIBLE) return;
  EXPECT_EQ(static_cast<std::int64_t>(solver.infeasibility_ray().size()), proof_size(problem));
  EXPECT_TRUE(proves_infeasible(problem, solver.infeasibility_ray(), proof_tolerance));
}

template <class Data>
void prove_random_ones(bool rolling) {
  Random random(rolling ? 71 : 72);
  for (int k = 0; k < 40; ++k) {
    SCOPED_TRACE("case " + std::to_string(k));
    const int dimension = rolling ? 2 * random.integer(1, 2) + 1 : random.integer(2, 3), contacts = random.integer(2, 40);
    const int dofs = dimension == 2 || (rolling && dimension == 3) ? 3 : 6;
    const support::Shape shape{dimension, dofs, std::max(2, contacts / random.integer(1, 3)), contacts};
    const Closing closing = closing_bodies<Data>(random, shape, k % 3, 0.1);
    Options options;
    const Problem whole = global<Data>(closing.data), local = condensed(closing.data);
    Solver solver(whole, "auto", options), local_solver(local, "auto", options);
    expect_proof(whole, solver);
    expect_proof(local, local_solver);
    // Wide open: nothing is left of the proof.
    Vector w = closing.data.w;
    for (std::size_t i = 0; i < w.size(); i += at(dimension)) w[i] += 100;
    solver.update_q(w);
    EXPECT_EQ(solver.solve().outcome, NSM_CONVERGED);
    EXPECT_TRUE(solver.infeasibility_ray().empty());
  }
}

TEST(ClosingContacts, AreProvenToCloseWithFriction) { prove_random_ones<GlobalFriction>(false); }
TEST(ClosingContacts, AreProvenToCloseWithRollingFriction) { prove_random_ones<GlobalRolling>(true); }

// A contact between fixed bodies has no part in W.
TEST(ClosingContacts, OfFixedBodiesAreProvenToClose) {
  Vector W(16, 0.0);
  W[10] = W[15] = 1;
  Problem problem;
  problem.data = Friction{2, Matrix(DenseMatrix{4, 4, W}, "W"), {-0.1, 0.3, -1, 1}, {0.5, 0.5}};
  Solver solver(problem, "auto", Options{});
  expect_proof(problem, solver);
}

// Equalities and complementarity beside contacts, and mixed problems by several methods.
TEST(ClosingContacts, MayBeBesideOtherRows) {
  const Vector W = {1, 0, -1, 0, 1, 0, -1, 0, 1};  // normal, tangent, an equality that moves the same body
  Problem problem;
  problem.data = Generic{
      Matrix(DenseMatrix{3, 3, W}, "M"), {-1, 0.2, 0.5}, {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_EQUALITY}, {2, 1}, {0.3, 0}, {}, {}};
  Solver solver(problem, "auto", Options{});
  expect_proof(problem, solver);
  std::get<Generic>(problem.data).q[0] = -0.5;  // the equality asks for as much as the contact allows
  Solver second(problem, "auto", Options{});
  EXPECT_EQ(second.solve().outcome, NSM_CONVERGED);
}

// Two walls that close on a body, which a relay pushes along them and against one of them, too. One without an upper bound asks
// for a motion itself, against the second wall at last.
TEST(ClosingContacts, MayBeBesideRelays) {
  struct Relay {
    double against, along, bound, q;
  };
  for (const Relay& relay : {Relay{0, 1, 1, 0.5}, {0.1, 1, 1, 0.5}, {0.1, 1, HUGE_VAL, 0.5}, {1, 0, HUGE_VAL, -3}}) {
    SCOPED_TRACE(relay.against);
    // Per coordinate of the body: normals and tangents of the walls, the relay.
    const Vector H = {1, 0, -1, 0, relay.against, 0, 1, 0, 1, relay.along};
    DenseMatrix M{5, 5, Vector(25, 0.0)};
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < 5; ++i) M.values[i + 5 * j] = H[i] * H[j] + H[5 + i] * H[5 + j];
    Problem problem;
    problem.data = Generic{Matrix(std::move(M), "M"),
                           {-1, 0.2, -1, 0.2, relay.q},
                           {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_FRICTION_2D, NSM_BLOCK_RELAY},
                           {2, 2, 1},
                           {0.3, 0.5, 0},
                           {0, 0, 0, 0, -1},
                           {0, 0, 0, 0, relay.bound}};
    Solver solver(problem, "auto", Options{});
    expect_proof(problem, solver);
    if (relay.along == 0) continue;
    std::get<Generic>(problem.data).q[0] = 1.5;  // the wall retreats faster than the other comes
    Solver second(problem, "auto", Options{});
    EXPECT_EQ(second.solve().outcome, NSM_CONVERGED);
  }
}

// Disks bound what they push with, so that they keep no walls apart; their rows have no part in a proof.
TEST(ClosingContacts, MayBeBesideDisks) {
  // Per coordinate of the body: the normals and tangents of two walls, a disk that pushes along both coordinates.
  const Vector H = {1, 0, -1, 0, 1, 0, 0, 1, 0, 1, 0, 1};
  DenseMatrix M{6, 6, Vector(36, 0.0)};
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t i = 0; i < 6; ++i) M.values[i + 6 * j] = H[i] * H[j] + H[6 + i] * H[6 + j];
  Problem problem;
  problem.data = Generic{Matrix(std::move(M), "M"),
                         {-1, 0.2, -1, 0.2, 0.5, -3},
                         {NSM_BLOCK_FRICTION_2D, NSM_BLOCK_FRICTION_2D, NSM_BLOCK_DISK},
                         {2, 2, 2},
                         {0.3, 0.5, 100},
                         {},
                         {}};
  Solver solver(problem, "auto", Options{});
  expect_proof(problem, solver);
  Vector y(solver.infeasibility_ray().begin(), solver.infeasibility_ray().end());
  ASSERT_EQ(y.size(), 6U);
  y[4] = 1e-3;
  EXPECT_FALSE(proves_infeasible(problem, y, 1e-9));
  std::get<Generic>(problem.data).q[0] = 1.5;  // the wall retreats faster than the other comes
  Solver second(problem, "auto", Options{});
  EXPECT_EQ(second.solve().outcome, NSM_CONVERGED);
}

TEST(ClosingContacts, MixedProblemsHaveProofsToo) {
  Random random(73);
  for (int k = 0; k < 30; ++k) {
    SCOPED_TRACE("case " + std::to_string(k));
    const int n = random.integer(3, 40), rank = n / 2;
    IndexVector is_complementarity(at(n));
    Vector B = random.normals(n * rank), y(at(n)), q = random.normals(n);
    for (int i = 0; i < n; ++i) {
      is_complementarity[at(i)] = random.chance(0.6) ? 1 : 0;
      y[at(i)] = is_complementarity[at(i)] != 0 ? random.uniform(0.1, 1) : random.normal();
    }
    y[0] = 1;
    for (int j = 0; j < rank; ++j) B[at(j * n)] -= std::inner_product(y.begin(), y.end(), &B[at(j * n)], 0.0);
    q[0] -= std::inner_product(y.begin(), y.end(), q.begin(), 0.0) + 1;
    DenseMatrix M{n, n, Vector(at(n * n), 0.0)};
    for (int c = 0; c < rank; ++c)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) M.values[at(i + j * n)] += B[at(i + c * n)] * B[at(j + c * n)];
    Problem problem;
    problem.data = Mlcp{Matrix(M, "M"), q, is_complementarity};
    Solver solver(problem, "auto", Options{});
    expect_proof(problem, solver);
  }
}

}  // namespace nonsmooth::closing_contacts_test
