// Coarser grids of a grid operator: every second point along the strongly coupled directions. Interpolation is by the operator
// itself, one direction after the other (Alcouffe, Brandt, Dendy and Painter 1981), so that boundaries, jumps of coefficients and
// fixed points need no care of their own. Coarse operators are networks again:
// conductances along the direction in series, those across it in parallel.
#pragma once

#include "core/index.hpp"
#include "linalg/grid_operator.hpp"

namespace nonsmooth {

// Every second point along one direction: 1, 3, 5 ... (from 0) stay.
template <class Real>
class GridTransfer {
 public:
  void resize(const GridShape& fine, int direction);
  const GridShape& coarse_shape() const { return coarse_; }
  // Weights and the coarse operator, its diagonal left alone.
  void coarsen(const GridOperator<Real>& fine, GridOperator<Real>& coarse);
  void inject(const Real* fine, Real* coarse) const;       // values at the points that stay
  void restrict_to(const Real* fine, Real* coarse) const;  // coarse = P' fine
  void prolong_add(const Real* coarse, Real* fine) const;  // fine += P coarse

 private:
  template <class Visit>
  void for_each_line(Visit&& visit) const;
  void write_along(const GridOperator<Real>& fine, GridOperator<Real>& coarse);
  void write_across(int d, const GridOperator<Real>& fine, GridOperator<Real>& coarse) const;

  GridShape fine_, coarse_;
  int direction_ = 0;
  std::int64_t inner_ = 1, outer_ = 1, fine_points_ = 0, coarse_points_ = 0, left_out_ = 0;
  std::vector<Real> to_left_, to_right_;  // weights of the points left out towards their coarse neighbours
};

// Grids of fewer and fewer points. Their shapes are fixed at setup; operators are computed anew by build.
template <class Real>
class GridHierarchy {
 public:
  // Allocates for a shape. Directions are chosen by the mean conductances along each, given up to a factor.
  void setup(GridShape shape, std::array<double, 3> strength);
  int levels() const { return static_cast<int>(level_.size()); }
  GridOperator<Real>& grid(int level) { return level_[at(level)].A; }
  // All operators coarser than that of `top`, and the inverse diagonals from it on.
  void build(int top);
  // Through all transfers between a level and the next.
  void inject(int level, const Real* fine, Real* coarse);
  void restrict_to(int level, const Real* fine, Real* coarse);
  void prolong_add(int level, const Real* coarse, Real* fine);
  // One symmetric V-cycle: x = approximately inverse(A) b at `top`, from 0; b and x are arrays of that level.
  void cycle(int top);
  // Vectors of each level, for cycle and free for other use.
  Real* b(int level) { return level_[at(level)].b.data(); }
  Real* x(int level) { return level_[at(level)].x.data(); }
  Real* r(int level) { return level_[at(level)].r.data(); }

 private:
  struct Level {
    GridOperator<Real> A;
    GridArray<Real> b, x, r;
    std::vector<GridTransfer<Real>> transfers;  // to the next level
    std::vector<GridOperator<Real>> between;    // operators between two transfers, not smoothed
    std::vector<std::vector<Real>> vectors_between;
  };
  template <class Apply>
  void down(int level, const Real* fine, Real* coarse, Apply&& apply);
  void smooth(Level& level, bool red_first);
  std::vector<Level> level_;
};

extern template class GridHierarchy<float>;
extern template class GridHierarchy<double>;

}  // namespace nonsmooth
