// K x = b where steps of refinement fail, because the factors at hand are too far from those of K: GMRES with these factors as
// preconditioner (Carson and Higham 2018 for refinement by it). It takes a few steps where they are wrong in a few directions. In
// its flexible form (Saad 1993), which keeps what the factors have made of each vector: their rounding is what makes them wrong,
// and next time it is another.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/index.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

class KrylovRefinement {
 public:
  static constexpr int steps = 10;

  // Takes all memory.
  void reserve(std::size_t rows) {
    basis_.assign(rows * (steps + 1), 0.0);
    solved_.assign(rows * steps, 0.0);
  }
  bool has_room() const { return !basis_.empty(); }

  // x: in b, out K^-1 b up to `share` of |b|, or what so many steps reach. solve(v): v becomes P^-1 v, with the factors;
  // subtract_product(v, y): y -= K v.
  template <class Solve, class SubtractProduct>
  void solve(std::span<double> x, double share, Solve&& solve, SubtractProduct&& subtract_product) {
    const double size = norm2(x);
    if (!(size > 0)) return;
    for (std::size_t i = 0; i < x.size(); ++i) basis(0)[i] = x[i] / size;
    remaining_[0] = size;
    int k = 0;
    while (k < steps && std::abs(remaining_[k]) > share * size) {
      std::copy_n(basis(k).data(), x.size(), solved(k).data());
      solve(solved(k));
      std::fill_n(basis(k + 1).data(), x.size(), 0.0);
      subtract_product(std::span<const double>(solved(k)), basis(k + 1));
      if (!extend(k)) break;
      ++k;
    }
    combine(k, x);
  }

 private:
  std::span<double> basis(int k) { return part(basis_, k); }
  std::span<double> solved(int k) { return part(solved_, k); }
  std::span<double> part(Vector& stacked, int k) {
    const std::size_t rows = solved_.size() / steps;
    return std::span(stacked).subspan(at(k) * rows, rows);
  }
  bool extend(int k);
  void combine(int count, std::span<double> x);

  Vector basis_, solved_;
  double triangle_[steps][steps + 1], cosine_[steps], sine_[steps], remaining_[steps + 1];
};

}  // namespace nonsmooth
