#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

RollingFrictionContact::RollingFrictionContact(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension) {
  if (dimension != 3 && dimension != 5) fail("a RollingFrictionContact has dimension 3 or 5, not %d", dimension);
}

void RollingFrictionContact::formulate(ProblemData& data) {
  data.dimension = dimension_;
  data.mu = friction();
  for (const NonSmoothLaw* law : laws()) data.mu_r.push_back(law->muR());
}

}  // namespace nonsmooth::kernel
