// The integrators of event-capturing simulations.
#ifndef NONSMOOTH_KERNEL_INTEGRATORS_HPP
#define NONSMOOTH_KERNEL_INTEGRATORS_HPP

#include "nonsmooth/kernel/one_step_integrator.hpp"

namespace nonsmooth::kernel {

class Simulation;
// Systems that an integrator is bound to, in the specification's form.
using DynamicalSystemsSet = std::vector<DynamicalSystem*>;

// Moreau's and Jean's theta-scheme for mechanical systems (Moreau 1988, Jean 1999): for linear time-invariant systems
//   (M + h theta C + h^2 theta^2 K)(v+ - v) = -h C v - h K q - h^2 theta K v + h theta F+ + h (1 - theta) F + p,
//   q+ = q + h (theta v+ + (1 - theta) v),   0 <= u+ + e u _|_ lambda >= 0 on the active contacts.
// A contact is active if y + h gamma y' <= threshold at the start of the step. With theta = 1/2 it is of order 2 in smooth motion
// where Mass is constant, of order 1 where it depends on q.
class MoreauJeanOSI : public OneStepIntegrator {
 public:
  explicit MoreauJeanOSI(double theta = 0.5);
  // Form of the specification: bound to these systems and inserted in the simulation.
  MoreauJeanOSI(const DynamicalSystemsSet& systems, double theta, Simulation* simulation);
  ~MoreauJeanOSI() override;
  const char* className() const override { return "MoreauJeanOSI"; }
  int level() const override { return 1; }

  // The theta of the scheme.
  double theta() const { return theta_; }
  double getTheta(const DynamicalSystem& system) const;
  double getTheta(const DynamicalSystem* system) const { return getTheta(*system); }
  // theta of one system; the others keep that of the integrator.
  void setTheta(const DynamicalSystem& system, double theta);
  // Iteration matrix of a system as of the last step: copy.
  Matrix getW(const DynamicalSystem& system) const;
  Matrix getW(const DynamicalSystem* system) const { return getW(*system); }

  // The law of a compliant relation holds for y and lambda at the end of the step (default: an implicit Euler step in the spring,
  // which damps), or for y at theta q+ + (1 - theta) q_k and the force over the step: with theta = 1/2 a spring in contact then
  // keeps its energy. Such laws are of positions: restitution has no part in them, friction is refused, and two linked systems
  // have one theta.
  void setAverageCompliance(bool value);

  // Rules of activation.
  void setActivationGamma(double gamma);                                                         // default 1/2
  void setConstraintActivationThreshold(double threshold);                                       // [m], default 0
  void setActivateWithNegativeRelativeVelocity(bool value) { negative_velocity_only_ = value; }  // and y' <= its threshold
  void setConstraintActivationThresholdVelocity(double threshold);                               // [m/s], default 0

  void checkSystem(const DynamicalSystem& system) const override;
  void checkInteraction(const Interaction& interaction) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void interactionsChanged() override;
  void beginStep(const Interval& step) override;
  void startIteration() override;
  void prepareIteration() override;
  void computeFreeState() override;
  bool isActive(const InteractionRecord& record) const override;
  Coupling coupling(const InteractionRecord& record) const override;
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  void respond(int system, double* columns, Index count) const override;
  void updateState() override;
  double residual() override;
  VectorView lawOutput(const InteractionRecord& record) override;
  bool hasIterationMatrix() const override { return true; }
  const LinearOperator& iterationMatrix(int system) const override;

 private:
  struct Work;
  double thetaOf(const InteractionRecord& record) const;
  void compliantOutput(const InteractionRecord& record, VectorRef y);
  double theta_, gamma_ = 0.5, threshold_ = 0.0, velocity_threshold_ = 0.0;
  bool negative_velocity_only_ = false, average_compliance_ = false;
  std::unique_ptr<Work> work_;
};

// Name of 2006.
using Moreau = MoreauJeanOSI;

// Theta-gamma scheme for first order systems (Greenhalgh, Acary, Brogliato 2013):
//   M (x+ - x) = h theta f(x+, t+) + h (1 - theta) f(x, t) + h gamma r+ + h (1 - gamma) r.
class EulerMoreauOSI : public OneStepIntegrator {
 public:
  explicit EulerMoreauOSI(double theta);
  // gamma is used as in the formula above.
  EulerMoreauOSI(double theta, double gamma);
  // Form of the specification: bound to these systems and inserted in the simulation.
  EulerMoreauOSI(const DynamicalSystemsSet& systems, double theta, Simulation* simulation);
  ~EulerMoreauOSI() override;
  const char* className() const override { return "EulerMoreauOSI"; }
  int level() const override { return 0; }

