// The published scheme for the law of Darboux and Keller: Euler steps of constant impulse at the primary contact.
#pragma once

#include "impacts/contact_network.hpp"

namespace nonsmooth::kernel {

// Liu, Zhao and Brogliato, Proc. R. Soc. A 464 (2008) 3193-3211. Contact i has the potential energy E_i = -integral of u_i dP_i.
// The contact with the greatest one is primary and receives deltaP; the others receive the share that their forces, known from
// E_i, have in its force. First order in deltaP.
class ImpulseSteps {
 public:
  // Velocities and energies up to these count as zero.
  struct Zero {
    double velocity, energy;
  };
  void resize(Index contacts);
  // velocity: before the impact, on return after it; impulse receives the sum of all steps. Allocates nothing.
  ImpactOutcome run(const ContactNetwork& network, double deltaP, const Zero& zero, long max_steps, Vector& velocity,
                    Vector& impulse);
  long steps() const { return steps_; }
  // Energy that contacts have given back in the last run beyond their share, by steps that went past its end [J].
  double created() const { return created_; }

 private:
  bool findPrimary(const Vector& velocity);
  double force(Index i, double energy) const;
  double share(Index i, double velocity, double deltaP) const;
  void addWork(Index i, double before, double velocity);

  const ContactLaw* laws_ = nullptr;
  Compliance compliance_ = Compliance::BiStiffness;
  Zero zero_ = {0, 0};
  Vector energy_, compression_, scale_, power_, increment_;
  Index primary_ = 0;
  double primary_force_ = 0;  // up to a factor
  bool charged_ = false;      // some contact has energy
  double created_ = 0;
  long steps_ = 0;
};

}  // namespace nonsmooth::kernel
