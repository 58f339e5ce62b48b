// Projection of positions on the constraints after each step.
#ifndef NONSMOOTH_KERNEL_PROJECTION_HPP
#define NONSMOOTH_KERNEL_PROJECTION_HPP

#include "nonsmooth/kernel/time_stepping.hpp"

namespace nonsmooth::kernel {

// Moreau-Jean with the rule of activation that goes with projection: a contact becomes active if y + h gamma y' is below the
// threshold, and stays active until both y and y' exceed theirs.
class MoreauJeanDirectProjectionOSI : public MoreauJeanOSI {
 public:
  explicit MoreauJeanDirectProjectionOSI(double theta = 0.5) : MoreauJeanOSI(theta) { setConstraintActivationThreshold(1e-7); }
  const char* className() const override { return "MoreauJeanDirectProjectionOSI"; }
  void setDeactivateYPosThreshold(double threshold) { deactivate_position_ = threshold; }  // [m], default 1e-7
  void setDeactivateYVelThreshold(double threshold) { deactivate_velocity_ = threshold; }  // [m/s], default 0
  bool isActive(const InteractionRecord& record) const override;

 private:
  double deactivate_position_ = 1e-7, deactivate_velocity_ = 0.0;
};

// After each step, while an active constraint is violated by more than its tolerance, positions are moved by M^-1 C' lambda with
//   y(q) + C M^-1 C' lambda: zero for equalities, 0 <= . _|_ lambda >= 0 for contacts (normal row only)
// (Acary 2013). Velocities keep.
class TimeSteppingDirectProjection : public TimeStepping {
 public:
  TimeSteppingDirectProjection(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                               Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem);
  ~TimeSteppingDirectProjection() override;
  const char* className() const override { return "TimeSteppingDirectProjection"; }

  void setConstraintTol(double tolerance) { tolerance_ = tolerance; }                       // equalities [m], default 1e-8
  void setConstraintTolUnilateral(double tolerance) { unilateral_tolerance_ = tolerance; }  // contacts [m], default 1e-8
  void setProjectionMaxIteration(int iterations) { max_iterations_ = iterations; }          // default 20
  // Of the last step.
  int projectionIterations() const { return iterations_; }

 protected:
  void postProcess(const Interval& step) override;

 private:
  struct Work;
  double violation() const;
  void project();
  double tolerance_ = 1e-8, unilateral_tolerance_ = 1e-8;
  int max_iterations_ = 20, iterations_ = 0;
  std::unique_ptr<Work> work_;
};

}  // namespace nonsmooth::kernel
#endif
