// Primal-dual active set (Hintermueller, Ito and Kunisch 2003) for problems whose rows are bounded one by one: w = M z + q,
// z in [lo, hi]. All wrong signs change sides at once; the safeguards are those of block principal pivoting (Judice and Pires
// 1994). Each step factorises the block of free rows, sparse, in memory taken at setup.
//
// The number of steps from a poor start grows with the diameter of the graph, for a free boundary moves by about one row per
// step. For Z-matrices the sides are therefore found on aggregated problems first, the coarsest from sweeps, each next from the
// solution before it. Tridiagonal Z-matrices need no exchange at all: the sides follow from one pass (Cottle and Sacher 1977).
#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/aggregation.hpp"
#include "linalg/sparse_principal_factor.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/primal_dual_active_set.hpp"
#include "methods/pivoting/tridiagonal_runs.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t smallest_aggregated = 2000;  // below it a few more factorisations cost less than another hierarchy
constexpr int cold_sweeps = 2, coarse_steps = 20;
constexpr int closing_refinements = 4;
constexpr double near_solution = 1e-6;  // violation, relative to |q|, from which on a residual is worth its cost
constexpr double largest_asymmetry = 1e-14;

// A problem made of aggregates of another one's rows.
struct CoarseLevel {
  Aggregation map;
  CscMatrix M;
  Vector q, z;
  RowBounds bounds;
  PrimalDualActiveSet exchanges;
};

class ActiveSet final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  using Step = PrimalDualActiveSet::Step;
  bool load_values();
  bool takes_cholesky() const;
  void analyse();
  void update_matrix();
  void refresh();
  void build_levels(std::int64_t fine_size);
  void load_levels();
  void start(std::span<double> z, Control& control);
  bool start_by_runs();
  void start_by_levels(std::span<double> z, Control& control);
  Stop finish(std::span<double> z, Control& control, std::int64_t iteration);
  void copy_clipped(std::span<double> z) const;

  const Inclusion* view_ = nullptr;
  CscMatrix M_;  // a copy, which factors and exchanges borrow: the problem's own moves where its values are updated
  RowBounds bounds_;
  bool symmetric_ = false, is_analysed_ = false;  // the second: for the pattern and the symmetry of M_
  PrimalDualActiveSet exchanges_;
  Tridiagonal tridiagonal_;
  TridiagonalRuns runs_;
  bool is_tridiagonal_ = false, has_runs_ = false;
  Vector shifted_q_;
  std::vector<std::unique_ptr<CoarseLevel>> levels_;  // coarser and coarser
};

void ActiveSet::setup(const Inclusion& view, const Options&) {
  view_ = &view;
  bounds_.setup(view, "active_set");
  M_ = to_csc(*view.M);
  analyse();
  refresh();
}

// Cholesky asks for more than symmetry; where it fails on a block nothing is proven about the method either.
bool ActiveSet::takes_cholesky() const {
  return symmetry_defect(M_, frobenius_norm(*view_->M)) <= largest_asymmetry && has_positive_diagonal(*view_->M);
}

void ActiveSet::analyse() {
  std::unique_ptr<PrincipalFactor> factor;
  is_analysed_ = false;
  is_tridiagonal_ = is_tridiagonal(M_);
  levels_.clear();
  if (is_tridiagonal_) {
    tridiagonal_.load(M_);
    runs_.resize(tridiagonal_.size());
    shifted_q_.resize(tridiagonal_.size());
    factor = std::make_unique<TridiagonalFactor>(tridiagonal_);
  } else {
    symmetric_ = takes_cholesky();
    auto sparse = std::make_unique<SparsePrincipalFactor>(M_, symmetric_);
    if (view_->size() >= smallest_aggregated && is_z_matrix(M_)) build_levels(sparse->size());
    factor = std::move(sparse);
  }
  exchanges_.setup(M_, *view_->q, bounds_, std::move(factor));
  is_analysed_ = true;
}

