#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/law_bounds.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

bool GenericMechanical::accepts(LawKind kind) const {
  return kind == LawKind::EqualityCondition || kind == LawKind::ComplementarityCondition || kind == LawKind::NewtonImpact ||
         kind == LawKind::Relay || kind == LawKind::NewtonImpactFriction;
}

namespace {

GenericBlock blockOf(const NonSmoothLaw& law) {
  switch (law.kind()) {
    case LawKind::EqualityCondition: return GenericBlock::Equality;
    case LawKind::Relay: return GenericBlock::Relay;
    case LawKind::NewtonImpactFriction: return law.size() == 2 ? GenericBlock::Friction2D : GenericBlock::Friction3D;
    default: return GenericBlock::Complementarity;
  }
}

}  // namespace

void GenericMechanical::formulate(ProblemData& data) {
  data.mu = friction();
  for (const NonSmoothLaw* law : laws()) {
    data.block_kind.push_back(blockOf(*law));
    data.block_size.push_back(static_cast<std::int32_t>(law->size()));
    const auto [lo, hi] = law->kind() == LawKind::Relay ? boundsOf(*law) : std::pair{0.0, 0.0};
    data.lo.insert(data.lo.end(), static_cast<std::size_t>(law->size()), lo);
    data.hi.insert(data.hi.end(), static_cast<std::size_t>(law->size()), hi);
  }
}

}  // namespace nonsmooth::kernel
