// Runs of Lemke's method, whatever holds the basis: w = M z + q + d t, t from infinity to 0 (Lemke 1965; Cottle, Pang and Stone
// 1992, 4.4; with two-sided bounds as in Dirkse and Ferris 1995), lexicographic so that it cannot cycle. Polyhedra come in with
// their multipliers.
//
// Ties of the ratio test go to t first (which ends the run: Fathi's problems take 2 pivots instead of 2^n), then to an
// infinitesimal perturbation of q that is carried along, then to rows of the inverse, computed only when that leaves a tie. A run
// that ends on a ray, or takes long (Murty 1978 has problems with 2^n pivots for d = e), is given up for other covering vectors d
// and the opposite lexicographic order; long ones come back with four times the budget, so that the method stays finite. A ray is
// turned into a proof of infeasibility if there is one.
#pragma once

#include <cstdint>
#include <optional>

#include "methods/frame/infeasibility.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/lemke_path.hpp"

namespace nonsmooth {

class LemkeRuns : public Method {
 public:
  void update(Change change) override;
  bool updates_in_place() const override { return true; }
  void needs_no_proof() override { searches_proof_ = false; }
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }

 protected:
  using Kind = Equilibration::Kind;
  LemkeRuns(const char* name, Equilibration& problem, ComplementaryBasis& basis)
      : problem_(problem), basis_(basis), path_(basis), name_(name) {}
  // Allocates for the order of the basis, which is rebuilt after so many pivots.
  void prepare(const Inclusion& view, const Options& options, int interval);
  // Other paths, when that of d = e has ended on a ray at once.
  virtual Stop after_initial_ray(std::span<double>, Control&) { return Stop::ray; }

  static bool ends_solve(Stop stop);
  void load(Kind kind);
  // Of LCPs of up to 1000 unknowns paths have up to 2 pivots per unknown, as a rule; 3 to 7.5 where variables have two bounds, of
  // which they may leave either.
  std::int64_t first_limit() const { return (is_lcp_ ? 4 : 16) * std::int64_t{n_} + 100; }
  Stop try_basis(Control& control, std::span<double> z);

  Equilibration& problem_;
  ComplementaryBasis& basis_;
  LemkePath path_;
  const char* name_;
  int n_ = 0;
  bool is_lcp_ = false;
  std::int64_t pivots_ = 0, run_limit_ = 0;
  Vector perturbation_;  // by row

 private:
  void choose_cover(int attempt);
  void cover_rows();
  double cover_of_two_sided(int row, double t) const;
  Stop run(int attempt, Control& control, std::span<double> z);
  Stop run_from_basis(Control& control, std::span<double> z);
  Stop run_warm(Control& control, std::span<double> z);
  bool ray_proves_infeasible(int attempt, Control& control);
  bool proves_infeasible(int attempt, std::span<const double> candidate, Control& control);

  const Inclusion* view_ = nullptr;
  int restarts_ = 0;
  bool has_multipliers_ = false, has_proof_ = false, searches_proof_ = true;
  bool reversed_ = false;       // the perturbation falls from the first row to the last
  std::optional<Kind> loaded_;  // by the first run that needs it: as a later stage of others this method often has nothing to do
  InfeasibilitySearch infeasibility_;
  Vector cover_;  // d by index, positive; signs come with the rows
  Vector row_cover_, solution_;
  std::vector<Stop> ended_;  // how each covering vector ended; none: not yet, or given up for its length
  std::span<const double> ray_;
  ControlPatience patience_;  // of the basis
};

}  // namespace nonsmooth
