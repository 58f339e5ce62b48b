// The classes given by callbacks: what they refuse, how callbacks may fail, Jacobians, sets known by their projection. Through
// the C interface.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "../support/class_examples.hpp"
#include "../support/nonlinear_problems.hpp"

namespace nonlinear_test {

using generate::at;
using generate::Values;
using support::checked;
using support::ProblemPtr;
using support::Solution;

constexpr double infinity = HUGE_VAL;

ProblemPtr ncp(int n, nsm_function F, nsm_jacobian J = nullptr, void* user = nullptr) {
  nsm_problem* raw = nullptr;
  return checked(nsm_problem_create_ncp(n, F, J, nullptr, user, &raw), raw);
}

Solution solve_from(const nsm_problem* problem, const char* method, const Values& start, support::OptionList options = {}) {
  const auto solver = support::setup(problem, method, options);
  EXPECT_EQ(nsm_warm_start(solver.get(), start.data(), static_cast<std::int64_t>(start.size())), NSM_OK);
  return support::solve(solver.get(), nsm_problem_size(problem));
}

nsm_certificate certify(const nsm_problem* problem, const Values& z, double tolerance = 1e-8) {
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  certificate.tolerance = tolerance;
  EXPECT_EQ(nsm_certify(problem, z.data(), nullptr, &certificate), NSM_OK) << nsm_last_error();
  return certificate;
}

// --- certificate ---

// F(z) = M z + q has the certificate of the LCP, digit by digit but for the rounding floor.
struct Affine {
  generate::Lcp lcp;
  static std::int32_t F(void* user, std::int64_t n, const double* z, double* w) {
    const generate::Lcp& lcp = static_cast<Affine*>(user)->lcp;
    const Values product = generate::multiply(lcp.M, Values(z, z + n));
    for (std::int64_t i = 0; i < n; ++i) w[i] = lcp.q[at(i)] + product[at(i)];
    return 0;
  }
};

TEST(NonlinearCertificate, IsThatOfTheLcpWhereFIsAffine) {
  generate::Random random(3);
  Affine affine{generate::harker_pang(random, 12, true)};
  const ProblemPtr linear = support::problem(affine.lcp), nonlinear = ncp(12, Affine::F, nullptr, &affine);
  for (int k = 0; k < 5; ++k) {
    const Values z = random.normals(12);
    const nsm_certificate a = certify(linear.get(), z), b = certify(nonlinear.get(), z);
    EXPECT_NEAR(a.residual, b.residual, 1e-13 * a.residual);
    EXPECT_EQ(a.worst_block, b.worst_block);
    EXPECT_NEAR(a.infeasibility, b.infeasibility, 1e-12 * a.infeasibility);
    // An estimate of the same size, from outside.
    EXPECT_LE(b.rounding_floor, 3 * a.rounding_floor);
    EXPECT_GE(b.rounding_floor, 0.05 * a.rounding_floor);
  }
  const Solution s = support::solve(nonlinear.get(), nullptr), l = support::solve(linear.get(), "lemke");
  EXPECT_TRUE(s.converged()) << s.text();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(s.z[i], l.z[i], 1e-7);
}

TEST(NonlinearCertificate, BelowTheRoundingFloorItSaysSo) {
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t {
    w[0] = 1e6 * z[0] * z[0] - 2e6;
    return 0;
  };
  const Solution s = solve_from(ncp(1, F).get(), nullptr, {1}, {{"tolerance", 1e-18}});
  EXPECT_EQ(s.result.certificate.verdict, NSM_WORKING_PRECISION) << s.text();
  EXPECT_NEAR(s.z[0], std::sqrt(2), 1e-14);
}

TEST(NonlinearCertificate, NothingThatCannotBeEvaluatedPasses) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity}) {
    double value = bad;
    const auto F = [](void* user, std::int64_t, const double*, double* w) -> std::int32_t {
      w[0] = *static_cast<double*>(user);
      return 0;
    };
    const ProblemPtr problem = ncp(1, F, nullptr, &value);
    EXPECT_EQ(certify(problem.get(), {0}, 1).verdict, NSM_NOT_CERTIFIED);
    for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient", "fixed_point_projection"}) {
      const Solution s = support::solve(problem.get(), method, {{"tolerance", 1}});
      EXPECT_EQ(s.result.certificate.verdict, NSM_NOT_CERTIFIED) << method;
      EXPECT_EQ(s.result.outcome, NSM_BREAKDOWN) << method << ": " << s.text();
    }
  }
}

