#include "methods/pivoting/box_expansion.hpp"

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth {

std::int64_t BoxExpansion::order_of(const Inclusion& view) {
  return view.size() + std::ranges::count_if(view.blocks, [](const SetBlock& block) {
           return block.kind == SetKind::box && std::isfinite(block.a) && std::isfinite(block.b);
         });
}

void BoxExpansion::setup(const Inclusion& view) {
  view_ = &view;
  identity_ =
      std::none_of(view.blocks.begin(), view.blocks.end(), [](const SetBlock& block) { return block.kind == SetKind::box; });
  if (identity_) return;
  for (Vector* v : {&lo_, &hi_, &origin_, &sign_}) v->resize(at(view.size()));
  read_bounds(view.blocks, lo_, hi_);
  two_sided_.clear();
  for (std::size_t i = 0; i < lo_.size(); ++i)
    if (std::isfinite(lo_[i]) && std::isfinite(hi_[i])) two_sided_.push_back(static_cast<std::int32_t>(i));
  const std::int64_t n = order_of(view);
  M_ = Matrix(DenseMatrix{n, n, Vector(at(n) * at(n), 0.0)}, "expanded M");
  q_.resize(at(n));
  expanded_ = {&M_, &q_, {}, view.scale};
  for (std::int64_t i = 0; i < n; ++i) {
    const bool free = i < view.size() && !std::isfinite(lo_[at(i)]) && !std::isfinite(hi_[at(i)]);
    expanded_.blocks.push_back({free ? SetKind::free_space : SetKind::orthant, static_cast<std::int32_t>(i), 1, 0, 0, nullptr});
  }
}

// Which bounds are finite is part of the structure and does not change.
void BoxExpansion::load() {
  if (identity_) return;
  read_bounds(view_->blocks, lo_, hi_);
  const std::size_t m = lo_.size(), n = q_.size();
  for (std::size_t i = 0; i < m; ++i) {
    const bool from_above = !std::isfinite(lo_[i]) && std::isfinite(hi_[i]);
    sign_[i] = from_above ? -1 : 1;
    origin_[i] = from_above ? hi_[i] : std::isfinite(lo_[i]) ? lo_[i] : 0;
    q_[i] = (*view_->q)[i];
  }
  multiply_add(*view_->M, 1.0, origin_, std::span(q_).first(m));
  for (std::size_t i = 0; i < m; ++i) q_[i] *= sign_[i];
  const std::span<double> values = M_.own_values();
  for_each_entry(*view_->M,
                 [&](std::int64_t i, std::int64_t j, double a) { values[at(i) + at(j) * n] = sign_[at(i)] * a * sign_[at(j)]; });
  for (std::size_t k = 0; k < two_sided_.size(); ++k) {
    const std::size_t i = at(two_sided_[k]), l = m + k;
    values[i + l * n] = 1;
    values[l + i * n] = -1;
    q_[l] = hi_[i] - lo_[i];
  }
}

void BoxExpansion::to_original(std::span<const double> x, std::span<double> z) const {
  if (identity_) {
    std::copy(x.begin(), x.end(), z.begin());
    return;
  }
  for (std::size_t i = 0; i < z.size(); ++i) z[i] = std::clamp(origin_[i] + sign_[i] * x[i], lo_[i], hi_[i]);
}

}  // namespace nonsmooth