// false if the pattern is not that of before: zeros of a dense M have no place in it.
bool ActiveSet::load_values() {
  if (const CscMatrix* given = view_->M->csc()) {
    M_.values = given->values;
    return true;
  }
  if (const BlockCsrMatrix* blocks = view_->M->block_csr()) {
    copy_values(*blocks, M_);
    return true;
  }
  CscMatrix converted = to_csc(*view_->M);
  const bool is_known = converted.has_pattern_of(M_);
  M_ = std::move(converted);
  return is_known;
}

// Coarser problems while their factors stay small against those of the one before: graphs that do not separate (random ones) fill
// in at every size, and need few steps anyway.
void ActiveSet::build_levels(std::int64_t fine_size) {
  const CscMatrix* fine = &M_;
  while (fine->cols >= smallest_aggregated) {
    auto level = std::make_unique<CoarseLevel>();
    level->map = aggregate_fours(*fine);
    level->M = aggregated_matrix(*fine, level->map, coupling_of_fours);
    auto factor = std::make_unique<SparsePrincipalFactor>(level->M, symmetric_);
    if (factor->size() > fine_size / 2) return;
    fine_size = factor->size();
    const std::size_t n = at(level->map.count);
    level->q.resize(n);
    level->z.resize(n);
    level->bounds.lo.resize(n);
    level->bounds.hi.resize(n);
    level->exchanges.setup(level->M, level->q, level->bounds, std::move(factor));
    fine = &level->M;
    levels_.push_back(std::move(level));
  }
}

// Right-hand sides and bounds of the coarse problems: sums, and the tightest of an aggregate.
void ActiveSet::load_levels() {
  const Vector* q = view_->q;
  const RowBounds* bounds = &bounds_;
  for (const auto& level : levels_) {
    std::fill(level->q.begin(), level->q.end(), 0.0);
    std::fill(level->bounds.lo.begin(), level->bounds.lo.end(), -HUGE_VAL);
    std::fill(level->bounds.hi.begin(), level->bounds.hi.end(), HUGE_VAL);
    for (std::size_t i = 0; i < q->size(); ++i) {
      const std::size_t a = at(level->map.aggregate[i]);
      level->q[a] += (*q)[i];
      level->bounds.lo[a] = std::max(level->bounds.lo[a], bounds->lo[i]);
      level->bounds.hi[a] = std::min(level->bounds.hi[a], bounds->hi[i]);
    }
    for (std::size_t a = 0; a < level->q.size(); ++a)
      if (level->bounds.lo[a] > level->bounds.hi[a])
        level->bounds.lo[a] = level->bounds.hi[a] = 0.5 * (level->bounds.lo[a] + level->bounds.hi[a]);
    q = &level->q;
    bounds = &level->bounds;
  }
}

void ActiveSet::update(Change change) {
  if (change != Change::right_hand_side) bounds_.load(*view_);
  if (change == Change::matrix) update_matrix();
  refresh();
}

void ActiveSet::update_matrix() {
  const bool is_known = load_values() && is_analysed_;
  if (!is_known || (!is_tridiagonal_ && takes_cholesky() != symmetric_)) return analyse();
  if (is_tridiagonal_) tridiagonal_.load(M_);
  const CscMatrix* fine = &M_;
  for (const auto& level : levels_) {  // aggregates as at setup: they are a matter of the start only
    level->M.values = aggregated_matrix(*fine, level->map, coupling_of_fours).values;
    fine = &level->M;
  }
}

void ActiveSet::refresh() {
  has_runs_ = is_tridiagonal_ && TridiagonalRuns::applies(tridiagonal_) &&
              std::all_of(bounds_.lo.begin(), bounds_.lo.end(), [](double lo) { return lo > -HUGE_VAL; }) &&
              std::all_of(bounds_.hi.begin(), bounds_.hi.end(), [](double hi) { return hi == HUGE_VAL; });
  load_levels();
}

