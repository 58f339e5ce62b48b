#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

// A mixed LCP without rows of complementarity.
void Equality::formulate(ProblemData& data) { data.is_complementarity.assign(static_cast<std::size_t>(getSizeOutput()), 0); }

}  // namespace nonsmooth::kernel
