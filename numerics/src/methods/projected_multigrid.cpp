// Truncated multigrid for bounded rows on a grid (Graeser and Kornhuber 2009): projected Gauss-Seidel sweeps find which rows stay
// at a bound, a multigrid correction of the others, which knows the fixed rows on every grid, does the rest. The start comes from
// the coarser grids (nested iteration, as in Brandt and Cryer 1983); once the fixed rows stay, the correction is solved for by
// conjugate gradients with the cycle as preconditioner, and the end is that of an active-set method (Hintermueller, Ito and
// Kunisch 2003).
//
// The cycle is in single precision, for it only preconditions; residuals and iterates are in double.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/grid_hierarchy.hpp"
#include "methods/frame/method.hpp"
#include "methods/pivoting/row_bounds.hpp"

namespace nonsmooth {
namespace {

constexpr int multigrid_sweeps = 2;    // of projected Gauss-Seidel before each correction
constexpr int coarse_corrections = 2;  // on every grid of the nested iteration
constexpr double loose = 0.01;  // reduction asked of a correction while rows still change sides: less accurate ones close gaps
constexpr double aim = 0.2;     // of the tolerance, once they stay
constexpr int most_gradients = 30;

class ProjectedMultigrid final : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  bool load_matrix(GridOperator<double>& grid);
  void set_up_grids(GridOperator<double> finest);
  void update_matrix();
  void build();
  void load_bounds();
  void load_right_hand_sides();
  double* z(int level) { return grids_.x(level); }
  void sweep(int level);
  bool choose_free(int level);
  void truncate(int level);
  double free_residual(int level);
  void precondition(int level);
  double correct(int level, double reduction, double absolute);
  void nested_iteration(Control& control);

