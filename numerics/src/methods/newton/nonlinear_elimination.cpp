#include "methods/newton/nonlinear_elimination.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "methods/newton/cone_newton.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t smallest_order = 2000;  // of smaller problems factors cost less than this
// Contacts: their response costs a few factorisations at most; in larger problems more of them fail at a time.
constexpr std::size_t unknowns_per_contact = 200, least_room = 60, largest_room = 80;
constexpr double enough_share = 0.98;         // of the squared defect
constexpr double few_tolerance = 1e-6;        // relative to the right-hand side of the small problem
constexpr std::int64_t few_iterations = 100;  // of its sweeps and steps
constexpr std::int64_t unknowns_per_iteration = 30,
                       most_eliminations = 200;  // of the robust method, where it is worth a factorisation
constexpr std::int64_t longest_wait = 16;

using SquareMap = Eigen::Map<Eigen::MatrixXd>;

bool treats(const Inclusion& view) {
  const SetKind kind = view.blocks.front().kind;
  return view.size() >= smallest_order && (kind == SetKind::coulomb_2d || kind == SetKind::coulomb_3d) &&
         std::all_of(view.blocks.begin(), view.blocks.end(), [&](const SetBlock& block) { return block.kind == kind; });
}

}  // namespace

bool NonlinearElimination::setup(const Inclusion& view, NewtonSystem& system, std::unique_ptr<Method> (*robust)()) {
  if (!treats(view) || !system.reserve_responses()) return false;
  view_ = &view;
  system_ = &system;
  dimension_ = at(view.blocks.front().size);
  most_ = std::clamp(at(view.size()) / unknowns_per_contact, least_room, largest_room);
  order_ = most_ * dimension_;
  chosen_.reserve(most_);
  rows_.reserve(order_);
  order_of_blocks_.resize(view.blocks.size());
  for (Vector* v : {&response_, &work_, &inverse_}) v->assign(order_ * order_, 0.0);
  for (Vector* v : {&x_, &change_, &q_}) v->assign(order_, 0.0);
  lu_.resize(static_cast<int>(order_));
  const auto n = static_cast<std::int64_t>(order_);
  M_ = Matrix(DenseMatrix{n, n, Vector(order_ * order_, 0.0)}, "response");
  few_ = Inclusion{};
  few_.M = &M_;
  few_.q = &q_;
  for (std::size_t k = 0; k < most_; ++k) {
    few_.blocks.push_back(view.blocks.front());
    few_.blocks.back().start = static_cast<std::int32_t>(k * dimension_);
  }
  chosen_.clear();
  pad();
  // Every entry belongs to the pattern that the methods find.
  for (double& value : M_.own_values()) value = value == 0 ? DBL_MIN : value;
  set_up_solver(quick_, make_cone_newton(), few_iterations);
  const std::int64_t iterations = std::min(view.size() / unknowns_per_iteration, most_eliminations);
  has_robust_ = iterations > few_iterations;
  if (has_robust_) set_up_solver(robust_, robust(), iterations);
  return true;
}

void NonlinearElimination::set_up_solver(InnerSolver& solver, std::unique_ptr<Method> method, std::int64_t iterations) {
  Options options;
  options.set("tolerance", few_tolerance);
  options.set("max_iterations", static_cast<double>(iterations));
  solver.setup(few_, std::move(method), options, iterations);
  solver.silence();
}

bool NonlinearElimination::is_due() { return wait_ == 0 || --wait_ == 0; }

void NonlinearElimination::report(bool success) {
  length_ = success ? length_ / 2 : std::min(longest_wait, 2 * length_ + 1);
  wait_ = length_;
}

bool NonlinearElimination::choose(std::span<const double> defects) {
  const double wanted = enough_share * std::accumulate(defects.begin(), defects.end(), 0.0);
  std::iota(order_of_blocks_.begin(), order_of_blocks_.end(), 0);
  const auto end = order_of_blocks_.begin() + static_cast<std::ptrdiff_t>(std::min(most_ + 1, order_of_blocks_.size()));
  std::partial_sort(order_of_blocks_.begin(), end, order_of_blocks_.end(),
                    [&](std::int32_t a, std::int32_t b) { return defects[at(a)] > defects[at(b)]; });
  double held = 0;
  for (auto b = order_of_blocks_.begin(); b != end && held < wanted; held += defects[at(*b++)]) {
    if (std::find(chosen_.begin(), chosen_.end(), *b) != chosen_.end()) continue;
    if (chosen_.size() == most_) return false;
    chosen_.push_back(*b);
  }
  std::sort(chosen_.begin(), chosen_.end());
  return held >= wanted;
}

