// Relaxed reflect-reflect (Elser, Rankenburg and Thibault 2007; Elser 2018): a search for a pair x = (z, w) that lies on
//   A   w = M z + q,
//   B   the laws of complementarity, row by row or cone by cone,
// by x <- x + beta (P_B(2 P_A(x) - x) - P_A(x)). It rests only where the two meet: where M is indefinite, and paths and Newton's
// steps end at what is no solution, it wanders on. On its way it is never far from some solution of the equations that the faces
// of B leave; once in a while these are tried, and one of them is right long before x has come to rest. It may go round in
// circles, and begins anew then from a point that is drawn.
//
// The metric is that of M balanced, with the unknowns in such a unit that M z is as large as z. P_A takes one product with each
// of M, (I + M M')^-1 and M'.
#pragma once

#include <span>

#include "core/random.hpp"
#include "linalg/dense_factor.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/method.hpp"

namespace nonsmooth {

// All but B.
class Reflections : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  Stop solve(std::span<double> z, Control& control) override;

 protected:
  // patience: iterations from one start, as a multiple of what LCPs take.
  explicit Reflections(std::int64_t patience) : patience_(patience) {}
  // (z, w) by P_B.
  virtual void project_on_laws(std::span<double> z, std::span<double> w) = 0;
  // Nothing has been tried in this solve yet.
  virtual void begin_trials() {}
  // The solution on the faces of P_B(2 P_A(x) - x).
  virtual Stop try_faces(std::span<double> z, Control& control, std::int64_t k) = 0;
  // y += factor A x, or with the transpose of A.
  void add_product(const char* transposition, double factor, const double* A, std::span<const double> x,
                   std::span<double> y) const;

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  double unit_ = 1;  // of the unknowns
  EquilibratedLcp lcp_;
  DenseFactor factor_;                 // for trials
  std::span<double> near_z_, near_w_;  // P_A(x)
  std::span<double> law_z_, law_w_;    // P_B(2 P_A(x) - x)
  std::span<double> rest_;             // what x leaves of the equations; free in trials

 private:
  void load();
  std::int64_t patience() const;
  void start_at(std::span<const double> z);
  void draw_start();
  void project_on_equations();
  void reflect();

  std::int64_t patience_ = 1;
  Random random_;
  Workspace room_;                             // of all spans
  std::span<double> inverse_, z_, w_, shift_;  // (I + M M' / unit^2)^-1; x; its multiplier of the equations
};

}  // namespace nonsmooth
