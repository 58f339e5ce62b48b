// Impacts without a simulation around them.
#ifndef NONSMOOTH_KERNEL_INSTANT_IMPACT_HPP
#define NONSMOOTH_KERNEL_INSTANT_IMPACT_HPP

#include "nonsmooth/kernel/one_step_ns_problem.hpp"

namespace nonsmooth::kernel {

// The impact of the closed contacts of a model of mechanical systems at its present state: v+ = v + Mass^-1 C' lambda[1], with
// any problem whose laws relate velocities before and after (OSNSMultipleImpact, LCP, FrictionContact, ...).
class InstantImpact {
 public:
  InstantImpact(Link<NonSmoothDynamicalSystem> model, Link<OneStepNSProblem> problem);
  ~InstantImpact();
  // Contacts with y[0] <= gap are closed [m]; default 1e-10.
  void setClosedGap(double gap);
  // Velocities become those after the impact, memory keeps those before; y and lambda of level 1 follow. Throws where the problem
  // has no certified solution; velocities stay as they were.
  SolveReport compute(double time);
  // Those of the last impact, as indices of the model's records.
  const std::vector<int>& closedContacts() const { return closed_; }

 private:
  class MassOSI;
  void bind();
  void evaluateOutputs(double time);
  void updateOutputs();

  Link<NonSmoothDynamicalSystem> model_;
  Link<OneStepNSProblem> problem_;
  std::unique_ptr<MassOSI> integrator_;
  std::vector<OneStepIntegrator*> integrator_of_system_;
  std::vector<int> closed_;
  double gap_ = 1e-10;
  unsigned long topology_ = 0, jacobian_version_ = 1;
  bool bound_ = false;
};

}  // namespace nonsmooth::kernel
#endif
