// Nonlinear elimination in Newton's method on contacts (Lanzkron, Rose and Wilkes 1996; Cai and Li 2011). A full step that does
// not bring the defect down fails in a few contacts that change their status, and halving it holds back all others. The law of
// these few stays as it is, the conditions of all others are linearised as before: what is left is a small problem of contacts,
// whose matrix is what the factors say of the response of the whole.
#pragma once

#include "linalg/dense_factor.hpp"
#include "methods/frame/inner_solver.hpp"
#include "methods/newton/newton_system.hpp"

namespace nonsmooth {

class NonlinearElimination {
 public:
  // Allocates. The system is borrowed; the view outlives this object. robust: makes what solves small problems that semismooth
  // Newton does not. false: not for this problem, which is too small, or not of Coulomb contacts of one dimension, or has factors
  // whose response costs too much.
  bool setup(const Inclusion& view, NewtonSystem& system, std::unique_ptr<Method> (*robust)());
  // Of a solve: forgets what was tried.
  void begin() { wait_ = length_ = 0; }
  // Whether this step is to be tried: each try that fails doubles the number of steps until the next, one that succeeds halves
  // it.
  bool is_due();
  void report(bool success);

  // The blocks that hold most of the defect, as squares by block, and those chosen since choose_none. false: too many.
  void choose_none() { chosen_.clear(); }
  bool choose(std::span<const double> defects);
  std::size_t chosen() const { return chosen_.size(); }
  std::size_t most() const { return most_; }
  // z, w: where the step leads, w with the proximal term, whose coefficient of each block is weight times its scale. source: what
  // in the rows of K x = source leads on to where the chosen blocks meet their law. false: there is no such place, or it is not
  // found.
  bool find_source(std::span<const double> z, std::span<const double> w, double weight, std::span<double> source,
                   Control& control);

 private:
  bool load(std::span<const double> z, std::span<const double> w, double weight);
  void set_up_solver(InnerSolver& solver, std::unique_ptr<Method> method, std::int64_t iterations);
  void pad();
  bool solve(Control& control);

  const Inclusion* view_ = nullptr;
  NewtonSystem* system_ = nullptr;
  std::size_t dimension_ = 3, most_ = 0, order_ = 0;  // most_: contacts there is room for, with so many unknowns
  std::int64_t wait_ = 0, length_ = 0;                // steps until the next trial, and how many they were
  IndexVector chosen_, rows_, order_of_blocks_;
  Vector response_, work_, inverse_, x_, change_;  // of the chosen rows: (K^-1)_AA, (M K^-1)_AA, the inverse of the first
  DenseFactor lu_;
  Matrix M_;  // of most_ contacts; those that are not used are open and alone
  Vector q_;
  Inclusion few_;
  InnerSolver quick_, robust_;  // the second only where factors of the whole cost far more than it does
  bool has_robust_ = false;
};

}  // namespace nonsmooth
