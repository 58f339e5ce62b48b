#include "problems/global_assembly.hpp"

#include <algorithm>
#include <map>

namespace nonsmooth::kernel {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

void append(const LinearOperator& W, Index start, Index size, Triplets& entries) {
  if (const SparseMatrix* sparse = W.sparse()) {
    for (Index j = 0; j < sparse->outerSize(); ++j)
      for (SparseMatrix::InnerIterator entry(*sparse, j); entry; ++entry)
        entries.emplace_back(start + entry.row(), start + entry.col(), entry.value());
  } else if (const Vector* diagonal = W.diagonal()) {
    for (Index j = 0; j < size; ++j) entries.emplace_back(start + j, start + j, (*diagonal)[j]);
  } else if (const Matrix* dense = W.dense()) {
    for (Index j = 0; j < size; ++j)
      for (Index i = 0; i < size; ++i)
        if ((*dense)(i, j) != 0) entries.emplace_back(start + i, start + j, (*dense)(i, j));
  }
}

// Reactions do not act on prescribed velocities.
bool isPrescribed(const DynamicalSystem& system, Index component) {
  const auto* ds = dynamic_cast<const SecondOrderDS*>(&system);
  if (ds == nullptr || !ds->boundaryConditions()) return false;
  const auto& indices = ds->boundaryConditions()->velocityIndices();
  return std::find(indices.begin(), indices.end(), component) != indices.end();
}

}  // namespace

void requireIterationMatrix(const OneStepIntegrator& integrator, const char* problem) {
  if (!integrator.hasIterationMatrix()) fail("problem %s does not go with integrator %s", problem, integrator.className());
}

void assembleSystems(const AssemblyContext& context, const std::vector<int>& active, const std::vector<Index>& row_starts,
                     ProblemData& data) {
  NonSmoothDynamicalSystem& model = *context.model;
  std::map<Index, Index> start_of_system;
  Triplets mass, directions;
  Index size = 0;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const InteractionRecord& record = model.records()[static_cast<std::size_t>(active[k])];
    const MatrixView C = model.block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side) {
      const Index system = record.system[side];
      const auto [place, inserted] = start_of_system.emplace(system, size);
      if (inserted) {
        const OneStepIntegrator& integrator = *(*context.integrator_of_system)[static_cast<std::size_t>(system)];
        append(integrator.iterationMatrix(static_cast<int>(system)), size, record.motion[side], mass);
        size += record.motion[side];
      }
      const DynamicalSystem& ds = *model.systems()[static_cast<std::size_t>(system)];
      for (Index j = 0; j < record.motion[side]; ++j) {
        if (isPrescribed(ds, j)) continue;
        for (Index i = 0; i < record.y.rows; ++i)
          if (C(i, column + j) != 0) directions.emplace_back(place->second + j, row_starts[k] + i, C(i, column + j));
      }
      column += record.motion[side];
    }
  }
  data.global_M.resize(size, size);
  data.global_M.setFromTriplets(mass.begin(), mass.end());
  data.H.resize(size, row_starts.back());
  data.H.setFromTriplets(directions.begin(), directions.end());
}

}  // namespace nonsmooth::kernel
