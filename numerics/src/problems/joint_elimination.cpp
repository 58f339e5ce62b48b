#include "problems/joint_elimination.hpp"

#include <algorithm>
#include <functional>

#include "core/index.hpp"
#include "linalg/sparse_product.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t smallest_body = 65;  // rows; smaller ones have dense factors
// Multiplications of Z'(M Z) for each entry of M: what joints of many rows couple is dense.
constexpr double most_work = 20;

// 1 for each joint that is connected with a large body, by others perhaps.
IndexVector joints_of_large_bodies(const CscMatrix& M, const CscMatrix& G) {
  const IndexVector body_of = components_of(M);
  const IndexVector part_of = components_of(saddle_matrix(M, G, IndexVector(at(G.cols), 0)));
  IndexVector rows_of(body_of.size(), 0), is_large(part_of.size(), 0), result;
  for (const std::int32_t body : body_of) ++rows_of[at(body)];
  for (std::size_t i = 0; i < body_of.size(); ++i)
    if (rows_of[at(body_of[i])] >= smallest_body) is_large[at(part_of[i])] = 1;
  for (std::int64_t j = 0; j < G.cols; ++j) result.push_back(is_large[at(part_of[at(M.cols + j)])]);
  return result;
}

// The other columns are empty, or gone.
CscMatrix chosen_columns(const CscMatrix& A, const IndexVector& is_chosen, std::int32_t chosen, bool keep_empty) {
  CscMatrix result{A.rows, 0, {0}, {}, {}};
  for (std::int64_t j = 0; j < A.cols; ++j) {
    const bool is_empty = is_chosen[at(j)] != chosen;
    if (is_empty && !keep_empty) continue;
    const auto begin = A.col_start[at(j)], end = is_empty ? begin : A.col_start[at(j) + 1];
    result.row_index.insert(result.row_index.end(), A.row_index.begin() + begin, A.row_index.begin() + end);
    result.values.insert(result.values.end(), A.values.begin() + begin, A.values.begin() + end);
    result.col_start.push_back(static_cast<std::int32_t>(result.row_index.size()));
    ++result.cols;
  }
  return result;
}

// Multiplications of Z'(M Z), at most; Z has the rows of Z as columns.
double work_of_reduction(const CscMatrix& Z, const CscMatrix& M) {
  const auto entries = [&](std::int64_t i) { return static_cast<double>(Z.col_start[at(i) + 1] - Z.col_start[at(i)]); };
  double work = 0;
  for (std::int64_t j = 0; j < M.cols; ++j)
    for (std::int32_t k = M.col_start[at(j)]; k < M.col_start[at(j) + 1]; ++k) work += entries(j) * entries(M.row_index[at(k)]);
  return work;
}

}  // namespace

std::unique_ptr<JointElimination> JointElimination::of(const GlobalContactData& data) {
  if (data.G.empty() || data.M.dense() != nullptr) return nullptr;
  const ByColumns M_columns(data.M), G_columns(data.G);
  const CscMatrix &M = *M_columns, &G = *G_columns;
  const IndexVector is_eliminated = joints_of_large_bodies(M, G);
  if (std::ranges::count(is_eliminated, 1) == 0) return nullptr;
  ColumnElimination elimination(chosen_columns(G, is_eliminated, 1, true));
  CscMatrix Z = elimination.null_space(std::ssize(M.values));
  const bool is_sparse = Z.cols > 0 && work_of_reduction(Z, M) <= most_work * static_cast<double>(M.values.size());
  if (!is_sparse) return nullptr;
  return std::unique_ptr<JointElimination>(new JointElimination(data, std::move(elimination), std::move(Z), is_eliminated));
}

JointElimination::JointElimination(const GlobalContactData& data, ColumnElimination elimination, CscMatrix Z,
                                   const IndexVector& is_eliminated)
    : data_(data),
      elimination_(std::move(elimination)),
      held_(at(data.dynamics_rows())),
      forces_(held_.size()),
      left_(held_.size()),
      defect_(held_.size()),
      multipliers_(at(data.bilateral_rows())) {
  for (std::size_t j = 0; j < is_eliminated.size(); ++j)
    if (is_eliminated[j] == 0) kept_.push_back(static_cast<std::int32_t>(j));
  reduced_.dimension = data.dimension;
  reduced_.H = Matrix(product(Z, *ByColumns(data.H)), "H");
  if (!kept_.empty()) reduced_.G = Matrix(product(Z, chosen_columns(*ByColumns(data.G), is_eliminated, 0, false)), "G");
  reduced_.b.resize(kept_.size());
  reduced_.f.resize(at(Z.rows));
  Z_ = Matrix(std::move(Z), "motions");
  reduced_.M = Matrix(reduced_matrix(), "M");
  put_velocities();
  put_forces();
  condensation_ = std::make_unique<Condensation>(reduced_);
  reduced_z_.resize(at(reduced_.size()));
  motion_.resize(at(reduced_.contact_start()));
  refresh();
}

