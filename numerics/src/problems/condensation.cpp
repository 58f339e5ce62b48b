#include "problems/condensation.hpp"

#include <algorithm>
#include <numeric>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/column_elimination.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {
namespace {

constexpr double most_rigid = 0.1;     // share of contacts of rigid bodies alone beside an operator of elastic ones
constexpr double most_formed = 1.2e8;  // entries of W, a gigabyte: beyond them an operator has no rival

// Whether bodies that touch those whose responses are left touch others too.
bool are_coupled(const ComponentFactor& factor, const std::vector<char>& is_left) {
  for (std::size_t c = 0; c < factor.components(); ++c) {
    const auto left = std::ranges::count_if(factor.columns(c), [&](std::int32_t j) { return is_left[at(j)] != 0; });
    if (left > 0 && left < std::ssize(factor.columns(c))) return true;
  }
  return false;
}

}  // namespace

CscMatrix saddle_matrix(const CscMatrix& M, const CscMatrix& G, const IndexVector& is_redundant) {
  const std::int64_t n = M.cols, order = n + G.cols;
  CscMatrix K{order, order, IndexVector(at(order + 1), 0), {}, {}};
  const auto for_each_of_G = [&](auto&& visit) {
    for (std::int64_t j = 0; j < G.cols; ++j)
      for (std::int32_t k = G.col_start[at(j)]; k < G.col_start[at(j + 1)] && is_redundant[at(j)] == 0; ++k)
        visit(G.row_index[at(k)], j, G.values[at(k)]);
  };
  for (std::int64_t j = 0; j < n; ++j) K.col_start[at(j + 1)] = M.col_start[at(j + 1)] - M.col_start[at(j)];
  for_each_of_G([&](std::int32_t i, std::int64_t j, double) { ++K.col_start[at(i + 1)], ++K.col_start[at(n + j + 1)]; });
  for (std::int64_t j = 0; j < G.cols; ++j) K.col_start[at(n + j + 1)] += is_redundant[at(j)] != 0 ? 1 : 0;
  checked_index(std::int64_t{M.col_start.back()} + 2 * std::int64_t{G.col_start.back()} + G.cols, "M with G");
  std::partial_sum(K.col_start.begin(), K.col_start.end(), K.col_start.begin());
  K.row_index.resize(at(K.col_start.back()));
  K.values.resize(K.row_index.size());
  IndexVector next(K.col_start.begin(), K.col_start.end() - 1);
  const auto append = [&](std::int64_t i, std::int64_t j, double x) {
    const auto k = at(next[at(j)]++);
    K.row_index[k] = static_cast<std::int32_t>(i);
    K.values[k] = x;
  };
  for (std::int64_t j = 0; j < n; ++j)
    for (std::int32_t k = M.col_start[at(j)]; k < M.col_start[at(j + 1)]; ++k) append(M.row_index[at(k)], j, M.values[at(k)]);
  for_each_of_G([&](std::int32_t i, std::int64_t j, double x) {
    append(i, n + j, -x);
    append(n + j, i, x);
  });
  for (std::int64_t j = 0; j < G.cols; ++j)
    if (is_redundant[at(j)] != 0) append(n + j, n + j, 1.0);
  return K;
}

Condensation::Condensation(const GlobalContactData& data) : data_(data), q_(data.w.size()) {
  view_.M = BorrowedMatrix(*this);
  view_.q = &q_;
  if (data.H.csc() == nullptr) H_copy_ = to_csc(data.H);
  if (!data.G.empty()) is_redundant_ = dependent_columns(*ByColumns(data.G));
  refactorise();
  refresh();
}

void Condensation::refactorise() {
  const ByColumns M(data_.M);
  const CscMatrix& K = read_K(*M);
  if (factor_ == nullptr || (data_.M.dense() != nullptr && !factor_->has_components_of(K))) {
    find_pattern(K);
  } else {
    factor_->factorise(K);
    const bool was_elastic = view_.elastic != nullptr;
    find_elastic();
    if ((view_.elastic != nullptr) != was_elastic) ++patterns_;
    if (view_.bodies != nullptr) update_bodies(K);
  }
  refresh_free_motion();
  if (formed_) form();
}

