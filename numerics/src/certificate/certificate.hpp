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
  double measure_dynamics(std::span<const double> v, std::span<const double> l, std::span<const double> r, std::span<double> w);
  std::int64_t place_in_problem(std::int64_t set) const;

  const Problem& problem_;
  const GlobalContactData* global_ = nullptr;  // the problem's data if it is of a global class
  Inclusion view_;                             // of all other classes
  NaturalMap map_;
  std::vector<SetBlock> blocks_;  // global classes: those of z = (v, l, r)
  double data_norm_ = 0, scale_ = 1;
  Vector w_, bound_, dynamics_, workspace_;
};

}  // namespace nonsmooth
