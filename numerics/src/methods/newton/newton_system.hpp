// Newton matrix of an inclusion, block row by block row:  K = diag(L_b) M + diag(R_b).  Every Newton method on complementarity or
// contact conditions solves with such a matrix; L_b and R_b are what distinguishes them.
#pragma once

#include <memory>
#include <span>

#include "linalg/krylov_refinement.hpp"
#include "methods/newton/newton_factors.hpp"

namespace nonsmooth {

class NewtonSystem {
 public:
  // Where factors are: those of K, or of the bodies between the contacts, where they are known and their factors are cheaper.
  // The second asks for regular R_b.
  enum class Space { contacts, cheaper };

  // Multiplications of one factorisation in the cheaper space, about: of sparse matrices the pattern decides, not the values.
  // Orders the blocks of M, and allocates for that alone.
  static double work(const Inclusion& view);
  // Reads the matrix, orders and takes all memory. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  void setup(const Inclusion& view, Space space);
  // The system, made by the first who asks.
  static std::shared_ptr<NewtonSystem> share(std::shared_ptr<NewtonSystem>& system) {
    if (system == nullptr) system = std::make_shared<NewtonSystem>();
    return system;
  }
  // setup in the cheaper space, unless one of those who share the system has done it: they work one after the other.
  static void setup_shared(const std::shared_ptr<NewtonSystem>& system, const Inclusion& view) {
    if (system.use_count() == 1 || system->factors_ == nullptr) system->setup(view, Space::cheaper);
  }
  // New values. Allocates only if blocks that were zero no longer are; after a failure of that, factorise fails.
  void update(const Inclusion& view);
  // Column-major, to be written before factorise.
  double* left(std::size_t block) { return blocks_.left.data() + blocks_.offset[block]; }
  double* right(std::size_t block) { return blocks_.right.data() + blocks_.offset[block]; }
  // Mean of the diagonal of M_bb, at least a little of that of M.
  double scale(std::size_t block) const { return blocks_.scale[block]; }
  // At the start of a solve: what refinement has shown of single precision is forgotten, so that equal starts leave equal bits.
  void begin() { stay_ = 0; }
  // A multiple of scale(b) I is added to R_b if K is singular to working precision. false if that does not help. Allocates
  // nothing. Where factors are dear they are in single precision, for as long as refinement makes up for it, unless the caller
  // wants more: who solves roughly has no refinement.
  bool factorise(Precision wanted = Precision::single);
  // Which factorisation is at hand: those who share the system know by it whether it is theirs.
  std::int64_t factorisation() const { return factorisation_; }
  // x: in the right-hand side, out the solution, after steps of refinement until the defect is a `refined` share of the
  // right-hand side, or where factors are in single precision what those leave; 0 if K turns out singular in double precision.
  static constexpr double rounding = 1e-14;
  void solve(std::span<double> x, double refined = rounding);
  // The same without refinement, for iterations that mend what it leaves.
  void solve_roughly(std::span<double> x) { factors_->solve(blocks_, x); }
  // Takes the memory that respond needs. false: these factors have no response that is cheaper than solves.
  bool reserve_responses() { return factors_ != nullptr && factors_->reserve_responses(); }
  // Z = (K^-1)_AA and W = (M K^-1)_AA for the rows A: what sources in these rows of K x = c bring about there. Of the order of A,
  // column-major. Without refinement; allocates nothing.
  void respond(std::span<const std::int32_t> A, std::span<double> Z, std::span<double> W) { factors_->respond(blocks_, A, Z, W); }

 private:
  bool factorise_in(Precision precision);
  double refine(std::span<double> x, int steps, double refined);

  NewtonBlocks blocks_;
  std::unique_ptr<NewtonFactors> factors_;
  Space space_ = Space::contacts;
  std::int64_t factorisation_ = 0;
  Precision precision_ = Precision::full;  // of the factors at hand
  int stay_ = 0;                           // factorisations to come in double precision
  Vector rhs_, correction_;
  KrylovRefinement krylov_;  // without room where factors are those of K itself
};

}  // namespace nonsmooth
