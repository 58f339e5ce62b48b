// Factors of a Newton matrix K = diag(L_b) M + diag(R_b), in one space or the other.
#pragma once

#include <span>

#include "linalg/precision.hpp"
#include "methods/newton/newton_blocks.hpp"

namespace nonsmooth {

class NewtonFactors {
 public:
  virtual ~NewtonFactors() = default;
  // Reads new values of M in place: false if its pattern no longer is that of these factors. Allocates nothing.
  virtual bool update(const Inclusion& view) = 0;
  // Of K with `shift` times the scale of each block added to R_b. false if it is singular to working precision.
  virtual bool factorise(const NewtonBlocks& blocks, double shift, Precision precision) = 0;
  // Multiplications of one factorisation of all of K, about; 0 if it has one precision only.
  virtual double work() const = 0;
  // x: in the right-hand side, out an approximate solution.
  virtual void solve(const NewtonBlocks& blocks, std::span<double> x) = 0;
  // As NewtonSystem has them. Where a response is no cheaper than so many solves there is none.
  virtual bool reserve_responses() { return false; }
  virtual void respond(const NewtonBlocks&, std::span<const std::int32_t>, std::span<double>, std::span<double>) {}
  // y -= K x, shift included.
  virtual void subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) = 0;
};

}  // namespace nonsmooth