// --- honest ends ---

TEST(NonlinearEnds, WithoutASolutionNobodyClaimsOne) {
  const nsm_function negative = [](void*, std::int64_t n, const double* z, double* w) -> std::int32_t {
    for (std::int64_t i = 0; i < n; ++i) w[i] = -1 - z[i] * z[i];
    return 0;
  };
  const nsm_function positive_root = [](void*, std::int64_t n, const double* z, double* w) -> std::int32_t {
    for (std::int64_t i = 0; i < n; ++i) w[i] = -std::exp(-z[i]);  // tends to 0, but z does not end
    return 0;
  };
  for (const nsm_function F : {negative, positive_root}) {
    const ProblemPtr problem = ncp(3, F);
    for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient"}) {
      const Solution s = support::solve(problem.get(), method, {{"max_iterations", 5000}});
      if (F == negative) {
        EXPECT_FALSE(s.converged()) << method;
      }
      EXPECT_EQ(s.converged(), certify(problem.get(), s.z).verdict != NSM_NOT_CERTIFIED);
    }
  }
}

TEST(NonlinearEnds, SingularJacobians) {
  // z = 1 is a root of third order in the first row; the second row repeats the first.
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t {
    w[0] = std::pow(z[0] + z[1] - 2, 3);
    w[1] = w[0];
    return 0;
  };
  for (const Values& start : {Values{0, 0}, Values{5, 1}, Values{1, 1}}) {
    const Solution s = solve_from(ncp(2, F).get(), nullptr, start);
    EXPECT_TRUE(s.converged()) << s.text();
  }
}

// log and square root: callbacks that say where they end.
TEST(NonlinearEnds, TheLineSearchBacksOffWhereFIsNotDefined) {
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t {
    if (z[0] <= 0.5 || z[0] >= 4) return 1;
    w[0] = std::log(z[0] - 0.5) + z[0] - 3;
    return 0;
  };
  const ProblemPtr problem = ncp(1, F);
  for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient"})
    for (const double start : {0.6, 1.0, 3.9}) {
      const Solution s = solve_from(problem.get(), method, {start});
      EXPECT_TRUE(s.converged()) << method << " from " << start << ": " << s.text();
      EXPECT_NEAR(std::log(s.z[0] - 0.5) + s.z[0], 3, 1e-6);
    }
}

TEST(NonlinearEnds, FIsEvaluatedInCOnlyWithAJacobian) {
  struct Watch {
    bool outside = false;
    static std::int32_t F(void* user, std::int64_t n, const double* z, double* w) {
      for (std::int64_t i = 0; i < n; ++i) {
        if (!(z[i] >= 1 && z[i] <= 3)) static_cast<Watch*>(user)->outside = true;
        w[i] = z[i] * z[i] - 4 - static_cast<double>(i);
      }
      return 0;
    }
    static std::int32_t J(void*, std::int64_t n, const double* z, double* values) {
      std::fill(values, values + n * n, 0.0);
      for (std::int64_t i = 0; i < n; ++i) values[i * (n + 1)] = 2 * z[i];
      return 0;
    }
  } watch;
  const Values lo(7, 1.0), hi(7, 3.0);
  nsm_problem* raw = nullptr;
  const ProblemPtr problem =
      checked(nsm_problem_create_mcp(7, Watch::F, Watch::J, nullptr, &watch, lo.data(), hi.data(), &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient", "fixed_point_projection"}) {
    const Solution s = solve_from(problem.get(), method, Values(7, -50.0));
    EXPECT_TRUE(s.converged()) << method << ": " << s.text();
    EXPECT_FALSE(watch.outside) << method;
    for (std::size_t i = 0; i < 7; ++i) EXPECT_NEAR(s.z[i], std::min(3.0, std::sqrt(4.0 + static_cast<double>(i))), 1e-7);
  }
}

// A root ends at 0: F has no value beyond, and its Jacobian none there.
struct Roots {
  bool outside = false;
  static std::int32_t F(void* user, std::int64_t n, const double* z, double* w) {
    for (std::int64_t i = 0; i < n; ++i) {
      if (!(z[i] >= 0)) static_cast<Roots*>(user)->outside = true;
      w[i] = z[i] + std::sqrt(z[i]) + 0.3 * std::sqrt(z[(i + 1) % n]) - (i % 2 == 0 ? 1 : -0.5);
    }
    return 0;
  }
  static std::int32_t J(void*, std::int64_t n, const double* z, double* values) {
    std::fill(values, values + n * n, 0.0);
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t next = (i + 1) % n;
      values[i * (n + 1)] += 1 + 0.5 / std::sqrt(z[i]);
      values[i + next * n] += 0.15 / std::sqrt(z[next]);
    }
    return 0;
  }
};

