// One-step integrators: how systems are integrated over one step, up to the reactions.
#ifndef NONSMOOTH_KERNEL_ONE_STEP_INTEGRATOR_HPP
#define NONSMOOTH_KERNEL_ONE_STEP_INTEGRATOR_HPP

#include <set>
#include <vector>

#include "nonsmooth/kernel/nsds.hpp"

namespace nonsmooth::kernel {

// A step; h is kept beside its ends because their difference is rounded.
struct Interval {
  // Its ends and its length [s].
  double start = 0, end = 0, length = 0;
  // Length, by the letter of the formulas.
  double h() const { return length; }
};

// How the reactions of an interaction act back on its output, beside C S B: y = output * C S B lambda + feedthrough * D lambda +
// q.
struct Coupling {
  // Factors of output and feedthrough in w = M lambda + q.
  double output = 1.0;
  double feedthrough = 1.0;
};

// What nonsmooth problems are assembled from: per interaction w = M lambda + q at some level, with
//   M_ab = output * sum over shared systems of C_a S B_b + feedthrough * D_a.
class Formulation {
 public:
  virtual ~Formulation() = default;
  // Level of the multipliers solved for: 0 (first order, position level), 1 (velocities, impulses) or 2 (accelerations, forces).
  virtual int level() const = 0;
  // How multipliers enter the output of an interaction.
  virtual Coupling coupling(const InteractionRecord& record) const;
  // q of the rows of an interaction: its output without the multipliers.
  virtual void freeOutput(const InteractionRecord& record, VectorView q) = 0;
  // How multipliers act on the systems [motion, rows] where it is neither by C' nor by the matrix B of the relation, else null.
  virtual const double* inputMatrix(const InteractionRecord&) const { return nullptr; }
  // Coefficient of friction that counts in the problem at work.
  virtual double friction(const InteractionRecord& record) const { return record.law->mu(); }
  // columns := S columns of a system, [dimension, count].
  virtual void respond(int system, double* columns, Index count) const = 0;
};

// Every scheme of event-capturing type is put in one form: per system d
//   unknown = free_d + S_d input_d,   input_d = sum over interactions of B lambda (mechanics: C' lambda),
// and per interaction w = M lambda + q with M and q as Coupling and freeOutput say. `unknown` is x, or the velocity, or
// (Schatzman-Paoli) the position. The nonsmooth problems are assembled from these alone and know no scheme. An integrator belongs
// to one simulation and its thread.
class OneStepIntegrator : public Formulation {
 public:
  ~OneStepIntegrator() override;
  // Name of the class, for messages and tables.
  virtual const char* className() const = 0;

  // The class of simulation whose steps it takes part in.
  virtual const char* simulationClass() const { return "TimeStepping"; }

  // Binds a system to this integrator. In a simulation with one integrator none needs to be bound.
  void insertDynamicalSystem(DynamicalSystem& system);
  bool owns(const DynamicalSystem& system) const;
  // Has any system ever been bound to it? Then it takes no others.
  bool hasBoundSystems() const { return has_bound_; }

  // Throw, naming the pair, where the scheme does not treat it.
  virtual void checkSystem(const DynamicalSystem& system) const = 0;
  virtual void checkInteraction(const Interaction& interaction) const;

  // For simulations, in the order of calls. bind: it serves another simulation from now on, and keeps nothing of the one before;
  // binding() is then another number. initialize: `systems` are numbers; called again when systems have been inserted or removed.
  void bind(NonSmoothDynamicalSystem& model);
  unsigned long binding() const { return binding_; }
  virtual void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems);
  // Interactions have been linked or removed.
  virtual void interactionsChanged() {}
  virtual void beginStep(const Interval& step) = 0;  // values at the start of the step
  virtual void startIteration() = 0;                 // first iterate
  virtual void prepareIteration() = 0;               // iteration matrices at the iterate
  // Where the relation of an interaction is evaluated for its law, `end` being the iterate at the end of the step: there, unless
  // the scheme states laws in between. Views that the next call may change.
  virtual RelationPoint pointOfLaw(const InteractionRecord&, const RelationPoint& end) { return end; }
  // The step that was begun has failed, and the states of its start are back: takes back what beginStep has moved before it.
  virtual void undoStep(const Interval&) {}
  // All steps must have the same length.
  virtual bool needsConstantStep() const { return false; }
  // The states without the multipliers.
  virtual void computeFreeState() = 0;
  virtual bool isActive(const InteractionRecord& record) const;  // belongs to the index set of level(), at the start of the step
  // y' of row 0 before an impact, for problems that treat impacts apart; 0 where there is to be none.
  virtual double approach(const InteractionRecord& record) const;
  virtual void updateState() = 0;  // unknown from the inputs; then what follows from it
  // Greatest residual of the equations of motion at the state of updateState, 0 for linear systems.
  virtual double residual() = 0;
  // y[0] that the law of an interaction was solved for, after the step: of its end, unless the scheme states laws in between. A
  // view that the next call may change.
  virtual VectorView lawOutput(const InteractionRecord& record) { return model_->outputs().view(Output::y0, record.y); }
  // What is left to do when the iterations have ended.
  virtual void endStep() {}
  // What a resumed run needs of the integrator's own memory: nothing, unless overridden.
  virtual void saveMemory(StateWriter&) const {}
  virtual void restoreMemory(StateReader&) {}
  // W with S_d = W^-1, where the scheme has one; for problems that keep the systems.
  virtual bool hasIterationMatrix() const { return false; }
  virtual const LinearOperator& iterationMatrix(int system) const;
  // Changes whenever a response S_d or a coupling does.
  unsigned long responseVersion() const { return response_version_; }

 protected:
  NonSmoothDynamicalSystem& model() const { return *model_; }
  const std::vector<int>& systems() const { return systems_; }
  const Interval& step() const { return step_; }
  // At an instant: velocities of all systems += S p[1]; `free` keeps the change.
  void applyImpulses();
  // Throws where rows of a law are contacts of their own: an interaction is active or not by its first row.
  void requireOneContact(const Interaction& interaction) const;
  // q := C free summed over the systems of the record.
  void freeOutputOf(const InteractionRecord& record, Motion field, VectorView q) const;

  Interval step_;
  unsigned long response_version_ = 0;

 private:
  NonSmoothDynamicalSystem* model_ = nullptr;
  std::vector<int> systems_;
  std::set<SystemIdentity, std::owner_less<>> bound_;
  bool has_bound_ = false;
  unsigned long binding_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
