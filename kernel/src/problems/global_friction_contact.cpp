#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

GlobalFrictionContact::GlobalFrictionContact(int dimension, const std::string& method) : GlobalContactProblem(dimension, method) {
  if (dimension != 2 && dimension != 3) fail("a GlobalFrictionContact has dimension 2 or 3, not %d", dimension);
}

void GlobalFrictionContact::formulate(ProblemData& data) {
  data.dimension = dimension();
  data.mu = friction();
}

}  // namespace nonsmooth::kernel
