// Solvers of global problems after updates in any order, some of them refused, are those of a fresh setup, to the last bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>

#include "../support/generators.hpp"
#include "../support/random_bodies.hpp"
#include "core/error.hpp"
#include "methods/solver/solver.hpp"

namespace nonsmooth::global_updates_test {

using generate::at;
using generate::Random;

nsm_matrix view_of(const Matrix& M) {
  if (const CscMatrix* A = M.csc())
    return nsm_matrix_csc(A->rows, A->cols, A->col_start.data(), A->row_index.data(), A->values.data());
  if (const BlockCsrMatrix* A = M.block_csr())
    return nsm_matrix_block_csr(A->uniform_block_size(), A->block_rows(), A->block_rows(), A->row_start.data(),
                                A->block_col.data(), A->values.data());
  return nsm_matrix_dense(M.rows(), M.cols(), M.values().data());
}

Matrix in_storage(const DenseMatrix& A, int storage, int block_size) {
  const Matrix dense(A, "A");
  if (storage == NSM_DENSE) return dense;
  return storage == NSM_CSC ? Matrix(to_csc(dense), "A") : Matrix(to_block_csr(dense, block_size), "A");
}

// A solver, and the problem as its updates have made it.
class Sequence {
 public:
  Sequence(int seed, bool rolling) : random_(static_cast<std::uint64_t>(seed)) {
    const int dimension = rolling ? 2 * random_.integer(1, 2) + 1 : random_.integer(2, 3), bodies = random_.integer(2, 30);
    dofs_ = dimension == 2 || (rolling && dimension == 3) ? 3 : random_.integer(3, 6);
    const support::Shape shape{dimension, dofs_, bodies, random_.chance(0.5) ? random_.integer(1, 6) : random_.integer(12, 50)};
    diagonal_ = random_.chance(0.3);
    storage_ = random_.integer(0, 2);
    if (rolling)
      now_.data = support::random_bodies<GlobalRolling>(random_, shape, diagonal_);
    else
      now_.data = support::random_bodies<GlobalFriction>(random_, shape, diagonal_);
    data(now_).M = in_storage(to_dense(data(now_).M), storage_, dofs_);
    if (random_.chance(0.3)) add_joints();
    validate(now_);
    choose_method();
  }

  void run(int steps) {
    for (int step = 0; step < steps && !testing::Test::HasFailure(); ++step) {
      change();
      if (random_.chance(0.7)) compare();
    }
    compare();
  }
  std::string name() const {
    return std::string(method_->info.name) + ", storage " + std::to_string(storage_) + ", contacts " +
           std::to_string(data(now_).contacts()) + ", joints " + std::to_string(data(now_).bilateral_rows()) + trace_;
  }

 private:
  static GlobalContactData& data(Problem& problem) { return *global_data(problem); }
  static const GlobalContactData& data(const Problem& problem) { return *global_data(problem); }

  void add_joints() {
    const std::int64_t n = data(now_).dynamics_rows();
    const int joints = random_.integer(1, 3);
    DenseMatrix G{n, joints, Vector(at(n * joints), 0.0)};
    for (int j = 0; j < joints; ++j)
      for (int k = 0; k < 4; ++k) G.values[at(random_.integer(0, static_cast<int>(n) - 1) + j * n)] = random_.normal();
    if (joints > 1 && random_.chance(0.3)) std::copy_n(G.values.begin(), n, G.values.begin() + n);  // a redundant one
    data(now_).G = Matrix(G, "G");
    data(now_).b = random_.normals(joints);
    if (joints > 1) data(now_).b[1] = data(now_).b[0];
  }

  // Methods of the class that treat the problem; those with solves inside of solves only few contacts.
  void choose_method() {
    const bool rolling = now_.problem_class() == NSM_GLOBAL_ROLLING;  // which has no associated problem
    options_.set("max_iterations", random_.chance(0.5) ? 20 : 200);
    if (random_.chance(0.2) && !rolling) options_.set("convex_relaxation", 1);
    if (random_.chance(0.1)) options_.set("all_stages", 1);
    const auto table = method_table();
    while (solver_ == nullptr) {
      method_ = random_.chance(0.3) ? table[0] : table[at(random_.integer(0, static_cast<int>(table.size()) - 1))];
      const std::string name = method_->info.name;
      const bool slow = name == "tresca" || name == "panagiotopoulos" || name == "de_saxce_fixed_point" || name == "enumeration";
      if ((method_->info.classes & class_bit(now_.problem_class())) == 0 || (slow && data(now_).contacts() > 3)) continue;
      try {
        solver_ = std::make_unique<Solver>(now_, method_->info.name, options_);
      } catch (const Error&) {  // treats other problems of the class
      }
    }
  }

