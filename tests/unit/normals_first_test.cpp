// The normals alone as a first try: where bodies rest without friction it is the solution, elsewhere it is given up.
#include "methods/auto/normals_first.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "../support/generators.hpp"
#include "core/error.hpp"
#include "nonsmooth/nonsmooth.hpp"

namespace nonsmooth::normals_first_test {

using generate::at;

constexpr double tolerance = 1e-8;

// A view of a generated problem, and a try from z = 0.
struct Trial {
  explicit Trial(const generate::Friction& f)
      : matrix(DenseMatrix{std::int64_t{2} * f.contacts, std::int64_t{2} * f.contacts, f.W}, "W"), q(f.q), z(q.size(), 0.0) {
    view.M = &matrix;
    view.q = &q;
    view.scale = residual_scale(q);
    for (int c = 0; c < f.contacts; ++c) view.blocks.push_back({SetKind::coulomb_2d, 2 * c, 2, f.mu[at(c)]});
    options.set("tolerance", tolerance);
  }
  Stop solve() {
    NormalsFirst method;
    method.setup(view, options);
    control.setup(view, options, 1'000'000);
    control.begin();
    return method.solve(z, control);
  }
  bool may_rest() const { return NormalsFirst::may_rest(view, z, tolerance); }

  Matrix matrix;
  Vector q, z;
  Inclusion view;
  Options options;
  Control control;
};

TEST(NormalsFirst, AColumnOfBoxesRestsOnThem) {
  for (int boxes : {1, 2, 10, 40}) {
    SCOPED_TRACE(boxes);
    const generate::Friction f = generate::box_column(boxes).local;
    Trial trial(f);
    EXPECT_TRUE(trial.may_rest());
    EXPECT_EQ(trial.solve(), Stop::finished);
    EXPECT_LE(generate::friction_residual(f, trial.z), tolerance);
    for (std::size_t i = 0; i < trial.z.size(); ++i) EXPECT_NEAR(trial.z[i], f.r[i], 1e-5 * boxes);
  }
}

TEST(NormalsFirst, IsNotTriedWhereSomethingIsDrivenSideways) {
  Trial trial(generate::box_column(3).local);
  trial.q[1] = 1e-6;
  EXPECT_FALSE(trial.may_rest());
  trial.q[0] = 1;  // unless that contact is about to open
  EXPECT_TRUE(trial.may_rest());
  trial.z[1] = 0.1;  // a start that knows more
  EXPECT_FALSE(trial.may_rest());
}

// A disc of radius 1 on two others that touch the ground: without friction they are driven apart.
generate::Friction three_discs() {
  const double half = 0.5, high = std::sqrt(0.75), inertia = 0.5;
  const int dofs = 9, contacts = 4, rows = 2 * contacts;
  generate::Values H(at(dofs * rows), 0.0);
  const auto put = [&](int contact, int body, double sign, double nx, double ny, double side) {
    double* row = H.data() + 2 * contact * dofs + 3 * body;
    row[0] = sign * nx;
    row[1] = sign * ny;
    row[dofs] = -sign * ny;
    row[dofs + 1] = sign * nx;
    row[dofs + 2] = side;
  };
  for (int disc = 0; disc < 2; ++disc) {
    const double nx = disc == 0 ? half : -half;
    put(disc, disc, 1, 0, 1, -1);
    put(2 + disc, 2, 1, nx, high, -1);
    put(2 + disc, disc, -1, nx, high, -1);
  }
  generate::Friction f{
      2, contacts, generate::identity(rows, 0), generate::Values(at(rows), 0.0), generate::Values(at(contacts), 0.8), {}, {}};
  f.q[0] = f.q[2] = -1;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < dofs; ++k)
        f.W[at(i + j * rows)] += H[at(k + i * dofs)] * (k % 3 == 2 ? 1 / inertia : 1) * H[at(k + j * dofs)];
  return f;
}

TEST(NormalsFirst, IsGivenUpWhereFrictionIsNeeded) {
  Trial trial(three_discs());
  EXPECT_TRUE(trial.may_rest());
  EXPECT_EQ(trial.solve(), Stop::stalled);
  EXPECT_LE(trial.control.iterations(), 64);
  EXPECT_TRUE(std::isinf(trial.control.best_residual()));  // it is no start for others
}

TEST(NormalsFirst, TreatsContactsAlone) {
  Trial trial(generate::box_column(2).local);
  trial.view.blocks[0] = {SetKind::orthant, 0, 1};
  trial.view.blocks.insert(trial.view.blocks.begin() + 1, SetBlock{SetKind::free_space, 1, 1});
  EXPECT_FALSE(trial.may_rest());
  EXPECT_THROW(trial.solve(), Error);
}

// Auto tries it first, whatever the form of the problem; a push is for the other stages.
TEST(NormalsFirst, IsWhereAutoBegins) {
  const generate::BoxColumn column = generate::box_column(40);
  const int dofs = 3 * column.boxes, rows = 4 * column.boxes;
  Vector M(at(dofs) * at(dofs), 0.0), load(at(dofs), 0.0);
  for (int i = 0; i < dofs; ++i) {
    M[at(i) * at(dofs + 1)] = 1 / column.inverse_masses[at(i % 3)];
    if (i % 3 == 1) load[at(i)] = -1;
  }
  const generate::Friction& f = column.local;
  const nsm::Problem local = nsm::Problem::friction(2, nsm::Matrix::dense(rows, rows, f.W), f.q, f.mu);
  const nsm::Problem global = nsm::Problem::global_friction(
      2, nsm::Matrix::dense(dofs, dofs, M), nsm::Matrix::dense(dofs, rows, column.H), load, Vector(at(rows), 0.0), f.mu);
  for (const nsm::Problem* problem : {&local, &global}) {
    nsm::Solver solver(*problem);
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged());
    EXPECT_EQ(result.finished_by(), "panagiotopoulos");
  }
  nsm::Solver solver(local);
  Vector pushed = f.q;
  pushed[1] = 0.2;
  for (int round = 0; round < 2; ++round) {
    for (const Vector* q : {&std::as_const(pushed), &f.q}) {
      solver.update_q(*q);
      solver.warm_start(Vector(q->size(), 0.0));
      const nsm::Result result = solver.solve();
      EXPECT_TRUE(result.converged());
      EXPECT_EQ(result.finished_by() == "panagiotopoulos", q == &f.q);
    }
  }
}

}  // namespace nonsmooth::normals_first_test
