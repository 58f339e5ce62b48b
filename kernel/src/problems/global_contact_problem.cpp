// M dv = H r, u = H' dv + q: the unknown is the change dv = v - free of the velocities of the touched systems.
#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/global_assembly.hpp"

namespace nonsmooth::kernel {

GlobalContactProblem::GlobalContactProblem(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension), systems_(std::make_unique<GlobalAssembly>()) {}

GlobalContactProblem::~GlobalContactProblem() = default;

void GlobalContactProblem::checkIntegrator(const OneStepIntegrator& integrator) const {
  requireIterationMatrix(integrator, className());
}

void GlobalContactProblem::assembleGlobal(const AssemblyContext& context, ProblemData& data) {
  systems_->assemble(context, active(), rowStarts(), data);
}

}  // namespace nonsmooth::kernel
