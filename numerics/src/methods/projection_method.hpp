// Methods that know a problem by projections and by F(z) = M z + q alone (after De Saxce for friction), with a step that adapts
// itself: z_bar = P_C(z - rho F(z)), rho reduced until rho |F(z) - F(z_bar)| <= L |z - z_bar| (Khobotov 1987).
#pragma once

#include "methods/method.hpp"

namespace nonsmooth {

class ProjectionMethod : public Method {
 public:
  // extrapolates: z_bar is only where F is taken for the step proper, z <- P_C(z - rho F(z_bar)); else z <- z_bar.
  ProjectionMethod(const char* name, bool extrapolates) : name_(name), extrapolates_(extrapolates) {}
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void evaluate(std::span<const double> z, Vector& F) const;
  void project_step(std::span<const double> z, const Vector& F, Vector& target) const;
  Stop step(std::span<double> z);

  const char* name_;
  bool extrapolates_;
  const Inclusion* view_ = nullptr;
  std::int64_t check_interval_ = 1;
  double rho_ = 1;
  Vector F_, bar_, F_bar_;
};

}  // namespace nonsmooth
