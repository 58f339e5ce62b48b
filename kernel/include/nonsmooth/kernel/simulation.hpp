// Simulations: a model, instants, integrators and nonsmooth problems.
#ifndef NONSMOOTH_KERNEL_SIMULATION_HPP
#define NONSMOOTH_KERNEL_SIMULATION_HPP

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "nonsmooth/kernel/one_step_ns_problem.hpp"
#include "nonsmooth/kernel/time_discretisation.hpp"

namespace nonsmooth::kernel {

// Seconds spent in the phases of a step.
struct PhaseTimes {
  // The phases.
  double freeState = 0, detection = 0, assembly = 0, solver = 0, update = 0;
};

// What a step ended with.
struct StepStatus {
  double time = 0;           // end of the step
  int newtonIterations = 0;  // over all parts of the step
  // Did Newton's iteration end within its tolerance? Its last residual.
  bool newtonConverged = true;
  double newtonResidual = 0;
  // Of the solves that the end of the step rests on, in all its parts: the first one that was not certified, else that with the
  // largest residual. What was done again does not count: earlier iterates of Newton's, a step before it was halved.
  SolveReport solve;
  // Interactions in the index set.
  Index activeContacts = 0;
  // Greatest -y[0] of an interaction with a unilateral law, 0 if there is none; where a scheme states the law of positions within
  // the step (useGammaForRelation, averageCompliance), y[0] is that of the law.
  double violation = 0;
  int parts = 1;  // > 1 where the step was halved
  // By phases; zeros where they are not timed.
  PhaseTimes seconds;
};

// What happens when a nonsmooth problem is not solved with a certificate, or Newton's iteration does not converge.
enum class FailurePolicy {
  Throw,   // computeOneStep throws; the state is that of the start of the step
  Record,  // the step is accepted, its status tells
  Halve    // the step is done in halves, up to 2^6 parts; then as Throw
};

// Called at the start of each step to add and remove interactions, e.g. from contact detection. It cannot begin a step itself.
class InteractionManager {
 public:
  virtual ~InteractionManager() = default;
  // To be overridden: links and removes.
  virtual void updateInteractions(class Simulation& simulation) = 0;
  // A run is resumed: links the interaction anew, as it was when the state was saved; false if it is none of this manager's.
  virtual bool restoreInteraction(class Simulation&, const SavedInteraction&) { return false; }
};

// No globals: simulations of different models may run in different threads at the same time.
class Simulation {
 public:
  Simulation(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation);
  // The instants come later, by setTimeDiscretisation or the constructor of TimeDiscretisation.
  explicit Simulation(Link<NonSmoothDynamicalSystem> model);
  virtual ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // What integrators ask for by simulationClass().
  virtual const char* simulationClass() const { return "TimeStepping"; }

  // An integrator takes the systems bound to it; the only one, all systems.
  void insertIntegrator(Link<OneStepIntegrator> integrator);
  void associate(Link<OneStepIntegrator> integrator, DynamicalSystem& system);
  // Under its name; by name.
  void insertNonSmoothProblem(Link<OneStepNSProblem> problem, const std::string& name = "timeStepping");
  OneStepNSProblem& oneStepNSProblem(const std::string& name = "timeStepping") const;
  // It is asked at the start of each step.
  void insertInteractionManager(Link<InteractionManager> manager);

  // The model.
  NonSmoothDynamicalSystem& nonSmoothDynamicalSystem() const { return *model_; }
  // Before the first step, else it throws.
  void setTimeDiscretisation(Link<TimeDiscretisation> discretisation);
  // Throws where none has been given.
  const TimeDiscretisation& timeDiscretisation() const;

