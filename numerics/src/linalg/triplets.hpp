// Entries of a sparse matrix in any order, none of them twice.
#pragma once

#include "linalg/matrix.hpp"

namespace nonsmooth {

struct Triplets {
  IndexVector row, col;
  Vector value;

  void add(std::int64_t i, std::int64_t j, double x) {
    row.push_back(static_cast<std::int32_t>(i));
    col.push_back(static_cast<std::int32_t>(j));
    value.push_back(x);
  }
  Matrix to_matrix(std::int64_t rows, std::int64_t cols, const char* name) const {
    return Matrix::from_triplets(rows, cols, row, col, value, name);
  }
};

}  // namespace nonsmooth