void Condensation::refresh_free_motion() {
  free_motion_.resize(at(data_.contact_start()));
  put_forces(free_motion_);
  factor_->solve(free_motion_);
}

// [f; -b].
void Condensation::put_forces(std::span<double> right_hand_side) const {
  const auto b = std::copy(data_.f.begin(), data_.f.end(), right_hand_side.begin());
  std::transform(data_.b.begin(), data_.b.end(), is_redundant_.begin(), b,
                 [](double value, std::int32_t is_redundant) { return is_redundant != 0 ? 0.0 : -value; });
}

// Only a dense M can change its pattern; otherwise its values are all that K takes anew.
const CscMatrix& Condensation::read_K(const CscMatrix& M) {
  if (data_.G.empty()) return M;
  if (factor_ == nullptr || data_.M.dense() != nullptr) return K_ = saddle_matrix(M, *ByColumns(data_.G), is_redundant_);
  for (std::int64_t j = 0; j < M.cols; ++j)
    std::copy(M.values.begin() + M.col_start[at(j)], M.values.begin() + M.col_start[at(j + 1)],
              K_.values.begin() + K_.col_start[at(j)]);
  return K_;
}

// W is left where no more than a few contacts are of rigid bodies alone, and these stand apart: others, as those of a heap on a
// sheet, are better swept, by their rows of W.
std::unique_ptr<ComponentFactor> Condensation::factorise_components(const CscMatrix& K) {
  const char* what = data_.G.empty() ? "M" : "[M -G; G' 0]";
  if (data_.M.csc() != nullptr && data_.G.empty()) {
    auto factor = std::make_unique<ComponentFactor>(K, what, &H(), ComponentFactor::Responses::may_be_left);
    if (!factor->has_left_responses()) return factor;
    const std::vector<char> is_left = factor->left_columns();
    const auto columns = static_cast<double>(is_left.size()), left = static_cast<double>(std::ranges::count(is_left, 1));
    const bool are_few = columns - left <= most_rigid * columns && !are_coupled(*factor, is_left);
    if (factor->is_sparse_definite() && (are_few || left * left > most_formed)) return factor;
  }
  return std::make_unique<ComponentFactor>(K, what, &H());
}

// Nothing has changed if it throws.
void Condensation::find_pattern(const CscMatrix& K) {
  const std::int32_t d = data_.dimension;
  auto factor = factorise_components(K);
  const auto contacts_of = contacts_of_components(*factor, d);
  const bool has_bodies = H().cols > DelassusOperator::largest_formed_order && DelassusOperator::treats(*factor, contacts_of);
  DelassusOperator bodies;
  if (has_bodies) bodies.assemble(K, *factor, contacts_of, H(), d);
  const bool is_applied = !has_bodies && factor->has_left_responses();
  Matrix W;
  if (!has_bodies && !is_applied) W = Matrix(coupled_blocks(contacts_of, static_cast<std::int32_t>(data_.contacts()), d), "W");
  factor_ = std::move(factor);
  bodies_ = std::move(bodies);
  W_ = std::move(W);
  formed_ = !has_bodies && !is_applied;
  view_.bodies = has_bodies ? &bodies_ : nullptr;
  find_elastic();
  ++patterns_;
}

// New values may turn out indefinite.
void Condensation::find_elastic() {
  const bool is_elastic = data_.M.csc() != nullptr && data_.G.empty() && factor_->is_sparse_definite();
  if (is_elastic) elastic_ = {data_.M.csc(), &H(), data_.dimension, factor_->sparse_work(), nullptr};
  view_.elastic = is_elastic ? &elastic_ : nullptr;
  if (!is_elastic || view_.bodies != nullptr || !factor_->has_left_responses()) return;
  compliance_.setup(*data_.M.csc(), H(), data_.dimension, *factor_);
  elastic_.applied = &compliance_;
}

