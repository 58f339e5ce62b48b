// K = diag(L_b) W + diag(R_b), W = F' inv(A) E, by a matrix of the order of A (Woodbury 1950): with the conditions of all
// contacts b
//   S = A + sum of E_b R_b^-1 L_b F_b',   S y = E R^-1 c,   x = R^-1 (c - L F'y)   for   K x = c.
// R_b that are singular to rounding, as those of interior points near a solution, are made regular by some more of their own
// size than rounding has of it; what is lost by that, and where they are small, is for steps of refinement to recover.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/index.hpp"
#include "linalg/small_lu.hpp"
#include "methods/newton/newton_blocks.hpp"

namespace nonsmooth {

// D: rows of every block, or 0.
class WoodburyBlocks {
 public:
  WoodburyBlocks(std::int32_t dimension, std::int32_t contacts)
      : d_(dimension), contacts_(contacts), inverse_(entries(contacts)), condition_(entries(contacts)) {}

  // Before S is put together. false if R_b with `shift` times the scale of the block is singular.
  template <int D>
  bool invert(const NewtonBlocks& blocks, std::int32_t contact, double shift) {
    const auto b = at(contact);
    const int d = size<D>();
    double R[largest_contact * largest_contact];
    int pivot[largest_contact];
    if (!factorise(blocks, b, shift, 0, R, pivot) && !factorise(blocks, b, shift, least_regular, R, pivot)) return false;
    double X[largest_contact * 2 * largest_contact];  // both by rows
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) {
        X[i * 2 * d + j] = i == j ? 1 : 0;
        X[i * 2 * d + d + j] = blocks.L(b)[i + j * d];
      }
    solve_small_rows<D, 2 * D>(R, pivot, d, 2 * d, X);
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) {
        inverse_[entries(contact) + at(i + j * d)] = X[i * 2 * d + j];
        condition_[entries(contact) + at(i + j * d)] = X[i * 2 * d + d + j];
      }
    return true;
  }
  // y = R_b^-1 L_b x.
  template <int D>
  void apply_condition(std::int32_t contact, const double* x, double* y) const {
    multiply<D>(&condition_[entries(contact)], x, y);
  }

  // x: c in, x out. y: room, all zeros. spread(b, v, y): y += E_b v; solve(y): S y = y; gather(b, y, u): u += F_b' y.
  template <int D, class Spread, class Solve, class Gather>
  void solve(const NewtonBlocks& blocks, std::span<double> x, std::span<double> y, Spread&& spread, Solve&& solve,
             Gather&& gather) const {
    double v[largest_contact];
    const int d = size<D>();
    for (std::int32_t a = 0; a < contacts_; ++a) {
      multiply<D>(&inverse_[entries(a)], x.data() + a * d, v);
      spread(a, v, y.data());
    }
    solve(y);
    for (std::int32_t a = 0; a < contacts_; ++a) {
      double *own = x.data() + a * d, u[largest_contact] = {}, c[largest_contact];
      gather(a, y.data(), u);
      multiply<D>(blocks.L(at(a)), u, v);
      for (int i = 0; i < d; ++i) c[i] = own[i] - v[i];
      multiply<D>(&inverse_[entries(a)], c, own);
    }
  }
  // y -= K x, shift included, u = W x.
  template <int D>
  void subtract_product(const NewtonBlocks& blocks, double shift, std::span<const double> x, std::span<const double> u,
                        std::span<double> y) const {
    double v[largest_contact];
    for (std::size_t b = 0; b < blocks.count(); ++b) {
      const double* own = x.data() + blocks.start[b];
      double* target = y.data() + blocks.start[b];
      multiply<D>(blocks.L(b), u.data() + blocks.start[b], v);
      for (int i = 0; i < size<D>(); ++i) target[i] -= v[i] + shift * blocks.scale[b] * own[i];
      multiply<D>(blocks.R(b), own, v);
      for (int i = 0; i < size<D>(); ++i) target[i] -= v[i];
    }
  }

 private:
  static constexpr double least_regular = 1e-14;
  // R_b + (shift times its scale + `share` of its largest entry) I.
  bool factorise(const NewtonBlocks& blocks, std::size_t b, double shift, double share, double* R, int* pivot) const {
    const double* given = blocks.R(b);
    double largest = 0;
    for (int k = 0; k < d_ * d_; ++k) largest = std::max(largest, std::abs(given[k]));
    std::copy_n(given, d_ * d_, R);
    for (int i = 0; i < d_; ++i) R[i * (d_ + 1)] += shift * blocks.scale[b] + share * largest;
    return factorise_small(R, pivot, d_);
  }
  template <int D>
  int size() const {
    return D > 0 ? D : d_;
  }
  std::size_t entries(std::int32_t contacts) const { return at(contacts) * at(d_ * d_); }
  // In place: a call costs as much as the nine products.
  template <int D>
  __attribute__((always_inline)) void multiply(const double* A, const double* x, double* y) const {
    double sum[D > 0 ? D : largest_contact] = {};
    const int d = size<D>();
    for (int j = 0; j < d; ++j)
      for (int i = 0; i < d; ++i) sum[i] += A[i + j * d] * x[j];
    std::copy_n(sum, d, y);
  }

  std::int32_t d_, contacts_;
  Vector inverse_, condition_;  // R_b^-1, shift included, and R_b^-1 L_b
};

}  // namespace nonsmooth
