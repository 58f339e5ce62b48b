#include "problems/partial_condensation.hpp"

#include <algorithm>
#include <iterator>

#include "core/checked.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/column_elimination.hpp"
#include "linalg/delassus_operator.hpp"
#include "problems/condensation.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {
namespace {

constexpr double reuse = 10;  // products with W that a solve takes, about, for one of the columns that forming it solves
constexpr std::int32_t largest_joint = 6;

std::int32_t entries(const CscMatrix& A, std::int32_t j) { return A.col_start[at(j) + 1] - A.col_start[at(j)]; }

// [G H]
CscMatrix side_by_side(const CscMatrix& G, const CscMatrix& H) {
  CscMatrix C = G;
  C.cols += H.cols;
  const std::int32_t joined =
      checked_index(std::int64_t{G.col_start.back()} + H.col_start.back(), "G with H") - H.col_start.back();
  for (std::int64_t j = 1; j <= H.cols; ++j) C.col_start.push_back(joined + H.col_start[at(j)]);
  C.row_index.insert(C.row_index.end(), H.row_index.begin(), H.row_index.end());
  C.values.insert(C.values.end(), H.values.begin(), H.values.end());
  return C;
}

// Of each component of rows: the entries of A in it, and the columns of C that meet it.
struct Census {
  Vector entries, columns;
  Census(const CscMatrix& A, const IndexVector& component_of, const CscMatrix& C) {
    const auto count = component_of.empty() ? 0 : at(*std::ranges::max_element(component_of)) + 1;
    entries.assign(count, 0.0);
    columns.assign(count, 0.0);
    for (std::int32_t j = 0; j < A.cols; ++j) entries[at(component_of[at(j)])] += nonsmooth::entries(A, j);
    IndexVector last(count, -1);
    for (std::int32_t j = 0; j < C.cols; ++j)
      for (std::int32_t k = C.col_start[at(j)]; k < C.col_start[at(j) + 1]; ++k) {
        const auto c = at(component_of[at(C.row_index[at(k)])]);
        columns[c] += last[c] == j ? 0 : 1;
        last[c] = j;
      }
  }
  // Multiplications of forming W, with a solve for each column that costs what A has entries, and of its products.
  double work(double products) const {
    double sum = 0;
    for (std::size_t c = 0; c < entries.size(); ++c) sum += columns[c] * (entries[c] + products * columns[c]);
    return sum;
  }
};

}  // namespace

double PartialCondensation::gain(const GlobalContactData& data) {
  if (data.G.empty()) return 0;
  const ByColumns M_columns(data.M), G_columns(data.G), H_columns(data.H);
  const CscMatrix &M = *M_columns, &G = *G_columns, &H = *H_columns;
  // Where joints that depend on others contradict them, nothing ends sooner than what leaves them out.
  const auto is_set = [](auto value) { return value != 0; };
  if (std::ranges::any_of(data.b, is_set) && std::ranges::any_of(dependent_columns(G), is_set)) return 0;
  const CscMatrix K = saddle_matrix(M, G, IndexVector(at(G.cols), 0));
  IndexVector component_of = components_of(M);
  const double partial = Census(M, component_of, side_by_side(G, H)).work(reuse);
  component_of = components_of(K);
  const double whole = Census(K, component_of, H).work(1);
  return whole / partial;
}

PartialCondensation::PartialCondensation(const GlobalContactData& data, double gain, ComponentFactor::Responses responses)
    : data_(data), gain_(gain), responses_(responses), C_(side_by_side(*ByColumns(data.G), *ByColumns(data.H))), q_(at(C_.cols)) {
  view_.M = &W_;
  view_.q = &q_;
  refactorise();
  refresh();
}

Inclusion PartialCondensation::determined() const {
  Inclusion view = view_;
  view.blocks.clear();
  for (const std::int32_t is_redundant : dependent_columns(*ByColumns(data_.G)))
    view.blocks.push_back(
        {is_redundant != 0 ? SetKind::box : SetKind::free_space, static_cast<std::int32_t>(view.blocks.size()), 1});
  const auto is_contact = [&](const SetBlock& block) { return block.start >= data_.bilateral_rows(); };
  std::ranges::copy_if(view_.blocks, std::back_inserter(view.blocks), is_contact);
  return view;
}

void PartialCondensation::refactorise() {
  const ByColumns columns(data_.M);
  const CscMatrix& M = *columns;
  if (factor_ == nullptr || !factor_->has_components_of(M))
    find_pattern(M);
  else
    factor_->factorise(M);
  form();
  refresh_free_motion();
}

