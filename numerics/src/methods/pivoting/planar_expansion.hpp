// Friction in the plane is exactly a mixed LCP. With r_T = a - mu r_N and u_T = s+ - s-, three rows per contact,
//   0 <= u_N  _|_ r_N >= 0,   0 <= s+ = u_T + s-  _|_ a >= 0,   0 <= 2 mu r_N - a  _|_ s- >= 0
// (the variables of Glocker 2001 and of Stewart and Trinkle 1996, one direction eliminated). For methods that follow or search
// complementary bases.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

class PlanarExpansion {
 public:
  // Allocates. Blocks other than coulomb_2d are taken as they are.
  void setup(const Inclusion& view);
  // Values of the view again, or no more than its right-hand side and scale. Both allocate nothing.
  void load();
  void load_q();
  const Inclusion& inclusion() const { return expanded_; }
  void from_original(std::span<const double> z, std::span<double> x) const;
  void to_original(std::span<const double> x, std::span<double> z) const;

 private:
  const Inclusion* view_ = nullptr;
  Inclusion expanded_;
  Matrix M_;
  Vector q_;
  IndexVector place_;       // of every original row; a contact's slack follows its two
  Vector share_of_normal_;  // of the original unknown: r_T holds -mu r_N
};

// `method` for problems that may have friction: in the plane through the expansion, otherwise refused by `name`.
std::unique_ptr<Method> with_planar_friction(std::unique_ptr<Method> method, const char* name, std::int64_t default_iterations);

}  // namespace nonsmooth
