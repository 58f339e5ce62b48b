// A grid of n x n points in the plane, held together by stiff springs along its edges and by nothing else, falls on the points of
// its lowest row: W has the rounding of the springs.
#pragma once

#include <cstdint>

#include "generators.hpp"

namespace generate {

struct StiffBody {
  StiffBody(std::int32_t n, double stiffness)
      : rows(2 * n * n), M(at(rows) * at(rows), 0.0), H(at(rows) * at(2 * n), 0.0), f(at(rows), -1.0) {
    for (std::int32_t a = 0; a < n * n; ++a) {
      entry(2 * a, 2 * a) += 1, entry(2 * a + 1, 2 * a + 1) += 1;
      if (a % n + 1 < n) join(a, a + 1, stiffness);
      if (a + n < n * n) join(a, a + n, stiffness);
      f[at(2 * a)] = 0.3;
    }
    for (std::int32_t c = 0; c < n; ++c) H[at(2 * c + 1) + at(2 * c) * at(rows)] = H[at(2 * c) + at(2 * c + 1) * at(rows)] = 1;
  }

  std::int32_t rows;  // two for each point
  Values M, H, f;     // dense, column by column; two columns of H for each contact

 private:
  double& entry(std::int32_t i, std::int32_t j) { return M[at(i) + at(j) * at(rows)]; }
  void join(std::int32_t a, std::int32_t b, double stiffness) {
    for (const std::int32_t axis : {0, 1}) {
      const std::int32_t i = 2 * a + axis, j = 2 * b + axis;
      entry(i, i) += stiffness, entry(j, j) += stiffness, entry(i, j) -= stiffness, entry(j, i) -= stiffness;
    }
  }
};

}  // namespace generate
