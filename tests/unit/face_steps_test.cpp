// Steps from face to face on the factors of Newton's methods: the equations of every kind of block, and sequences in which the
// face of a solution is that of the one before, or next to it.
#include <gtest/gtest.h>

#include <cmath>
#include <nonsmooth/nonsmooth.hpp>

#include "../support/generators.hpp"
#include "../support/sphere_pile.hpp"
#include "methods/newton/face_steps.hpp"
#include "methods/newton/small_faces.hpp"

namespace face_steps_test {

using generate::at;
using namespace nonsmooth;

constexpr int steps = 12, few_iterations = 8;
constexpr double tight = 1e-13;

// Contacts of every kind, some without friction, beside disks, bounded and free rows, coupled by a definite matrix.
struct MixedBlocks {
  MixedBlocks() {
    const auto add = [&](SetKind kind, std::int32_t size, double a, double b) {
      view.blocks.push_back({kind, n, size, a, b});
      n += size;
    };
    for (const double mu : {0.0, 0.2, 0.8}) {
      add(SetKind::coulomb_2d, 2, mu, 0);
      add(SetKind::coulomb_3d, 3, mu, 0);
      add(SetKind::rolling_2d, 3, mu, 0.1);
      add(SetKind::rolling_3d, 5, mu, 0.05);
    }
    for (const double radius : {0.0, 0.1, 10.0}) add(SetKind::disk, 2, radius, 0);
    add(SetKind::orthant, 1, 0, 0);
    add(SetKind::box, 1, -0.3, 0.2);
    add(SetKind::free_space, 2, 0, 0);
    generate::Random random(11);
    M = Matrix{DenseMatrix{n, n, generate::gram(random, n, n, 0.5)}, "M"};
    q = random.normals(n);
    view.M = &M;
    view.q = &q;
  }
  // By a method, from z.
  Stop solve(Method& method, Vector& z, double tolerance) {
    Options options;
    options.set("tolerance", tolerance);
    method.setup(view, options);
    control.setup(view, options, 10000);
    control.begin();
    return method.solve(z, control);
  }
  std::int32_t n = 0;
  Matrix M;
  Vector q;
  Inclusion view;
  Control control;
};

TEST(FaceSteps, SolveTheEquationsOfEveryKindOfBlock) {
  MixedBlocks blocks;
  Vector reference(at(blocks.n), 0.0);
  const std::unique_ptr<Method> known = find_method("proximal_newton")->create();
  ASSERT_EQ(blocks.solve(*known, reference, 1e-12), Stop::finished);
  Vector start(reference);
  for (std::size_t i = 0; i < start.size(); ++i) start[i] *= 1 + 0.05 * std::sin(static_cast<double>(i));
  Vector z(start);
  FaceSteps faces;
  ASSERT_EQ(blocks.solve(faces, z, 1e-11), Stop::finished);
  EXPECT_LE(blocks.control.iterations(), few_iterations);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], reference[i], 1e-9) << i;

  SmallFaces small;
  z = start;
  small.setup(blocks.view);
  blocks.control.begin();
  ASSERT_EQ(small.solve(z, blocks.control), Stop::finished);
  for (std::size_t i = 0; i < z.size(); ++i) EXPECT_NEAR(z[i], reference[i], 1e-9) << i;
}

TEST(FaceSteps, LeaveAloneWhatTheyDoNotTreat) {
  const Matrix M{DenseMatrix{1, 1, {1}}, "M"};
  const Vector q{-1};
  Inclusion view;
  view.M = &M;
  view.q = &q;
  view.blocks = {{SetKind::orthant, 0, 1}};
  EXPECT_THROW(FaceSteps().setup(view, Options()), Error);
}

// 63 contacts between 27 spheres, whose forces turn; by their bodies.
struct TurningForces {
  nsm::Solver solver(double tolerance) const {
    const auto data = pile.global();
    return nsm::Solver(nsm::Problem::global_friction(3, matrix(data.M), matrix(data.H), data.f, data.w, data.mu),
                       nsm::Options{{"tolerance", tolerance}});
  }
  static nsm::Matrix matrix(const Matrix& M) {
    const CscMatrix& csc = *M.csc();
    return nsm::Matrix::csc(csc.rows, csc.cols, csc.col_start, csc.row_index, csc.values);
  }
  nsm::Vector forces(int step) const {
    nsm::Vector f = pile.f;
    for (std::size_t i = 0; i < f.size(); i += 6) {
      f[i] += 0.01 * std::sin(0.05 * step + static_cast<double>(i));
      f[i + 1] += 0.01 * std::cos(0.05 * step + static_cast<double>(i));
    }
    return f;
  }
  support::SpherePile pile{3};
};

// To a tolerance that most sweeps, which go first, do not foretell to meet: in 7 of the 11 solves that have one before them.
// These take 30 sweeps and some three steps, a problem by itself some 500 iterations.
TEST(FaceSteps, FollowASequence) {
  constexpr int least_by_faces = 6, sweeps_and_steps = 30 + few_iterations;
  const TurningForces scene;
  nsm::Solver solver = scene.solver(tight);
  int by_faces = 0;
  std::int64_t in_sequence = 0, by_itself = 0;
  for (int step = 0; step < steps; ++step) {
    solver.update_f(scene.forces(step));
    const nsm::Result result = solver.solve();
    ASSERT_TRUE(result.converged()) << step;
    if (result.finished_by() == std::string("auto")) {
      ++by_faces;
      EXPECT_LE(result.iterations(), sweeps_and_steps) << step;
    }
    in_sequence += result.iterations();
    nsm::Solver alone = scene.solver(tight);
    alone.update_f(scene.forces(step));
    by_itself += alone.solve().iterations();
  }
  EXPECT_GE(by_faces, least_by_faces);
  EXPECT_LT(3 * in_sequence, by_itself);
}

// Factors that are kept from solve to solve are those that a new solver makes.
TEST(FaceSteps, EqualStartsGiveEqualBits) {
  const TurningForces scene;
  nsm::Solver solver = scene.solver(tight);
  nsm::Vector before;
  for (int step = 0; step < steps; ++step) {
    if (step > 0) before = solver.solution().z;
    solver.update_f(scene.forces(step));
    ASSERT_TRUE(solver.solve().converged()) << step;
  }
  nsm::Solver fresh = scene.solver(tight);
  fresh.update_f(scene.forces(steps - 1));
  fresh.warm_start(before);
  ASSERT_TRUE(fresh.solve().converged());
  EXPECT_EQ(fresh.solution().z, solver.solution().z);
}

// Chains too, whose factors cost little: without a start their Newton steps go on from where sweeps have ended.
TEST(FaceSteps, FollowAChain) {
  const nsm::Problem problem = nsm::Problem::read(NONSMOOTH_DATA_DIR "/friction_3d_beads_200.hdf5");
  nsm::Solver solver(problem, nsm::Options{{"tolerance", 1e-10}});
  ASSERT_TRUE(solver.solve().converged());
  nsm::Vector q(solver.solution().w.size(), 0.0);
  for (std::size_t i = 0; i < q.size(); i += 3) q[i] = -0.1;
  for (int step = 0; step < steps; ++step) {
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 2e-3 * std::sin(static_cast<double>(step) + 0.7 * static_cast<double>(i));
    solver.update_q(q);
    const nsm::Result result = solver.solve();
    ASSERT_TRUE(result.converged()) << step;
    if (step > 0) {
      EXPECT_EQ(result.finished_by(), std::string("auto")) << step;
    }
  }
}

}  // namespace face_steps_test
