// A problem that one method has another solve: a view, a method and a control of its own under the clock of the whole solve.
#pragma once

#include "methods/frame/method.hpp"

namespace nonsmooth {

class InnerSolver {
 public:
  // Allocates; the view outlives this object. Throws Error if the method does not treat the view.
  void setup(const Inclusion& view, std::unique_ptr<Method> method, const Options& options, std::int64_t default_iterations);
  // false if the method cannot take the new values.
  bool update(Change change);
  // x: in the start, out the best iterate, or the method's last one if that is no worse. A budget ends it as stalled. Allocates
  // nothing.
  Stop solve(std::span<double> x, Control& whole, StageBudget* budget = nullptr);
  // The same for the whole problem in other unknowns: the iterations are those of the whole solve, whose limits and whose stage
  // end it as stalled. Not for methods that have stages.
  Stop solve_as_whole(std::span<double> x, Control& whole);

  // Logs nothing from now on: for problems that are many and small.
  void silence() { silent_ = true; }

  const Method& method() const { return *method_; }
  const Control& control() const { return control_; }

 private:
  std::unique_ptr<Method> method_;
  Control control_;
  bool silent_ = false;
};

// Some rows of a problem as a problem of their own, w = M x + q, whose q holds what the others contribute: for another method.
struct PartOfRows {
  IndexVector rows;  // of the whole, one set after the other
  Matrix M;
  Vector q, x;
  Inclusion view;  // of the last three, over sets of its own; the solver borrows it
  InnerSolver solver;

  void clear();
  // So many rows from `first` on are over this set, which is placed and sized for them.
  void append(SetBlock set, std::int32_t first, std::int32_t count);
  // Once rows and M are known. Allocates.
  void complete(double scale);
};

// Why an inner solve may have ended that ends the outer one too; others leave an iterate to go on from.
constexpr bool ends_outer(Stop stop) { return stop == Stop::time_limit || stop == Stop::cancelled || stop == Stop::breakdown; }

// The options of an inner solve: tolerance times `share`, but no less than rounding leaves, and at most so many iterations (0:
// the method's own limit). The time limit stays: under InnerSolver it counts from the start of the whole solve.
Options inner_options(const Options& outer, double share, std::int64_t iterations);

}  // namespace nonsmooth