// Those that are symmetric cost half: methods choose by that.
void Condensation::update_bodies(const CscMatrix& K) {
  const bool was_symmetric = bodies_.is_symmetric();
  bodies_.update(K, H());
  if (bodies_.is_symmetric() != was_symmetric) ++patterns_;
}

const Matrix& Condensation::matrix() {
  if (formed_) return W_;
  if (view_.bodies != nullptr) {
    W_ = Matrix(bodies_.form(), "W");
  } else {
    const auto contacts_of = contacts_of_components(*factor_, data_.dimension);
    W_ = Matrix(coupled_blocks(contacts_of, static_cast<std::int32_t>(data_.contacts()), data_.dimension), "W");
    form();
  }
  formed_ = true;
  return W_;
}

// The values of W, whose pattern is known.
void Condensation::form() {
  const std::span<double> values = W_.own_values();
  const BlockCsrMatrix& W = *W_.block_csr();
  if (view_.bodies != nullptr) return bodies_.form_values(W, data_.dimension, values);
  if (!factor_->has_left_responses()) return from_components(*factor_, W, values);
  ComponentFactor prepared(*data_.M.csc(), "M", &H());  // costs less than a solve for each of them
  from_components(prepared, W, values);
}

void Condensation::from_components(ComponentFactor& factor, const BlockCsrMatrix& W, std::span<double> values) {
  const std::int32_t d = data_.dimension;
  std::vector<std::int64_t> place(at(data_.contacts()));  // in each row, of the block of the column at hand
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t c = 0; c < factor.components(); ++c) {
    for (const std::int32_t i : factor.columns(c)) place[at(i / d)] = W.row_start[at(i / d)];
    factor.for_each_response(c, [&](std::int32_t i, std::int32_t j, double value) {
      std::int64_t& block = place[at(i / d)];
      while (W.block_col[at(block)] != j / d) ++block;
      values[at((block * d + j % d) * d + i % d)] += value;
    });
  }
}

void Condensation::refresh() {
  std::copy(data_.w.begin(), data_.w.end(), q_.begin());
  multiply_transposed_add(data_.H, 1.0, std::span<const double>(free_motion_).first(at(data_.dynamics_rows())), q_);
  view_.scale = residual_scale(data_.w);
  view_.blocks.clear();
  append_contact_blocks(view_.blocks, 0, data_.dimension, data_.mu, data_.mu_r);
}

void Condensation::shift(std::span<const double> dq) {
  for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += dq[i];
}

// Of all forces together: a body that rests on its contacts moves by what they leave of the others.
void Condensation::lift(std::span<const double> r, std::span<double> z) {
  put_forces(z);
  move(r, z);
}

void Condensation::lift_change(std::span<const double> dr, std::span<double> dz) {
  std::fill_n(dz.begin(), data_.contact_start(), 0.0);
  move(dr, dz);
}

// z: in [f; -b], out (v, l, r).
void Condensation::move(std::span<const double> r, std::span<double> z) {
  const std::span<double> motion = z.first(at(data_.contact_start()));
  multiply_add(data_.H, 1.0, r, motion.first(at(data_.dynamics_rows())));
  factor_->solve(motion);
  std::copy(r.begin(), r.end(), z.begin() + data_.contact_start());
}

void Condensation::lift_change_transposed(std::span<const double> gz, std::span<double> gr) {
  const auto motion_end = gz.begin() + data_.contact_start();
  Vector motion(gz.begin(), motion_end);
  factor_->solve(motion, true);
  std::copy(motion_end, gz.end(), gr.begin());
  multiply_transposed_add(data_.H, 1.0, std::span<const double>(motion).first(at(data_.dynamics_rows())), gr);
}

}  // namespace nonsmooth
