// How long iterations that factorise nothing go on before a method that does: past their budget as long as the fall of their own
// residual foretells that they meet the tolerance soon enough. Costs are counted, not measured by the clock, so that the same
// problem takes the same path on every machine.
#pragma once

#include "methods/frame/halving.hpp"
#include "methods/newton/factorisation_price.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

enum class Extent {
  fixed,       // the budget, or no limit of its own where that is 0
  foretold,    // past it while the tolerance is foretold to be met before `farthest`, and not much later than foretold at first
  reachable,   // past it while the tolerance is foretold to be met before `farthest`, however late: residuals fall by fits and
               // starts
  affordable,  // past it while that is foretold to cost less than the interior point method
  weighed,     // foretold, with a budget of factorisations: of as many iterations as cost that much
  rival,       // a budget of solves by the interior point method, likewise, of `farthest` iterations at most
  halving,     // up to it while every `farthest` iterations halve the residual
  descending,  // likewise, and half as many gain something: what stays where it began is left sooner
  falling      // up to it while every `farthest` iterations halve the least residual of the stage, however far behind the best
};

// From here on methods that factorise nothing are worth more patience: most get there before they slow down.
constexpr double loose_tolerance = 1e-6;

// In the plane, and where one contact is coupled with many on the average, there are more forces than equations of motion.
bool is_hyperstatic(const Inclusion& view);

// In the plane, and where there are more forces than equations of motion: from two contacts per body on.
bool is_redundant(const Inclusion& view);

// How an end is foretold: after k iterations the residual is taken to go on falling at the rate that it has had since a look
// between k / span^2 and k / span, for at most `trust` times k further iterations. share: of the iterations that the cost of the
// interior point method allows.
struct Forecast {
  double trust = 0;
  std::int64_t span = 2;
  double share = 1;
};

class SweepBudget final : public StageBudget {
 public:
  void setup(const Inclusion& view) {
    view_ = &view;
    price_.setup(view);
  }
  // The matrix has new values.
  void update() { price_.update(); }
  // Of a stage of the solve that `control` runs. Set-up of other methods, of which the price is asked here and in goes_on, counts
  // as set-up of that solve.
  void begin(Extent extent, std::int64_t budget, std::int64_t farthest, Control& control);
  bool goes_on(std::int64_t iteration, Control& control) override;
  // A factorisation of the interior point method in products with M, which `weighed` and `affordable` ask for, and stages that
  // are for dear ones or cheap ones. Allocates the first time; in a solve that counts as setting up.
  double factorisation() { return price_.products(); }
  double factorisation(Control& control) { return price_.products(control); }
  // Products with M that cost a share of what the interior point method takes to a tolerance.
  double allowance(double tolerance);

 private:
  struct Mark {
    std::int64_t iteration = 0;
    double residual = 0;  // the best of the stage until then
  };
  bool halves(std::int64_t iteration, const Control& control);
  bool rivals(std::int64_t iteration, Control& control);

  const Inclusion* view_ = nullptr;
  FactorisationPrice price_;
  Extent extent_ = Extent::fixed;
  std::int64_t budget_ = 0, farthest_ = 0, window_ = 0, next_ = 0;
  double first_end_ = 0;        // that was foretold; 0: none yet
  std::int64_t next_told_ = 0;  // iteration from which on a forecast is logged again
  double best_ = 0;             // residual of this stage, which may begin behind the best of the solve
  double first_best_ = 0;       // of the solve, where this stage began
  Halving halving_;
  Forecast forecast_;
  Mark early_, late_;  // the rate is that since early_
};

}  // namespace nonsmooth
