// K = diag(L_b) M + diag(R_b) factorised as it stands, of the order of the problem: dense, or sparse on the pattern of M + M'.
#pragma once

#include <memory>
#include <optional>

#include "linalg/dense_factor.hpp"
#include "linalg/sparse_principal_factor.hpp"
#include "methods/newton/newton_entries.hpp"
#include "methods/newton/newton_factors.hpp"

namespace nonsmooth {

class ContactFactors final : public NewtonFactors {
 public:
  // Multiplications of one factorisation, about. Orders the blocks of M, and allocates for that alone.
  static double work(const Inclusion& view);
  // Reads the matrix, orders and takes all memory. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  explicit ContactFactors(const Inclusion& view);
  bool update(const Inclusion& view) override;
  bool factorise(const NewtonBlocks& blocks, double shift, Precision precision) override;
  double work() const override { return dense_ ? 0 : sparse_lu_->work(); }
  void solve(const NewtonBlocks& blocks, std::span<double> x) override;
  bool reserve_responses() override;
  void respond(const NewtonBlocks& blocks, std::span<const std::int32_t> A, std::span<double> Z, std::span<double> W) override;
  void subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) override;

 private:
  void order_sparse(Workers* workers);
  bool factorise_dense(const NewtonBlocks& blocks, double shift);
  void choose_rows(const NewtonBlocks& blocks);
  void solve_alone(const NewtonBlocks& blocks, std::span<double> x);
  void find_near(std::span<const std::int32_t> A);
  void put_source(const NewtonBlocks& blocks, std::int32_t row, std::size_t column);
  void add_response(std::size_t first, std::size_t count, std::size_t order, std::span<double> Z, std::span<double> W) const;
  double own_entry(const NewtonBlocks& blocks, std::int32_t row) const;

  bool dense_;
  BlockColumns M_;
  DenseFactor dense_lu_;
  std::shared_ptr<NewtonEntries> entries_;
  std::optional<SparsePrincipalFactor> sparse_lu_;
  double shift_ = 0;
  std::vector<char> keep_;
  Vector product_;
  // Of respond: A and the rows coupled to it, the place of a row among them and in A (-1: none), some columns of K^-1 there.
  IndexVector near_, place_, place_in_A_;
  Vector columns_;
};

}  // namespace nonsmooth
