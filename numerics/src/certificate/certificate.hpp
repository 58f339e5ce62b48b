// The one module that says "converged": it recomputes the residual from the problem's own data. It knows no solver.
#pragma once

#include <span>

#include "certificate/natural_map.hpp"
#include "nonsmooth/result.h"
#include "problems/problem.hpp"

namespace nonsmooth {

// Certifies against one problem, again and again without allocating (polyhedra excepted). Not thread-safe.
class Certifier {
 public:
  // The problem must outlive the certifier and keep its sizes; its values may change.
  explicit Certifier(const Problem& problem);
  Certifier(const Certifier&) = delete;
  Certifier& operator=(const Certifier&) = delete;

  // The problem as it is certified; empty for a global class.
  const Inclusion& view() const { return view_; }

  // After q of the problem has changed (that of the dynamics excepted: it needs nothing) or data behind its callbacks may have,
  // and after parameters of its sets have.
  void refresh_scale();
  void refresh_sets();
  // z of problem.size(); w may be empty. w_out, if not empty, receives the w recomputed.
  nsm_certificate certify(std::span<const double> z, std::span<const double> w, double tolerance, std::span<double> w_out = {});

 private:
  struct Measured {
    nsm_certificate certificate;
    double above_floor = 0;  // the residual of the blocks that are above their own rounding floor
  };
  Measured measure_local(std::span<const double> z);
  Measured measure_global(std::span<const double> z);

  const Problem& problem_;
  const GlobalContactData* global_ = nullptr;  // the problem's data if it is of a global class
  Inclusion view_;                             // of all other classes
  NaturalMap map_;
  std::vector<SetBlock> blocks_;  // global classes: those of z = (v, l, r)
  double data_norm_ = 0, scale_ = 1;
  Vector w_, bound_, dynamics_, workspace_;
};

// Proofs that no z meets the linear conditions every solution meets (Farkas 1902): A z >= b, lo <= z <= hi, which is
//   M z >= -q, z >= 0 of an LCP and H z >= k, lo <= z <= hi of an affine variational inequality on a polyhedron.
// y >= 0 and y'b > max {y'A z : lo <= z <= hi} is one; of an LCP that reads M'y <= 0, q'y < 0.

// Number of rows of A; 0 where there is no such proof, or none is needed (a box is never empty).
std::size_t infeasibility_size(const Inclusion& view);
std::int64_t proof_size(const Problem& problem);
// y of that size; workspace: twice view.size().
bool proves_infeasible(const Inclusion& view, std::span<const double> y, double tolerance, std::span<double> workspace);

// y >= 0 proves that {H z >= k, lo <= z <= hi} is empty if y'H z < y'k for every z within the bounds.
bool proves_empty(const Polyhedron& set, std::span<const double> y, double tolerance,
                  std::span<double> workspace /* 2 per unknown */);

// The same by class. Others than these have no such proof: false.
bool proves_infeasible(const Problem& problem, std::span<const double> y, double tolerance, std::span<double> workspace);
// Entries of y: unknowns, for an AVI rows of H.
std::int64_t proof_size(const Problem& problem);

}  // namespace nonsmooth
