// A global contact problem reduced to its contacts: with K = [M -G; G' 0],
//   W = [H; 0]' K^-1 [H; 0],  q = [H; 0]' K^-1 [f; -b] + w,
// and back: (v, l) = K^-1 ([f; -b] + [H; 0] r). Where K falls into small bodies W of many contacts is applied as an operator, and
// formed only for who asks for it. Constraints that depend on others (closed chains of joints) are left out of K, with multiplier
// 0; whether they hold, given the others, the certificate says.
#pragma once

#include <memory>

#include "linalg/component_factor.hpp"
#include "problems/global_friction.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class Condensation final : private MatrixSource {
 public:
  // Factorises. The data must outlive this object. Throws Error if K is singular.
  explicit Condensation(const GlobalContactData& data);
  Condensation(const Condensation&) = delete;
  Condensation& operator=(const Condensation&) = delete;

  const Inclusion& inclusion() const { return view_; }
  // After w (or mu) of the data has changed.
  void refresh();
  // After values of M have changed.
  void refactorise();
  // z = (v, l, r) from r. Allocates nothing.
  void lift(std::span<const double> r, std::span<double> z);
  // The same for changes: dz = (K^-1 [H; 0] dr, dr), and its transpose.
  void lift_change(std::span<const double> dr, std::span<double> dz);
  void lift_change_transposed(std::span<const double> gz, std::span<double> gr);

 private:
  const Matrix& matrix() override;
  BlockCsrMatrix from_components(const CscMatrix& H, const std::vector<IndexVector>& contacts_of);
  void take_component(const CscMatrix& H, std::size_t component, const IndexVector& contacts, CscMatrix& own) const;
  const GlobalContactData& data_;
  IndexVector is_redundant_;  // columns of G that depend on those before them
  std::unique_ptr<ComponentFactor> factor_;
  DelassusOperator bodies_;
  Vector free_motion_;  // K^-1 [f; -b]
  Matrix W_;
  bool formed_ = false;
  Vector q_;
  Inclusion view_;
};

}  // namespace nonsmooth
