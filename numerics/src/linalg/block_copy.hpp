// The square blocks of a matrix that is given by columns: products with them read one index in place of d * d, and the rows that
// sweeps need stand together.
#pragma once

#include <memory>

#include "linalg/matrix.hpp"

namespace nonsmooth {

class BlockCopy {
 public:
  // Of d rows and columns, 2, 3 or 5. nullptr unless A is by columns, and the blocks that are not 0 are half full and more.
  static std::unique_ptr<BlockCopy> of(const Matrix& A, std::int32_t d);

  const Matrix& matrix() const { return blocks_; }
  // After values of A have changed, in the same pattern.
  void refresh(const Matrix& A);
  // How many times the blocks have been found: anew where one that was 0, and left out, is not so any more. What was set up for
  // those before must be set up again.
  std::int64_t patterns() const { return patterns_; }

 private:
  explicit BlockCopy(std::int32_t d) : d_(d) {}
  bool find(const CscMatrix& A);

  std::int32_t d_;
  Matrix blocks_;
  std::int64_t patterns_ = 1;
  IndexVector next_;  // in each block row the block that comes next
  IndexVector met_;   // and the block column of the last one
};

}  // namespace nonsmooth
