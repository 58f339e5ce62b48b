// A global contact problem with joints, reduced to all that acts between its bodies: with C = [G H] and s = (l, r)
//   W = C' M^-1 C,  q = C' M^-1 f + (b, w),  v = M^-1 (f + C s).
// A joint couples the contacts of a body with its neighbours alone, where W of the contacts without joints is full: mechanisms of
// many bodies stay sparse, and joints that depend on others (closed chains) need not be told from them.
#pragma once

#include <memory>

#include "linalg/component_factor.hpp"
#include "problems/reduction.hpp"

namespace nonsmooth {

class PartialCondensation final : public Reduction {
 public:
  // What the condensation of joints too costs, in solves of this one, about; 0 where joints could contradict each other.
  static double gain(const GlobalContactData& data);

  // Throws Error(NSM_TOO_LARGE) where responses of bodies may be left and would be: W is formed here.
  explicit PartialCondensation(const GlobalContactData& data, double gain = HUGE_VAL,
                               ComponentFactor::Responses responses = ComponentFactor::Responses::prepared);
  PartialCondensation(const PartialCondensation&) = delete;
  PartialCondensation& operator=(const PartialCondensation&) = delete;

  double patience() const override { return gain_; }
  const Inclusion& inclusion() const override { return view_; }
  Inclusion determined() const override;
  void refresh() override;
  void shift(std::span<const double> dq) override;
  void refresh_free_motion() override;
  void refactorise() override;
  std::int64_t patterns() const override { return patterns_; }
  void lift(std::span<const double> local, std::span<double> z) override;
  void lift_change(std::span<const double> change, std::span<double> dz) override;
  void lift_change_transposed(std::span<const double> gz, std::span<double> gradient) override;

 private:
  void find_pattern(const CscMatrix& M);
  void form();
  void move(std::span<const double> local, std::span<double> z);

  const GlobalContactData& data_;
  double gain_;
  ComponentFactor::Responses responses_;
  CscMatrix C_;
  std::unique_ptr<ComponentFactor> factor_;  // of M, whose components are the bodies
  IndexVector joint_start_;                  // rows of G that join the same bodies, one after the other, and the end
  Matrix W_;
  Vector free_motion_;  // M^-1 f
  Vector q_;
  std::int64_t patterns_ = 0;
  Inclusion view_;
};

}  // namespace nonsmooth
