#include "problems/global_assembly.hpp"

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

}  // namespace

void requireIterationMatrix(const OneStepIntegrator& integrator, const char* problem) {
  if (!integrator.hasIterationMatrix()) fail("problem %s does not go with integrator %s", problem, integrator.className());
}

// Where the velocities of a system start; one that has not been met is appended. Reactions do not act on prescribed velocities.
Index GlobalAssembly::enter(const AssemblyContext& context, Index system) {
  Index& start = start_of_system_[static_cast<std::size_t>(system)];
  if (start >= 0) return start;
  start = static_cast<Index>(prescribed_.size());
  const DynamicalSystem& ds = *context.model->systemAt(system);
  prescribed_.resize(prescribed_.size() + static_cast<std::size_t>(ds.dimension()), 0);
  const auto* mechanical = dynamic_cast<const SecondOrderDS*>(&ds);
  if (mechanical != nullptr && mechanical->boundaryConditions())
    for (const Index k : mechanical->boundaryConditions()->velocityIndices())
      prescribed_[static_cast<std::size_t>(start + k)] = 1;
  const OneStepIntegrator& integrator = context.integratorOf(system);
  append(integrator.iterationMatrix(static_cast<int>(system)), start, ds.dimension(), mass_);
  return start;
}

void GlobalAssembly::assemble(const AssemblyContext& context, const std::vector<int>& active,
                              const std::vector<Index>& row_starts, ProblemData& data) {
  NonSmoothDynamicalSystem& model = *context.model;
  start_of_system_.assign(model.systems().size(), -1);
  prescribed_.clear();
  mass_.clear();
  directions_.clear();
  for (std::size_t k = 0; k < active.size(); ++k) {
    const InteractionRecord& record = model.recordAt(active[k]);
    const MatrixView C = model.block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      const Index start = enter(context, record.system[side]);
      for (Index j = 0; j < record.motion[side]; ++j) {
        if (prescribed_[static_cast<std::size_t>(start + j)] != 0) continue;
        for (Index i = 0; i < record.y.rows; ++i)
          if (C(i, column + j) != 0) directions_.emplace_back(start + j, row_starts[k] + i, C(i, column + j));
      }
      column += record.motion[side];
    }
  }
  const auto size = static_cast<Index>(prescribed_.size());
  data.global_M.resize(size, size);
  data.global_M.setFromTriplets(mass_.begin(), mass_.end());
  data.H.resize(size, row_starts.back());
  data.H.setFromTriplets(directions_.begin(), directions_.end());
}

}  // namespace nonsmooth::kernel