// Contacts that are not used: alone, and open.
void NonlinearElimination::pad() {
  const std::span<double> M = M_.own_values();
  for (std::size_t i = chosen_.size() * dimension_; i < order_; ++i) {
    for (std::size_t j = 0; j < order_; ++j) M[i + j * order_] = M[j + i * order_] = 0;
    M[i * (order_ + 1)] = 1;
    q_[i] = i % dimension_ == 0 ? 1 : 0;
  }
}

// With sources s in the chosen rows z_A = z + Z s and w_A = w + W s, so that w_A = w + W Z^-1 (z_A - z).
bool NonlinearElimination::load(std::span<const double> z, std::span<const double> w, double weight) {
  rows_.clear();
  for (const std::int32_t b : chosen_)
    for (std::size_t i = 0; i < dimension_; ++i) rows_.push_back(view_->blocks[at(b)].start + static_cast<std::int32_t>(i));
  const std::size_t n = rows_.size();
  const auto size = static_cast<Eigen::Index>(n);
  system_->respond(rows_, std::span(response_).first(n * n), std::span(work_).first(n * n));
  std::copy_n(response_.begin(), n * n, lu_.matrix().begin());
  if (!lu_.factorise(static_cast<int>(n))) return false;
  SquareMap Z(response_.data(), size, size), W(work_.data(), size, size), inverse(inverse_.data(), size, size);
  for (std::size_t i = 0; i < n; ++i)
    W.row(static_cast<Eigen::Index>(i)) +=
        weight * system_->scale(at(chosen_[i / dimension_])) * Z.row(static_cast<Eigen::Index>(i));
  inverse.setIdentity();
  lu_.solve(inverse_.data(), static_cast<int>(n), static_cast<int>(n));
  const double one = 1, zero = 0, minus = -1;
  const int rows = static_cast<int>(n), stride = static_cast<int>(order_), step = 1;
  double* M = M_.own_values().data();
  dgemm_("N", "N", &rows, &rows, &rows, &one, work_.data(), &rows, inverse_.data(), &rows, &zero, M, &stride);
  take_entries(rows_, z, x_);
  dgemv_("N", &rows, &rows, &minus, M, &stride, x_.data(), &step, &zero, q_.data(), &step);
  for (std::size_t i = 0; i < n; ++i) q_[i] += w[at(rows_[i])];
  for (std::size_t k = 0; k < chosen_.size(); ++k) few_.blocks[k].a = view_->blocks[at(chosen_[k])].a;
  return true;
}

// The small problem, from change_, which is the solution then.
bool NonlinearElimination::solve(Control& control) {
  if (quick_.update(Change::matrix) && quick_.solve(change_, control) == Stop::finished) return true;
  return has_robust_ && robust_.update(Change::matrix) && robust_.solve(change_, control) == Stop::finished;
}

bool NonlinearElimination::find_source(std::span<const double> z, std::span<const double> w, double weight,
                                       std::span<double> source, Control& control) {
  if (!load(z, w, weight)) return false;
  const std::size_t n = rows_.size();
  const auto size = static_cast<Eigen::Index>(n);
  const double unit = Eigen::Map<Eigen::VectorXd>(q_.data(), size).norm();
  if (!(unit > 0 && std::isfinite(unit))) return false;
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] /= unit;
    change_[i] = x_[i] / unit;
  }
  std::fill(change_.begin() + static_cast<std::ptrdiff_t>(n), change_.end(), 0.0);
  pad();
  if (!solve(control)) return false;
  for (std::size_t i = 0; i < n; ++i) x_[i] = unit * change_[i] - x_[i];
  std::fill(source.begin(), source.end(), 0.0);
  const Eigen::VectorXd::MapType difference(x_.data(), size);
  for (std::size_t i = 0; i < n; ++i)
    source[at(rows_[i])] = SquareMap(inverse_.data(), size, size).row(static_cast<Eigen::Index>(i)).dot(difference);
  return true;
}

}  // namespace nonsmooth
