// LSODAR's role, half-explicit Runge-Kutta and generalised-alpha: integrators between events.
#ifndef NONSMOOTH_KERNEL_EVENT_INTEGRATORS_HPP
#define NONSMOOTH_KERNEL_EVENT_INTEGRATORS_HPP

#include "nonsmooth/kernel/event_driven_osi.hpp"

namespace nonsmooth::kernel {

// Variable order, variable step: Adams methods up to order 12 and BDF up to order 5, by SUNDIALS CVODE (Hindmarsh et al. 2005).
// It takes the part of LSODAR (Hindmarsh, Petzold 1983): roots are located on its continuous output.
class LsodarOSI : public EventDrivenOSI {
 public:
  LsodarOSI();
  // Form of the specification: bound to these systems and inserted in the simulation.
  LsodarOSI(const DynamicalSystemsSet& systems, Simulation* simulation);
  ~LsodarOSI() override;
  const char* className() const override { return "LsodarOSI"; }

  // Formulas: chosen by the motion, or always the same.
  enum class Method {
    Automatic,  // Adams, and BDF from where the motion has been stiff, until the systems change or setMethod is called
    Adams,
    Bdf
  };
  // Which formulas are used; usesBdf: are they BDF at the moment?
  void setMethod(Method method);
  Method method() const { return method_; }
  bool usesBdf() const;
  // The root mean square over all components of local error over its scale is at most 1; scale: relative * (greatest distance
  // from the value at the last event) + absolute, and not less than rounding. Defaults 1e-12 and 1e-17.
  void setTol(double relative, double absolute);
  // Bounds of a step [s]; 0: no bound.
  void setMinMaxStepSizes(double smallest, double largest);
  void setMaxNstep(long steps);  // between two events; default 1000000
  // Greatest order of either kind.
  void setMaxOrder(int adams, int bdf);
  // The Jacobians of forces the user gave, where every system has them; by differences without.
  void setUseJacobians(bool value);

  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void restart(double time) override;
  void step(double target, double barrier) override;
  void interpolate(double time) override;

 private:
  struct Work;
  void chooseMethod();
  Method method_ = Method::Automatic;
  double relative_ = 1e-12, absolute_ = 1e-17, smallest_ = 0, largest_ = 0;
  long max_steps_ = 1000000;
  int max_adams_ = 12, max_bdf_ = 5;
  bool use_jacobians_ = true;
  std::unique_ptr<Work> work_;
};

// Name of 2006.
using Lsodar = LsodarOSI;

class HermiteOutput;

// Half-explicit Runge-Kutta method of order 5 with 8 stages for index 2 constraints (Brasey, Hairer 1993; coefficients of HEM5,
// Brasey 1994): every stage satisfies G v = 0 at its own position. Continuous output by quintic Hermite polynomials.
class Hem5OSI : public EventDrivenOSI {
 public:
  Hem5OSI();
  Hem5OSI(const DynamicalSystemsSet& systems, Simulation* simulation);
  ~Hem5OSI() override;
  const char* className() const override { return "Hem5OSI"; }

  // The root mean square over all components of local error / (relative |x| + absolute) is at most 1. Defaults 1e-10 and 1e-12.
  void setTol(double relative, double absolute);
  // Bounds of a step [s], by default 0 and infinity. Where they are equal all steps have that length and errors are not
  // controlled.
  void setMinMaxStepSizes(double smallest, double largest);
  void setMaxNstep(long steps);  // between two events; default 1000000
  // Positions and velocities are put on the constraints after every so many steps; 0, the default: never.
  void setProjection(int every_steps);
  double driftTolerance() const override;

  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void restart(double time) override;
  void step(double target, double barrier) override;
  void interpolate(double time) override;

 private:
  struct Work;
  double attempt(double h);
  double errorOfStep(double h) const;
  double relative_ = 1e-10, absolute_ = 1e-12, smallest_ = 0, largest_;
  long max_steps_ = 1000000;
  int projection_ = 0;
  std::unique_ptr<Work> work_;
};

// Generalised-alpha method (Chung, Hulbert 1993) with constraints, in the form of Arnold and Bruls (2007): steps end at the
// events of the time discretisation. Lagrangian systems.
class NewMarkAlphaOSI : public EventDrivenOSI {
 public:
  // rho_inf in [0, 1]: damping of high frequencies, 1 for none. Constraints as y = 0, or as y' = 0. Near 1 constraints y = 0 are
  // weakly unstable in nonlinear motion: a pendulum with steps of 1/200 of its period diverges in 5 periods at 0.99, not at 0.9.
  explicit NewMarkAlphaOSI(double rho_inf, bool velocity_level = false);
  NewMarkAlphaOSI(double beta, double gamma, double alpha_m, double alpha_f, bool velocity_level);
  ~NewMarkAlphaOSI() override;
  const char* className() const override { return "NewMarkAlphaOSI"; }
  // Coefficients of the scheme, which follow from rho_inf.
  double beta() const { return beta_; }
  double gamma() const { return gamma_; }
  double alpha_m() const { return alpha_m_; }
  double alpha_f() const { return alpha_f_; }

  // Greatest residual of the equations of motion and of the constraints; default 1e-12 and 50 iterations.
  void setNewtonTolerance(double tolerance);
  void setNewtonMaxIteration(int iterations);
  // Longer intervals between events are divided; infinity, the default: never.
  void setMaxStepSize(double largest);
  // Whether the auxiliary acceleration a is a state of its own, as the method has it. Siconos starts each step from a =
  // q'', which has four times the loss of energy.
  void setOwnAuxiliaryAcceleration(bool value) { own_auxiliary_ = value; }
  double driftTolerance() const override { return std::numeric_limits<double>::infinity(); }
  std::string doubtOfSteps() const override;

  void checkSystem(const DynamicalSystem& system) const override;
  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void restart(double time) override;
  void step(double target, double barrier) override;
  void interpolate(double time) override;

 private:
  struct Work;
  struct Newton;
  void linearise(double time, Newton& newton);
  void correct(const Newton& newton);
  bool iterate(double time, double h);
  double beta_, gamma_, alpha_m_, alpha_f_;
  bool velocity_level_, own_auxiliary_ = true;
  double tolerance_ = 1e-12, largest_;
  int max_iterations_ = 50;
  std::unique_ptr<Work> work_;
};

}  // namespace nonsmooth::kernel
#endif
