// A global contact problem reduced to its contacts: with K = [M -G; G' 0],
//   W = [H; 0]' K^-1 [H; 0],  q = [H; 0]' K^-1 [f; -b] + w,
// and back: (v, l) = K^-1 ([f; -b] + [H; 0] r). Where K falls into small bodies W of many contacts is applied as an operator, and
// formed only for who asks for it; likewise that of many contacts of large elastic bodies. Constraints that depend on others
// (closed chains of joints) are left out of K, with multiplier 0; whether they hold, given the others, the certificate says.
#pragma once

#include <memory>

#include "linalg/component_factor.hpp"
#include "problems/applied_compliance.hpp"
#include "problems/reduction.hpp"

namespace nonsmooth {

// K. A constraint that depends on others holds by them: its multiplier is 0, its row and its column are those of the identity.
CscMatrix saddle_matrix(const CscMatrix& M, const CscMatrix& G, const IndexVector& is_redundant);

class Condensation final : public Reduction, private MatrixSource {
 public:
  // Factorises.
  explicit Condensation(const GlobalContactData& data);
  Condensation(const Condensation&) = delete;
  Condensation& operator=(const Condensation&) = delete;

  const Inclusion& inclusion() const override { return view_; }
  Inclusion determined() const override { return view_; }
  void refresh() override;
  void shift(std::span<const double> dq) override;
  void refresh_free_motion() override;
  void refactorise() override;
  std::int64_t patterns() const override { return patterns_; }
  void lift(std::span<const double> r, std::span<double> z) override;
  void lift_change(std::span<const double> dr, std::span<double> dz) override;
  // In: forces and velocities of joints, out: motion and multipliers of joints. Allocates nothing.
  void solve_motion(std::span<double> motion) { factor_->solve(motion); }
  void lift_change_transposed(std::span<const double> gz, std::span<double> gr) override;

 private:
  const Matrix& matrix() override;
  const CscMatrix& H() const { return data_.H.csc() != nullptr ? *data_.H.csc() : H_copy_; }
  const CscMatrix& read_K(const CscMatrix& M);
  std::unique_ptr<ComponentFactor> factorise_components(const CscMatrix& K);
  void find_pattern(const CscMatrix& K);
  void update_bodies(const CscMatrix& K);
  void find_elastic();
  void form();
  void put_forces(std::span<double> right_hand_side) const;
  void move(std::span<const double> r, std::span<double> z);
  void from_components(ComponentFactor& factor, const BlockCsrMatrix& W, std::span<double> values);
  const GlobalContactData& data_;
  IndexVector is_redundant_;  // columns of G that depend on those before them
  CscMatrix K_, H_copy_;      // with joints; of another storage
  std::unique_ptr<ComponentFactor> factor_;
  std::int64_t patterns_ = 0;
  DelassusOperator bodies_;
  Vector free_motion_;  // K^-1 [f; -b]
  ElasticBodies elastic_;
  AppliedCompliance compliance_;
  Matrix W_;
  bool formed_ = false;
  Vector q_;
  Inclusion view_;
};

}  // namespace nonsmooth
