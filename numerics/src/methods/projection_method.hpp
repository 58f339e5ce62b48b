// Steps p = P_C(z - rho w(z)) with a rho found on the way: what extragradient, fixed_point_projection and the projected gradients
// share. For every problem -w in N_C(z), affine or by callbacks, friction after De Saxce included.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

class ProjectionMethod : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) final;

 protected:
  // At the start of a solve: z_ in C, w_ and rho_ are set.
  virtual void begin() {}
  // Moves z_ and w_ = w(z_), and may change rho_. false if w cannot be evaluated.
  virtual bool step() = 0;
  // Whether De Saxce's shift is in w_, which then cannot be handed over to the check.
  virtual bool shifts_velocities() const { return true; }
  // predicted_ = P_C(z_ - rho_ w_) and its w, with rho_ as long as it may be; next_rho_ is where the next search should start.
  bool predict();
  // w(z), shifted after De Saxce.
  bool evaluate_shifted(std::span<const double> z, std::span<double> w);
  bool project_step(std::span<const double> w, std::span<double> p);

  const Inclusion* view_ = nullptr;
  double rho_ = 1, next_rho_ = 1;
  std::int64_t check_interval_ = 1;
  Vector z_, w_, predicted_, predicted_w_, point_;
};

double distance(std::span<const double> a, std::span<const double> b);

}  // namespace nonsmooth