// Nothing has changed if it throws.
void PartialCondensation::find_pattern(const CscMatrix& M) {
  auto factor = std::make_unique<ComponentFactor>(M, "M", &C_, responses_);
  if (factor->has_left_responses()) fail(NSM_TOO_LARGE, "W costs more than solves with the factors of M");
  const std::vector<IndexVector> columns_of = contacts_of_components(*factor, 1);
  const auto columns = static_cast<std::int32_t>(C_.cols);
  CscMatrix W{columns, columns, {0}, {}, {}};
  for (const IndexVector& rows : neighbours_of_contacts(columns_of, columns)) {
    W.row_index.insert(W.row_index.end(), rows.begin(), rows.end());
    W.col_start.push_back(checked_index(std::ssize(W.row_index), "W"));
  }
  W.values.assign(W.row_index.size(), 0.0);
  std::vector<IndexVector> bodies_of(at(data_.bilateral_rows()));  // of each row of G
  for (std::size_t body = 0; body < columns_of.size(); ++body)
    for (std::int32_t j : columns_of[body])
      if (j < data_.bilateral_rows()) bodies_of[at(j)].push_back(static_cast<std::int32_t>(body));
  IndexVector joint_start{0};
  for (std::int32_t j = 1; j <= std::ssize(bodies_of); ++j)
    if (j == std::ssize(bodies_of) || bodies_of[at(j)] != bodies_of[at(j) - 1] || j - joint_start.back() == largest_joint)
      joint_start.push_back(j);
  Matrix matrix(std::move(W), "W");
  factor_ = std::move(factor);
  joint_start_ = std::move(joint_start);
  W_ = std::move(matrix);
  ++patterns_;
}

void PartialCondensation::form() {
  const CscMatrix& W = *W_.csc();
  const std::span<double> values = W_.own_values();
  std::ranges::fill(values, 0.0);
  for (std::size_t body = 0; body < factor_->components(); ++body)
    factor_->for_each_response(body,
                               [&](std::int32_t i, std::int32_t j, double value) { values[at(place_of(W, i, j))] += value; });
}

void PartialCondensation::refresh_free_motion() {
  free_motion_.assign(data_.f.begin(), data_.f.end());
  factor_->solve(free_motion_);
}

void PartialCondensation::refresh() {
  std::copy(data_.w.begin(), data_.w.end(), std::copy(data_.b.begin(), data_.b.end(), q_.begin()));
  multiply_transposed_add(data_.G, 1.0, free_motion_, std::span(q_).first(at(data_.bilateral_rows())));
  multiply_transposed_add(data_.H, 1.0, free_motion_, std::span(q_).last(data_.w.size()));
  view_.scale = residual_scale(data_.w);
  view_.blocks.clear();
  for (std::size_t k = 0; k + 1 < joint_start_.size(); ++k)
    view_.blocks.push_back({SetKind::free_space, joint_start_[k], joint_start_[k + 1] - joint_start_[k]});
  append_contact_blocks(view_.blocks, static_cast<std::int32_t>(data_.bilateral_rows()), data_.dimension, data_.mu, data_.mu_r);
}

void PartialCondensation::shift(std::span<const double> dq) {
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += dq[i];
}

void PartialCondensation::lift(std::span<const double> local, std::span<double> z) {
  std::ranges::copy(data_.f, z.begin());
  move(local, z);
}

void PartialCondensation::lift_change(std::span<const double> change, std::span<double> dz) {
  std::fill_n(dz.begin(), data_.dynamics_rows(), 0.0);
  move(change, dz);
}

// z: in the forces, out all of it. All forces together, as in Condensation.
void PartialCondensation::move(std::span<const double> local, std::span<double> z) {
  const std::span<double> motion = z.first(at(data_.dynamics_rows()));
  multiply_add(data_.G, 1.0, local.first(at(data_.bilateral_rows())), motion);
  multiply_add(data_.H, 1.0, local.last(data_.w.size()), motion);
  factor_->solve(motion);
  std::copy(local.begin(), local.end(), z.begin() + data_.dynamics_rows());
}

void PartialCondensation::lift_change_transposed(std::span<const double> gz, std::span<double> gradient) {
  Vector motion(gz.begin(), gz.begin() + data_.dynamics_rows());
  factor_->solve(motion, true);
  std::copy(gz.begin() + data_.dynamics_rows(), gz.end(), gradient.begin());
  multiply_transposed_add(data_.G, 1.0, motion, gradient.first(at(data_.bilateral_rows())));
  multiply_transposed_add(data_.H, 1.0, motion, gradient.last(data_.w.size()));
}

}  // namespace nonsmooth
