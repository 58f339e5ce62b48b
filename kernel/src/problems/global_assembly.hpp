// Problems that keep the systems as unknowns.
#ifndef NONSMOOTH_KERNEL_PROBLEMS_GLOBAL_ASSEMBLY_HPP
#define NONSMOOTH_KERNEL_PROBLEMS_GLOBAL_ASSEMBLY_HPP

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// Throws, naming the pair, where the scheme has no iteration matrix to hand over.
void requireIterationMatrix(const OneStepIntegrator& integrator, const char* problem);

// data.global_M := iteration matrices of the systems that the interactions `active` touch, in the order in which they are met, in
// their storage; data.H [their velocities, rows of the problem] := C'.
void assembleSystems(const AssemblyContext& context, const std::vector<int>& active, const std::vector<Index>& row_starts,
                     ProblemData& data);

}  // namespace nonsmooth::kernel
#endif
