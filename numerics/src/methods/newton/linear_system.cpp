#include "methods/newton/linear_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "linalg/symmetry.hpp"
#include "methods/frame/equilibration.hpp"
#include "problems/bounds.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

bool has_sparse_system(const Inclusion& view) {
  if (view.M->dense() != nullptr) return false;
  std::int64_t entries = 0;
  for_each_entry_with_multipliers(view, [&](std::int64_t, std::int64_t, double a) { entries += a != 0 ? 1 : 0; });
  return is_sparse(Equilibration::order_of(view), entries);
}

void LinearSystem::setup(const Inclusion& view, const char* method, std::int64_t largest_dense_order) {
  view_ = &view;
  method_ = method;
  largest_dense_order_ = largest_dense_order;
  polyhedron_ = polyhedron_of(view);
  n_ = checked_index(Equilibration::order_of(view), "unknowns and multipliers");
  unknowns_ = static_cast<int>(view.size());
  for (Vector* v : {&q_, &lo_, &hi_}) v->resize(at(n_));
  load_sets();
  load_matrix();
  load_q();
}

void LinearSystem::update(Change change) {
  load_q();
  if (change != Change::right_hand_side) load_sets();
  if (change == Change::matrix) load_matrix();
}

void LinearSystem::load_sets() {
  if (polyhedron_ == nullptr) {
    blocks_ = view_->blocks;
  } else {
    blocks_.clear();
    for (int i = 0; i < unknowns_; ++i)
      blocks_.push_back({SetKind::box, i, 1, polyhedron_->low(at(i)), polyhedron_->high(at(i))});
    for (int i = unknowns_; i < n_; ++i) blocks_.push_back({SetKind::orthant, i, 1});
  }
  has_bounds_ = has_bounds_only(blocks_);
  read_bounds(blocks_, lo_, hi_);
}

void LinearSystem::load_matrix() {
  if (has_sparse_system(*view_)) {
    load_sparse();
  } else {
    if (n_ > largest_dense_order_)
      refuse_beyond(largest_dense_order_, n_, (std::string(method_) + " factorises dense matrices").c_str());
    load_dense();
  }
  measure();
}

void LinearSystem::load_dense() {
  sparse_ = {};
  const DenseMatrix* dense = view_->M->dense();
  if (dense != nullptr && polyhedron_ == nullptr) {
    values_ = dense->values.data();
    symmetric_ = nonsmooth::is_symmetric(*dense);
    return;
  }
  DenseMatrix own{n_, n_, std::move(own_)};
  own.values.assign(at(n_) * at(n_), 0.0);
  for_each_entry_with_multipliers(*view_, [&](std::int64_t i, std::int64_t j, double a) { own.values[at(i + j * n_)] = a; });
  symmetric_ = nonsmooth::is_symmetric(own);
  own_ = std::move(own.values);
  values_ = own_.data();
}

void LinearSystem::load_sparse() {
  if (!update_sparse()) build_sparse();
  symmetric_ = nonsmooth::is_symmetric(sparse_);
}

// Without allocating. false if there is none, or if an entry has no place in it.
bool LinearSystem::update_sparse() {
  if (sparse() == nullptr) return false;
  const std::span<double> values = sparse_.own_values();
  const CscMatrix& A = *sparse();
  std::fill(values.begin(), values.end(), 0.0);
  bool has_places = true;
  for_each_entry_with_multipliers(*view_, [&](std::int64_t i, std::int64_t j, double a) {
    if (a == 0) return;
    const std::int64_t place = place_of(A, i, j);
    if (place < 0)
      has_places = false;
    else
      values[at(place)] = a;
  });
  return has_places;
}

void LinearSystem::build_sparse() {
  IndexVector row, column;
  Vector value;
  for_each_entry_with_multipliers(*view_, [&](std::int64_t i, std::int64_t j, double a) {
    if (a == 0) return;
    row.push_back(static_cast<std::int32_t>(i));
    column.push_back(static_cast<std::int32_t>(j));
    value.push_back(a);
  });
  sparse_ = with_full_diagonal(to_csc(Matrix::from_triplets(n_, n_, row, column, value, "M")));
}

void LinearSystem::measure() {
  const std::span<const double> values = sparse() != nullptr ? std::span(sparse()->values) : std::span(values_, at(n_) * at(n_));
  largest_ = 0;
  for (const double a : values) largest_ = std::max(largest_, std::abs(a));
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += std::abs(sparse() != nullptr ? value_at(*sparse(), i, i) : column(i)[i]);
  mean_diagonal_ = sum > 0 ? sum / unknowns_ : 1.0;
}

void LinearSystem::load_q() {
  std::copy(view_->q->begin(), view_->q->end(), q_.begin());
  if (polyhedron_ != nullptr)
    std::transform(polyhedron_->k.begin(), polyhedron_->k.end(), q_.begin() + unknowns_, [](double k) { return -k; });
}

void LinearSystem::evaluate(std::span<const double> z, std::span<double> w) const {
  constexpr int one = 1;
  constexpr double unit = 1;
  std::copy(q_.begin(), q_.end(), w.begin());
  if (sparse() != nullptr)
    multiply_add(sparse_, 1.0, z, w);
  else if (n_ > 0)
    dgemv_("N", &n_, &n_, &unit, values_, &n_, z.data(), &one, &unit, w.data(), &one);
}

void LinearSystem::gather(std::span<const int> indices, bool lower, double* target) const {
  const std::size_t k = indices.size();
  const bool all = k == at(n_);
  for (std::size_t c = 0; c < k; ++c, target += k) {
    const double* source = column(indices[c]);
    const std::size_t first = lower ? c : 0;
    if (all)
      std::copy(source + first, source + k, target + first);
    else
      for (std::size_t r = first; r < k; ++r) target[r] = source[indices[r]];
  }
}

}  // namespace nonsmooth