bool ActiveSet::start_by_runs() {
  const Vector* q = view_->q;
  if (std::any_of(bounds_.lo.begin(), bounds_.lo.end(), [](double lo) { return lo != 0; })) {
    std::copy(q->begin(), q->end(), shifted_q_.begin());
    multiply_add(*view_->M, 1.0, bounds_.lo, shifted_q_);
    q = &shifted_q_;
  }
  if (!runs_.find(tridiagonal_, *q, exchanges_.free())) return false;
  exchanges_.start(exchanges_.free());
  return true;
}

// From the coarsest problem up: each start is the solution before it, which is constant on aggregates, after two sweeps.
void ActiveSet::start_by_levels(std::span<double> z, Control& control) {
  for (std::size_t k = levels_.size(); k-- > 0;) {
    CoarseLevel& level = *levels_[k];
    if (k + 1 == levels_.size()) std::fill(level.z.begin(), level.z.end(), 0.0);
    level.exchanges.start(level.z, cold_sweeps);
    for (int step = 0; step < coarse_steps && control.check_limits(0) == Stop::none; ++step)
      if (level.exchanges.step() != Step::exchanged) break;
    level.exchanges.best(level.z);
    const std::span<double> fine = k == 0 ? z : std::span<double>(levels_[k - 1]->z);
    for (std::size_t i = 0; i < fine.size(); ++i) fine[i] = level.z[at(level.map.aggregate[i])];
  }
}

void ActiveSet::start(std::span<double> z, Control& control) {
  const bool cold = is_zero(z);
  if (has_runs_ && start_by_runs()) return;
  if (cold) start_by_levels(z, control);
  exchanges_.start(z, cold ? cold_sweeps : 0);
}

void ActiveSet::copy_clipped(std::span<double> z) const {
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = bounds_.clip(i, exchanges_.z()[i]);
}

// No sign is wrong: refined while that helps.
Stop ActiveSet::finish(std::span<double> z, Control& control, std::int64_t iteration) {
  double last = HUGE_VAL;
  for (int k = 0; k < closing_refinements; ++k) {
    if (k > 0) exchanges_.refine();
    copy_clipped(z);
    if (const Stop stop = control.check(iteration, z); stop != Stop::none) return stop;
    if (control.residual() >= 0.5 * last) break;
    last = control.residual();
  }
  return Stop::stalled;
}

Stop ActiveSet::solve(std::span<double> z, Control& control) {
  Stop stop = control.check_limits(0);
  if (stop != Stop::none) return stop;
  start(z, control);
  for (std::int64_t k = 1; stop == Stop::none; ++k) {
    const Step step = exchanges_.step();
    if (step == Step::solved) return finish(z, control, k);
    if (step == Step::stuck) {
      stop = control.check_limits(k);
      if (stop == Stop::none) stop = Stop::stalled;
    } else if (exchanges_.violation() <= near_solution * view_->scale) {
      copy_clipped(z);  // the wrong signs may all be rounding
      stop = control.check(k, z);
    } else {
      stop = control.check_limits(k);
    }
  }
  if (stop != Stop::finished) exchanges_.best(z);  // the solver puts what z holds at the end before the certificate
  return stop;
}

}  // namespace

extern const MethodEntry active_set_method;
const MethodEntry active_set_method{
    {sizeof(nsm_method_info), "active_set",
     "primal-dual active set with sparse factorisations of the free rows; one pass for tridiagonal Z-matrices",
     "Hintermueller, Ito and Kunisch 2003; Judice and Pires 1994; Cottle and Sacher 1977; Ng and Peyton 1993",
     "M-matrices (monotone, finite); P-matrices (by single exchanges); others may stall, and say so", linear_classes, 1000,
     "large sparse LCPs and boxes with an M-matrix or nearly one: discretised obstacle, flow and network problems, American "
     "options"},
    &make_method<ActiveSet>};

}  // namespace nonsmooth
