#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/global_assembly.hpp"

namespace nonsmooth::kernel {

GlobalRollingFrictionContact::GlobalRollingFrictionContact(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension), systems_(std::make_unique<GlobalAssembly>()) {
  if (dimension != 3 && dimension != 5) fail("a GlobalRollingFrictionContact has dimension 3 or 5, not %d", dimension);
}

GlobalRollingFrictionContact::~GlobalRollingFrictionContact() = default;

void GlobalRollingFrictionContact::checkIntegrator(const OneStepIntegrator& integrator) const {
  requireIterationMatrix(integrator, className());
}

void GlobalRollingFrictionContact::formulate(ProblemData& data) {
  data.kind = ProblemKind::GlobalRolling;
  data.dimension = dimension_;
  for (const NonSmoothLaw* law : laws()) {
    data.mu.push_back(law->mu());
    data.mu_r.push_back(law->muR());
  }
}

void GlobalRollingFrictionContact::assembleGlobal(const AssemblyContext& context, ProblemData& data) {
  systems_->assemble(context, active(), rowStarts(), data);
}

}  // namespace nonsmooth::kernel
