// M dv = H r, u = H' dv + q: the unknown is the change dv = v - free of the velocities of the touched systems.
#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/global_assembly.hpp"

namespace nonsmooth::kernel {

GlobalFrictionContact::GlobalFrictionContact(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension), systems_(std::make_unique<GlobalAssembly>()) {
  if (dimension != 2 && dimension != 3) fail("a GlobalFrictionContact has dimension 2 or 3, not %d", dimension);
}

GlobalFrictionContact::~GlobalFrictionContact() = default;

void GlobalFrictionContact::checkIntegrator(const OneStepIntegrator& integrator) const {
  requireIterationMatrix(integrator, className());
}

void GlobalFrictionContact::formulate(ProblemData& data) {
  data.kind = ProblemKind::GlobalFriction;
  data.dimension = dimension_;
  for (const NonSmoothLaw* law : laws()) data.mu.push_back(law->mu());
}

void GlobalFrictionContact::assembleGlobal(const AssemblyContext& context, ProblemData& data) {
  systems_->assemble(context, active(), rowStarts(), data);
}

}  // namespace nonsmooth::kernel
