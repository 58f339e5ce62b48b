// Impacts at several contacts at the same instant.
#ifndef NONSMOOTH_KERNEL_MULTIPLE_IMPACT_HPP
#define NONSMOOTH_KERNEL_MULTIPLE_IMPACT_HPP

#include "nonsmooth/kernel/one_step_ns_problem.hpp"

namespace nonsmooth::kernel {

// What relates the velocities u- and u+ of the contacts before and after, u+ = u- + M P, M = H Mass^-1 H'.
enum class ImpactLaw {
  DarbouxKeller,  // compliant contacts of Liu, Zhao and Brogliato (2008): waves, dissipation by the energetic restitution
  Newton,         // 0 <= u+ + e u- _|_ P >= 0
  Poisson         // 0 <= u- + M P1 _|_ P1 >= 0, then P = P1 + e P1 + P2, 0 <= u+ _|_ P2 >= 0 (Glocker and Pfeiffer 1995)
};

// What became of an impact.
struct ImpactReport {
  long steps = 0;                  // of the integration over impulses; 0 where there was none
  double kineticEnergyChange = 0;  // [J], of the model, less the work of moving constraints; above 0 the law has created energy
  double leastVelocity = 0;        // y' of the contacts after it; below 0 (Newton's law only) one still approaches
  double momentum = 0;             // sum of the impulses [N s]
};

// Frictionless impact of all active contacts at once.
//
// First the law of impact acts on the velocities at the start of the step (at an event: those before it), if some contact
// approaches faster than the velocity of rest. Then an LCP, solved and certified by the numerics library, keeps all contacts from
// approaching under what has happened else in the step (Newton's law is one such LCP). At an event that LCP has nothing left to
// do.
//
// Energy: Darboux-Keller dissipates by construction, to the accuracy of the integration. Newton's law can create energy where
// several contacts are coupled, with restitutions that differ or not; Poisson's where they differ. The report tells.
class OSNSMultipleImpact : public OneStepNSProblem {
 public:
  // "BiStiffness": unloading follows a stiffer curve than loading; "MonoStiffness": the same, and breaks off.
  explicit OSNSMultipleImpact(const std::string& compliance = "BiStiffness");
  // The published scheme with constant steps of the impulse of the primary contact [N s]. First order in deltaP.
  OSNSMultipleImpact(const std::string& compliance, double deltaP);
  ~OSNSMultipleImpact() override;
  const char* className() const override { return "OSNSMultipleImpact"; }
  void checkIntegrator(const OneStepIntegrator& integrator) const override;

  // Darboux-Keller takes MultipleImpactNSL, the others NewtonImpactNSL of size 1 too.
  void setImpactLaw(ImpactLaw law);
  ImpactLaw impactLaw() const { return law_; }
  // Error allowed in one adaptive step, relative to the velocity and energy of the fastest approach; at most 1e-4, default 1e-12,
  // which keeps the energy to about 1e-10.
  void setAccuracy(double accuracy);
  // Constant steps: velocities [m/s] and energies [J] up to `zero` count as zero (published scheme: 2.22e-16, the default); if
  // scaled, relative to the fastest approach v and the energy m v^2 / 2, m = 1 / max M_ii.
  void setZeroTolerance(double zero, bool scaled = false);
  void setMaxSteps(long steps);  // default 1e6
  // Contacts approaching at no more than this are at rest [m/s], default 1e-10.
  void setVelocityOfRest(double velocity);

  // How the last impact went.
  const ImpactReport& impact() const { return impact_; }

 protected:
  bool accepts(LawKind kind) const override;
  ProblemKind kind() const override { return ProblemKind::Lcp; }
  Index lawSize() const override { return 1; }
  void formulate(ProblemData& data) override;
  void solve(const AssemblyContext& context) override;

 private:
  struct Work;
  void split(const AssemblyContext& context);
  void integrate();
  void compress();
  void applyImpulse();

  ImpactLaw law_ = ImpactLaw::DarbouxKeller;
  double deltaP_ = 0;  // 0: adaptive
  double accuracy_ = 1e-12, zero_ = 2.22e-16, velocity_of_rest_ = 1e-10;
  bool scaled_zero_ = false;
  long max_steps_ = 1000000;
  ImpactReport impact_;
  std::unique_ptr<Work> work_;
};

}  // namespace nonsmooth::kernel
#endif