TEST(NonlinearEnds, AnInfiniteJacobianAtABoundIsNoEnd) {
  Roots roots;
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = checked(nsm_problem_create_ncp(6, Roots::F, Roots::J, nullptr, &roots, &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "semismooth_newton"}) {
    const Solution s = solve_from(problem.get(), method, Values(6, 0.0));
    EXPECT_TRUE(s.converged()) << method << ": " << s.text();
    EXPECT_LT(s.result.iterations, 30) << method;
  }
  EXPECT_FALSE(roots.outside);
}

// F need not be defined outside C, where 0 may be: where nothing has a residual, the projected start is what is certified and
// given.
TEST(NonlinearEnds, WithoutAResidualTheStartIsWhatRemains) {
  double least = HUGE_VAL;
  const auto F = [](void* user, std::int64_t, const double* z, double*) -> std::int32_t {
    double& smallest = *static_cast<double*>(user);
    smallest = std::min(smallest, z[0]);
    return 1;
  };
  const double lo = 1;
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = checked(nsm_problem_create_mcp(1, F, nullptr, nullptr, &least, &lo, nullptr, &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient"}) {
    EXPECT_EQ(support::solve(problem.get(), method).z[0], 1) << method;
    EXPECT_EQ(solve_from(problem.get(), method, {2}).z[0], 2) << method;
  }
  EXPECT_EQ(least, 1);
}

TEST(NonlinearEnds, PolyhedraKeepFWithinTheirBounds) {
  constexpr std::int64_t n = 6;
  generate::Random random(51);
  for (int k = 0; k < 20; ++k) {
    Roots roots;
    const Values H = random.normals(3 * n), lo(n, 0.0);
    Values bound(3);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < n; ++j) bound[i] += 0.4 * H[i + 3 * j];
    const nsm_matrix rows = nsm_matrix_dense(3, n, H.data());
    nsm_problem* raw = nullptr;
    const ProblemPtr problem = checked(
        nsm_problem_create_vi(n, Roots::F, Roots::J, nullptr, &roots, &rows, bound.data(), lo.data(), nullptr, &raw), raw);
    for (const char* method : {"auto", "extragradient"}) support::solve(problem.get(), method);
    EXPECT_FALSE(roots.outside) << k;
  }
}

// --- Jacobians ---

// The tridiagonal example with an unsorted pattern.
struct Tridiagonal {
  std::vector<std::int32_t> start{0}, row;
  std::int64_t calls = 0;
  double factor = 1;  // of the Jacobian: 1 is right

