#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

FrictionContact::FrictionContact(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension) {
  if (dimension != 2 && dimension != 3) fail("a FrictionContact has dimension 2 or 3, not %d", dimension);
}

void FrictionContact::formulate(ProblemData& data) {
  data.dimension = dimension_;
  data.mu = friction();
}

}  // namespace nonsmooth::kernel
