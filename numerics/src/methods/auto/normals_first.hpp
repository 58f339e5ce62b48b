// The problem without friction, as a first try: tangents stay 0, and the normals solve a convex problem of a third of the order.
// Its velocities are unique, so that where bodies can rest without friction (walls, towers, pyramids of boxes) they do, nothing
// slides, and this is a solution of the whole. It is the first step of Panagiotopoulos' alternation (1975), by conjugate
// gradients with projections and with an end as soon as it is seen to lead elsewhere.
#pragma once

#include "methods/frame/inner_solver.hpp"

namespace nonsmooth {

class NormalsFirst final : public Method, private StageBudget {
 public:
  // Whether it is worth trying from z: no contact that may close is driven sideways, by more than the tolerance. O(n).
  static bool may_rest(const Inclusion& view, std::span<const double> z, double tolerance);

  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  bool goes_on(std::int64_t iteration, Control& inner) override;
  void write_point(std::span<const double> normals, std::span<double> z) const;

  const Inclusion* view_ = nullptr;
  Options options_;
  PartOfRows normals_;
  Vector z_, w_;
  NaturalMap map_;                  // of the whole
  const Control* whole_ = nullptr;  // of the present solve
  std::int64_t next_ = 0;           // iteration at which the whole is looked at
  double last_ = 0;                 // residual of the whole at the look before
};

}  // namespace nonsmooth
