// How a solution moves with q. At a strictly complementary solution of  w = M z + q  over bounds the active set stays as it is
// for small changes: dz_B = -M_BB^-1 dq_B for the rows B whose z lies inside its bounds, 0 elsewhere.
#pragma once

#include "linalg/dense_lu.hpp"
#include "linalg/sparse_lu.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class Sensitivity {
 public:
  // Factorises the active block. Throws Error: NSM_UNSUPPORTED for sets other than orthants, boxes and free rows,
  // NSM_NOT_AVAILABLE naming the row if the solution is degenerate, or if the block is singular (z is not locally unique).
  Sensitivity(const Inclusion& view, std::span<const double> z, std::span<const double> w);

  // dz = (dz/dq) dq, or (dz/dq)' dq. Uses a workspace of this object: not thread-safe.
  void apply(std::span<const double> dq, std::span<double> dz, bool transposed);

 private:
  void choose_basis(const Inclusion& view, std::span<const double> z, std::span<const double> w);
  bool factorise(const Matrix& M);

  IndexVector basic_;
  bool is_dense_ = true;
  DenseLu dense_;
  SparseLu sparse_;
  Vector x_, workspace_;
};

}  // namespace nonsmooth
