// Relaxed reflections for second-order cones with general M. Every cone has three faces: z in K, w = 0; z = 0, w in K*; and
//   z = a (1, tau d), w = b (tau, -d),   a, b >= 0, |d| = 1.
// P_B takes the nearest of three points. The nearest d maximises a sum of squares of positive parts, which is convex in d, so
// that each step to the direction of its gradient raises it.
//
// What is tried are a few of Newton's steps on the normal map M P(v) + q = P(v) - v (Robinson 1992) from v = z - w, where P_B has
// both: from z alone, with w = M z + q, the faces would be others.
#pragma once

#include "methods/reflections/reflections.hpp"

namespace nonsmooth {

class ConeReflections final : public Reflections {
 public:
  static bool treats(const Inclusion& view);
  ConeReflections();
  void setup(const Inclusion& view, const Options& options) override;

 private:
  struct Ray {
    double a, b, gain;  // gain: |z|^2 + |w|^2 less the squared distance
  };
  void project_on_laws(std::span<double> z, std::span<double> w) override;
  void project_pair(const SetBlock& block, double* z, double* w);
  Ray nearest_ray(const SetBlock& block, const double* z, const double* w);
  Stop try_faces(std::span<double> z, Control& control, std::int64_t k) override;
  double measure();
  bool newton_step();

  Workspace room_;                             // of the next ones
  std::span<double> v_, solution_;             // solution_: P(v)
  std::span<double> primal_, polar_, turned_;  // of one cone: P(z), P(-w), -w or d
  std::span<double> derivative_;               // of P for one cone
};

}  // namespace nonsmooth
