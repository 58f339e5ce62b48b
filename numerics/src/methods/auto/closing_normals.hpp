// Contacts whose normals cannot all stay apart (bodies between walls that close, fixed ones that are driven into each other),
// with or without friction: y >= 0 on the normals (any sign on equalities, 0 on boxes) with W'y = 0 and q'y < 0. Where W is
// semidefinite there is such a y exactly if its part of the normals N, a problem without friction, has no solution. Then proximal
// points
//   N x + D (x - x_last) + q complementary to x,   D small and diagonal,
// move on by steps that become y (Banjac, Goulart, Stellato and Boyd 2019). As a stage: it never solves a problem.
#pragma once

#include "methods/frame/inner_solver.hpp"

namespace nonsmooth {

class ClosingNormals final : public Method {
 public:
  // Throws Error where a row is neither one of a contact, nor complementarity, nor an equality, nor between bounds.
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 private:
  void choose_rows();
  CscMatrix proximal_part();
  bool proves(const Control& control);

  const Inclusion* view_ = nullptr;
  Options options_;
  PartOfRows normals_;  // and rows that are none of a contact; the matrix is N + D
  Vector D_, last_;
  Vector step_, proof_, workspace_;
  std::span<const double> ray_;
};

}  // namespace nonsmooth
