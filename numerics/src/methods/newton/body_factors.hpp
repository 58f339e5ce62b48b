// Newton matrices of the contacts of bodies, W = F'E (u = F'y, y = E r; E = F where inertia is symmetric), through one of the
// order of the bodies' velocities (woodbury_blocks.hpp, A = I): a body has six rows whatever the number of its contacts, so that
// it is smaller than K and sparser.
#pragma once

#include "linalg/sparse_principal_factor.hpp"
#include "methods/newton/newton_factors.hpp"
#include "methods/newton/woodbury_blocks.hpp"

namespace nonsmooth {

class BodyFactors final : public NewtonFactors {
 public:
  // Multiplications of one factorisation, about. Orders the bodies, and allocates for that alone.
  static double work(const DelassusOperator& bodies);
  // Orders and takes all memory; the bodies must outlive this object. Throws Error(NSM_TOO_LARGE) if the factors would not fit.
  explicit BodyFactors(const Inclusion& view);
  bool update(const Inclusion& view) override;
  bool factorise(const NewtonBlocks& blocks, double shift, Precision precision) override;
  double work() const override { return lu_.work(); }
  void solve(const NewtonBlocks& blocks, std::span<double> x) override;
  void subtract_product(const NewtonBlocks& blocks, std::span<const double> x, std::span<double> y) override;

 private:
  struct Graph;
  BodyFactors(const Inclusion& view, const Graph& graph);
  void place_pairs();
  template <int D, int N>
  void add_contact(std::int32_t contact);

  const DelassusOperator& bodies_;
  IndexVector part_rows_;  // where each part starts in y: the pattern
  CscMatrix S_;
  IndexVector diagonal_;  // its places in S
  IndexVector pair_start_,
      pair_;  // of each contact, by q and p of its parts: place of E_p .. F_q' in the columns of q, from their start
  SparsePrincipalFactor lu_;
  std::vector<char> keep_;
  WoodburyBlocks woodbury_;
  Vector y_, u_;
  double shift_ = 0;
};

}  // namespace nonsmooth
