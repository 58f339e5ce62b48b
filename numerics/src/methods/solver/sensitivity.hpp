// How a solution moves with q and mu. For small changes every contact stays open, sticking or sliding and every bounded row at
// its bound or inside, unless the solution is degenerate. With the free directions of that face, z moves by  dz = P y + m dmu and
//   T' dw + C y = 0,  dw = W dz + dq,  so that  (T' W P + C) y = -T' (dq + W m dmu):
// P and T hold the moves and tests of the directions and C their curvatures (face_direction.hpp); m = r_N d where a part slides
// against d. Bounded rows alone: P = T, C = 0, the classical  dz_B = -W_BB^-1 dq_B.
#pragma once

#include <optional>

#include "linalg/dense_factor.hpp"
#include "linalg/minimum_norm.hpp"
#include "linalg/sparse_lu.hpp"
#include "methods/newton/face_direction.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class Sensitivity {
 public:
  // Factorises. Throws Error: NSM_UNSUPPORTED for sets other than orthants, boxes, free rows and friction cones,
  // NSM_NOT_AVAILABLE naming the row or contact if the solution is degenerate. mu_of: place in mu of each block, or -1.
  Sensitivity(const Inclusion& view, IndexVector mu_of, std::span<const double> z, std::span<const double> w);

  // (dz, dw) = d(z, w)/d(q, mu) (dq, dmu); dmu may be empty. dz may be empty: where z is not locally unique (hyperstatic
  // contacts) only dw can be asked for. Both throw NSM_NOT_AVAILABLE for what does not exist, and use workspaces of this object:
  // not thread-safe.
  void apply(std::span<const double> dq, std::span<const double> dmu, std::span<double> dz, std::span<double> dw);
  // The transpose: (gq, gmu) = (d(z, w)/d(q, mu))' (gz, gw). gz, gw and gmu may be empty.
  void apply_transposed(std::span<const double> gz, std::span<const double> gw, std::span<double> gq, std::span<double> gmu);

 private:
  struct Zero {
    double z = 0, w = 0;  // below them a value may be 0 as well
  };
  // A direction that has a part in a row.
  struct Share {
    std::int32_t direction = 0;
    double move = 0, test = 0;
  };
  // dz = m dmu in this row.
  struct FrictionMove {
    std::int32_t row = 0, mu = 0;
    double move = 0;
  };
  void find_directions(const Inclusion& view, std::span<const double> z, std::span<const double> w);
  void add_row(const SetBlock& block, double z, double w, double lo, double hi);
  struct BoundedPart {
    int first;  // row of the block
    double coefficient, size;
    const double *r, *u;
    bool has_derivative;  // by its coefficient; mu_r has none
  };
  template <int PART>
  bool add_part(const SetBlock& block, std::size_t index, const BoundedPart& part, double* d);
  template <int PART, int PARTS>
  void add_contact(const SetBlock& block, std::size_t index, const double* r, const double* u);
  void collect_shares();
  template <class Visit>
  void for_each_coefficient(Visit&& visit) const;
  void factorise();
  bool factorise_dense();
  bool factorise_sparse();
  bool is_regular();
  void keep_velocities();
  void solve(bool transposed);
  void require_mu_derivative(std::span<const double> dmu) const;
  void require_unique_reactions() const;
  void require_consistent(std::span<const double> dw, double scale) const;
  void add_moves(std::span<const double> y, std::span<double> sum) const;

  BorrowedMatrix W_;
  std::size_t rows_ = 0;
  IndexVector mu_of_;
  Zero zero_;
  std::vector<FaceDirection> directions_;
  std::vector<FrictionMove> friction_moves_;
  IndexVector still_without_friction_;  // blocks with mu = 0 that do not slide: no derivative by mu
  IndexVector share_start_;             // of each row
  std::vector<Share> shares_;
  bool is_dense_ = true;
  DenseFactor dense_;
  SparseLu sparse_;
  std::optional<MinimumNorm> minimum_norm_;  // of a singular system, whose velocities are unique
  Vector size_;                              // of each equation
  Vector y_, workspace_, moved_, image_;
};

}  // namespace nonsmooth
