// Pivoting for affine variational inequalities over polyhedra (Cao and Ferris 1996): the path of the normal map that starts on
// the ray of a vertex's normal cone. From the vertex x_e with active constraints A the basis is x, the multipliers of A and the
// slacks of all others; t covers the multipliers alone, so that the path stays in the polyhedron. A bounded polyhedron has no
// other ray: any M is solved. Where the polyhedron contains lines, a face of least dimension takes the place of the vertex, and M
// must be regular on them.
//
// The path itself is Lemke's (lemke_path.hpp), which is what makes the two methods one apart from their starts: Lemke's covering
// vector covers the constraints too and starts outside the polyhedron.
#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "methods/frame/equilibration.hpp"
#include "methods/frame/golden_fraction.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/lemke_path.hpp"
#include "methods/pivoting/minimal_face.hpp"
#include "methods/pivoting/pivot_basis.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth {
namespace {

class CaoFerris final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return face_.proof; }

 private:
  void choose_face(const Inclusion& view);
  void cover_multipliers();

  const Inclusion* view_ = nullptr;
  int n_ = 0, unknowns_ = 0;
  MinimalFace face_;
  EquilibratedLcp lcp_;
  PivotBasis basis_{lcp_};
  LemkePath path_{basis_};
  std::vector<char> basic_z_, at_upper_;  // of unknowns and multipliers, at the start
  Vector cover_, perturbation_, solution_;
};

void CaoFerris::setup(const Inclusion& view, const Options& options) {
  refuse_contacts_and_disks(view, "cao_ferris");
  const std::int64_t order = EquilibratedLcp::order_of(view);
  refuse_beyond(4000, order, "cao_ferris searches a vertex and keeps a dense tableau, also of its constraints");
  view_ = &view;
  n_ = static_cast<int>(order);
  unknowns_ = static_cast<int>(view.size());
  lcp_.resize(order);
  basis_.resize(n_);
  path_.resize(n_);
  const auto interval = static_cast<int>(options.integer(Option::refactor_interval));
  path_.set_interval(interval > 0 ? interval : PivotBasis::default_interval(n_));
  for (Vector* v : {&cover_, &perturbation_, &solution_}) v->resize(at(n_));
  choose_face(view);
  lcp_.load(view, EquilibratedLcp::Kind::symmetric);
}

void CaoFerris::update(Change change) {
  if (change == Change::right_hand_side)
    lcp_.load_q(*view_);
  else
    lcp_.load(*view_, EquilibratedLcp::Kind::symmetric);
}

// Of the bounds those nearest to 0, as the search would find; none of free rows.
MinimalFace vertex_of_box(const Inclusion& view) {
  const auto n = at(view.size());
  Vector lo(n), hi(n);
  read_bounds(view.blocks, lo, hi);
  MinimalFace face{true, {}, {}, std::vector<char>(n, 0), std::vector<char>(n, 0)};
  for (std::size_t i = 0; i < n; ++i) {
    const bool upper = std::abs(hi[i]) < std::abs(lo[i]);
    if (std::isfinite(upper ? hi[i] : lo[i])) (upper ? face.at_upper : face.at_lower)[i] = 1;
  }
  return face;
}

void CaoFerris::choose_face(const Inclusion& view) {
  const Polyhedron* set = view.blocks.front().polyhedron;
  face_ = set != nullptr ? find_minimal_face(*set, view.size()) : vertex_of_box(view);
  basic_z_.assign(at(n_), 0);
  at_upper_.assign(at(n_), 0);
  for (std::size_t i = 0; i < face_.at_upper.size(); ++i) {
    at_upper_[i] = face_.at_upper[i];
    basic_z_[i] = face_.at_lower[i] == 0 && face_.at_upper[i] == 0 ? 1 : 0;
  }
  std::copy(face_.rows.begin(), face_.rows.end(), basic_z_.begin() + unknowns_);
}

// t pushes every multiplier into its interval: l of active rows, w of unknowns at a bound. Nothing else moves with t.
void CaoFerris::cover_multipliers() {
  for (int r = 0; r < basis_.rows(); ++r) {
    const int variable = basis_.variable_at(r);
    const bool from_below = std::isfinite(basis_.low()[r]);
    const bool multiplier = variable < unknowns_ || variable >= n_ + unknowns_;
    cover_[at(r)] = multiplier ? (from_below ? 1 : -1) : 0;
    perturbation_[at(r)] = (from_below ? 1 : -1) * (1 + (r + golden_fraction(r + 1)) / n_);
    // The point is feasible up to rounding.
    if (!multiplier) basis_.x()[r] = std::min(std::max(basis_.x()[r], basis_.low()[r]), basis_.high()[r]);
  }
}

Stop CaoFerris::solve(std::span<double> z, Control& control) {
  if (!face_.exists) {
    control.log("cao_ferris: the polyhedron is empty");
    return Stop::infeasible;
  }
  if (const Stop stop = control.check_limits(0); stop != Stop::none) return stop;
  basis_.start_with(basic_z_, at_upper_);
  if (!basis_.rebuild()) {
    control.log("cao_ferris: M is singular on the lines that the polyhedron contains");
    return Stop::breakdown;
  }
  cover_multipliers();
  const auto rows = at(basis_.rows());
  basis_.set_cover(std::span(cover_).first(rows), std::span(perturbation_).first(rows));
  std::int64_t pivots = 0;
  if (path_.enter_from_cover(cover_.data()))
    if (const Stop stop = path_.follow(pivots, INT64_MAX / 2, control); stop != Stop::finished) return stop;
  if (!basis_.solve(solution_)) return Stop::breakdown;
  lcp_.unscale(solution_, z);
  const Stop stop = control.check(pivots, z);
  return stop == Stop::none ? Stop::stalled : stop;
}

}  // namespace

extern const MethodEntry cao_ferris_method;
const MethodEntry cao_ferris_method{
    {sizeof(nsm_method_info), "cao_ferris", "path of the normal map from a vertex of the polyhedron, dense pivoting",
     "Cao and Ferris 1996; Eaves 1978",
     "bounded polyhedra and boxes with any M; copositive-plus M on any polyhedron that has a solution; polyhedra that contain "
     "lines if M is regular on them",
     linear_classes, 1000000, "AVIs over a polyhedron, also where M is not monotone and the polyhedron is bounded"},
    &make_method<CaoFerris>};

}  // namespace nonsmooth
