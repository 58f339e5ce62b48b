// Steps p = P_C(z - rho w(z)) with a rho found on the way: what extragradient and fixed_point_projection share. For every problem
// -w in N_C(z), affine or by callbacks, friction after De Saxce included.
#pragma once

#include "methods/method.hpp"

namespace nonsmooth {

class ProjectionMethod : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) final;

 protected:
  // Moves z_ and w_ = w(z_), given the predicted point and its w. false if w cannot be evaluated.
  virtual bool correct() = 0;
  // w(z), shifted after De Saxce.
  bool evaluate_shifted(std::span<const double> z, std::span<double> w);
  bool project_step(std::span<const double> w, std::span<double> p);

  const Inclusion* view_ = nullptr;
  double rho_ = 1;
  std::int64_t check_interval_ = 1;
  Vector z_, w_, predicted_, predicted_w_, point_;

 private:
  bool predict();
  double next_rho_ = 1;
};

}  // namespace nonsmooth
