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

  enum class Method {
    Automatic,  // Adams, and BDF while the motion is stiff
    Adams,
    Bdf
  };
  void setMethod(Method method);
  Method method() const { return method_; }
  bool usesBdf() const;
  // Of every component: |local error| <= relative * (greatest distance from its value at the last event) + absolute, and not less
  // than rounding. Defaults 1e-12 and 1e-16.
  void setTol(double relative, double absolute);
  // [s]; 0: none.
  void setMinMaxStepSizes(double smallest, double largest);
  void setMaxNstep(long steps);  // between two events; default 1000000
  void setMaxOrder(int adams, int bdf);
  // The Jacobians of forces the user gave, where every system has them; by differences without.
  void setUseJacobians(bool value);

  void initialize(NonSmoothDynamicalSystem& model, std::vector<int> systems) override;
  void restart(double time) override;
  void step(double limit, bool stop) override;
  void interpolate(double time) override;

 private:
  struct Work;
  void chooseMethod();
  Method method_ = Method::Automatic;
  double relative_ = 1e-12, absolute_ = 1e-16, smallest_ = 0, largest_ = 0;
  long max_steps_ = 1000000;
  int max_adams_ = 12, max_bdf_ = 5;
  bool use_jacobians_ = true;
  std::unique_ptr<Work> work_;
};

// Name of 2006.
using Lsodar = LsodarOSI;

}  // namespace nonsmooth::kernel
#endif