  const Inclusion* view_ = nullptr;
  CscMatrix converted_;
  bool is_grid_ = true;
  double unit_ = 1;                 // the truncated operator is divided by it
  GridHierarchy<double> grids_;     // of the whole matrix; x: z, b: -q
  GridHierarchy<float> truncated_;  // of the free rows of one level
  int truncated_level_ = -1;
  std::vector<RowBounds> bounds_;  // on every grid
  std::vector<std::vector<char>> free_;
  GridArray<double> direction_, product_, correction_;
};

bool ProjectedMultigrid::load_matrix(GridOperator<double>& grid) {
  const CscMatrix* M = view_->M->csc();
  if (M == nullptr) {
    converted_ = to_csc(*view_->M);
    M = &converted_;
  }
  return load_grid(*M, grid);
}

void ProjectedMultigrid::setup(const Inclusion& view, const Options&) {
  view_ = &view;
  bounds_.resize(1);
  bounds_[0].setup(view, "projected_multigrid");
  GridOperator<double> found;
  if (!load_matrix(found))
    fail(NSM_UNSUPPORTED,
         "projected_multigrid treats symmetric M-matrices with dominant diagonal on grids in lexicographic order only (5 points "
         "in the plane, 7 in space)");
  set_up_grids(std::move(found));
  load_bounds();
  load_right_hand_sides();
}

void ProjectedMultigrid::set_up_grids(GridOperator<double> finest) {
  const GridShape shape = finest.shape;
  std::array<double, 3> strength{0, 0, 0};
  for (int d = 0; d < shape.directions(); ++d)
    for (std::int64_t p = 0; p < shape.size(); ++p) strength[at(d)] += finest.conductance[at(d)].data()[p];
  grids_ = {};
  truncated_ = {};
  grids_.setup(shape, strength);
  truncated_.setup(shape, strength);
  grids_.grid(0) = std::move(finest);
  for (GridArray<double>* v : {&direction_, &product_, &correction_}) v->resize(shape);
  bounds_.resize(at(grids_.levels()));
  free_.clear();
  for (int l = 0; l < grids_.levels(); ++l) {
    const std::size_t size = at(grids_.grid(l).shape.size());
    bounds_[at(l)].lo.resize(size);
    bounds_[at(l)].hi.resize(size);
    free_.emplace_back(size);
  }
  build();
}

void ProjectedMultigrid::build() {
  grids_.build(0);
  const double* inverse = grids_.grid(0).inverse.data();
  unit_ = 1 / *std::min_element(inverse, inverse + view_->size());
}

void ProjectedMultigrid::load_bounds() {
  bounds_[0].load(*view_);
  for (int l = 0; l + 1 < grids_.levels(); ++l) {
    grids_.inject(l, bounds_[at(l)].lo.data(), bounds_[at(l + 1)].lo.data());
    grids_.inject(l, bounds_[at(l)].hi.data(), bounds_[at(l + 1)].hi.data());
  }
}

void ProjectedMultigrid::load_right_hand_sides() {
  std::transform(view_->q->begin(), view_->q->end(), grids_.b(0), [](double q) { return -q; });
  for (int l = 0; l + 1 < grids_.levels(); ++l) grids_.restrict_to(l, grids_.b(l), grids_.b(l + 1));
}

void ProjectedMultigrid::update(Change change) {
  if (change == Change::matrix) update_matrix();
  if (change != Change::right_hand_side) load_bounds();
  load_right_hand_sides();
}

// A dense matrix may have become that of a grid of another shape.
void ProjectedMultigrid::update_matrix() {
  GridOperator<double>& finest = grids_.grid(0);
  is_grid_ = load_matrix(finest);
  truncated_level_ = -1;
  if (!is_grid_) return;
  if (finest.shape.points != truncated_.grid(0).shape.points) return set_up_grids(std::move(finest));
  build();
}

void ProjectedMultigrid::sweep(int l) {
  double* const x = z(l);
  const double *lo = bounds_[at(l)].lo.data(), *hi = bounds_[at(l)].hi.data();
  red_black_sweep(grids_.grid(l), grids_.b(l), x, true,
                  [=](std::int64_t p, double target) { x[p] = std::min(std::max(target, lo[p]), hi[p]); });
}

// Sweeps, after which the rows inside their bounds are free. Whether they are others than before; the operator of the free rows
// follows.
bool ProjectedMultigrid::choose_free(int l) {
  for (int k = 0; k < multigrid_sweeps; ++k) sweep(l);
  const double *x = z(l), *lo = bounds_[at(l)].lo.data(), *hi = bounds_[at(l)].hi.data();
  bool changed = false;
  char* free = free_[at(l)].data();
  for (std::size_t p = 0; p < free_[at(l)].size(); ++p) {
    const char now = lo[p] < x[p] && x[p] < hi[p] ? 1 : 0;
    changed = changed || now != free[p];
    free[p] = now;
  }
  if (changed || truncated_level_ != l) truncate(l);
  return changed;
}

// The operator of the free rows: links to fixed ones lead to ground.
void ProjectedMultigrid::truncate(int l) {
  const GridOperator<double>& whole = grids_.grid(l);
  GridOperator<float>& A = truncated_.grid(l);
  const std::vector<char>& free = free_[at(l)];
  const double inverse_unit = 1 / unit_;
  const auto n = whole.shape.size();
  for (std::int64_t p = 0; p < n; ++p) {
    if (!free[at(p)]) {
      A.ground.data()[p] = 0;
      for (int d = 0; d < whole.shape.directions(); ++d) A.conductance[at(d)].data()[p] = 0;
      continue;
    }
    double ground = whole.ground.data()[p];
    for (int d = 0; d < whole.shape.directions(); ++d) {
      const double* c = whole.conductance[at(d)].data();
      const std::int64_t stride = whole.shape.stride(d);
      const bool ahead = p + stride < n && free[at(p + stride)], behind = p >= stride && free[at(p - stride)];
      A.conductance[at(d)].data()[p] = ahead ? static_cast<float>(c[p] * inverse_unit) : 0.0F;
      ground += (ahead ? 0.0 : c[p]) + (behind ? 0.0 : c[p - stride]);
    }
    A.ground.data()[p] = static_cast<float>(ground * inverse_unit);
  }
  truncated_.build(l);
  truncated_level_ = l;
}

// r = -(A z + q) on the free rows, 0 elsewhere; its norm.
double ProjectedMultigrid::free_residual(int l) {
  double* r = grids_.r(l);
  grid_residual(grids_.grid(l), grids_.b(l), z(l), r);
  double sum = 0;
  for (std::size_t p = 0; p < free_[at(l)].size(); ++p) {
    r[p] = free_[at(l)][p] ? r[p] : 0.0;
    sum += r[p] * r[p];
  }
  return std::sqrt(sum);
}

// One cycle for r, scaled to the range of single precision.
void ProjectedMultigrid::precondition(int l) {
  const double* r = grids_.r(l);
  float* b = truncated_.b(l);
  const std::size_t n = free_[at(l)].size();
  double largest = 0;
  for (std::size_t p = 0; p < n; ++p) largest = std::max(largest, std::abs(r[p]));
  const double factor = largest > 0 ? 1 / largest : 0.0;
  for (std::size_t p = 0; p < n; ++p) b[p] = static_cast<float>(r[p] * factor);
  truncated_.cycle(l);
}

// Conjugate gradients for the free rows until the residual is `reduction` times the first or `absolute`; then z, projected.
// Returns the residual reached before the projection.
double ProjectedMultigrid::correct(int l, double reduction, double absolute) {
  const std::size_t n = free_[at(l)].size();
  const GridOperator<double>& A = grids_.grid(l);
  double *r = grids_.r(l), *p = direction_.data(), *Ap = product_.data(), *x = correction_.data();
  const float* y = truncated_.x(l);
  double norm = free_residual(l), last = 0;
  const double target = std::max(absolute, reduction * norm);
  std::fill(x, x + n, 0.0);
  // With the layer behind the grid, which the product reads: values of a finer grid have no place there.
  std::fill(p, p + n + at(A.shape.stride(A.shape.directions() - 1)), 0.0);
  for (int k = 0; k < most_gradients && norm > target; ++k) {
    precondition(l);
    double rho = 0, curvature = 0, sum = 0;
    for (std::size_t i = 0; i < n; ++i) rho += r[i] * static_cast<double>(y[i]);
    const double beta = k == 0 ? 0.0 : rho / last;
    last = rho;
    for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<double>(y[i]) + beta * p[i];
    grid_product(A, p, Ap);
    for (std::size_t i = 0; i < n; ++i) curvature += p[i] * Ap[i];
    if (!(curvature > 0)) break;
    const double step = rho / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += step * p[i];
      r[i] = free_[at(l)][i] ? r[i] - step * Ap[i] : 0.0;
      sum += r[i] * r[i];
    }
    norm = std::sqrt(sum);
  }
  for (std::size_t i = 0; i < n; ++i) z(l)[i] = bounds_[at(l)].clip(i, z(l)[i] + x[i]);
  return norm;
}

