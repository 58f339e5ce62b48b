#include "problems/condensation.hpp"

#include <algorithm>

#include "problems/friction.hpp"

namespace nonsmooth {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

CscMatrix saddle_matrix(const GlobalContactData& data) {
  if (data.G.empty()) return to_csc(data.M);
  const std::int64_t n = data.dynamics_rows(), order = data.contact_start();
  IndexVector row, col;
  Vector value;
  auto append = [&](std::int64_t i, std::int64_t j, double x) {
    row.push_back(static_cast<std::int32_t>(i));
    col.push_back(static_cast<std::int32_t>(j));
    value.push_back(x);
  };
  for_each_entry(data.M, [&](std::int64_t i, std::int64_t j, double x) { append(i, j, x); });
  for_each_entry(data.G, [&](std::int64_t i, std::int64_t j, double x) {
    append(i, n + j, -x);
    append(n + j, i, x);
  });
  return to_csc(Matrix::from_triplets(order, order, row, col, value, "M with G"));
}

}  // namespace

Condensation::Condensation(const GlobalContactData& data) : data_(data), q_(data.w.size()) {
  view_.M = BorrowedMatrix(*this);
  view_.q = &q_;
  refactorise();
  refresh();
}

void Condensation::refactorise() {
  const GlobalContactData& data = data_;
  const CscMatrix K = saddle_matrix(data), H = to_csc(data.H);
  factor_ = std::make_unique<ComponentFactor>(K, data.G.empty() ? "M" : "[M -G; G' 0]");
  free_motion_.assign(data.f.begin(), data.f.end());
  for (double b : data.b) free_motion_.push_back(-b);
  factor_->solve(free_motion_);
  const bool small = DelassusOperator::treats(*factor_, H, data.dimension);
  if (small) bodies_.assemble(K, *factor_, H, data.dimension);
  view_.bodies = small ? &bodies_ : nullptr;
  if (formed_ || !small) form_matrix();
}

const Matrix& Condensation::matrix() {
  if (!formed_) form_matrix();
  return W_;
}

void Condensation::form_matrix() {
  W_ = Matrix(view_.bodies != nullptr ? bodies_.form() : from_components(to_csc(data_.H)), "W");
  formed_ = true;
}

BlockCsrMatrix Condensation::from_components(const CscMatrix& H) {
  const std::int32_t d = data_.dimension;
  const auto contacts_of = contacts_of_components(*factor_, H, d);
  BlockCsrMatrix W = coupled_blocks(contacts_of, static_cast<std::int32_t>(data_.contacts()), d);
  Vector column;
  for (std::size_t c = 0; c < factor_->components(); ++c) {
    column.resize(factor_->rows(c).size());
    for (std::int32_t b : contacts_of[c])
      for (std::int32_t j = b * d; j < (b + 1) * d; ++j) {
        // x = K_c^-1 (column j of H on the rows of the component).
        std::fill(column.begin(), column.end(), 0.0);
        for (std::int32_t k = H.col_start[at(j)]; k < H.col_start[at(j + 1)]; ++k)
          if (factor_->component_of(H.row_index[at(k)]) == static_cast<std::int32_t>(c))
            column[at(factor_->position_in_component(H.row_index[at(k)]))] = H.values[at(k)];
        factor_->solve_component(c, column);
        for (std::int32_t a : contacts_of[c]) {
          const auto begin = W.block_col.begin() + W.row_start[at(a)], end = W.block_col.begin() + W.row_start[at(a + 1)];
          double* block = W.values.data() + (std::lower_bound(begin, end, b) - W.block_col.begin()) * d * d;
          for (std::int32_t i = a * d; i < (a + 1) * d; ++i) {
            double sum = 0;
            for (std::int32_t k = H.col_start[at(i)]; k < H.col_start[at(i + 1)]; ++k)
              if (factor_->component_of(H.row_index[at(k)]) == static_cast<std::int32_t>(c))
                sum += H.values[at(k)] * column[at(factor_->position_in_component(H.row_index[at(k)]))];
            block[(j - b * d) * d + (i - a * d)] += sum;
          }
        }
      }
  }
  return W;
}

void Condensation::refresh() {
  std::copy(data_.w.begin(), data_.w.end(), q_.begin());
  multiply_transposed_add(data_.H, 1.0, std::span<const double>(free_motion_).first(at(data_.dynamics_rows())), q_);
  view_.scale = residual_scale(data_.w);
  view_.blocks.clear();
  append_contact_blocks(view_.blocks, 0, data_.dimension, data_.mu, data_.mu_r);
}

void Condensation::lift(std::span<const double> r, std::span<double> z) {
  lift_change(r, z);
  for (std::size_t i = 0; i < free_motion_.size(); ++i) z[i] += free_motion_[i];
}

void Condensation::lift_change(std::span<const double> dr, std::span<double> dz) {
  const std::span<double> motion = dz.first(at(data_.contact_start()));
  std::fill(motion.begin(), motion.end(), 0.0);
  multiply_add(data_.H, 1.0, dr, motion.first(at(data_.dynamics_rows())));
  factor_->solve(motion);
  std::copy(dr.begin(), dr.end(), dz.begin() + data_.contact_start());
}

void Condensation::lift_change_transposed(std::span<const double> gz, std::span<double> gr) {
  const auto motion_end = gz.begin() + data_.contact_start();
  Vector motion(gz.begin(), motion_end);
  factor_->solve(motion, true);
  std::copy(motion_end, gz.end(), gr.begin());
  multiply_transposed_add(data_.H, 1.0, std::span<const double>(motion).first(at(data_.dynamics_rows())), gr);
}

}  // namespace nonsmooth
