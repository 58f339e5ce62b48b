// Event-capturing simulations.
#ifndef NONSMOOTH_KERNEL_TIME_STEPPING_HPP
#define NONSMOOTH_KERNEL_TIME_STEPPING_HPP

#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// One step: outputs at t_k and index sets; then Newton iterations, each of them free state, nonsmooth problem, new state; one
// suffices where all systems and relations are linear. computeOneStep does all of it; the verbs below are its parts, to be called
// in the order nextStep, computeFreeStep, updateIndexSets, computeOneStepNSProblem, update by those who write their own loop (one
// iteration a step).
class TimeStepping : public Simulation {
 public:
  TimeStepping(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation);
  explicit TimeStepping(Link<NonSmoothDynamicalSystem> model);
  // Of the model the instants were made for.
  explicit TimeStepping(Link<TimeDiscretisation> discretisation);
  TimeStepping(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation, Link<OneStepIntegrator> integrator,
               Link<OneStepNSProblem> problem);
  ~TimeStepping() override;

  const char* className() const override { return "TimeStepping"; }

  // When a step is iterated.
  enum class Newton {
    Linear,          // one iteration with the matrices (Mass, W, G) of the state at the start of the step
    LinearImplicit,  // one iteration with those of the first iterate: v_k and, for mechanical systems, q_k + h v_k
    NonLinear,       // until the residual is met; index set of the start of the step
    NonLinearFull    // and the integrators asked in every iteration who is active; those of this library go by the start of the
                     // step
  };
  // Default NonLinear; one iteration suffices where all systems and relations are linear.
  void setNewtonOptions(Newton option) { newton_ = option; }
  // Default 1e-6. It is absolute, of momentum (mechanics) or of M x: give less where bodies are small. A pendulum of 1 g meets it
  // after one iteration whatever its step. What rounding leaves of the momentum of heavy bodies, or of a large M x, does not
  // count. Mechanical relations count with their matrices at the last iterate: linear systems with nonlinear relations make one
  // iteration, off by the order of the scheme.
  void setNewtonTolerance(double tolerance);
  void setNewtonMaxIteration(int iterations);  // default 50
  // Multipliers of interactions that are not active are zero; those of active ones start from the last step's.
  void setResetAllLambda(bool value) { reset_all_lambda_ = value; }

  StepStatus computeOneStep() override;
  void initialize() override;
  void advanceToEvent() override { computeOneStep(); }
  void processEvents() override { nextStep(); }

  // The parts of a step. What is in the model stays so from the first of them to the last.
  virtual void computeFreeStep();
  void updateIndexSets() override;
  SolveReport computeOneStepNSProblem(const std::string& name = "timeStepping") override;
  // Inputs from multipliers, state, outputs. The level is that of the integrators, any argument will do.
  void update(int level = 1) override;
  void updateInput(int level = 1);
  void updateState(int level = 1);
  void updateOutput(int level_min, int level_max) override;
  void updateOutput(int level = 1) { updateOutput(level, level); }

 protected:
  // The number of the step is all there is.
  void saveMemory(StateWriter&) const override {}
  void restoreMemory(StateReader&) override {}
  // The end of constructors that are given the parts: initialize() is that of the class under construction.
  void take(Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem);
  // After an accepted step; for projections.
  virtual void postProcess(const Interval&) {}
  void advance(const Interval& step, int depth);
  void advanceByHalves(const Interval& step, int depth);
  // The step once; throws where it fails and the policy does not record.
  virtual void attempt(const Interval& step);
  // Problems that a step solves.
  virtual std::size_t problemsOfAStep() const { return 1; }
  // Between iterations of NonLinearFull.
  virtual void reviseIndexSets() { updateIndexSets(); }
  // From the index sets to the accepted state and its outputs.
  void solveMotion(const Interval& step);
  void beginStep(const Interval& step);
  void evaluateOutputs(double time, bool with_jacobians);
  void refreshJacobians(double time);
  // Solves the problem of that name over the interactions of `active` and notes it in the status.
  SolveReport solveProblem(const std::string& name, const AssemblyContext& context, const std::vector<int>& active);
  void requireCertified(const Interval& step) const;
  double newtonResidual();

 private:
  struct Starts;
  void requireSameModel() const;
  void takeBack(const Interval& step, int depth);
  void startMotion();
  void computeFreeStates(const Interval& step);
  void iterate(const Interval& step);
  // Nothing depends on the iterate, or nothing is to.
  bool matricesOfStart() const { return linear_ || newton_ == Newton::Linear; }
  bool needsNewton() const { return !linear_ && (newton_ == Newton::NonLinear || newton_ == Newton::NonLinearFull); }
  double multiplierScale(const InteractionRecord& record, int level) const;

  Newton newton_ = Newton::NonLinear;
  double newton_tolerance_ = 1e-6;
  int newton_max_iterations_ = 50;
  bool reset_all_lambda_ = false;
  bool linear_ = false;
  bool begun_ = false;  // a step, and it has not failed: its parts may follow
  Interval interval_;
  unsigned long attempts_ = 0;  // steps and parts of steps begun
  std::unique_ptr<Starts> starts_;
};

}  // namespace nonsmooth::kernel
#endif
