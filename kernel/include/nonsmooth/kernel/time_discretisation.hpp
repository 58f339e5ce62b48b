// The instants t_0 < t_1 < ... of a simulation.
#ifndef NONSMOOTH_KERNEL_TIME_DISCRETISATION_HPP
#define NONSMOOTH_KERNEL_TIME_DISCRETISATION_HPP

#include <concepts>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "nonsmooth/kernel/error.hpp"
#include "nonsmooth/kernel/link.hpp"

namespace nonsmooth::kernel {

class NonSmoothDynamicalSystem;
class Simulation;

// t_k = t_0 + k h is computed from k, never accumulated; or the instants are given. A value. With h as text k h is the double
// nearest to the decimal number, as 0.3 is for 3 steps of 0.1 (3 * 0.1 is 0.30000000000000004).
class TimeDiscretisation {
 public:
  // Constant step h > 0 [s], for ever or up to the final time of the model.
  TimeDiscretisation(double t0, double h);
  // h as decimal text.
  TimeDiscretisation(double t0, const std::string& h);
  // nSteps equal steps from t0 to T.
  TimeDiscretisation(unsigned nSteps, double t0, double T);
  // Given instants, increasing.
  explicit TimeDiscretisation(std::vector<double> instants);

  // Forms of the specification. nSteps steps of h from the initial time of the model whose simulation takes them, which ends with
  // them; until then instants are NaN. For unsigned numbers only: with any other number these would be t0 and h.
  TimeDiscretisation(double h, std::unsigned_integral auto nSteps) : TimeDiscretisation(Steps{h, nSteps}) {}
  // From the initial time of the model; the last becomes its final time.
  TimeDiscretisation(double h, unsigned nSteps, Link<NonSmoothDynamicalSystem> model);
  // From the initial time of the model of the simulation, which takes these instants, borrowed; nSteps: and up to its final time.
  TimeDiscretisation(double h, Simulation* simulation);
  TimeDiscretisation(double h, unsigned nSteps, Simulation* simulation);

  // Steps begun by the simulation that has these instants, steps up to the final time.
  long getK() const;
  long getNSteps() const;
  // The model whose final time ends the steps.
  const std::shared_ptr<NonSmoothDynamicalSystem>& model() const { return model_; }

  // Instant number k.
  double getTk(long k) const;
  // Step from t_k to t_{k+1}.
  double timeStep(long k) const { return instants_.empty() ? h_ : getTk(k + 1) - getTk(k); }
  // Are all steps of one length?
  bool hConst() const { return instants_.empty(); }
  // The last instant, whatever the final time of a model; infinity where the steps go on for ever.
  double lastInstant() const;
  // Is the last instant at T or after it, up to rounding (1e-6 of a step)?
  bool reaches(double T) const { return lastInstant() >= T - 1e-6 * timeStep(0); }
  // Whole steps that end at T or before, up to rounding (1e-9 h, or what instants as far from zero are rounded by).
  long numberOfSteps(double T) const;

 private:
  struct Steps {
    double h;
    unsigned long long count;
  };
  explicit TimeDiscretisation(Steps steps);
  // A simulation of that model takes them.
  void beginWith(NonSmoothDynamicalSystem& model);

  double t0_, h_ = 0;                 // t0 is NaN until a model tells it
  double numerator_ = 0, power_ = 0;  // of h as a decimal fraction, whole numbers; power 0: it is none
  unsigned steps_ = 0;                // 0: no limit of its own
  double end_ = std::numeric_limits<double>::infinity();
  std::vector<double> instants_;
  std::shared_ptr<NonSmoothDynamicalSystem> model_;  // of the forms of the specification
  friend class Simulation;
  std::weak_ptr<const Simulation*> simulation_;  // that has these instants; either may end before the other
};

}  // namespace nonsmooth::kernel
#endif
