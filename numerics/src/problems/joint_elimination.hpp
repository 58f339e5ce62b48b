// A global contact problem whose joints hold large bodies (finite elements), reduced to motions that joints allow: with v = v_0 +
// Z y, where G'Z = 0 and G'v_0 + b = 0,
//   Z'M Z y = Z'(f - M v_0) + Z'H r,  u = (Z'H)'y + w + H'v_0,
// a problem without these joints, whose matrix is as sparse as M and definite where M is. Its Condensation does the rest; the
// multipliers are G l = M v - H r - f in the rows that were eliminated. Joints of small bodies alone stay: those of long chains
// would fill Z. Of joints that depend on others the multiplier is 0, as there.
#pragma once

#include <memory>

#include "linalg/column_elimination.hpp"
#include "problems/condensation.hpp"

namespace nonsmooth {

class JointElimination final : public Reduction {
 public:
  // Null where no large body has a joint, or their elimination would couple too much. Throws Error as Condensation.
  static std::unique_ptr<JointElimination> of(const GlobalContactData& data);

  JointElimination(const JointElimination&) = delete;
  JointElimination& operator=(const JointElimination&) = delete;

  const Inclusion& inclusion() const override { return view_; }
  Inclusion determined() const override { return view_; }
  void refresh() override;
  void shift(std::span<const double> dq) override { condensation_->shift(dq); }
  void refresh_free_motion() override;
  void refactorise() override;
  std::int64_t patterns() const override { return condensation_->patterns(); }
  void lift(std::span<const double> r, std::span<double> z) override;
  void lift_change(std::span<const double> dr, std::span<double> dz) override;
  void lift_change_transposed(std::span<const double> gz, std::span<double> gr) override;

 private:
  JointElimination(const GlobalContactData& data, ColumnElimination elimination, CscMatrix Z, const IndexVector& is_eliminated);
  const CscMatrix& M() const { return data_.M.csc() != nullptr ? *data_.M.csc() : M_copy_; }
  CscMatrix reduced_matrix();
  void put_forces();
  void put_velocities();
  void put_motion(std::span<double> z);
  void refine(std::span<double> v);

  const GlobalContactData& data_;
  CscMatrix M_copy_;               // of another storage
  ColumnElimination elimination_;  // of joints of large bodies; the columns of others are empty
  Matrix Z_;                       // Z'
  IndexVector kept_;               // joints that stay
  GlobalContactData reduced_;
  std::unique_ptr<Condensation> condensation_;
  Inclusion view_;
  Vector held_;           // v_0
  Vector forces_, left_;  // at work, of all motions
  std::vector<long double> defect_;
  Vector multipliers_;
  Vector reduced_z_, motion_;  // of condensation_, the second without contacts
};

}  // namespace nonsmooth
