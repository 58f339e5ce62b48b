#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

GlobalRollingFrictionContact::GlobalRollingFrictionContact(int dimension, const std::string& method)
    : GlobalContactProblem(dimension, method) {
  if (dimension != 3 && dimension != 5) fail("a GlobalRollingFrictionContact has dimension 3 or 5, not %d", dimension);
}

void GlobalRollingFrictionContact::formulate(ProblemData& data) {
  data.dimension = dimension();
  data.mu = friction();
  for (const NonSmoothLaw* law : laws()) data.mu_r.push_back(law->muR());
}

}  // namespace nonsmooth::kernel
