#include "methods/sensitivity.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t largest_dense_order = 300;  // of a block of a matrix that is not dense itself
// Of the largest |z|, of the largest |w| or |q|: what is smaller may be 0 as well.
constexpr double strictness = 1e-7;

double largest(std::span<const double> x) {
  double value = 0;
  for (double entry : x) value = std::max(value, std::abs(entry));
  return value;
}

}  // namespace

Sensitivity::Sensitivity(const Inclusion& view, std::span<const double> z, std::span<const double> w) {
  if (!has_bounds_only(view))
    fail(NSM_UNSUPPORTED, "sensitivities are defined for affine problems over orthants, boxes and free rows");
  choose_basis(view, z, w);
  x_.resize(basic_.size());
  workspace_.resize(basic_.size());
  if (!factorise(*view.M))
    fail(NSM_NOT_AVAILABLE, "the block of the %lld rows with z inside its bounds is singular: z is not locally unique",
         static_cast<long long>(basic_.size()));
}

void Sensitivity::choose_basis(const Inclusion& view, std::span<const double> z, std::span<const double> w) {
  Vector lo(z.size()), hi(z.size());
  read_bounds(view.blocks, lo, hi);
  const double z_zero = strictness * largest(z), w_zero = strictness * std::max(largest(w), largest(*view.q));
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (lo[i] == hi[i]) continue;
    const bool inside = z[i] - lo[i] > z_zero && hi[i] - z[i] > z_zero;
    if (inside)
      basic_.push_back(static_cast<std::int32_t>(i));
    else if (std::abs(w[i]) <= w_zero)
      fail(NSM_NOT_AVAILABLE, "row %zu is degenerate: z = %g is at a bound and w = %g is zero", i, z[i], w[i]);
  }
}

bool Sensitivity::factorise(const Matrix& M) {
  const std::size_t k = basic_.size();
  IndexVector place(static_cast<std::size_t>(M.rows()), -1);
  for (std::size_t c = 0; c < k; ++c) place[static_cast<std::size_t>(basic_[c])] = static_cast<std::int32_t>(c);
  const auto for_each_basic = [&](auto&& visit) {
    for_each_entry(M, [&](std::int64_t i, std::int64_t j, double a) {
      const std::int32_t r = place[static_cast<std::size_t>(i)], c = place[static_cast<std::size_t>(j)];
      if (r >= 0 && c >= 0) visit(r, c, a);
    });
  };
  is_dense_ = M.dense() != nullptr || k <= largest_dense_order;
  if (is_dense_) {
    dense_.resize(static_cast<int>(k));
    std::fill(dense_.matrix().begin(), dense_.matrix().end(), 0.0);
    for_each_basic([&](std::int32_t r, std::int32_t c, double a) {
      dense_.matrix()[static_cast<std::size_t>(r) + static_cast<std::size_t>(c) * k] = a;
    });
    return dense_.factorise(static_cast<int>(k));
  }
  IndexVector row, col;
  Vector value;
  for_each_basic([&](std::int32_t r, std::int32_t c, double a) {
    row.push_back(r);
    col.push_back(c);
    value.push_back(a);
  });
  const auto order = static_cast<std::int64_t>(k);
  return sparse_.factorise(to_csc(Matrix::from_triplets(order, order, row, col, value, "active block")));
}

void Sensitivity::apply(std::span<const double> dq, std::span<double> dz, bool transposed) {
  for (std::size_t c = 0; c < basic_.size(); ++c) x_[c] = -dq[static_cast<std::size_t>(basic_[c])];
  if (is_dense_)
    transposed ? dense_.solve_transposed(x_.data()) : dense_.solve(x_.data());
  else
    transposed ? sparse_.solve_transposed(x_, workspace_) : sparse_.solve(x_, workspace_);
  std::fill(dz.begin(), dz.end(), 0.0);
  for (std::size_t c = 0; c < basic_.size(); ++c) dz[static_cast<std::size_t>(basic_[c])] = x_[c];
}

}  // namespace nonsmooth