  explicit Tridiagonal(int n) {
    for (int j = 0; j < n; ++j) {
      for (const int i : {j + 1, j, j - 1})
        if (i >= 0 && i < n) row.push_back(i);
      start.push_back(static_cast<std::int32_t>(row.size()));
    }
  }
  static std::int32_t F(void* user, std::int64_t n, const double* z, double* w) {
    ++static_cast<Tridiagonal*>(user)->calls;
    return support::example_function(nullptr, n, z, w);
  }
  static std::int32_t J(void* user, std::int64_t n, const double* z, double* values) {
    const auto& self = *static_cast<Tridiagonal*>(user);
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int32_t k = self.start[at(j)]; k < self.start[at(j + 1)]; ++k) {
        const std::int64_t i = self.row[at(k)];
        values[k] = self.factor * (i == j ? 4 + 0.3 * z[i] * z[i] : i > j ? -1 : -0.5);
      }
    return 0;
  }
  ProblemPtr create(int n, bool with_jacobian) {
    const nsm_matrix pattern = nsm_matrix_csc(n, n, start.data(), row.data(), nullptr);
    nsm_problem* raw = nullptr;
    return checked(nsm_problem_create_ncp(n, F, with_jacobian ? J : nullptr, &pattern, this, &raw), raw);
  }
};

TEST(NonlinearJacobian, SparseOnesGiveTheSolutionOfDenseOnes) {
  const int n = 30;
  Tridiagonal tridiagonal(n);
  const Solution dense = support::solve(ncp(n, support::example_function, support::example_jacobian).get(), nullptr);
  const Solution sparse = support::solve(tridiagonal.create(n, true).get(), nullptr, {{"check_jacobian", 1}});
  tridiagonal.calls = 0;
  const ProblemPtr by_differences = tridiagonal.create(n, false);
  const Solution differences = support::solve(by_differences.get(), "josephy_newton");
  for (const Solution* s : {&dense, &sparse, &differences}) {
    EXPECT_TRUE(s->converged()) << s->text();
    for (std::size_t i = 0; i < at(n); ++i) EXPECT_NEAR(s->z[i], dense.z[i], 1e-7);
  }
  // Three groups of columns: a Jacobian costs 3 evaluations, not 30.
  EXPECT_LE(tridiagonal.calls, 10 * (differences.result.iterations + 3));
}

TEST(NonlinearJacobian, AWrongOneIsNamed) {
  Tridiagonal tridiagonal(5);
  tridiagonal.factor = 1.01;
  const ProblemPtr problem = tridiagonal.create(5, true);
  const auto solver = support::setup(problem.get(), nullptr, {{"check_jacobian", 1}});
  nsm_result result = NSM_RESULT_INIT;
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_INVALID_VALUE);
  EXPECT_NE(std::string(nsm_last_error()).find("jacobian(0, 0) is 4.04"), std::string::npos) << nsm_last_error();
  EXPECT_NE(std::string(nsm_last_error()).find("differences of F give 4"), std::string::npos) << nsm_last_error();
  EXPECT_EQ(nsm_last_result(solver.get(), &result), NSM_NOT_AVAILABLE);
  tridiagonal.factor = 1;
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_OK) << nsm_last_error();
  EXPECT_EQ(result.outcome, NSM_CONVERGED);
  EXPECT_EQ(nsm_last_result(solver.get(), &result), NSM_OK);
  tridiagonal.factor = 1.01;
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_INVALID_VALUE);
  EXPECT_EQ(nsm_last_result(solver.get(), &result), NSM_NOT_AVAILABLE) << "what the solve before ended with";
  Values z(5);
  EXPECT_EQ(nsm_solution(solver.get(), z.data(), nullptr, 5), NSM_NOT_AVAILABLE);
  nsm_cancel(solver.get());
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_INVALID_VALUE) << "ends what was to be cancelled";
  tridiagonal.factor = 1;
  EXPECT_TRUE(support::solve(solver.get(), 5).converged());
  // An entry outside the pattern.
  const std::int32_t start[] = {0, 1, 2}, row[] = {0, 1};
  const nsm_matrix diagonal = nsm_matrix_csc(2, 2, start, row, nullptr);
  const auto J = [](void*, std::int64_t, const double*, double* values) -> std::int32_t {
    values[0] = values[1] = 4;
    return 0;
  };
  for (const nsm_function jacobian : {nsm_function(J), nsm_function(nullptr)}) {
    nsm_problem* raw = nullptr;
    const ProblemPtr missing =
        checked(nsm_problem_create_ncp(2, support::example_function, jacobian, &diagonal, nullptr, &raw), raw);
    const auto other = support::setup(missing.get(), nullptr, {{"check_jacobian", 1}});
    EXPECT_EQ(nsm_solve(other.get(), &result), NSM_INVALID_VALUE);
    EXPECT_NE(std::string(nsm_last_error()).find("jacobian("), std::string::npos) << nsm_last_error();
  }
}

