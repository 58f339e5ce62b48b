// Free directions of a face of C: with every contact open, sticking or sliding, and every bounded row at a bound or not, the
// conditions are smooth equations in as many unknowns as directions are free. A sticking part keeps its unknowns; one that slides
// moves with the normal and turns along its bound.
#pragma once

#include <array>
#include <cstdint>

#include "core/index.hpp"

namespace nonsmooth {

// Its unknown y moves z by y move, its equation is test . w + curvature y = 0, move and test being rows of one block.
struct FaceDirection {
  static constexpr std::size_t largest_block = 5;
  std::int32_t start = 0, size = 0;  // rows of the block
  std::array<double, largest_block> move{}, test{};
  double curvature = 0;
  std::int32_t row = 0;      // the first that test has
  bool is_row = false;       // test picks out that one; else it has the next one too
  bool moves_alone = false;  // and move moves no other
  bool operator==(const FaceDirection&) const = default;

  // test . values, values of all rows.
  double tested(const double* values) const {
    if (is_row) return values[row];
    const auto k = at(row - start);
    return test[k] * values[row] + test[k + 1] * values[row + 1];
  }

  // One unknown and its own equation. In place, as below: a copy would wait for what was just written.
  FaceDirection& along(std::int32_t start_row, std::int32_t rows, int unknown) {
    clear(start_row, rows);
    move[at(unknown)] = test[at(unknown)] = 1;
    curvature = 0;
    row = start + unknown;
    is_row = moves_alone = true;
    return *this;
  }

  // The direction of a normal takes a part (PART entries from `first` on) along that lies on its bound towards d: (1, mu d).
  template <int PART>
  void take_along(int first, double mu, const double* d) {
    for (int i = 0; i < PART; ++i) move[at(first + i)] = mu * d[i];
    moves_alone = false;
  }

  // Such a part in space turns by y / bound, and with it its equation d' . u = 0: its velocity is -speed d.
  FaceDirection& turning(std::int32_t start_row, std::int32_t rows, int first, const double* d, double speed, double bound) {
    clear(start_row, rows);
    const auto k = at(first);
    move[k] = test[k] = -d[1];
    move[k + 1] = test[k + 1] = d[0];
    curvature = speed / bound;
    row = start + first;
    is_row = moves_alone = false;
    return *this;
  }

 private:
  void clear(std::int32_t start_row, std::int32_t rows) {
    start = start_row;
    size = rows;
    move.fill(0);
    test.fill(0);
  }
};

}  // namespace nonsmooth
