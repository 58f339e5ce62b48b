// Factors of a Newton matrix K = diag(L_b) M + diag(R_b), in one space or the other.
#pragma once

#include <span>

#include "methods/newton_blocks.hpp"

namespace nonsmooth {

class NewtonFactors {
 public:
  virtual ~NewtonFactors() = default;
  // Reads new values of M in place: false if its pattern no longer is that of these factors. Allocates nothing.
  virtual bool update(const Inclusion& view) = 0;
  // Of K with `shift` times the scale of each block added to R_b. false if it is singular to working precision.
  virtual bool factorise(const NewtonBlocks& blocks, double shift) = 0;
  // x: in the right-hand side, out an approximate solution.
  virtual void solve(const NewtonBlocks& blocks, std::span<double> x) = 0;
  // Z = (K^-1)_AA and W = (M K^-1)_AA for the rows A, ascending: what sources in these rows of K x = c bring about there. Of the
  // order of A, column-major. false: by no shorter way than solve. Allocates nothing once reserve_responses has been called.
  virtual bool respond(const NewtonBlocks& blocks, std::span<const std::int32_t> A, std::span<double> Z, std::span<double> W) {
    static_cast<void>(blocks), static_cast<void>(A), static_cast<void>(Z), static_cast<void>(W);
    return false;
  }
  virtual void reserve_responses() {}
  // y -= K x, shift included.
  virtual void subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) = 0;
};

}  // namespace nonsmooth
