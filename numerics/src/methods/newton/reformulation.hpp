// An inclusion as equations Phi(z, w) = 0 with the merit 1/2 |Phi|^2: an NCP function row by row on boxes, the natural map
// z - P_C(z - w) on sets that are not products of intervals.
#pragma once

#include "methods/equations/ncp_function.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class Reformulation {
 public:
  // Allocates. The view outlives this object.
  void setup(const Inclusion& view, NcpFunction function = NcpFunction::fischer_burmeister);
  // Phi at (z, w); its merit. A NaN where a projection fails.
  double evaluate(std::span<const double> z, std::span<const double> w);
  std::span<const double> values() const { return phi_; }

  // Row by row, of bounds, so that H below is as sparse as J.
  bool is_rowwise() const { return !whole_; }
  // False for polyhedra: their projection has no derivative here.
  bool is_differentiable() const { return !whole_ || user_set_ != nullptr; }
  // An element of the generalised derivatives at (z, w); follows evaluate(z, w). The next two use it. false if a projection
  // fails.
  bool differentiate(std::span<const double> z, std::span<const double> w);
  // H = dPhi/dz + dPhi/dw J, column-major.
  void write_newton_matrix(const Matrix& J, std::span<double> H);
  // The same where Phi is row by row, in compressed columns: place tells that of each value of J, and the diagonal is stored.
  void write_newton_values(const Matrix& J, std::span<const std::int32_t> place, CscMatrix& H) const;
  // g = H' Phi
  void write_gradient(const Matrix& J, std::span<double> g);

 private:
  const Inclusion* view_ = nullptr;
  NcpFunction function_ = NcpFunction::fischer_burmeister;
  bool whole_ = false;                 // one set for all rows
  const UserSet* user_set_ = nullptr;  // if it is one known by its projection
  Vector phi_, slope_;
  Vector lo_, hi_, dz_, dw_;                // rows
  Vector point_, projected_, shifted_, D_;  // whole: D_ the derivative of the projection, by differences
};

}  // namespace nonsmooth
