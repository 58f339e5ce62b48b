#include "methods/solver/slater.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "methods/solver/solver.hpp"
#include "problems/problem_values.hpp"

namespace nonsmooth {
namespace {

constexpr double lowerings[] = {1e-1, 1e-3, 1e-5};  // of the normal velocities, relative to the largest velocity
constexpr double slater_tolerance = 1e-8;

struct ContactData {
  std::int64_t start;  // of the contacts among the unknowns
  std::int32_t dimension;
  const Vector *mu, *velocity;
};

ContactData contacts_of(const Problem& problem) {
  if (const auto* local = std::get_if<Friction>(&problem.data)) return {0, local->dimension, &local->mu, &local->q};
  if (const auto* global = std::get_if<GlobalFriction>(&problem.data))
    return {global->contact_start(), global->dimension, &global->mu, &global->w};
  fail(NSM_UNSUPPORTED, "Slater's condition is that of friction and global_friction, this is %s",
       nsm_class_name(problem.problem_class()));
}

// The least u_N - mu |u_T| less the rounding of u; minus infinity if the dynamics are not met.
double margin_of(Certifier& certifier, const ContactData& contacts, std::span<const double> z, std::span<double> w) {
  const nsm_certificate certificate = certifier.certify(z, {}, slater_tolerance, w);
  if (!(certificate.dynamics <= slater_tolerance)) return -HUGE_VAL;
  double margin = HUGE_VAL;
  for (std::size_t c = 0; c < contacts.mu->size(); ++c) {
    const double* u = &w[at(contacts.start) + c * at(contacts.dimension)];
    margin = std::min(margin, u[0] - (*contacts.mu)[c] * std::hypot(u[1], contacts.dimension == 3 ? u[2] : 0));
  }
  const double rounding = certificate.rounding_floor * residual_scale(*contacts.velocity);
  return std::abs(margin) <= rounding ? 0 : margin;
}

// The problem with all normal velocities lowered.
Problem lowered(const Problem& problem, const ContactData& contacts, double amount) {
  Problem copy = problem;
  Vector& velocity = *right_hand_side(copy);
  for (std::size_t i = 0; i < velocity.size(); i += at(contacts.dimension)) velocity[i] -= amount;
  return copy;
}

}  // namespace

double slater_margin(const Problem& problem, std::span<double> z) {
  const ContactData contacts = contacts_of(problem);
  Certifier certifier(problem);
  Options options;
  options.set("convex_relaxation", 1);
  options.set("tolerance", slater_tolerance);
  double largest = 0, best = -HUGE_VAL;
  for (double velocity : *contacts.velocity) largest = std::max(largest, std::abs(velocity));
  Vector w(z.size());
  for (const double share : lowerings) {
    const Problem trial = lowered(problem, contacts, share * (largest > 0 ? largest : 1));
    Solver solver(trial, "friction_interior_point", options);
    solver.solve();
    const double margin = margin_of(certifier, contacts, solver.z(), w);
    if (margin > best) std::copy(solver.z().begin(), solver.z().end(), z.begin());
    best = std::max(best, margin);
    if (best > 0) break;
  }
  return best;
}

}  // namespace nonsmooth