// Differences take the place of an infinity, which is thus no error; a NaN is one, and is named.
TEST(NonlinearJacobian, OfARootAtZeroPassesTheCheckAndNanDoesNot) {
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t { return w[0] = std::sqrt(z[0]) - 1, 0; };
  const auto root = [](void*, std::int64_t, const double* z, double* dw) -> std::int32_t {
    return dw[0] = 0.5 / std::sqrt(z[0]), 0;
  };
  const auto nan = [](void*, std::int64_t, const double*, double* dw) -> std::int32_t { return dw[0] = std::nan(""), 0; };
  EXPECT_TRUE(support::solve(ncp(1, F, root).get(), nullptr, {{"check_jacobian", 1}}).converged());
  const ProblemPtr problem = ncp(1, F, nan);
  const auto solver = support::setup(problem.get(), nullptr, {{"check_jacobian", 1}});
  nsm_result result = NSM_RESULT_INIT;
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_NOT_FINITE);
  EXPECT_NE(std::string(nsm_last_error()).find("jacobian(0, 0) is nan"), std::string::npos) << nsm_last_error();
}

// n^2 numbers would not fit into any memory.
TEST(NonlinearJacobian, ALargeOneIsCheckedColumnByColumn) {
  const std::int32_t n = 1'000'000;
  std::vector<std::int32_t> start(at(n) + 1), row(at(n));
  std::iota(start.begin(), start.end(), 0);
  std::iota(row.begin(), row.end(), 0);
  const nsm_matrix diagonal = nsm_matrix_csc(n, n, start.data(), row.data(), nullptr);
  const auto F = [](void*, std::int64_t size, const double* z, double* w) -> std::int32_t {
    for (std::int64_t i = 0; i < size; ++i) w[i] = 2 * z[i] - 1;
    return 0;
  };
  const auto J = [](void*, std::int64_t size, const double*, double* values) -> std::int32_t {
    std::fill(values, values + size, 3.0);
    return 0;
  };
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = checked(nsm_problem_create_ncp(n, F, J, &diagonal, nullptr, &raw), raw);
  const auto solver = support::setup(problem.get(), "extragradient", {{"check_jacobian", 1}});
  nsm_result result = NSM_RESULT_INIT;
  EXPECT_EQ(nsm_solve(solver.get(), &result), NSM_INVALID_VALUE) << nsm_last_error();
  EXPECT_NE(std::string(nsm_last_error()).find("jacobian(0, 0) is 3"), std::string::npos) << nsm_last_error();
}

TEST(NonlinearJacobian, AFailingOneEndsHonestly) {
  const auto J = [](void*, std::int64_t, const double*, double*) -> std::int32_t { return 1; };
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t { return w[0] = z[0] - 1, 0; };
  const ProblemPtr problem = ncp(1, F, J);
  for (const char* method : {"josephy_newton", "semismooth_newton"})
    EXPECT_FALSE(support::solve(problem.get(), method).converged()) << method;
  EXPECT_TRUE(support::solve(problem.get(), nullptr).converged());  // extragradient needs none
}

TEST(NonlinearJacobian, EveryInnerMethodThatTreatsTheSetServes) {
  const ProblemPtr problem = support::example(NSM_NCP);
  for (std::int64_t row = 0; row < nsm_method_count(); ++row) {
    nsm_method_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(nsm_method_describe(row, &info), NSM_OK);
    const auto options = support::options({});
    ASSERT_EQ(nsm_options_set_text(options.get(), "inner_method", info.name), NSM_OK) << nsm_last_error();
    nsm_solver* raw = nullptr;
    const nsm_status status = nsm_setup(problem.get(), "josephy_newton", options.get(), &raw);
    const support::SolverPtr solver(raw);
    if (status != NSM_OK) {
      EXPECT_EQ(status, NSM_UNSUPPORTED) << info.name;
      const bool asymmetric = std::string(nsm_last_error()).find("symmetric") != std::string::npos;
      EXPECT_TRUE(asymmetric || !support::treats(info, NSM_LCP)) << info.name << ": " << nsm_last_error();
      continue;
    }
    const Solution s = support::solve(solver.get(), nsm_problem_size(problem.get()));
    EXPECT_TRUE(s.converged()) << info.name << ": " << s.text();
  }
}

