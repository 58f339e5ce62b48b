#include "problems/condensation.hpp"

#include <algorithm>

#include "linalg/dependent_columns.hpp"
#include "problems/friction.hpp"

namespace nonsmooth {
namespace {

constexpr std::int64_t largest_formed_order = 32;  // W of so few contacts is formed in less time than its operator

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// A by columns, in `copy` where it is stored otherwise.
const CscMatrix& columns_of(const Matrix& A, CscMatrix& copy) {
  if (const CscMatrix* csc = A.csc()) return *csc;
  return copy = to_csc(A);
}

// K. A constraint that depends on others holds by them: its multiplier is 0, its row and its column are those of the identity.
CscMatrix saddle_matrix(const GlobalContactData& data, const IndexVector& is_redundant) {
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
    if (is_redundant[at(j)] != 0) return;
    append(i, n + j, -x);
    append(n + j, i, x);
  });
  for (std::int64_t j = 0; j < data.bilateral_rows(); ++j)
    if (is_redundant[at(j)] != 0) append(n + j, n + j, 1.0);
  return to_csc(Matrix::from_triplets(order, order, row, col, value, "M with G"));
}

}  // namespace

Condensation::Condensation(const GlobalContactData& data) : data_(data), q_(data.w.size()) {
  view_.M = BorrowedMatrix(*this);
  view_.q = &q_;
  CscMatrix copy;
  if (!data.G.empty()) is_redundant_ = dependent_columns(columns_of(data.G, copy));
  refactorise();
  refresh();
}

void Condensation::refactorise() {
  const GlobalContactData& data = data_;
  CscMatrix K_copy, H_copy;
  const CscMatrix& K = data.G.empty() ? columns_of(data.M, K_copy) : (K_copy = saddle_matrix(data, is_redundant_));
  const CscMatrix& H = columns_of(data.H, H_copy);
  factor_ = std::make_unique<ComponentFactor>(K, data.G.empty() ? "M" : "[M -G; G' 0]");
  free_motion_.assign(data.f.begin(), data.f.end());
  for (std::size_t j = 0; j < data.b.size(); ++j) free_motion_.push_back(is_redundant_[j] != 0 ? 0.0 : -data.b[j]);
  factor_->solve(free_motion_);
  const auto contacts_of = contacts_of_components(*factor_, H, data.dimension);
  const bool has_bodies = H.cols > largest_formed_order && DelassusOperator::treats(*factor_, contacts_of);
  if (has_bodies) bodies_.assemble(K, *factor_, contacts_of, H, data.dimension);
  view_.bodies = has_bodies ? &bodies_ : nullptr;
  formed_ = formed_ || !has_bodies;
  if (formed_) W_ = Matrix(has_bodies ? bodies_.form() : from_components(H, contacts_of), "W");
}

const Matrix& Condensation::matrix() {
  if (!formed_) W_ = Matrix(bodies_.form(), "W");
  formed_ = true;
  return W_;
}

BlockCsrMatrix Condensation::from_components(const CscMatrix& H, const std::vector<IndexVector>& contacts_of) {
  const auto d = at(data_.dimension);
  BlockCsrMatrix W = coupled_blocks(contacts_of, static_cast<std::int32_t>(data_.contacts()), data_.dimension);
  CscMatrix own;  // the rows of a component, and the columns of its contacts
  Vector X;       // K^-1 H of some columns, row by row
  for (std::size_t c = 0; c < factor_->components(); ++c) {
    const IndexVector& contacts = contacts_of[c];
    take_component(H, c, contacts, own);
    const auto together = at(factor_->solved_together(c)), columns = contacts.size() * d;
    for (std::size_t first = 0; first < columns; first += together) {
      const std::size_t last = std::min(first + together, columns);
      X.assign(factor_->rows(c).size() * together, 0.0);
      for (std::size_t j = first; j < last; ++j)
        for (std::int32_t k = own.col_start[j]; k < own.col_start[j + 1]; ++k)
          X[at(own.row_index[at(k)]) * together + j - first] = own.values[at(k)];
      factor_->solve_together(c, X);
      for (std::size_t a = 0; a < contacts.size(); ++a) {
        std::int64_t place = W.row_start[at(contacts[a])];  // of the block of the column at hand
        for (std::size_t j = first; j < last; ++j) {
          while (W.block_col[at(place)] != contacts[j / d]) ++place;
          double* block = W.values.data() + at(place) * d * d + j % d * d;
          for (std::size_t i = 0; i < d; ++i) {
            double sum = 0;
            for (std::int32_t k = own.col_start[a * d + i]; k < own.col_start[a * d + i + 1]; ++k)
              sum += own.values[at(k)] * X[at(own.row_index[at(k)]) * together + j - first];
            block[i] += sum;
          }
        }
      }
    }
  }
  return W;
}

void Condensation::take_component(const CscMatrix& H, std::size_t component, const IndexVector& contacts, CscMatrix& own) const {
  own.col_start.assign(1, 0);
  own.row_index.clear();
  own.values.clear();
  for (const std::int32_t contact : contacts)
    for (std::int64_t j = contact * data_.dimension; j < (contact + 1) * data_.dimension; ++j) {
      for (std::int32_t k = H.col_start[at(j)]; k < H.col_start[at(j + 1)]; ++k) {
        const std::int32_t row = H.row_index[at(k)];
        if (at(factor_->component_of(row)) != component) continue;
        own.row_index.push_back(factor_->position_in_component(row));
        own.values.push_back(H.values[at(k)]);
      }
      own.col_start.push_back(static_cast<std::int32_t>(own.row_index.size()));
    }
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