  // One update of the solver and of the problem; refused with what a fresh setup would say.
  void change() {
    enum Field { f, w, mu, M };
    const auto field = static_cast<Field>(random_.integer(f, M));
    Problem next = now_;
    GlobalContactData& d = data(next);
    trace_ += "fqmM"[field];
    if (field == f) d.f = random_.normals(d.dynamics_rows());
    if (field == w) d.w = random_.normals(d.H.cols());
    if (field == mu)
      for (double& x : d.mu) x = random_.chance(0.2) ? 0 : random_.uniform();
    if (field == M) d.M = random_matrix();
    const std::span<double> values[] = {d.f, d.w, d.mu, d.M.own_values()};
    const bool is_spoilt = random_.chance(0.2);
    if (is_spoilt) values[field][at(random_.integer(0, static_cast<int>(values[field].size()) - 1))] = NAN;
    const nsm_status expected = is_spoilt ? NSM_NOT_FINITE : status_of([&] { Solver(next, method_->info.name, options_); });
    // Stages of auto that are set up may take extreme values that all would refuse at setup.
    if (expected != NSM_OK && !is_spoilt && method_ == method_table()[0]) return;
    const nsm_status status = status_of([&] {
      if (field == f) solver_->update_f(d.f);
      if (field == w) solver_->update_q(d.w);
      if (field == mu) solver_->update_mu(d.mu);
      if (field == M) solver_->update_matrix(view_of(d.M));
    });
    EXPECT_EQ(status, expected);
    if (status == NSM_OK)
      now_ = next;
    else
      trace_ += "!";
  }

  // In the storage and pattern at hand; now and then singular, of another scale, not symmetric, or of other coupled bodies.
  Matrix random_matrix() {
    DenseMatrix M = support::random_masses(random_, dofs_, static_cast<int>(data(now_).dynamics_rows()) / dofs_, diagonal_);
    const int last = static_cast<int>(M.rows) - 1, i = random_.integer(0, last), j = random_.integer(0, last);
    if (random_.chance(0.2)) {
      const double scale = random_.magnitude(-200, 200);
      for (double& x : M.values) x *= scale;
    }
    if (random_.chance(0.2) && !diagonal_) M.values[1] += 0.1;
    if (storage_ == NSM_DENSE && random_.chance(0.3)) M.values[at(i + j * M.rows)] = M.values[at(j + i * M.rows)] = 0.1;
    if (storage_ == NSM_DENSE && random_.chance(0.1))
      for (int k = 0; k <= last; ++k) M.values[at(i + k * M.rows)] = 0;
    return in_storage(M, storage_, dofs_);
  }

  template <class Body>
  nsm_status status_of(Body&& body) {
    try {
      body();
      return NSM_OK;
    } catch (const Error& error) {
      return error.status();
    }
  }

  void compare() {
    trace_ += ".";
    Solver fresh(now_, method_->info.name, options_);
    Vector start(at(now_.size()), 0.0);
    if (random_.chance(0.3)) start = random_.normals(now_.size());
    fresh.warm_start(start);
    solver_->warm_start(start);
    const nsm_result expected = fresh.solve(), result = solver_->solve();
    EXPECT_EQ(result.outcome, expected.outcome);
    EXPECT_EQ(result.iterations, expected.iterations);
    EXPECT_STREQ(result.finished_by, expected.finished_by);
    EXPECT_TRUE(same({&result.certificate.residual, 1}, {&expected.certificate.residual, 1}));
    EXPECT_TRUE(same(solver_->z(), fresh.z()));
    EXPECT_TRUE(same(solver_->w(), fresh.w()));
  }
  static bool same(std::span<const double> a, std::span<const double> b) {
    return std::ranges::equal(a, b, [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
  }

  Random random_;
  Problem now_;
  int dofs_ = 3, storage_ = 0;
  bool diagonal_ = false;
  Options options_;
  const MethodEntry* method_ = nullptr;
  std::unique_ptr<Solver> solver_;
  std::string trace_ = ", ";
};

// Relaxed contacts without friction are rows, for which the bodies are no use.
TEST(GlobalUpdates, OfFrictionThatComesAndGoesInTheConvexRelaxation) {
  Random random(31);
  Problem with, without;
  auto data = support::random_bodies<GlobalFriction>(random, {3, 6, 10, 40}, false);
  with.data = data;
  for (std::size_t c = 0; c < data.mu.size(); c += 2) data.mu[c] = 0;
  without.data = data;
  Options options;
  options.set("convex_relaxation", 1);
  for (const char* method : {"auto", "block_gauss_seidel", "jacobi", "friction_interior_point", "semismooth_newton"}) {
    Solver solver(with, method, options);
    for (const Problem* now : {&without, &with}) {
      solver.update_mu(global_data(*now)->mu);
      const Vector zero(at(now->size()), 0.0);
      solver.warm_start(zero);
      Solver fresh(*now, method, options);
      EXPECT_LE(fresh.solve().relaxation_residual, 1e-8) << method;
      solver.solve();
      EXPECT_TRUE(std::ranges::equal(solver.z(), fresh.z())) << method;
    }
  }
}

// Here stages of auto refuse the extreme values that they are set up with, and treat those that follow.
TEST(GlobalUpdates, StagesThatRefusedAtSetupAreAskedAgain) { Sequence(709, false).run(8); }

TEST(GlobalUpdates, InAnyOrderGiveTheSolverOfAFreshSetup) {
  for (int seed = 0; seed < 80; ++seed) {
    Sequence sequence(seed, seed % 3 == 0);
    sequence.run(8);
    if (HasFailure()) FAIL() << "seed " << seed << ": " << sequence.name();
  }
}

}  // namespace nonsmooth::global_updates_test
