// Problems that keep the systems as unknowns.
#pragma once

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// Throws, naming the pair, where the scheme has no iteration matrix to hand over.
void requireIterationMatrix(const OneStepIntegrator& integrator, const char* problem);

class GlobalAssembly {
 public:
  // data.global_M := iteration matrices of the systems that the interactions `active` touch, in the order in which they are met,
  // in their storage; data.H [their velocities, rows of the problem] := C', without prescribed velocities.
  void assemble(const AssemblyContext& context, const std::vector<int>& active, const std::vector<Index>& row_starts,
                ProblemData& data);

 private:
  Index enter(const AssemblyContext& context, Index system);

  std::vector<Index> start_of_system_;  // by number: the first of its velocities, -1 where it is not touched
  std::vector<char> prescribed_;        // of each velocity of the touched systems
  std::vector<Eigen::Triplet<double>> mass_, directions_;
};

}  // namespace nonsmooth::kernel
