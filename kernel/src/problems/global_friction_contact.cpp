// M dv = H r, u = H' dv + q: the unknown is the change dv = v - free of the velocities of the touched systems.
#include <map>

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

GlobalFrictionContact::GlobalFrictionContact(int dimension, const std::string& method)
    : OneStepNSProblem({method, {}}), dimension_(dimension) {
  if (dimension != 2 && dimension != 3) fail("a GlobalFrictionContact has dimension 2 or 3, not %d", dimension);
}

void GlobalFrictionContact::checkIntegrator(const OneStepIntegrator& integrator) const {
  if (integrator.level() != 1) fail("problem %s does not go with integrator %s", className(), integrator.className());
}

void GlobalFrictionContact::formulate(ProblemData& data) {
  data.kind = ProblemKind::GlobalFriction;
  data.dimension = dimension_;
  for (const NonSmoothLaw* law : laws()) data.mu.push_back(law->mu());
}

void GlobalFrictionContact::assembleGlobal(const AssemblyContext& context, ProblemData& data) {
  NonSmoothDynamicalSystem& model = *context.model;
  std::map<Index, Index> start_of_system;
  std::vector<Eigen::Triplet<double>> mass, directions;
  Index size = 0;
  for (std::size_t k = 0; k < active().size(); ++k) {
    const InteractionRecord& record = model.records()[static_cast<std::size_t>(active()[k])];
    const MatrixView C = model.block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side) {
      const Index system = record.system[side];
      const auto [place, inserted] = start_of_system.emplace(system, size);
      if (inserted) {
        const Matrix W =
            (*context.integrator_of_system)[static_cast<std::size_t>(system)]->iterationMatrix(static_cast<int>(system));
        for (Index j = 0; j < W.cols(); ++j)
          for (Index i = 0; i < W.rows(); ++i)
            if (W(i, j) != 0) mass.emplace_back(size + i, size + j, W(i, j));
        size += record.motion[side];
      }
      for (Index j = 0; j < record.motion[side]; ++j)
        for (Index i = 0; i < record.y.rows; ++i)
          if (C(i, column + j) != 0) directions.emplace_back(place->second + j, rowStarts()[k] + i, C(i, column + j));
      column += record.motion[side];
    }
  }
  data.global_M.resize(size, size);
  data.global_M.setFromTriplets(mass.begin(), mass.end());
  data.H.resize(size, getSizeOutput());
  data.H.setFromTriplets(directions.begin(), directions.end());
}

}  // namespace nonsmooth::kernel
