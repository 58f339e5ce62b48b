// Integrators of event-driven simulations.
#ifndef NONSMOOTH_KERNEL_EVENT_DRIVEN_OSI_HPP
#define NONSMOOTH_KERNEL_EVENT_DRIVEN_OSI_HPP

#include <memory>
#include <vector>

#include "nonsmooth/kernel/integrators.hpp"

namespace nonsmooth::kernel {

class SmoothMotion;

// Between events: smooth motion with the closed contacts as constraints, in steps that such an integrator chooses itself, each
// with a continuous output over its interval. At events: velocities with impulses (level 1), accelerations with forces (level 2),
//   v+ = v- + Mass^-1 C' lambda[1],   v' = Mass^-1 (fL + C' lambda[2]).
// An event-driven simulation has one such integrator, for all systems.
class EventDrivenOSI : public OneStepIntegrator {
 public:
  ~EventDrivenOSI() override;
  const char* simulationClass() const override { return "EventDriven"; }

  // Smooth motion. restart: from the state of the model at that instant, after an event. step: one step towards `target`, the
  // next event, which it may pass, but not `barrier` >= target. interpolate: state and velocities of the model become those at an
  // instant of the last step.
  virtual void restart(double time) = 0;
  virtual void step(double target, double barrier) = 0;
  virtual void interpolate(double time) = 0;
  // Drift of closed contacts at which they are to be put back, where the simulation says nothing else.
  virtual double driftTolerance() const { return 1e-10; }
  // What may be wrong with its steps where events come without end, for the message; "": nothing, errors are controlled.
  virtual std::string doubtOfSteps() const { return ""; }
  // Ends of the last step.
  double stepStart() const { return step_start_; }
  double stepEnd() const { return step_end_; }
  long steps() const { return steps_; }              // since the beginning
  long evaluations() const { return evaluations_; }  // of the forces
  // The equations of motion with the closed contacts.
  SmoothMotion& motion() const { return *motion_; }

  // Level of the problem at work.
  int level() const override { return level_; }
  void setLevel(int level) { level_ = level; }
  // Impacts of an interaction without restitution, to end an accumulation.
  void setPlastic(std::vector<char> of_record) { plastic_ = std::move(of_record); }

  // Impacts of contacts that move on for so many seconds without forces of contact.
  void setForesight(double seconds) { foresight_ = seconds; }

  void checkSystem(const DynamicalSystem& system) const override;
  void checkInteraction(const Interaction& interaction) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  // Masses, forces and the matrices of closed contacts at the present state.
  void prepareAt(double time);
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  double approach(const InteractionRecord& record) const override;
  const double* inputMatrix(const InteractionRecord& record) const override;
  double friction(const InteractionRecord& record) const override;
  void respond(int system, double* columns, Index count) const override;
  // Level 1: velocities after the impulses; level 2: accelerations.
  void updateState() override;
  void beginStep(const Interval&) override {}
  void startIteration() override {}
  void prepareIteration() override {}
  void computeFreeState() override {}
  double residual() override { return 0; }

 protected:
  EventDrivenOSI();
  // The state of all systems as one vector: positions, then velocities.
  Index positions() const { return positions_; }
  Index velocities() const { return velocities_; }
  void gather(double* q, double* v) const;
  void scatter(const double* q, const double* v);
  // At the state (q, v): qdot and accelerations. Leaves the state in the model.
  void evaluate(double time, const double* q, const double* v, double* qdot, double* vdot);
  void gatherRates(double* qdot, double* vdot) const;
  void gatherAccelerations(double* vdot) const;
  // q'' at the state of the model and its accelerations.
  void gatherSecondRates(double* out) const;

  double step_start_ = 0, step_end_ = 0;
  long steps_ = 0, evaluations_ = 0;

 private:
  bool isPlastic(const InteractionRecord& record) const;
  std::unique_ptr<SmoothMotion> motion_;
  int level_ = 1;
  Index positions_ = 0, velocities_ = 0;
  std::vector<char> plastic_;
  double foresight_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
