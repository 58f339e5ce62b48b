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
  // After f of the data has changed, with the factors there are; refresh() comes next. Allocates nothing.
  void refresh_free_motion();
  // After values of M have changed; refresh() comes next. The bodies and the pattern of W, which zeros of a dense M leave out,
  // are found anew only if the components of K have changed.
  void refactorise();
  // How many times they have been found, or all bodies have become symmetric or ceased to be: what was set up for those before
  // must be set up again.
  std::int64_t patterns() const { return patterns_; }
  // z = (v, l, r) from r. Allocates nothing.
  void lift(std::span<const double> r, std::span<double> z);
  // The same for changes: dz = (K^-1 [H; 0] dr, dr), and its transpose.
  void lift_change(std::span<const double> dr, std::span<double> dz);
  void lift_change_transposed(std::span<const double> gz, std::span<double> gr);

 private:
  const Matrix& matrix() override;
  const CscMatrix& H() const { return data_.H.csc() != nullptr ? *data_.H.csc() : H_copy_; }
  const CscMatrix& read_K(CscMatrix& M_copy);
  void find_pattern(const CscMatrix& K);
  void update_bodies(const CscMatrix& K);
  void form();
  void from_components(const BlockCsrMatrix& W, std::span<double> values);
  void take_component(std::size_t component, CscMatrix& own) const;
  const GlobalContactData& data_;
  IndexVector is_redundant_;  // columns of G that depend on those before them
  CscMatrix K_, H_copy_;      // with joints; of another storage
  std::unique_ptr<ComponentFactor> factor_;
  std::vector<IndexVector> contacts_of_;  // of its components
  std::int64_t patterns_ = 0;
  DelassusOperator bodies_;
  Vector free_motion_;  // K^-1 [f; -b]
  Matrix W_;
  bool formed_ = false;
  Vector q_;
  Inclusion view_;
};

}  // namespace nonsmooth
