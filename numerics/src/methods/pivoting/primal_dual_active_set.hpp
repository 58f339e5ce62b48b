// The exchanges of a primal-dual active set method on rows bounded one by one, without limits or certificates: those are the
// caller's.
#pragma once

#include <memory>

#include "linalg/principal_factor.hpp"
#include "methods/frame/row_sides.hpp"
#include "methods/pivoting/row_bounds.hpp"

namespace nonsmooth {

class PrimalDualActiveSet {
 public:
  // All is borrowed. Allocates.
  void setup(const CscMatrix& A, const Vector& q, const RowBounds& bounds, std::unique_ptr<PrincipalFactor> factor);
  // Sides from the signs at a point, after projected Gauss-Seidel sweeps from it.
  void start(std::span<const double> z, int sweeps);
  // Free rows given, the others at their lower bound.
  void start(std::span<const char> free);

  enum class Step {
    exchanged,  // some signs were wrong and have been changed
    solved,     // no sign is wrong
    stuck       // the block of free rows is singular, or nothing improves any more
  };
  // One factorisation: the point of the present sides, then their exchange.
  Step step();
  // One step of iterative refinement on the present sides, after step() has answered solved.
  void refine();

  std::span<char> free() { return free_; }
  std::span<const double> z() const { return z_; }  // of the present sides; outside its bounds where a sign is wrong
  double violation() const { return violation_; }   // |.|_2 of all wrong signs
  // The best point yet, within its bounds.
  void best(std::span<double> z) const;

 private:
  void place(std::span<const double> z, int sweeps);
  bool solve_sides();
  void evaluate();
  void scan();
  bool exchange();
  void sweep();
  void choose_sides();
  void reset_progress();

  const CscMatrix* A_ = nullptr;
  const Vector* q_ = nullptr;
  const RowBounds* bounds_ = nullptr;
  std::unique_ptr<PrincipalFactor> factor_;
  Vector z_, w_, floor_, step_, best_, diagonal_;
  std::vector<RowSide> side_;
  std::vector<char> free_;  // those between their bounds, for the factorisation
  IndexVector wrong_;
  double violation_ = 0, best_violation_ = 0;
  FewestWrong fewest_;
  int rescues_ = 0;
};

}  // namespace nonsmooth
