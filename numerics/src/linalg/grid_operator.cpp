#include "linalg/grid_operator.hpp"

#include <cmath>
#include <optional>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

constexpr double pair_tolerance = 1e-14;       // of the entries (i, j) and (j, i), relative
constexpr double dominance_tolerance = 1e-12;  // a row sum below this part of its diagonal is rounding
constexpr std::int64_t fewest_points = 3;

// Sizes from the first column, whose rows are 0, 1, nx (, nx ny).
std::optional<GridShape> candidate(const CscMatrix& A) {
  if (A.cols < fewest_points * fewest_points || A.rows != A.cols) return std::nullopt;
  std::int32_t offset[4];
  const std::int32_t count = A.col_start[1];
  if (count < 3 || count > 4) return std::nullopt;
  std::copy_n(A.row_index.begin(), count, offset);
  if (offset[0] != 0 || offset[1] != 1) return std::nullopt;
  const std::int64_t nx = offset[2], nxy = count == 4 ? offset[3] : A.cols;
  if (nx < fewest_points || nxy % nx != 0 || A.cols % nxy != 0) return std::nullopt;
  const GridShape shape{{nx, nxy / nx, A.cols / nxy}};
  if (shape.points[1] < fewest_points || (count == 4 && shape.points[2] < 2)) return std::nullopt;
  return shape;
}

// One pass through the columns in lexicographic order.
class GridReader {
 public:
  GridReader(const CscMatrix& A, GridOperator<double>& grid) : A_(A), grid_(grid), shape_(grid.shape) {}
  bool read() {
    for (std::int64_t j = 0; j < A_.cols; ++j) {
      if (!read_column(j)) return false;
      for (std::size_t d = 0; d < 3 && ++index_[d] == shape_.points[d]; ++d) index_[d] = 0;
    }
    return below_ == above_;
  }

 private:
  // Entries below the diagonal are stored; those above must repeat what their own column has stored.
  bool read_column(std::int64_t j) {
    double sum = 0, diagonal = 0;
    for (std::int32_t k = A_.col_start[at(j)]; k < A_.col_start[at(j + 1)]; ++k) {
      const std::int64_t i = A_.row_index[at(k)];
      const double value = A_.values[at(k)];
      sum += value;
      if (i == j) {
        diagonal = value;
      } else if (value > 0 || !place(i, j, value)) {
        return false;
      }
    }
    grid_.ground.data()[j] = std::abs(sum) <= dominance_tolerance * diagonal ? 0.0 : sum;
    return diagonal > 0 && grid_.ground.data()[j] >= 0;
  }
  bool place(std::int64_t i, std::int64_t j, double value) {
    const std::int64_t offset = std::abs(i - j);
    for (int d = 0; d < shape_.directions(); ++d) {
      if (offset != shape_.stride(d)) continue;
      double* conductance = grid_.conductance[at(d)].data();
      if (i > j) {
        conductance[j] = -value;
        ++below_;
        return index_[at(d)] + 1 < shape_.points[at(d)];
      }
      ++above_;
      return index_[at(d)] > 0 && std::abs(conductance[i] + value) <= pair_tolerance * -value;
    }
    return false;
  }

  const CscMatrix& A_;
  GridOperator<double>& grid_;
  const GridShape shape_;
  std::array<std::int64_t, 3> index_{0, 0, 0};
  std::int64_t below_ = 0, above_ = 0;
};

}  // namespace

bool load_grid(const CscMatrix& A, GridOperator<double>& grid) {
  const std::optional<GridShape> shape = candidate(A);
  if (!shape) return false;
  grid.resize(*shape);
  if (!GridReader(A, grid).read()) return false;
  grid.invert_diagonal();
  return true;
}

}  // namespace nonsmooth
