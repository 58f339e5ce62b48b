// Projection of positions on the constraints in each step.
#ifndef NONSMOOTH_KERNEL_PROJECTION_HPP
#define NONSMOOTH_KERNEL_PROJECTION_HPP

#include "nonsmooth/kernel/time_stepping.hpp"

namespace nonsmooth::kernel {

// Moreau-Jean with the rule of activation that goes with projection: a contact becomes active if y + h gamma y' is below the
// threshold, and stays active until both y and y' exceed theirs, or someone has moved its bodies apart between two steps.
class MoreauJeanDirectProjectionOSI : public MoreauJeanOSI {
 public:
  explicit MoreauJeanDirectProjectionOSI(double theta = 0.5) : MoreauJeanOSI(theta) { setConstraintActivationThreshold(1e-7); }
  const char* className() const override { return "MoreauJeanDirectProjectionOSI"; }
  void setDeactivateYPosThreshold(double threshold) { deactivate_position_ = threshold; }  // [m], default 1e-7
  void setDeactivateYVelThreshold(double threshold) { deactivate_velocity_ = threshold; }  // [m/s], default 0
  void beginStep(const Interval& step) override;
  bool isActive(const InteractionRecord& record) const override;

 private:
  double deactivate_position_ = 1e-7, deactivate_velocity_ = 0.0;
  std::vector<double> gaps_;  // of records, as the last step has left them
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

  void setConstraintTol(double tolerance);            // equalities [m], default 1e-8
  void setConstraintTolUnilateral(double tolerance);  // contacts [m], default 1e-8
  void setProjectionMaxIteration(int iterations);     // default 20; 0: none
  // Of the last step.
  int projectionIterations() const { return iterations_; }

 protected:
  // Without integrator and problem, for derived classes.
  TimeSteppingDirectProjection(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation);
  void postProcess(const Interval& step) override;
  void saveMemory(StateWriter& out) const override;
  // Greatest violation of an active constraint over its tolerance.
  double violation() const;
  double unilateralTolerance() const { return unilateral_tolerance_; }

 private:
  struct Work;
  bool project(double time);
  double tolerance_ = 1e-8, unilateral_tolerance_ = 1e-8;
  int max_iterations_ = 20, iterations_ = 0;
  std::unique_ptr<Work> work_;
};

// The rule of activation of MoreauJeanDirectProjectionOSI, for the combined scheme.
class MoreauJeanCombinedProjectionOSI : public MoreauJeanDirectProjectionOSI {
 public:
  explicit MoreauJeanCombinedProjectionOSI(double theta = 0.5) : MoreauJeanDirectProjectionOSI(theta) {}
  const char* className() const override { return "MoreauJeanCombinedProjectionOSI"; }
  const char* simulationClass() const override { return "TimeSteppingCombinedProjection"; }
};

// Velocities and projection in agreement (Acary 2013, section 4): contacts that are violated at the end of the step, before or
// after the projection, join the active ones and the step is done again from its start, until none is left. So every contact
// whose position is corrected obeys its law on velocities in the same step, and no violation above the tolerance remains - of any
// contact, active or not. Projection moves positions and not velocities: it can raise the potential energy, by the force on a
// contact times the distance it is moved; velocities never gain.
class TimeSteppingCombinedProjection : public TimeSteppingDirectProjection {
 public:
  TimeSteppingCombinedProjection(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                                 Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem);
  const char* className() const override { return "TimeSteppingCombinedProjection"; }
  const char* simulationClass() const override { return "TimeSteppingCombinedProjection"; }
  // How often the last step was solved for velocities.
  int rounds() const { return rounds_; }

 protected:
  void attempt(const Interval& step) override;
  // In the first round: those that have joined since would leave, and join again in the next one.
  void reviseIndexSets() override;

 private:
  bool activateViolated();
  int rounds_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
