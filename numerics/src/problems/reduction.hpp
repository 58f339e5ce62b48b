// A global contact problem by its reactions: velocities are eliminated, and with them the multipliers of joints, or not.
#pragma once

#include <cmath>
#include <memory>

#include "problems/global_friction.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class Reduction {
 public:
  virtual ~Reduction() = default;

  // The cheaper one of a single solve. Kept joints are free rows beside contacts, which not every method suits. The data must
  // outlive it. Throws Error if the matrix of the equations of motion is singular.
  static std::unique_ptr<Reduction> of(const GlobalContactData& data, bool may_keep_joints);

  // Solves with one matrix after which the other one, without joints, would have been the cheaper one.
  virtual double patience() const { return HUGE_VAL; }
  // Of the last entries of z = (v, l, r).
  virtual const Inclusion& inclusion() const = 0;
  // The same with every multiplier fixed whose joint depends on others: what determines derivatives.
  virtual Inclusion determined() const = 0;
  // After w (or mu) of the data has changed.
  virtual void refresh() = 0;
  // q + dq in the place of q, up to the next refresh().
  virtual void shift(std::span<const double> dq) = 0;
  // After f of the data has changed, with the factors there are; refresh() comes next. Allocates nothing.
  virtual void refresh_free_motion() = 0;
  // After values of M have changed; refresh() comes next. The bodies and the pattern of W, which zeros of a dense M leave out,
  // are found anew only if the components of the matrix have changed.
  virtual void refactorise() = 0;
  // How many times they have been found, or all bodies have become symmetric, or elastic, or ceased to be: what was set up for
  // those before must be set up again.
  virtual std::int64_t patterns() const = 0;
  // z from its last entries. Allocates nothing.
  virtual void lift(std::span<const double> local, std::span<double> z) = 0;
  // The same for changes, without free motion, and its transpose.
  virtual void lift_change(std::span<const double> change, std::span<double> dz) = 0;
  virtual void lift_change_transposed(std::span<const double> gz, std::span<double> gradient) = 0;
};

}  // namespace nonsmooth
