#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/law_bounds.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

bool Relay::accepts(LawKind kind) const {
  return kind == LawKind::Relay || kind == LawKind::ComplementarityCondition || kind == LawKind::EqualityCondition ||
         kind == LawKind::NewtonImpact;
}

void Relay::formulate(ProblemData& data) {
  for (const NonSmoothLaw* law : laws()) {
    const auto [lo, hi] = boundsOf(*law);
    data.lo.insert(data.lo.end(), static_cast<std::size_t>(law->size()), lo);
    data.hi.insert(data.hi.end(), static_cast<std::size_t>(law->size()), hi);
  }
}

}  // namespace nonsmooth::kernel
