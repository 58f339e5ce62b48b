// The half-explicit time-discontinuous Galerkin scheme for mechanical systems (Schindler and Acary 2014).
#ifndef NONSMOOTH_KERNEL_D1_MINUS_HPP
#define NONSMOOTH_KERNEL_D1_MINUS_HPP

#include "nonsmooth/kernel/time_stepping.hpp"

namespace nonsmooth::kernel {

class AccelerationLevel;

// Second order in phases without impacts, joints and unilateral contacts that persist on flat bodies at rest included. On curved
// or moving ones it is of order one: where the error of a step takes a gap beyond the tolerance, the next step has no force (a
// greater tolerance holds it). Impacts are taken at ends of steps. Per step
//   a  = Mass^-1 (fL + C' lambda[2]) at t_k,                  0 <= y[2] _|_ lambda[2] >= 0 on contacts at rest,
//   q+ = q + h/2 (v + v1),  v1 = v + h a,
//   a1 = Mass^-1 (fL + C' lambda[2]) at (q+, v1, t_{k+1}),    the same on those that have persisted,
//   v- = v + h/2 (a + a1),
//   v+ = v- + Mass^-1 C' lambda[1],                           0 <= u+ + e u- _|_ lambda[1] >= 0 on closed contacts.
// A contact lands at rest, with e = 0, where its flight after the impact would end within a step: 2 e |y'| <= h M_aa lambda[2],
// y' that of the prediction v1, lambda[2] the force that would hold it closed. Without that rule a contact that rests would be
// thrown up by e h g / 2 in every step. Nothing is iterated: the scheme is explicit, its step bounded by the stiffness of the
// systems.
class D1MinusLinearOSI : public OneStepIntegrator {
 public:
  D1MinusLinearOSI();
  ~D1MinusLinearOSI() override;
  const char* className() const override { return "D1MinusLinearOSI"; }
  const char* simulationClass() const override { return "TimeSteppingD1Minus"; }
  int level() const override { return 1; }
  // A contact is closed if y <= tolerance [m], at rest if moreover y' <= tolerance [m/s]; default 1e-8.
  void setTolerance(double tolerance);
  double tolerance() const { return tolerance_; }

  void checkSystem(const DynamicalSystem& system) const override;
  void checkInteraction(const Interaction& interaction) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void interactionsChanged() override;
  void beginStep(const Interval& step) override { step_ = step; }
  void startIteration() override;  // q+ and v1
  void prepareIteration() override {}
  void computeFreeState() override;  // v-
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  double approach(const InteractionRecord& record) const override;
  void respond(int system, double* columns, Index count) const override;
  void updateState() override;  // v+
  double residual() override { return 0; }

  // For the simulation.
  AccelerationLevel& accelerationLevel() const;
  bool isClosed(const InteractionRecord& record) const;
  bool isAtRest(const InteractionRecord& record) const;
  // Is a closed contact approaching, so that its law has to tell impact from rest?
  bool isLanding(const InteractionRecord& record) const;
  // Which rows of a landing contact come to rest, from the forces lambda[2] that would hold the closed contacts.
  void detectRest(const InteractionRecord& record);
  // Rows at rest are taken as closed again.
  void forgetRest();

 private:
  // Without the impulses of the end of the step.
  void freeVelocity(const InteractionRecord& record, VectorView q) const;
  struct Work;
  double tolerance_ = 1e-8;
  std::unique_ptr<Work> work_;
};

// Two problems per step: "timeStepping" for impulses, "acceleration" for forces. Index sets, as of the last step: 1 closed at its
// end, 2 closed and at rest during it, 3 closed by it. The verbs of TimeStepping for loops of one's own do not apply.
class TimeSteppingD1Minus : public TimeStepping {
 public:
  TimeSteppingD1Minus(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation,
                      Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> impulses, Link<OneStepNSProblem> forces);
  ~TimeSteppingD1Minus() override;
  const char* className() const override { return "TimeSteppingD1Minus"; }
  const char* simulationClass() const override { return "TimeSteppingD1Minus"; }
  void initialize() override;
  void computeFreeStep() override;

 protected:
  void attempt(const Interval& step) override;
  std::size_t problemsOfAStep() const override { return 2; }

 private:
  void selectAtStart();
  void selectAtEnd();
  void detectRest();
  void solveForces(const std::vector<int>& active);
  void solveImpulses();
  D1MinusLinearOSI* integrator_ = nullptr;
};

}  // namespace nonsmooth::kernel
#endif
