// What a solve has ended as, and the proofs that there is no solution.
#include "certificate/farkas.hpp"
#include "methods/frame/infeasibility.hpp"
#include "methods/pivoting/minimal_face.hpp"
#include "methods/solver/solver.hpp"
#include "problems/problem_values.hpp"
#include "sets/set.hpp"

namespace nonsmooth {

// What the method claims, if it is true of the problem: of a global one with the multipliers of its joints.
bool Solver::keep_proof(std::span<const double> y) {
  bool is_proof = false;
  if (seen_.reduction() != nullptr) {
    ray_.resize(z_.size());
    seen_.reduction()->lift_change(y, ray_);
    ray_.erase(ray_.begin(), ray_.end() - proof_size(problem_));
    is_proof = complete_global_proof(*global_data(problem_), ray_, control_.tolerance());
  } else {
    ray_.assign(y.begin(), y.end());
    const Inclusion& view = seen_.bounds() != nullptr ? certifier_.view() : view_;
    is_proof = proves_infeasible(view, y, proof_tolerance, certified_violation(view, control_), workspace_);
  }
  if (!is_proof) ray_.clear();
  return is_proof;
}

bool Solver::keeps_claimed_proof() {
  const std::span<const double> y = method_->infeasibility_ray();
  if (y.empty()) return false;
  return seen_.bounds() != nullptr ? keep_proof(seen_.bounds()->lift(y)) : keep_proof(y);
}

// Methods that know a polyhedron by its projection alone break down where it is empty.
bool Solver::proves_empty() {
  const Polyhedron* set = polyhedron_of(problem_);
  if (set == nullptr || !control_.goes_on()) return false;
  Vector start(z_.size()), point(z_.size());
  if (project(*set, start, point)) return false;
  const Vector y = prove_empty(*set, view_.size());
  return !y.empty() && keep_proof(y);
}

nsm_outcome Solver::outcome_of(Stop stop, const nsm_certificate& certificate) {
  if (certificate.verdict != NSM_NOT_CERTIFIED) return NSM_CONVERGED;
  switch (stop) {
    case Stop::infeasible: return keeps_claimed_proof() ? NSM_INFEASIBLE : NSM_RAY;
    case Stop::ray: return NSM_RAY;
    case Stop::iteration_limit: return NSM_ITERATION_LIMIT;
    case Stop::time_limit: return NSM_TIME_LIMIT;
    case Stop::cancelled: return NSM_CANCELLED;
    case Stop::breakdown: return proves_empty() ? NSM_INFEASIBLE : NSM_BREAKDOWN;
    case Stop::out_of_memory: return NSM_BREAKDOWN;
    case Stop::none:
    case Stop::finished:  // a claim the certificate does not confirm
    case Stop::stalled: return NSM_STALLED;
  }
  return NSM_STALLED;
}

}  // namespace nonsmooth