CscMatrix JointElimination::reduced_matrix() {
  if (data_.M.csc() == nullptr) M_copy_ = to_csc(data_.M);
  const CscMatrix& Z = *Z_.csc();
  CscMatrix result = product(Z, product(M(), transposed(Z)));
  settle_symmetry(result);
  return result;
}

// What follows from b, and from w and mu.
void JointElimination::put_velocities() {
  std::transform(data_.b.begin(), data_.b.end(), multipliers_.begin(), [](double b) { return -b; });
  elimination_.solve_transposed(multipliers_, held_);
  for (std::size_t k = 0; k < kept_.size(); ++k) reduced_.b[k] = data_.b[at(kept_[k])];
  reduced_.w.assign(data_.w.begin(), data_.w.end());
  multiply_transposed_add(data_.H, 1.0, held_, reduced_.w);
  reduced_.mu = data_.mu;
  reduced_.mu_r = data_.mu_r;
}

void JointElimination::put_forces() {
  std::ranges::copy(data_.f, forces_.begin());
  multiply_add(data_.M, -1.0, held_, forces_);
  std::ranges::fill(reduced_.f, 0.0);
  multiply_add(Z_, 1.0, forces_, reduced_.f);
}

void JointElimination::refresh() {
  put_velocities();
  condensation_->refresh();
  view_ = condensation_->inclusion();
  view_.scale = residual_scale(data_.w);
}

void JointElimination::refresh_free_motion() {
  put_velocities();
  put_forces();
  condensation_->refresh_free_motion();
}

void JointElimination::refactorise() {
  std::ranges::copy(reduced_matrix().values, reduced_.M.own_values().begin());
  put_forces();
  condensation_->refactorise();
}

void JointElimination::lift(std::span<const double> r, std::span<double> z) {
  condensation_->lift(r, reduced_z_);
  const std::span<double> v = z.first(held_.size());
  std::ranges::copy(held_, v.begin());
  std::ranges::copy(data_.f, forces_.begin());
  put_motion(z);
}

void JointElimination::lift_change(std::span<const double> dr, std::span<double> dz) {
  condensation_->lift_change(dr, reduced_z_);
  std::ranges::fill(dz.first(held_.size()), 0.0);
  std::ranges::fill(forces_, 0.0);
  put_motion(dz);
}

// z: in what is held of v; out all of it. forces_: f.
void JointElimination::put_motion(std::span<double> z) {
  const std::span<const double> reduced = reduced_z_;
  const std::span<double> v = z.first(held_.size()), l = z.subspan(held_.size(), multipliers_.size());
  const std::span<const double> r = reduced.last(data_.w.size());
  multiply_transposed_add(Z_, 1.0, reduced.first(reduced_.f.size()), v);
  multiply_add(data_.H, 1.0, r, forces_);
  refine(v);
  std::ranges::transform(forces_, forces_.begin(), std::negate());
  multiply_add(data_.M, 1.0, v, forces_);
  elimination_.solve(forces_, l);
  for (std::size_t k = 0; k < kept_.size(); ++k) l[at(kept_[k])] = reduced[reduced_.f.size() + k];
  std::ranges::copy(r, z.end() - std::ssize(r));
}

// Rounding of Z'M Z may be worth more than that of M v, where a motion is by many others. forces_: f + H r.
void JointElimination::refine(std::span<double> v) {
  std::ranges::copy(forces_, defect_.begin());
  subtract_product(M(), v, defect_);
  std::ranges::transform(defect_, left_.begin(), [](long double d) { return static_cast<double>(d); });
  std::ranges::fill(motion_, 0.0);
  const std::span<double> own = std::span(motion_).first(reduced_.f.size());
  multiply_add(Z_, 1.0, left_, own);
  condensation_->solve_motion(motion_);
  multiply_transposed_add(Z_, 1.0, own, v);
}

// Joints that stay have no entries in rows that are eliminated.
void JointElimination::lift_change_transposed(std::span<const double> gz, std::span<double> gr) {
  const std::size_t n = held_.size(), free = reduced_.f.size();
  const std::span<const double> gl = gz.subspan(n, multipliers_.size());
  elimination_.solve_transposed(gl, forces_);
  Vector motion(gz.begin(), gz.begin() + std::ssize(held_)), reduced(reduced_z_.size(), 0.0);
  multiply_transposed_add(data_.M, 1.0, forces_, motion);
  multiply_add(Z_, 1.0, motion, std::span(reduced).first(free));
  for (std::size_t k = 0; k < kept_.size(); ++k) reduced[free + k] = gl[at(kept_[k])];
  const std::span<double> own = std::span(reduced).last(gr.size());
  std::ranges::copy(gz.last(gr.size()), own.begin());
  multiply_transposed_add(data_.H, -1.0, forces_, own);
  condensation_->lift_change_transposed(reduced, gr);
}

}  // namespace nonsmooth