// From the coarsest grid up to the finest, whose start it leaves in z(0).
void ProjectedMultigrid::nested_iteration(Control& control) {
  const int last = grids_.levels() - 1;
  for (int l = last; l >= 0; --l) {
    const std::size_t n = free_[at(l)].size();
    std::fill(z(l), z(l) + n, 0.0);
    if (l < last) grids_.prolong_add(l, z(l + 1), z(l));
    for (std::size_t i = 0; i < n; ++i) z(l)[i] = bounds_[at(l)].clip(i, z(l)[i]);
    for (int k = 0; l > 0 && k < coarse_corrections && control.check_limits(0) == Stop::none; ++k) {
      choose_free(l);
      correct(l, loose, 0);
    }
  }
}

Stop ProjectedMultigrid::solve(std::span<double> z_out, Control& control) {
  if (!is_grid_) return Stop::stalled;
  Stop stop = control.check_limits(0);
  if (stop != Stop::none) return stop;
  if (is_zero(z_out))
    nested_iteration(control);
  else
    for (std::size_t i = 0; i < z_out.size(); ++i) z(0)[i] = bounds_[0].clip(i, z_out[i]);
  const double goal = aim * control.tolerance() * view_->scale;
  double last = HUGE_VAL;
  for (std::int64_t k = 1; stop == Stop::none; ++k) {
    const bool moved = choose_free(0) || k == 1;
    const double norm = correct(0, moved ? loose : 0.0, goal);
    control.log("projected_multigrid: step %lld, %s, residual of the free rows %.3g", static_cast<long long>(k),
                moved ? "rows have changed sides" : "no row has changed sides", norm / view_->scale);
    const bool settled = !moved && norm >= 0.5 * last;  // rounding: the tolerance asked for is below it
    last = moved ? HUGE_VAL : norm;
    if (norm > goal && !settled) {
      stop = control.check_limits(k);
      continue;
    }
    std::copy(z(0), z(0) + z_out.size(), z_out.begin());
    stop = control.check(k, z_out);
    if (stop == Stop::none && settled) stop = Stop::stalled;
  }
  if (stop != Stop::finished) std::copy(z(0), z(0) + z_out.size(), z_out.begin());
  return stop;
}

}  // namespace

extern const MethodEntry projected_multigrid_method;
const MethodEntry projected_multigrid_method{
    {sizeof(nsm_method_info), "projected_multigrid",
     "truncated multigrid on grids found in the matrix: projected sweeps, a cycle for the free rows, conjugate gradients at the "
     "end",
     "Graeser and Kornhuber 2009; Brandt and Cryer 1983; Hintermueller, Ito and Kunisch 2003",
     "symmetric M-matrices with dominant diagonal on grids in lexicographic order (5 points in the plane, 7 in space)",
     linear_classes, 200,
     "obstacle problems and their kin on regular grids, up to millions of unknowns; nothing else: it refuses what is no such "
     "grid"},
    &make_method<ProjectedMultigrid>};

}  // namespace nonsmooth
