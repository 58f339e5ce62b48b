#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

bool LCP::accepts(LawKind kind) const { return kind == LawKind::ComplementarityCondition || kind == LawKind::NewtonImpact; }

void LCP::formulate(ProblemData& data) { data.kind = ProblemKind::Lcp; }

}  // namespace nonsmooth::kernel