  // Name of the class, for messages and saved states.
  virtual const char* className() const { return "Simulation"; }
  // Checks that everything fits; called by the first step where it has not been, and after every change of the model.
  virtual void initialize();
  // The step at work: t_k, t_{k+1}, its length; after computeOneStep the state is that of t_{k+1} = nextTime().
  double getTk() const { return timeDiscretisation().getTk(step_); }
  double getTkp1() const { return timeDiscretisation().getTk(step_ + 1); }
  virtual double startingTime() const { return getTk(); }
  virtual double nextTime() const { return getTkp1(); }
  double timeStep() const { return timeDiscretisation().timeStep(step_); }
  double currentTimeStep() const { return timeStep(); }
  // Steps begun; steps in all (the model needs a final time).
  long getK() const { return step_ + (opened_ ? 1 : 0); }
  long getNSteps() const;
  // Is there a step to do before the final time?
  virtual bool hasNextEvent() const;
  // The next step, up to its end.
  virtual StepStatus computeOneStep() = 0;
  // Makes the end of the step the start of the next one.
  virtual void nextStep();
  // The two in the words of events: motion up to the next event, and what happens there. Of time stepping, whose events are the
  // instants, the step and its end.
  virtual void advanceToEvent() = 0;
  virtual void processEvents() = 0;
  // Parts of a step, or of what happens at an event, for loops of one's own: outputs y[level] at the present state; who is
  // active; the nonsmooth problem of that name; what follows from its multipliers, lambda[level].
  virtual void updateOutput(int level_min, int level_max) = 0;
  void updateOutput(int level) { updateOutput(level, level); }
  virtual void updateIndexSets() = 0;
  virtual SolveReport computeOneStepNSProblem(const std::string& name) = 0;
  virtual void update(int level) = 0;
  // All steps that are left; calls `each` after every one.
  virtual void run(const std::function<void(const Simulation&, const StepStatus&)>& each = nullptr);

  // Default: Throw. Halve is refused with integrators that need a constant step, and in event-driven simulations.
  void setFailurePolicy(FailurePolicy policy);
  FailurePolicy failurePolicy() const { return policy_; }
  // Clock readings cost about 0.2 us a step.
  void setPhaseTimes(bool value) { with_timings_ = value; }
  // What the last step ended with.
  const StepStatus& status() const { return status_; }

  // Interactions of an index set as of the last step: 0 all, 1 active; indices of the model's records.
  const std::vector<int>& indexSet(int level) const;
  // Level of the multipliers of an interaction; 1 before it is known who integrates its systems.
  int multiplierLevel(const InteractionRecord& record) const;

  // For saving and resuming runs (checkpoint.hpp). Those that keep more than the number of the step save it in saveMemory; a
  // simulation that cannot be resumed throws there.
  void save(StateWriter& out);
  void restore(StateReader& in);

 protected:
  // Has a step begun, or an event been processed?
  virtual bool hasBegun() const { return opened_ || step_ > 0; }
  virtual void saveMemory(StateWriter& out) const;
  virtual void restoreMemory(StateReader& in);
  void bindSystems();
  // Throws where an integrator has been bound to another simulation since.
  void requireIntegrators() const;
  // What problems need for a solve.
  AssemblyContext context() const;
  // Adds a solve to the status of the step, by the rule of StepStatus::solve.
  void note(const SolveReport& report);
  // Of the present outputs, for the status.
  void measureViolation();
  void checkPairs() const;
  virtual void checkPolicy(FailurePolicy policy) const;
  // Throws where the instants begin elsewhere than the model.
  void requireStart() const;
  // Throws where the first step ends after the final time.
  void requireSteps() const;
  // A step begins.
  void open();
  // All managers have their turn.
  void updateInteractions();
  // The step that has ended becomes the one before.
  void shift();
  OneStepIntegrator& integratorOf(const InteractionRecord& record) const {
    return *integrator_of_system_[static_cast<std::size_t>(record.system[0])];
  }

  Link<NonSmoothDynamicalSystem> model_;
  std::shared_ptr<TimeDiscretisation> discretisation_;
  std::vector<Link<OneStepIntegrator>> integrators_;
  std::vector<unsigned long> bindings_;  // binding() of each, as it was bound to this simulation
  std::vector<std::pair<std::string, Link<OneStepNSProblem>>> problems_;
  std::vector<Link<InteractionManager>> managers_;
  std::vector<OneStepIntegrator*> integrator_of_system_;
  std::vector<std::vector<int>> index_sets_;
  StepStatus status_;
  FailurePolicy policy_ = FailurePolicy::Throw;
  long step_ = 0;
  bool opened_ = false, pending_ = false, with_timings_ = true, managers_at_work_ = false;
  bool initialized_ = false;
  unsigned long topology_ = 0, systems_ = 0, demands_ = 0;
  unsigned long jacobian_version_ = 1;  // with that of the model: changes whenever a matrix that counts may have

 private:
  std::shared_ptr<const Simulation*> self_ = std::make_shared<const Simulation*>(this);  // for its instants
};

}  // namespace nonsmooth::kernel
#endif
