// Problems and solves through the public C API, for tests that compare methods.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "generators.hpp"
#include "nonsmooth/nonsmooth.h"

namespace support {

using generate::at;
using generate::Values;

struct ProblemFree {
  void operator()(nsm_problem* p) const { nsm_problem_free(&p); }
};
struct SolverFree {
  void operator()(nsm_solver* s) const { nsm_free(&s); }
};
struct OptionsFree {
  void operator()(nsm_options* o) const { nsm_options_free(&o); }
};
using ProblemPtr = std::unique_ptr<nsm_problem, ProblemFree>;
using SolverPtr = std::unique_ptr<nsm_solver, SolverFree>;
using OptionsPtr = std::unique_ptr<nsm_options, OptionsFree>;

using OptionList = std::initializer_list<std::pair<const char*, double>>;

inline OptionsPtr options(OptionList list) {
  nsm_options* raw = nullptr;
  EXPECT_EQ(nsm_options_create(&raw), NSM_OK);
  for (const auto& [name, value] : list) EXPECT_EQ(nsm_options_set(raw, name, value), NSM_OK) << nsm_last_error();
  return OptionsPtr(raw);
}

inline nsm_matrix dense(std::int64_t rows, std::int64_t cols, const Values& values) {
  return nsm_matrix_dense(rows, cols, values.data());
}

inline ProblemPtr problem(const generate::Lcp& lcp) {
  nsm_problem* raw = nullptr;
  const nsm_matrix M = dense(lcp.n, lcp.n, lcp.M);
  EXPECT_EQ(nsm_problem_create_lcp(&M, lcp.q.data(), &raw), NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

inline ProblemPtr problem(const generate::Friction& f) {
  nsm_problem* raw = nullptr;
  const std::int64_t n = std::int64_t{f.dimension} * f.contacts;
  const nsm_matrix W = dense(n, n, f.W);
  EXPECT_EQ(nsm_problem_create_friction(f.dimension, &W, f.q.data(), f.mu.data(), &raw), NSM_OK) << nsm_last_error();
  return ProblemPtr(raw);
}

inline SolverPtr setup(const nsm_problem* problem, const char* method, OptionList list = {}) {
  nsm_solver* raw = nullptr;
  EXPECT_EQ(nsm_setup(problem, method, options(list).get(), &raw), NSM_OK) << nsm_last_error();
  return SolverPtr(raw);
}

struct Solution {
  nsm_result result = NSM_RESULT_INIT;
  Values z, w;
  bool converged() const { return result.outcome == NSM_CONVERGED; }
  std::string text() const {
    std::ostringstream text;
    text << nsm_outcome_name(static_cast<nsm_outcome>(result.outcome)) << ", residual " << result.certificate.residual << ", "
         << result.iterations << " iterations";
    return text.str();
  }
};

inline Solution solve(nsm_solver* solver, std::int64_t size) {
  Solution s;
  EXPECT_EQ(nsm_solve(solver, &s.result), NSM_OK) << nsm_last_error();
  s.z.resize(at(size));
  s.w.resize(at(size));
  EXPECT_EQ(nsm_solution(solver, s.z.data(), s.w.data(), size), NSM_OK) << nsm_last_error();
  return s;
}

inline Solution solve(const nsm_problem* problem, const char* method, OptionList list = {}) {
  const SolverPtr solver = setup(problem, method, list);
  return solve(solver.get(), nsm_problem_size(problem));
}

inline Solution solve(const generate::Lcp& lcp, const char* method, OptionList list = {}) {
  return solve(problem(lcp).get(), method, list);
}

inline Solution solve(const generate::Friction& f, const char* method, OptionList list = {}) {
  return solve(problem(f).get(), method, list);
}

}  // namespace support
