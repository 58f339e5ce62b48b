// Newton matrix of an inclusion, block row by block row:  K = diag(L_b) M + diag(R_b).  Every Newton method on complementarity or
// contact conditions solves with such a matrix; L_b and R_b are what distinguishes them.
#pragma once

#include <optional>
#include <span>

#include "linalg/dense_lu.hpp"
#include "linalg/sparse_principal_factor.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class NewtonSystem {
 public:
  // Multiplications of one factorisation, about: of sparse matrices the pattern decides, not the values. Orders the blocks of M,
  // and allocates for that alone.
  static double work(const Inclusion& view);
  // Reads the matrix, orders and takes all memory. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  void setup(const Inclusion& view);
  // New values. Allocates only if blocks that were zero no longer are; after a failure of that, factorise fails.
  void update(const Inclusion& view);
  // Column-major, to be written before factorise.
  double* left(std::size_t block) { return left_.data() + offset_[block]; }
  double* right(std::size_t block) { return right_.data() + offset_[block]; }
  // Mean of the diagonal of M_bb, at least a little of that of M.
  double scale(std::size_t block) const { return scale_[block]; }
  // A multiple of scale(b) I is added to R_b if K is singular to working precision. false if that does not help. Allocates
  // nothing.
  bool factorise();
  // x: in the right-hand side, out the solution, after steps of refinement.
  void solve(std::span<double> x);

 private:
  void take_pattern(const Inclusion& view);
  bool take_values(const Inclusion& view);
  void measure(const Inclusion& view);
  void assemble(double shift);
  void choose_rows();
  bool factorise_assembled();
  void apply_inverse(std::span<double> x);

  // M and K by columns; the rows of a block follow one another, so that a column is a sequence of segments.
  struct Segment {
    std::int32_t block, start;  // place in the values
  };
  IndexVector block_of_row_, block_start_;
  std::vector<std::size_t> offset_;  // of the blocks of L and R
  std::vector<Segment> segments_;
  IndexVector segment_start_;  // by column
  Vector M_, left_, right_, scale_;
  CscMatrix K_;
  bool ready_ = false, dense_ = false;
  DenseLu dense_lu_;
  std::optional<SparsePrincipalFactor> sparse_lu_;
  std::vector<char> keep_;
  Vector rhs_, correction_;
};

}  // namespace nonsmooth
