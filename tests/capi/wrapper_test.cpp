// The C++17 wrapper: what it adds to the C interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "nonsmooth/nonsmooth.hpp"

namespace {

const nsm::Matrix spd = nsm::Matrix::dense(2, 2, {2, 1, 1, 2});
const nsm::Matrix identity3 = nsm::Matrix::dense(3, 3, {1, 0, 0, 0, 1, 0, 0, 0, 1});

nsm_status status_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const nsm::Error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.status();
  }
  return NSM_OK;
}

TEST(Wrapper, SolvesAnLcpInEveryStorage) {
  const nsm::Matrix matrices[] = {spd, nsm::Matrix::csc(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {2, 1, 1, 2}),
                                  nsm::Matrix::block_csr(2, 1, 1, {0, 1}, {0}, {2, 1, 1, 2})};
  for (const nsm::Matrix& M : matrices) {
    nsm::Solver solver(nsm::Problem::lcp(M, {-1, -1}));
    const nsm::Result result = solver.solve();
    EXPECT_TRUE(result.converged()) << nsm::name(result.outcome());
    EXPECT_LE(result.residual(), 1e-8);
    EXPECT_NEAR(solver.solution().z[0], 1.0 / 3, 1e-7);
  }
}

TEST(Wrapper, ChecksTheLengthOfVectors) {
  EXPECT_EQ(status_of([] { nsm::Problem::lcp(spd, {-1}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::Problem::friction(3, identity3, {0, 0, 0}, {}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::Problem::friction(0, identity3, {0, 0, 0}, {0.5}); }), NSM_INVALID_VALUE);
  EXPECT_EQ(status_of([] { nsm::Matrix::dense(2, 2, {1, 2, 3}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::Matrix::dense(-1, 2, {}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::Matrix::dense(std::int64_t{1} << 62, 4, {}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::Matrix::csc(2, 2, {0, 1}, {0}, {1}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([] { nsm::certify(nsm::Problem::lcp(spd, {-1, -1}), {0}); }), NSM_INVALID_DIMENSION);
}

TEST(Wrapper, NamesASizeThatThereIsNotAndNoBoundsThatDoNotFitIt) {
  const auto F = [](const double*, double*) { return true; };
  for (const std::int64_t n : {-1, 0}) {
    const std::function<void()> calls[] = {[&] { nsm::Problem::ncp(n, F); },
                                           [&] {
                                             nsm::Problem::mcp(n, F, {0, 0}, {1, 1});
                                           },
                                           [&] {
                                             nsm::Problem::vi(n, F, {}, {}, {0, 0}, {1, 1});
                                           },
                                           [&] { nsm::Problem::vi_projection(n, F, F); }};
    for (const auto& call : calls) {
      std::string message;
      try {
        call();
      } catch (const nsm::Error& error) {
        EXPECT_EQ(error.status(), NSM_INVALID_DIMENSION);
        message = error.what();
      }
      EXPECT_EQ(message, "n is " + std::to_string(n));
    }
  }
}

TEST(Wrapper, ThrowsWithStatusAndMessage) {
  try {
    nsm::Problem::lcp(spd, {0, std::nan("")});
    FAIL() << "nothing thrown";
  } catch (const nsm::Error& error) {
    EXPECT_EQ(error.status(), NSM_NOT_FINITE);
    EXPECT_NE(std::string(error.what()).find("q[1]"), std::string::npos) << error.what();
    EXPECT_EQ(error.error_number(), 0);
  }
  try {
    nsm::Problem::read("/");
    FAIL() << "nothing thrown";
  } catch (const nsm::Error& error) {
    EXPECT_EQ(error.error_number(), EISDIR);
  }
  EXPECT_EQ(status_of([] { nsm::Options{{"no_such_option", 1}}; }), NSM_INVALID_OPTION);
  EXPECT_EQ(status_of([] { nsm::Problem::read("/no/such/file"); }), NSM_FILE_ERROR);
}

TEST(Wrapper, TakesOptionsAndMoves) {
  const nsm::Options options{{"tolerance", 1e-10}};
  EXPECT_EQ(options.get("tolerance"), 1e-10);
  nsm::Problem problem = nsm::Problem::friction(3, identity3, {-1, 2, 0}, {0.5});
  nsm::Solver first(problem, options);
  int calls = 0;
  first.set_progress([&](std::int64_t, double, double) { return ++calls > 0; });
  nsm::Solver solver = std::move(first);
  EXPECT_EQ(status_of([&] { first.solve(); }), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(status_of([&] { first.set_log({}); }), NSM_INVALID_ARGUMENT);
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_EQ(solver.method(), problem.default_method());
  solver.update_q({1, 0, 0});
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.solution().z[0], 0, 1e-10);
}

TEST(Wrapper, UpdatesForces) {
  nsm::Solver solver(nsm::Problem::global_friction(3, identity3, identity3, {-1, 2, 0}, {0, 0, 0}, {0.5}));
  EXPECT_TRUE(solver.solve().converged());
  solver.update_f({1, 2, 0});
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.solution().z[1], 2, 1e-10);
  EXPECT_EQ(status_of([&] { solver.update_f({1, 2}); }), NSM_INVALID_DIMENSION);
}

TEST(Wrapper, TellsWhichMethodEndedTheSolve) {
  // A chain of contacts, longer than what auto's own steps from face to face treat.
  constexpr std::size_t contacts = 50, n = 3 * contacts;
  std::vector<double> W(n * n, 0.0), q(n, 0.1);
  for (std::size_t i = 0; i < n; ++i) {
    W[i * n + i] = 2;
    if (i + 3 < n) W[i * n + i + 3] = W[(i + 3) * n + i] = -0.5;
    if (i % 3 == 0) q[i] = -1;
  }
  const nsm::Problem problem = nsm::Problem::friction(3, nsm::Matrix::dense(n, n, W), q, std::vector<double>(contacts, 0.3));
  nsm::Solver chosen(problem, "block_gauss_seidel"), automatic(problem);
  EXPECT_EQ(chosen.solve().finished_by(), "block_gauss_seidel");
  const nsm::Result result = automatic.solve();
  ASSERT_TRUE(result.converged());
  EXPECT_NE(result.finished_by(), "auto");
}

TEST(Wrapper, BringsOutWhatACallbackThrows) {
  nsm::Solver solver(nsm::Problem::friction(3, identity3, {-1, 2, 0}, {0.5}));
  int calls = 0;
  solver.set_progress([&](std::int64_t, double, double) -> bool {
    ++calls;
    throw std::runtime_error("stop");
  });
  bool thrown = false;
  try {
    solver.solve();
  } catch (const std::runtime_error& error) {
    thrown = std::string(error.what()) == "stop";
  }
  EXPECT_EQ(thrown, calls > 0);
  solver.set_progress({});
  EXPECT_TRUE(solver.solve().converged());
}

TEST(Wrapper, BringsOutWhatACallbackThrowsInABatch) {
  nsm::Solver solver(nsm::Problem::lcp(spd, {0, 0}));
  solver.set_log([](const char* message) { throw std::runtime_error(message); });
  nsm::Vector z(4);
  EXPECT_THROW(solver.solve_batch(2, {-1, -1, -2, -1}, z), std::runtime_error);
  solver.set_log({});
  EXPECT_EQ(solver.solve_batch(2, {-1, -1, -2, -1}, z), std::vector<nsm_outcome>(2, NSM_CONVERGED));
}

TEST(Wrapper, Certifies) {
  const nsm::Problem problem = nsm::Problem::lcp(spd, {-1, -1});
  EXPECT_FALSE(nsm::certify(problem, {0, 0}).certified());
  EXPECT_TRUE(nsm::certify(problem, {1.0 / 3, 1.0 / 3}).certified());
  EXPECT_FALSE(nsm::certify_infeasible(problem, {1, 0}));
  const nsm::Matrix singular = nsm::Matrix::dense(2, 2, {1, -1, -1, 1});
  EXPECT_TRUE(nsm::certify_infeasible(nsm::Problem::lcp(singular, {1, -1 - 5e-9}), {1, 1}));  // by the tolerance of the methods
  EXPECT_EQ(problem.describe().size, 2);
  EXPECT_FALSE(problem.guess().has_value());
}

TEST(Wrapper, FindsSlatersCondition) {
  const nsm::Slater slater = nsm::slater(nsm::Problem::friction(3, identity3, {-1, 0.5, 0}, {0.5}));
  EXPECT_GT(slater.margin, 0);
  EXPECT_NEAR(slater.margin, slater.z[0] - 1 - 0.5 * std::hypot(slater.z[1] + 0.5, slater.z[2]), 1e-12);
  EXPECT_EQ(status_of([] { nsm::slater(nsm::Problem::lcp(spd, {-1, -1})); }), NSM_UNSUPPORTED);
}

TEST(Wrapper, SolvesBatchesOfGlobalProblems) {
  const nsm::Matrix mass = nsm::Matrix::dense(1, 1, {2}), normal = nsm::Matrix::dense(1, 2, {1, 0});
  nsm::Solver solver(nsm::Problem::global_friction(2, mass, normal, {-2}, {0, 0}, {0.5}), "block_gauss_seidel");
  EXPECT_THROW(solver.last_result(), nsm::Error);
  nsm::Vector z(2 * 3);
  EXPECT_EQ(solver.solve_batch(2, {0, 0, -1, 0}, z), std::vector<nsm_outcome>(2, NSM_CONVERGED));
  EXPECT_NEAR(z[1], 2, 1e-7);  // r_N of the first, that stops the body
  EXPECT_NEAR(z[3], 1, 1e-7);  // v of the second, pushed away
  EXPECT_TRUE(solver.last_result().converged());
}

TEST(Wrapper, CancelsTheNextSolveAlone) {
  nsm::Solver solver(nsm::Problem::lcp(spd, {-1, -1}), "lemke");
  solver.cancel();
  EXPECT_EQ(solver.solve().outcome(), NSM_CANCELLED);
  EXPECT_TRUE(solver.solve().converged());
}

TEST(Wrapper, KeepsAProofInAFile) {
  const nsm::Problem problem = nsm::Problem::lcp(nsm::Matrix::dense(2, 2, {0, 0, 0, 1}), {-1, 1});
  nsm::Solver solver(problem);
  ASSERT_EQ(solver.solve().outcome(), NSM_INFEASIBLE);
  const nsm::Vector proof = solver.infeasibility_certificate();
  const std::string path = testing::TempDir() + "wrapper_proof.json";
  nsm::write_infeasibility(problem, path, proof);
  EXPECT_EQ(problem.read_infeasibility(path), proof);
  nsm::write_solution(problem, path, {{0, 0}, {}});
  EXPECT_EQ(problem.read_infeasibility(path), std::nullopt);
}

TEST(Wrapper, CreatesTheClassesWithOptionalParts) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(nsm::Problem::avi(spd, {-1, -1}, nsm::Matrix::dense(1, 2, {1, 1}), {1}).problem_class(), NSM_AVI);
  EXPECT_EQ(nsm::Problem::avi(spd, {-1, -1}, {}, {}, {0, 0}, {inf, inf}).size(), 2);
  EXPECT_EQ(nsm::Problem::qp(spd, {-1, -1}).problem_class(), NSM_QP);
  EXPECT_EQ(nsm::Problem::global_friction(3, identity3, identity3, {-1, 2, 0}, {0, 0, 0}, {0.5}).size(), 6);
  EXPECT_EQ(nsm::Problem::generic(spd, {-1, -1}, {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY}, {1, 1}).size(), 2);
  // What no block reads may be anything.
  EXPECT_EQ(nsm::Problem::generic(spd, {-1, -1}, {NSM_BLOCK_EQUALITY, NSM_BLOCK_RELAY}, {1, 1}, {-1, std::nan("")}, {1, 0},
                                  {std::nan(""), 1})
                .size(),
            2);
}

TEST(Wrapper, ListsTheTables) {
  EXPECT_EQ(static_cast<std::int64_t>(nsm::methods().size()), nsm_method_count());
  EXPECT_EQ(static_cast<std::int64_t>(nsm::options().size()), nsm_option_count());
  EXPECT_EQ(nsm::version(), NSM_VERSION_STRING);
}

TEST(Wrapper, NonlinearProblemsByCallables) {
  const auto F = [](const double* z, double* w) {
    w[0] = z[0] * z[0] + z[1] - 3;
    w[1] = z[1] + 1;
    return true;
  };
  const auto J = [](const double* z, double* values) {
    values[0] = 2 * z[0];
    values[1] = 0;
    values[2] = values[3] = 1;
    return true;
  };
  std::optional<nsm::Solver> solver;
  {
    const nsm::Problem ncp = nsm::Problem::ncp(2, F, J);
    EXPECT_EQ(ncp.problem_class(), NSM_NCP);
    solver.emplace(ncp, nsm::Options{{"check_jacobian", 1}});
  }  // the callables live on in the solver
  ASSERT_TRUE(solver->solve().converged());
  EXPECT_NEAR(solver->solution().z[0], std::sqrt(3.0), 1e-8);
  EXPECT_NEAR(solver->solution().z[1], 0, 1e-8);

  const nsm::Problem mcp = nsm::Problem::mcp(2, F, {-HUGE_VAL, -2}, {1, HUGE_VAL});
  nsm::Solver boxed(mcp, nsm::Options{{"tolerance", 1e-12}});  // relative to |F(0)|, here above 3
  ASSERT_TRUE(boxed.solve().converged());
  EXPECT_NEAR(boxed.solution().z[0], 1, 1e-8);
  EXPECT_NEAR(boxed.solution().z[1], -1, 1e-8);
  EXPECT_TRUE(nsm::certify(mcp, boxed.solution().z).certified());
  EXPECT_EQ(mcp.describe().size, 2);

  const nsm::Problem vi = nsm::Problem::vi(2, F, nsm::Matrix::dense(1, 2, {-1, -1}), {-1}, {0, 0});
  nsm::Solver polyhedral(vi);
  ASSERT_TRUE(polyhedral.solve().converged());
  EXPECT_NEAR(polyhedral.solution().z[0], 1, 1e-8);

  const auto half_plane = [](const double* x, double* p) {
    p[0] = std::min(x[0], 0.5);
    p[1] = x[1];
    return true;
  };
  nsm::Solver projected(nsm::Problem::vi_projection(2, F, half_plane));
  ASSERT_TRUE(projected.solve().converged());
  EXPECT_NEAR(projected.solution().z[0], 0.5, 1e-8);
}

// W = I, q = (-1, -2, 0), mu = 1/2: r = (1, 1/2, 0), u = (0, -3/2, 0).
TEST(Wrapper, DifferentiatesSolutions) {
  nsm::Solver solver(nsm::Problem::friction(3, identity3, {-1, -2, 0}, {0.5}));
  ASSERT_TRUE(solver.solve().converged());
  EXPECT_NEAR(solver.differentiate({1, 0, 0}).z[1], -0.5, 1e-7);
  EXPECT_NEAR(solver.differentiate({0, 0, 0}, {1}).w[1], 1, 1e-7);
  EXPECT_NEAR(solver.differentiate({0, 0, 1}).z[2], -0.25, 1e-7);
  const nsm::Gradient gradient = solver.gradient({}, {0, 1, 0});
  ASSERT_EQ(gradient.q.size(), 3u);
  ASSERT_EQ(gradient.mu.size(), 1u);
  EXPECT_NEAR(gradient.q[0], -0.5, 1e-7);
  EXPECT_NEAR(gradient.mu[0], 1, 1e-7);
  EXPECT_EQ(status_of([&] { solver.gradient({1}, {}); }), NSM_INVALID_DIMENSION);
  EXPECT_EQ(status_of([&] { solver.differentiate({1, 0}); }), NSM_INVALID_DIMENSION);
}

TEST(Wrapper, ExceptionsOfCallablesComeOut) {
  int allowed = 1000;
  const nsm::Problem problem = nsm::Problem::ncp(1, [&](const double* z, double* w) {
    if (--allowed < 0) throw std::runtime_error("no more");
    w[0] = z[0] - 1;
    return true;
  });
  nsm::Solver solver(problem);
  allowed = 2;
  EXPECT_THROW(solver.solve(), std::runtime_error);
  EXPECT_THROW(nsm::certify(problem, {1}), std::runtime_error);
  EXPECT_THROW(nsm::Solver{problem}, std::runtime_error);
  EXPECT_THROW(problem.describe(), std::runtime_error);
  allowed = 1000;
  EXPECT_TRUE(solver.solve().converged());
  allowed = 0;
  EXPECT_THROW(solver.solution_at(0), std::runtime_error);
  allowed = 1000;
  EXPECT_TRUE(solver.solve().converged());
  EXPECT_THROW(nsm::Problem::ncp(1, {}), nsm::Error);
  const auto fail = [](const double*, double*) -> bool { throw std::runtime_error("never"); };
  const nsm::Problem vi = nsm::Problem::vi(1, fail, nsm::Matrix::dense(1, 1, {1}), {2}, {0}, {1});
  EXPECT_THROW(nsm::certify_infeasible(vi, {1}), std::runtime_error);
}

// Two solvers of one problem: what the callable throws in one thread is nothing to the solve in the other, and waits for its own.
TEST(Wrapper, ExceptionsOfCallablesStayInTheirThread) {
  const std::thread::id here = std::this_thread::get_id();
  const nsm::Problem problem = nsm::Problem::ncp(1, [here](const double* z, double* w) {
    if (std::this_thread::get_id() != here) throw std::runtime_error("there");
    w[0] = z[0] - 1;
    return true;
  });
  nsm::Solver solver(problem), other(problem);
  std::promise<void> thrown, solved;
  bool came_out = false;
  std::thread thread([&] {
    nsm_result result = NSM_RESULT_INIT;
    nsm_solve(other.handle(), &result);
    thrown.set_value();
    solved.get_future().wait();
    try {
      other.solve();
    } catch (const std::runtime_error&) {
      came_out = true;
    }
  });
  thrown.get_future().wait();
  EXPECT_NO_THROW(EXPECT_TRUE(solver.solve().converged()));
  solved.set_value();
  thread.join();
  EXPECT_TRUE(came_out);
  EXPECT_TRUE(other.solve().converged());
}

}  // namespace
