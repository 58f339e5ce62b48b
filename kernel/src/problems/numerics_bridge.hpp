// The only door to the numerics library.
#pragma once

#include <memory>
#include <string>

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// A problem set up once and solved for one q after the other. All failures of calls are thrown as Error.
class NumericsSolver {
 public:
  NumericsSolver();
  ~NumericsSolver();
  // Throws where there is no such method or option, the method does not treat problems of that kind, or a value is outside its
  // bounds.
  static void checkChoice(const SolverChoice& choice, ProblemKind kind);
  void setup(const ProblemData& data, const Vector& q, const SolverChoice& choice);
  // Would a new setup begin with another stage of `auto`, that which has finished since?
  bool hasLearned() const;
  // Nothing of earlier solves decides what a setup begins with.
  void forget();
  // z [rows] is the starting point (0 if !warm) and receives the solution; w receives M z + q.
  // Data unchanged since setup but for q and, if values_changed, the values of M on the same pattern.
  SolveReport solve(const ProblemData& data, const Vector& q, bool values_changed, bool warm, Vector& z, Vector& w);
  static void write(const ProblemData& data, const Vector& q, const std::string& path);

 private:
  struct Handles;
  std::unique_ptr<Handles> handles_;
};

}  // namespace nonsmooth::kernel
