// A variational inequality over a polyhedron {H z >= k, lo <= z <= hi} as the mixed complementarity problem
//   F(z) - H'y over the bounds of z,   0 <= H z - k complementary to y >= 0,
// for Josephy's method. Its merit there, of rows alone, has no stationary points but solutions where F is monotone (Facchinei and
// Pang 2003, 9.1 and 10.3); that of the projection on the polyhedron has others, beside which the line search ends.
#pragma once

#include "methods/frame/inner_solver.hpp"
#include "problems/jacobian.hpp"

namespace nonsmooth {

class WithMultipliers final : public Method {
 public:
  // Throws Error where the set is no polyhedron with half-spaces.
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) override;

 private:
  static std::int32_t evaluate_rows(void* self, std::int64_t, const double* x, double* w);
  static std::int32_t differentiate_rows(void* self, std::int64_t, const double* x, double* values);
  void make_pattern();
  void make_blocks();
  bool enter(const double* x);

  const Inclusion* view_ = nullptr;
  const Polyhedron* set_ = nullptr;
  Jacobian J_;
  std::vector<std::int64_t> source_;  // of every value of the pattern: of J_, or -1
  Vector constant_;                   // in its place: an entry of H or -H'
  NonlinearFunction rows_;
  Inclusion lifted_;
  InnerSolver inner_;
  Vector x_, point_, value_, gap_;
  Vector row_size_;  // norms of the rows of H
};

}  // namespace nonsmooth
