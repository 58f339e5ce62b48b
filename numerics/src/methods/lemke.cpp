// Lemke's method on a dense condensed tableau, and Lemke and Howson's paths for bimatrix games. See lemke_runs.hpp.
#include <algorithm>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "methods/frame/golden_fraction.hpp"
#include "methods/pivoting/bimatrix.hpp"
#include "methods/pivoting/lemke_runs.hpp"
#include "methods/pivoting/pivot_basis.hpp"
#include "methods/pivoting/planar_expansion.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t default_pivots = 1000000;

struct DenseStorage {
  EquilibratedLcp lcp_;
  PivotBasis basis_{lcp_};
};

class Lemke final : private DenseStorage, public LemkeRuns {
 public:
  Lemke() : LemkeRuns("lemke", lcp_, DenseStorage::basis_) {}
  void setup(const Inclusion& view, const Options& options) override;

 private:
  using LemkeRuns::basis_;
  Stop after_initial_ray(std::span<double> z, Control& control) override;
  Stop run_label(int label, Control& control, std::span<double> z);

  BimatrixStart bimatrix_;
  std::vector<Stop> label_ended_;  // none: not yet, or given up for its length
};

void Lemke::setup(const Inclusion& view, const Options& options) {
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(20000, order, "lemke keeps a dense tableau");
  const int n = static_cast<int>(order);
  lcp_.resize(order);
  basis_.resize(n);
  const auto interval = static_cast<int>(options.integer(Option::refactor_interval));
  prepare(view, options, interval > 0 ? interval : PivotBasis::default_interval(n));
  label_ended_.resize(is_lcp_ ? at(n) : 0);
  bimatrix_.resize(n);
}

// Lemke and Howson (1964): z_label, its answer, and t in the place of w_label, which stays positive along the path.
Stop Lemke::run_label(int label, Control& control, std::span<double> z) {
  int answer = -1, entering = -1;
  if (!bimatrix_.start(lcp_, label, answer, entering)) return Stop::ray;
  basis_.start_at_bounds();
  const bool solved = entering == label;
  for (int i : {label, answer}) {
    basis_.set_basic(n_ + i, true);
    basis_.set_basic(i, false);
  }
  basis_.set_unit_cover(label, -1);
  if (solved) return try_basis(control, z);
  basis_.set_basic(entering, false);
  basis_.set_basic(basis_.t(), true);
  if (!basis_.rebuild()) return Stop::breakdown;
  for (int r = 0; r < n_; ++r) {
    perturbation_[at(r)] = 1 + (r + golden_fraction(r)) / n_;
    basis_.x()[r] = std::max(basis_.x()[r], 0.0);
  }
  basis_.set_perturbation(perturbation_);
  path_.enter(n_ + entering, n_ + label);
  const Stop stop = path_.follow(pivots_, run_limit_, control);
  if (stop != Stop::finished) return stop;
  return try_basis(control, z);
}

// All labels in turn. The paths of most are much longer than those of a few, by how much nobody knows: given up and begun with
// the next label after 1, 1, 2, 1, 1, 2, 4, ... times a few pivots, they take little more than if it were known (Luby, Sinclair
// and Zuckerman 1993).
Stop Lemke::after_initial_ray(std::span<double> z, Control& control) {
  if (!bimatrix_.detect(lcp_)) return Stop::ray;
  load(Kind::symmetric);
  std::fill(label_ended_.begin(), label_ended_.end(), Stop::none);
  std::int64_t counter = 1, times = 1;
  int open = n_;
  for (int label = 0; open > 0; label = (label + 1) % n_) {
    Stop& ended = label_ended_[at(label)];
    if (ended != Stop::none) continue;
    run_limit_ = times * (n_ / 10 + 20);
    ended = run_label(label, control, z);
    if (ends_solve(ended)) return ended;
    if (ended != Stop::none) --open;
    const bool is_last_power = (counter & -counter) == times;  // of two that divides the counter
    counter += is_last_power ? 1 : 0;
    times = is_last_power ? 1 : 2 * times;
  }
  control.log("lemke: no label of the bimatrix game led to a solution, %lld pivots in all", static_cast<long long>(pivots_));
  return Stop::ray;
}

}  // namespace

extern const MethodEntry lemke_method;
const MethodEntry lemke_method{
    {sizeof(nsm_method_info), "lemke",
     "lexicographic Lemke pivoting on a condensed tableau, restarts with other covering vectors; "
     "Lemke-Howson paths for bimatrix games",
     "Lemke 1965; Lemke and Howson 1964; Cottle, Pang, Stone 1992, 4.4; Dirkse and Ferris 1995",
     "copositive-plus M (positive semidefinite included): a solution or a proof that there is none; "
     "P-matrices; bounded boxes; bimatrix games; "
     "any other M: may end on a ray; friction in the plane, as an LCP. Dense, up to a few thousand unknowns",
     linear_classes | coulomb_classes | class_bit(NSM_QP), default_pivots,
     "dense problems up to some thousand unknowns, of any matrix: the most robust method for LCP, mixed LCP and relay, exact to "
     "rounding, and it proves that an LCP, or a polyhedron, has none; each pivot costs n^2"},
    []() { return with_planar_friction(std::make_unique<Lemke>(), "lemke", default_pivots); }};

}  // namespace nonsmooth
