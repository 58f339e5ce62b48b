// Newton matrices of the contacts of elastic bodies, W = H' M^-1 H, through one of the order of M and about as sparse
// (woodbury_blocks.hpp, A = M, E = F = H). W is dense, so that factors of K cost the cube of the contacts; these cost what those
// of M do, which is less where much of the surface may touch.
#pragma once

#include "linalg/sparse_principal_factor.hpp"
#include "methods/newton/newton_factors.hpp"
#include "methods/newton/woodbury_blocks.hpp"

namespace nonsmooth {

class ElasticFactors final : public NewtonFactors {
 public:
  // Multiplications of one factorisation, about; HUGE_VAL without looking where that is more than `limit`. Orders M and the
  // contacts, and allocates for that alone.
  static double work(const ElasticBodies& bodies, double limit);
  // Orders and takes all memory; the view must outlive this object. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  explicit ElasticFactors(const Inclusion& view);
  bool update(const Inclusion& view) override;
  bool factorise(const NewtonBlocks& blocks, double shift, Precision precision) override;
  double work() const override { return lu_.work(); }
  void solve(const NewtonBlocks& blocks, std::span<double> x) override;
  void subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) override;

 private:
  void place_entries();
  void gather_H();
  void add_contact(std::int32_t contact);
  std::span<const std::int32_t> rows(std::int32_t contact) const;

  const ElasticBodies& bodies_;
  const Inclusion* view_;
  std::int32_t d_, contacts_;
  IndexVector row_start_, row_;  // of each contact: rows of M that it touches
  Vector H_;                     // and its columns of H there, each row by row
  CscMatrix S_;
  IndexVector place_;                     // in S of each entry of M
  std::vector<std::int64_t> pair_start_;  // of each contact in pair_
  IndexVector pair_;                      // places in S of its rows times its rows, by columns
  SparsePrincipalFactor lu_;
  std::vector<char> keep_;
  WoodburyBlocks woodbury_;
  Vector y_, u_;
  double shift_ = 0;
};

}  // namespace nonsmooth
