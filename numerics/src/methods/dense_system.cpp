#include "methods/dense_system.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "linalg/lapack.hpp"
#include "problems/bounds.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

void DenseSystem::setup(const Inclusion& view, const char* method, std::int64_t largest_order) {
  view_ = &view;
  const bool on_polyhedron = view.blocks.size() == 1 && view.blocks[0].kind == SetKind::polyhedron;
  polyhedron_ = on_polyhedron ? view.blocks[0].polyhedron : nullptr;
  const std::int64_t multipliers = on_polyhedron ? polyhedron_->H.rows() : 0;
  const std::int64_t order = checked_add(view.size(), multipliers, "multipliers");
  refuse_beyond(largest_order, order, (std::string(method) + " factorises dense matrices").c_str());
  n_ = static_cast<int>(order);
  unknowns_ = static_cast<int>(view.size());
  for (Vector* v : {&q_, &lo_, &hi_}) v->resize(at(n_));
  load_sets();
  load_matrix();
  load_q();
}

void DenseSystem::update(Change change) {
  load_q();
  if (change != Change::right_hand_side) load_sets();
  if (change == Change::matrix) load_matrix();
}

void DenseSystem::load_sets() {
  if (polyhedron_ == nullptr) {
    blocks_ = view_->blocks;
  } else {
    const Polyhedron& set = *polyhedron_;
    blocks_.clear();
    for (int i = 0; i < unknowns_; ++i)
      blocks_.push_back(
          {SetKind::box, i, 1, set.lo.empty() ? -HUGE_VAL : set.lo[at(i)], set.hi.empty() ? HUGE_VAL : set.hi[at(i)]});
    for (int i = unknowns_; i < n_; ++i) blocks_.push_back({SetKind::orthant, i, 1});
  }
  has_bounds_ = has_bounds_only(blocks_);
  read_bounds(blocks_, lo_, hi_);
}

void DenseSystem::load_matrix() {
  const DenseMatrix* dense = view_->M->dense();
  if (dense != nullptr && polyhedron_ == nullptr) {
    values_ = dense->values.data();
    symmetric_ = nonsmooth::is_symmetric(*dense);
  } else {
    DenseMatrix own{n_, n_, std::move(own_)};
    own.values.assign(at(n_) * at(n_), 0.0);
    for_each_entry(*view_->M, [&](std::int64_t i, std::int64_t j, double a) { own.values[at(i + j * n_)] = a; });
    if (polyhedron_ != nullptr)
      for_each_entry(polyhedron_->H, [&](std::int64_t i, std::int64_t j, double h) {
        const std::int64_t l = unknowns_ + i;
        own.values[at(l + j * n_)] = h;
        own.values[at(j + l * n_)] = -h;
      });
    symmetric_ = nonsmooth::is_symmetric(own);
    own_ = std::move(own.values);
    values_ = own_.data();
  }
  largest_ = 0;
  for (std::size_t k = 0; k < at(n_) * at(n_); ++k) largest_ = std::max(largest_, std::abs(values_[k]));
  double sum = 0;
  for (int i = 0; i < n_; ++i) sum += std::abs(diagonal(i));
  mean_diagonal_ = sum > 0 ? sum / unknowns_ : 1.0;
}

void DenseSystem::load_q() {
  std::copy(view_->q->begin(), view_->q->end(), q_.begin());
  if (polyhedron_ != nullptr)
    std::transform(polyhedron_->k.begin(), polyhedron_->k.end(), q_.begin() + unknowns_, [](double k) { return -k; });
}

void DenseSystem::evaluate(std::span<const double> z, std::span<double> w) const {
  constexpr int one = 1;
  constexpr double unit = 1;
  std::copy(q_.begin(), q_.end(), w.begin());
  if (n_ > 0) dgemv_("N", &n_, &n_, &unit, values_, &n_, z.data(), &one, &unit, w.data(), &one);
}

void DenseSystem::gather(std::span<const int> indices, bool lower, double* target) const {
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

void BlockFactor::resize(int n) {
  values_.resize(at(checked_mul(n, n, "factor")));
  pivot_.resize(at(n));
}

bool BlockFactor::factorise(const DenseSystem& system, std::span<const int> indices, std::span<const double> added) {
  order_ = static_cast<int>(indices.size());
  cholesky_ = system.is_symmetric();
  if (order_ == 0) return true;
  system.gather(indices, cholesky_, values_.data());
  for (std::size_t c = 0; c < indices.size(); ++c) values_[c * (indices.size() + 1)] += added[c];
  int info = 0;
  if (cholesky_)
    dpotrf_("L", &order_, values_.data(), &order_, &info);
  else
    dgetrf_(&order_, &order_, values_.data(), &order_, pivot_.data(), &info);
  return info == 0 && std::isfinite(values_[0]);
}

void BlockFactor::solve(double* x) const {
  constexpr int one = 1;
  int info = 0;
  if (order_ == 0) return;
  if (cholesky_)
    dpotrs_("L", &order_, &one, values_.data(), &order_, x, &order_, &info);
  else
    dgetrs_("N", &order_, &one, values_.data(), &order_, pivot_.data(), x, &order_, &info);
}

}  // namespace nonsmooth
