#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

bool MLCP::accepts(LawKind kind) const {
  return kind == LawKind::ComplementarityCondition || kind == LawKind::NewtonImpact || kind == LawKind::EqualityCondition ||
         kind == LawKind::MixedComplementarityCondition;
}

void MLCP::formulate(ProblemData& data) {
  data.is_complementarity.clear();
  for (const NonSmoothLaw* law : laws()) {
    Index equalities = law->kind() == LawKind::EqualityCondition ? law->size() : 0;
    if (law->kind() == LawKind::MixedComplementarityCondition)
      equalities = static_cast<const MixedComplementarityConditionNSL*>(law)->equalities();
    for (Index row = 0; row < law->size(); ++row) data.is_complementarity.push_back(row < equalities ? 0 : 1);
  }
}

}  // namespace nonsmooth::kernel
