// Semismooth Newton steps on the equations of cone_equations.hpp for the inclusion with a proximal term,
//   w = M z + q + alpha (z - centre).
// With a small alpha and the centre at the iterate it solves the smooth square system of the present statuses (open, sticking,
// sliding), also where hyperstatic contacts make it singular.
#pragma once

#include "methods/equations/cone_equations.hpp"
#include "methods/frame/control.hpp"
#include "methods/newton/newton_system.hpp"
#include "methods/newton/nonlinear_elimination.hpp"

namespace nonsmooth {

class ContactNewton {
 public:
  static bool treats(const Inclusion& view, ConeFunction function = ConeFunction::alart_curnier);
  // The system is shared with the method that owns it. Allocates.
  void setup(const Inclusion& view, NewtonSystem& system, std::int64_t memory,
             ConeFunction function = ConeFunction::alart_curnier);
  // Full steps that fail in a few contacts are mended from now on. Borrowed, of the same system; nullptr: no longer. Allocates.
  void mend_by(NonlinearElimination* elimination);
  // Up to `steps` Newton steps on the proximal problem; z: in the start, out the last iterate. alpha is relative to the scale of
  // each block; the equations compare z with w / (sqrt(alpha) scale), between the sizes of M and of the proximal term, with
  // w / scale if alpha is 0. Ends when the defect has fallen by `share`, or as the control says.
  struct Outcome {
    Stop stop = Stop::none;
    std::int64_t steps = 0;
    bool solved = false;
  };
  Outcome solve(std::span<double> z, double alpha, double share, std::int64_t steps, Control& control, std::int64_t iteration);
  // A few such steps with hardly any proximal term from an iterate whose statuses are right: to working precision. z is a
  // candidate; true if the control accepts it.
  Outcome polish(std::span<double> z, Control& control, std::int64_t iteration);

 private:
  double defect_at(std::span<const double> z, double t, double alpha);
  void linearise(std::span<const double> z, double alpha);
  double full_step(std::span<const double> z, double alpha, double reference, Control& control);
  bool follow_source(double alpha, Control& control);
  double line_search(std::span<double> z, double alpha, double reference, double defect);

  const Inclusion* view_ = nullptr;
  NewtonSystem* system_ = nullptr;
  NonlinearElimination* elimination_ = nullptr;
  ConeEquations cone_;
  Vector block_w_;  // of the largest block
  Vector centre_, w_, change_, direction_, trial_, equations_, history_;
  Vector full_direction_, full_change_, source_, defects_;  // with elimination alone
};

}  // namespace nonsmooth
