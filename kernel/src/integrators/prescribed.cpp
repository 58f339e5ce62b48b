#include "integrators/prescribed.hpp"

#include <vector>

namespace nonsmooth::kernel {

LinearOperator withoutPrescribed(const LinearOperator& W, const SecondOrderDS& ds) {
  if (!ds.boundaryConditions() || W.diagonal() != nullptr) return W;
  std::vector<bool> prescribed(static_cast<std::size_t>(ds.dimension()), false);
  for (const Index k : ds.boundaryConditions()->velocityIndices()) prescribed[static_cast<std::size_t>(k)] = true;
  const auto keep = [&](Index i, Index j, double) {
    return i == j || !(prescribed[static_cast<std::size_t>(i)] || prescribed[static_cast<std::size_t>(j)]);
  };
  if (W.sparse() != nullptr) {
    SparseMatrix result = *W.sparse();
    result.prune(keep);
    return result;
  }
  Matrix result = W.toDense(ds.dimension());
  for (Index j = 0; j < result.cols(); ++j)
    for (Index i = 0; i < result.rows(); ++i)
      if (!keep(i, j, 0.0)) result(i, j) = 0;
  return result;
}

void clearPrescribed(const SecondOrderDS& ds, double* columns, Index count) {
  const auto& boundary = ds.boundaryConditions();
  if (!boundary) return;
  for (const Index k : boundary->velocityIndices())
    for (Index j = 0; j < count; ++j) columns[j * ds.dimension() + k] = 0;
}

}  // namespace nonsmooth::kernel
