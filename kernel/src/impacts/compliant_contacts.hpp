// The law of Darboux and Keller integrated to a tolerance.
#pragma once

#include <array>
#include <vector>

#include "impacts/contact_network.hpp"

namespace nonsmooth::kernel {

// In impulses, the equations of Liu, Zhao and Brogliato are singular where a contact begins to be loaded. With the indentation
// delta_i that belongs to the energy E_i = K_i delta_i^(eta_i + 1) / (eta_i + 1), and the time of the impact, they are regular:
//   P_i' = K_i delta_i^eta_i,   u = u(0) + M P,   delta_i' = -u_i (u_i < 0), -u_i / e_i^2 (u_i > 0), 0 where delta_i = 0 < u_i.
// (Under MonoStiffness -u_i throughout.) The limit of vanishing impulse steps is the solution of these equations; here they are
// solved by the pair of orders 5 and 4 of Dormand and Prince (J. Comput. Appl. Math. 6 (1980) 19-26). Only ratios of
// stiffnesses matter where all exponents are equal.
//
// All in scaled variables: velocities over that of the fastest approach, v; impulses over m v, m = 1 / max M_ii; indentations
// over that of the energy m v^2 / 2 in the same contact; time over that which v needs for the least of these.
class CompliantContacts {
 public:
  void resize(Index contacts);
  // Errors of a step stay below `tolerance` in these scales; velocities above -100 tolerance count as not approaching. velocity:
  // before the impact, on return after it; impulse receives that of the impact. Allocates nothing.
  ImpactOutcome run(const ContactNetwork& network, double tolerance, long max_steps, Vector& velocity, Vector& impulse);
  long steps() const { return steps_; }

 private:
  static constexpr int stages = 7;
  // Impulses, indentations, work of compression (the last for MonoStiffness only).
  struct State {
    Vector impulse, indentation, work;
  };
  struct Contact {
    double kept = 1;  // share of the work that is given back
    double exponent = 1, rate = 1, weight = 1;
    bool closed = false;  // indentation > 0 at the start of the step
  };
  void scale(const ContactNetwork& network, const Vector& velocity);
  void slope(const State& at, State& out);
  void combine(double h, int count, const double* weights, State& out) const;
  double attempt(double h);
  double error(double h) const;
  double excess(const State& at, const Vector& velocity, Index i) const;
  double release() const;
  bool settle();
  bool finished() const;
  ImpactOutcome integrate(long max_steps);

  ContactMatrix M_;
  bool mono_ = false;
  double speed_ = 0, mass_ = 0, tolerance_ = 0;
  std::vector<Contact> contacts_;
  State state_, trial_;
  std::array<State, stages> slope_;
  Vector start_, velocity_, before_;  // of the impact; at the last slope; at the start of the step
  long steps_ = 0;
};

}  // namespace nonsmooth::kernel