  // Parameters of the scheme.
  double theta() const { return theta_; }
  double gamma() const { return gamma_; }
  double getTheta(const DynamicalSystem& system) const;
  double getTheta(const DynamicalSystem* system) const { return getTheta(*system); }
  // theta of one system; the others keep that of the integrator.
  void setTheta(const DynamicalSystem& system, double theta);
  // Iteration matrix of a system as of the last step: copy.
  Matrix getW(const DynamicalSystem& system) const;
  Matrix getW(const DynamicalSystem* system) const { return getW(*system); }
  // gamma acts on r (default of the second constructor), or, the full theta-gamma variant, on the relation: the law relates
  // outputs and multipliers at t + gamma h, of x = gamma x+ + (1 - gamma) x_k, and r is what the relation gives there.
  // After the step lambda is that of t + gamma h; y is evaluated at x+.
  void setUseGamma(bool value);
  void setUseGammaForRelation(bool value);

  void checkSystem(const DynamicalSystem& system) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void interactionsChanged() override;
  void beginStep(const Interval& step) override;
  void startIteration() override {}
  void prepareIteration() override;
  void computeFreeState() override;
  RelationPoint pointOfLaw(const InteractionRecord& record, const RelationPoint& end) override;
  Coupling coupling(const InteractionRecord& record) const override;
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  void respond(int system, double* columns, Index count) const override;
  void updateState() override;
  double residual() override;
  VectorView lawOutput(const InteractionRecord& record) override;
  void endStep() override;

 private:
  struct Work;
  double inputFactor() const { return use_gamma_ ? gamma_ : 1.0; }
  double outputFactor() const { return use_gamma_for_relation_ ? gamma_ : 1.0; }
  double timeOfLaws() const;
  RelationPoint pointOfLaw(const InteractionRecord& record);
  template <class Receiver>
  void forExplicitInputs(const Receiver& receive);
  void computeDefects();
  double relationResidual();
  double theta_, gamma_ = 1.0;
  bool use_gamma_ = false, use_gamma_for_relation_ = false;
  std::unique_ptr<Work> work_;
};

// Position-level scheme of Schatzman and Paoli (2002) for LagrangianLinearTIDS:
//   M (q+ - 2 q + q-) + h/2 theta C (q+ - q-) + h^2 (1 - theta) C v + h^2 K (theta q+ + (1 - theta) q)
//     = h^2 (theta F+ + (1 - theta) F) + H' lambda,   0 <= y+ + e y- _|_ lambda >= 0.
// All steps have the same length, up to rounding. A state that is changed between steps goes on from its new q and v. Without
// boundary conditions.
class SchatzmanPaoliOSI : public OneStepIntegrator {
 public:
  explicit SchatzmanPaoliOSI(double theta = 0.5);
  ~SchatzmanPaoliOSI() override;
  const char* className() const override { return "SchatzmanPaoliOSI"; }
  int level() const override { return 0; }
  // Theta, 1/2 by default; iteration matrix of a system, a copy.
  double getTheta(const DynamicalSystem&) const { return theta_; }
  Matrix getW(const DynamicalSystem& system) const;

  void checkSystem(const DynamicalSystem& system) const override;
  void checkInteraction(const Interaction& interaction) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void beginStep(const Interval& step) override;
  void undoStep(const Interval& step) override;
  bool needsConstantStep() const override { return true; }
  void startIteration() override {}
  void prepareIteration() override {}
  void computeFreeState() override;
  bool isActive(const InteractionRecord&) const override { return true; }
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  void respond(int system, double* columns, Index count) const override;
  void updateState() override;
  double residual() override { return 0; }
  void saveMemory(StateWriter& out) const override;
  void restoreMemory(StateReader& in) override;

 private:
  struct Work;
  void evaluateOlderOutputs();
  void forgetOutputs();
  double theta_;
  std::unique_ptr<Work> work_;
};

// Exact integration of first order linear systems whose inputs are held over the step:
//   x+ = exp(A h) x + Psi (b + B lambda),   Psi = integral of exp(A s) over [0, h]   (Van Loan 1978).
// A time-dependent b is taken at the end of the step, A is constant.
class ZeroOrderHoldOSI : public OneStepIntegrator {
 public:
  ZeroOrderHoldOSI();
  ~ZeroOrderHoldOSI() override;
  const char* className() const override { return "ZeroOrderHoldOSI"; }
  int level() const override { return 0; }

  void checkSystem(const DynamicalSystem& system) const override;
  void checkInteraction(const Interaction& interaction) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void beginStep(const Interval& step) override;
  void startIteration() override {}
  void prepareIteration() override {}
  void computeFreeState() override;
  void freeOutput(const InteractionRecord& record, VectorView q) override;
  void respond(int system, double* columns, Index count) const override;
  void updateState() override;
  double residual() override { return 0; }

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace nonsmooth::kernel
#endif