// --- variational inequalities ---

// F(z) = B (z - s) + |z - s|^2 (z - s) - c s, B with a skew part: s on the unit sphere is the solution for c >= 0.
struct OnTheSphere {
  Values s;
  static std::int32_t F(void* user, std::int64_t n, const double* z, double* w) {
    const Values& s = static_cast<OnTheSphere*>(user)->s;
    double square = 0;
    for (std::int64_t i = 0; i < n; ++i) square += std::pow(z[i] - s[at(i)], 2);
    for (std::int64_t i = 0; i < n; ++i) {
      const double d = z[i] - s[at(i)], next = z[(i + 1) % n] - s[at((i + 1) % n)],
                   last = z[(i + n - 1) % n] - s[at((i + n - 1) % n)];
      w[i] = 3 * d + next - last + square * d - 2 * s[at(i)];
    }
    return 0;
  }
};

TEST(NonlinearVi, OnABallGivenByItsProjection) {
  OnTheSphere data{{0.6, 0, 0.8, 0, 0}};
  nsm_problem* raw = nullptr;
  const ProblemPtr problem = checked(
      nsm_problem_create_vi_projection(5, OnTheSphere::F, nullptr, nullptr, &data, support::project_on_unit_ball, &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient", "fixed_point_projection"}) {
    const Solution s = solve_from(problem.get(), method, {10, -3, 0, 0.5, 1});
    EXPECT_TRUE(s.converged()) << method << ": " << s.text();
    for (std::size_t i = 0; i < 5; ++i) EXPECT_NEAR(s.z[i], data.s[i], 1e-7) << method;
  }
}

TEST(NonlinearVi, AFailingProjectionNeverPasses) {
  const nsm_projection refuses = [](void*, std::int64_t, const double*, double*) -> std::int32_t { return 1; };
  const nsm_projection nan = [](void*, std::int64_t n, const double*, double* p) -> std::int32_t {
    std::fill(p, p + n, std::nan(""));
    return 0;
  };
  for (const nsm_projection projection : {refuses, nan}) {
    nsm_problem* raw = nullptr;
    const ProblemPtr problem =
        checked(nsm_problem_create_vi_projection(3, support::example_function, nullptr, nullptr, nullptr, projection, &raw), raw);
    EXPECT_EQ(certify(problem.get(), {0, 0, 0}, 1).verdict, NSM_NOT_CERTIFIED);
    for (const char* method : {"auto", "josephy_newton", "semismooth_newton", "extragradient"})
      EXPECT_FALSE(support::solve(problem.get(), method, {{"tolerance", 1}}).converged()) << method;
  }
}

// Two routes share a demand of 1 with travel times x^4 + 0.5 and 2 x + 0.25: Wardrop's equilibrium has equal times.
TEST(NonlinearVi, OnAPolyhedron) {
  const auto F = [](void*, std::int64_t, const double* x, double* time) -> std::int32_t {
    time[0] = std::pow(x[0], 4) + 0.5;
    time[1] = 2 * x[1] + 0.25;
    return 0;
  };
  const Values rows = {1, -1, 1, -1}, k = {1, -1}, lo = {0, 0};
  const nsm_matrix H = support::dense(2, 2, rows);
  nsm_problem* raw = nullptr;
  const ProblemPtr problem =
      checked(nsm_problem_create_vi(2, F, nullptr, nullptr, nullptr, &H, k.data(), lo.data(), nullptr, &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "extragradient"}) {
    const Solution s = support::solve(problem.get(), method);
    EXPECT_TRUE(s.converged()) << method << ": " << s.text();
    EXPECT_NEAR(s.z[0] + s.z[1], 1, 1e-9);
    EXPECT_NEAR(std::pow(s.z[0], 4) + 0.5, 2 * s.z[1] + 0.25, 1e-7);
  }
  nsm_solver* solver = nullptr;
  EXPECT_EQ(nsm_setup(problem.get(), "semismooth_newton", nullptr, &solver), NSM_UNSUPPORTED);
}

// x + y >= 3 in the unit square.
TEST(NonlinearVi, EmptyPolyhedraAreProved) {
  const auto F = [](void*, std::int64_t, const double* z, double* w) -> std::int32_t {
    std::copy_n(z, 2, w);
    return 0;
  };
  const Values row = {1, 1}, k = {3}, lo = {0, 0}, hi = {1, 1};
  const nsm_matrix H = support::dense(1, 2, row);
  nsm_problem* raw = nullptr;
  const ProblemPtr problem =
      checked(nsm_problem_create_vi(2, F, nullptr, nullptr, nullptr, &H, k.data(), lo.data(), hi.data(), &raw), raw);
  for (const char* method : {"auto", "josephy_newton", "extragradient", "fixed_point_projection"}) {
    const auto solver = support::setup(problem.get(), method);
    const Solution s = support::solve(solver.get(), 2);
    EXPECT_EQ(s.result.outcome, NSM_INFEASIBLE) << method << ": " << s.text();
    double y = 0;
    ASSERT_EQ(nsm_infeasibility_certificate(solver.get(), &y, 1), NSM_OK) << nsm_last_error();
    EXPECT_GT(y, 0);
  }
}

// --- interface ---

TEST(NonlinearInterface, BadArgumentsAreNamed) {
  const nsm_function F = support::example_function;
  nsm_problem* problem = nullptr;
  EXPECT_EQ(nsm_problem_create_ncp(3, nullptr, nullptr, nullptr, nullptr, &problem), NSM_INVALID_ARGUMENT);
  EXPECT_NE(std::string(nsm_last_error()).find("F is NULL"), std::string::npos);
  EXPECT_EQ(nsm_problem_create_ncp(0, F, nullptr, nullptr, nullptr, &problem), NSM_INVALID_DIMENSION);
  EXPECT_EQ(nsm_problem_create_ncp(-1, F, nullptr, nullptr, nullptr, &problem), NSM_INVALID_DIMENSION);
  EXPECT_EQ(nsm_problem_create_ncp(std::int64_t{1} << 40, F, nullptr, nullptr, nullptr, &problem), NSM_TOO_LARGE);
  const Values lo = {0, 2, 0}, hi = {1, 1, 1}, bad = {0, NAN, 0};
  EXPECT_EQ(nsm_problem_create_mcp(3, F, nullptr, nullptr, nullptr, lo.data(), hi.data(), &problem), NSM_INVALID_VALUE);
  EXPECT_EQ(nsm_problem_create_mcp(3, F, nullptr, nullptr, nullptr, bad.data(), nullptr, &problem), NSM_NOT_FINITE);
  EXPECT_NE(std::string(nsm_last_error()).find("lo[1] is nan"), std::string::npos) << nsm_last_error();
  EXPECT_EQ(nsm_problem_create_vi_projection(3, F, nullptr, nullptr, nullptr, nullptr, &problem), NSM_INVALID_ARGUMENT);
  const std::int32_t start[] = {0, 1, 2, 3}, row[] = {0, 1, 5};
  nsm_matrix pattern = nsm_matrix_csc(3, 3, start, row, nullptr);
  EXPECT_EQ(nsm_problem_create_ncp(3, F, nullptr, &pattern, nullptr, &problem), NSM_INVALID_STRUCTURE);
  pattern.start = nullptr;
  EXPECT_EQ(nsm_problem_create_ncp(3, F, nullptr, &pattern, nullptr, &problem), NSM_INVALID_ARGUMENT);
  pattern.cols = 2;
  EXPECT_EQ(nsm_problem_create_ncp(3, F, nullptr, &pattern, nullptr, &problem), NSM_INVALID_DIMENSION);
  pattern.storage = NSM_DENSE;
  EXPECT_EQ(nsm_problem_create_ncp(3, F, nullptr, &pattern, nullptr, &problem), NSM_INVALID_DIMENSION);
  pattern.storage = NSM_BLOCK_CSR;
  EXPECT_EQ(nsm_problem_create_ncp(3, F, nullptr, &pattern, nullptr, &problem), NSM_INVALID_ARGUMENT);
  EXPECT_EQ(problem, nullptr);
}

TEST(NonlinearInterface, NoFileHoldsThemAndUpdatesAreRefused) {
  for (const nsm_class c : {NSM_NCP, NSM_MCP, NSM_VI}) {
    EXPECT_EQ(nsm_class_storable(c), 0);
    const ProblemPtr problem = support::example(c);
    for (const char* path : {"never.json", "never.hdf5", "never.dat", "never.mtx"}) {
      const nsm_status status = nsm_problem_write(problem.get(), path, nullptr);
      EXPECT_TRUE(status == NSM_UNSUPPORTED || status == NSM_UNKNOWN_FORMAT) << path;
    }
    EXPECT_EQ(nsm_problem_write(problem.get(), "never.json", nullptr), NSM_UNSUPPORTED);
    EXPECT_NE(std::string(nsm_last_error()).find("callbacks"), std::string::npos) << nsm_last_error();
    const std::string text =
        std::string(R"({"format": "nonsmooth-problem", "version": 1, "class": ")") + nsm_class_name(c) + "\"}";
    nsm_problem* raw = nullptr;
    EXPECT_EQ(nsm_problem_read_memory(text.data(), static_cast<std::int64_t>(text.size()), "text", nullptr, &raw),
              NSM_UNSUPPORTED);
    EXPECT_EQ(nsm_problem_read_memory("1 2 3", 5, "text", nsm_class_name(c), &raw), NSM_UNSUPPORTED);
    const auto solver = support::setup(problem.get(), nullptr);
    const Values values(12, 1.0);
    const nsm_matrix M = support::dense(1, 1, values);
    EXPECT_EQ(nsm_update_q(solver.get(), values.data(), 12), NSM_UNSUPPORTED);
    EXPECT_EQ(nsm_update_mu(solver.get(), values.data(), 12), NSM_UNSUPPORTED);
    EXPECT_EQ(nsm_update_matrix(solver.get(), &M), NSM_UNSUPPORTED);
  }
  EXPECT_EQ(nsm_class_storable(NSM_LCP), 1);
  EXPECT_EQ(nsm_class_storable(NSM_CLASS_COUNT), 0);
}

TEST(NonlinearInterface, Description) {
  const ProblemPtr problem = support::example(NSM_MCP);
  nsm_description facts{};
  facts.struct_size = sizeof facts;
  ASSERT_EQ(nsm_problem_describe(problem.get(), &facts), NSM_OK) << nsm_last_error();
  EXPECT_EQ(facts.problem_class, NSM_MCP);
  EXPECT_EQ(facts.size, 12);
  EXPECT_EQ(facts.blocks, 12);
  EXPECT_EQ(facts.nonzeros, 144);
  EXPECT_NEAR(facts.eigenvalue_max, 5.5, 0.2);
  EXPECT_GT(facts.q_norm, 1);
}

// Data behind `user` may change between two solves.
TEST(NonlinearInterface, TheNextSolveSeesNewData) {
  double target = 1;
  const auto F = [](void* user, std::int64_t, const double* z, double* w) -> std::int32_t {
    w[0] = z[0] * z[0] * z[0] - *static_cast<double*>(user);
    return 0;
  };
  const ProblemPtr problem = ncp(1, F, nullptr, &target);
  const auto solver = support::setup(problem.get(), nullptr);
  for (const double value : {8.0, 1e12, 27.0}) {
    target = value;
    const Solution s = support::solve(solver.get(), 1);
    EXPECT_TRUE(s.converged()) << s.text();
    EXPECT_NEAR(s.z[0], std::cbrt(value), 1e-5 * std::cbrt(value));
    EXPECT_EQ(certify(problem.get(), s.z).residual, s.result.certificate.residual);
  }
}

}  // namespace nonlinear_test
