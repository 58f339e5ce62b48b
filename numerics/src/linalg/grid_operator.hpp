// Symmetric M-matrices on rectangular grids, lexicographic order, as networks: a conductance between neighbours along each
// direction and one to ground. Five points in the plane, seven in space; coefficients may vary.
#pragma once

#include <array>

#include "core/index.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

struct GridShape {
  std::array<std::int64_t, 3> points{1, 1, 1};  // x runs fastest

  std::int64_t size() const { return points[0] * points[1] * points[2]; }
  std::int64_t stride(int direction) const { return direction == 0 ? 1 : direction == 1 ? points[0] : points[0] * points[1]; }
  int directions() const { return points[2] > 1 ? 3 : 2; }
};

// An array with zeros before and behind, so that neighbours outside the grid can be read.
template <class Real>
class GridArray {
 public:
  void resize(const GridShape& shape) {
    padding_ = at(shape.stride(shape.directions() - 1));
    values_.assign(at(shape.size()) + 2 * padding_, Real(0));
  }
  Real* data() { return values_.data() + padding_; }
  const Real* data() const { return values_.data() + padding_; }

 private:
  std::size_t padding_ = 0;
  std::vector<Real> values_;
};

// (A x)_p = (ground_p + sum of conductances) x_p - sum of conductance times x of the neighbour. A point with neither is fixed: it
// takes no part.
template <class Real>
struct GridOperator {
  GridShape shape;
  std::array<GridArray<Real>, 3> conductance;  // [d][p]: between p and p + stride(d)
  GridArray<Real> ground, inverse;             // inverse of the diagonal, 0 at fixed points

  void resize(const GridShape& s) {
    shape = s;
    for (int d = 0; d < s.directions(); ++d) conductance[at(d)].resize(s);
    ground.resize(s);
    inverse.resize(s);
  }
  void invert_diagonal();
};

// The grid behind a matrix, found from its pattern; false if there is none or the matrix is no symmetric M-matrix by dominance of
// its diagonal. At least 3 points in two directions. Allocates where the shape has changed.
bool load_grid(const CscMatrix& A, GridOperator<double>& grid);

// target(p) = (b_p + sum of conductance times x of the neighbour) / diagonal for all points, red ones (even sum of indices) first
// or last: update(p, target). One pass over memory: black points follow a layer behind red ones.
template <class Real, class Update>
void red_black_sweep(const GridOperator<Real>& A, const Real* b, const Real* x, bool red_first, Update&& update);

// r = b - A x.
template <class Real>
void grid_residual(const GridOperator<Real>& A, const Real* b, const Real* x, Real* r);
// y = A x.
template <class Real>
void grid_product(const GridOperator<Real>& A, const Real* x, Real* y);

// --- implementation of the templates ---

namespace grid_detail {

// Sum of conductance times neighbour; D directions.
template <int D, class Real>
struct Neighbours {
  const Real *east, *north, *up, *x;
  std::int64_t nx, nxy;
  explicit Neighbours(const GridOperator<Real>& A, const Real* values)
      : east(A.conductance[0].data()),
        north(A.conductance[1].data()),
        up(D == 3 ? A.conductance[2].data() : nullptr),
        x(values),
        nx(A.shape.points[0]),
        nxy(A.shape.stride(2)) {}
  Real sum(std::int64_t p) const {
    Real s = (east[p] * x[p + 1] + east[p - 1] * x[p - 1]) + (north[p] * x[p + nx] + north[p - nx] * x[p - nx]);
    if constexpr (D == 3) s += up[p] * x[p + nxy] + up[p - nxy] * x[p - nxy];
    return s;
  }
};

template <int D, class Real, class Update>
void sweep(const GridOperator<Real>& A, const Real* b, const Real* x, bool red_first, Update&& update) {
  const Neighbours<D, Real> neighbours(A, x);
  const Real* inverse = A.inverse.data();
  const auto& n = A.shape.points;
  const std::int64_t layers = n[D - 1], rows = D == 3 ? n[1] : 1;
  const auto half_layer = [&](std::int64_t layer, std::int64_t colour) {
    for (std::int64_t j = 0; j < rows; ++j) {
      const std::int64_t begin = (layer * rows + j) * n[0];
      for (std::int64_t i = (layer + j + colour) & 1; i < n[0]; i += 2) {
        const std::int64_t p = begin + i;
        update(p, (b[p] + neighbours.sum(p)) * inverse[p]);
      }
    }
  };
  const std::int64_t first = red_first ? 0 : 1;
  for (std::int64_t layer = 0; layer <= layers; ++layer) {
    if (layer < layers) half_layer(layer, first);
    if (layer > 0) half_layer(layer - 1, 1 - first);
  }
}

template <int D, class Real>
void residual(const GridOperator<Real>& A, const Real* b, const Real* x, Real* r) {
  const Neighbours<D, Real> neighbours(A, x);
  const Real* inverse = A.inverse.data();
  for (std::int64_t p = 0; p < A.shape.size(); ++p)
    r[p] = inverse[p] == 0 ? Real(0) : b[p] + neighbours.sum(p) - x[p] / inverse[p];
}

template <int D, class Real>
void product(const GridOperator<Real>& A, const Real* x, Real* y) {
  const Neighbours<D, Real> neighbours(A, x);
  const Real* inverse = A.inverse.data();
  for (std::int64_t p = 0; p < A.shape.size(); ++p) y[p] = inverse[p] == 0 ? Real(0) : x[p] / inverse[p] - neighbours.sum(p);
}

}  // namespace grid_detail

template <class Real, class Update>
void red_black_sweep(const GridOperator<Real>& A, const Real* b, const Real* x, bool red_first, Update&& update) {
  if (A.shape.directions() == 3)
    grid_detail::sweep<3>(A, b, x, red_first, update);
  else
    grid_detail::sweep<2>(A, b, x, red_first, update);
}

template <class Real>
void grid_residual(const GridOperator<Real>& A, const Real* b, const Real* x, Real* r) {
  if (A.shape.directions() == 3)
    grid_detail::residual<3>(A, b, x, r);
  else
    grid_detail::residual<2>(A, b, x, r);
}

template <class Real>
void grid_product(const GridOperator<Real>& A, const Real* x, Real* y) {
  if (A.shape.directions() == 3)
    grid_detail::product<3>(A, x, y);
  else
    grid_detail::product<2>(A, x, y);
}

template <class Real>
void GridOperator<Real>::invert_diagonal() {
  const Real* g = ground.data();
  Real* out = inverse.data();
  for (std::int64_t p = 0; p < shape.size(); ++p) {
    Real sum = g[p];
    for (int d = 0; d < shape.directions(); ++d) {
      const Real* c = conductance[at(d)].data();
      sum += c[p] + c[p - shape.stride(d)];
    }
    out[p] = sum > 0 ? 1 / sum : Real(0);
  }
}

}  // namespace nonsmooth
