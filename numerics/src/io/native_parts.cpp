#include "io/native_parts.hpp"

#include <cmath>

#include "core/error.hpp"
#include "io/io.hpp"

namespace nonsmooth {
namespace {

constexpr const char* storage_names[] = {"dense", "csc", "block_csr"};  // in the order of nsm_storage

void require_companion_length(const Vector& values, std::int64_t size, const char* name) {
  if (!values.empty() && static_cast<std::int64_t>(values.size()) != size)
    fail(NSM_BAD_FILE, "%s has %zu entries, the problem has %lld unknowns", name, values.size(), (long long)size);
}

}  // namespace

nsm_storage MatrixParts::storage_from_name(const std::string& name, const char* what) {
  for (int k = 0; k < 3; ++k)
    if (name == storage_names[k]) return static_cast<nsm_storage>(k);
  fail(NSM_BAD_FILE, "%s: storage \"%.40s\" is none of dense, csc, block_csr", what, name.c_str());
}

MatrixParts split(const Matrix& A) {
  MatrixParts parts;
  parts.storage = storage_names[A.storage()];
  parts.rows = static_cast<std::int32_t>(A.rows());
  parts.cols = static_cast<std::int32_t>(A.cols());
  parts.values.assign(A.values().begin(), A.values().end());
  if (const CscMatrix* csc = A.csc()) {
    parts.start = csc->col_start;
    parts.index = csc->row_index;
  } else if (const BlockCsrMatrix* blocks = A.block_csr()) {
    parts.row_end = blocks->row_end;
    parts.col_end = blocks->col_end;
    parts.start = blocks->row_start;
    parts.index = blocks->block_col;
  }
  return parts;
}

Matrix assemble(MatrixParts&& parts, const char* what) {
  switch (MatrixParts::storage_from_name(parts.storage, what)) {
    case NSM_DENSE: return Matrix(DenseMatrix{parts.rows, parts.cols, std::move(parts.values)}, what);
    case NSM_CSC:
      return Matrix(CscMatrix{parts.rows, parts.cols, std::move(parts.start), std::move(parts.index), std::move(parts.values)},
                    what);
    default: break;
  }
  BlockCsrMatrix blocks;
  blocks.rows = parts.rows;
  blocks.cols = parts.cols;
  blocks.row_end = std::move(parts.row_end);
  blocks.col_end = std::move(parts.col_end);
  blocks.row_start = std::move(parts.start);
  blocks.block_col = std::move(parts.index);
  blocks.values = std::move(parts.values);
  return Matrix(std::move(blocks), what);
}

nsm_class require_class(const std::string& name, nsm_class asked) {
  const nsm_class found = nsm_class_from_name(name.c_str());
  if (found == NSM_CLASS_COUNT) fail(NSM_BAD_FILE, "class \"%.40s\" is no problem class", name.c_str());
  require_storable(found);
  if (asked != NSM_CLASS_COUNT && asked != found)
    fail(NSM_BAD_FILE, "the file holds a problem of class %s, %s was asked for", name.c_str(), nsm_class_name(asked));
  return found;
}

void require_finite(std::span<const double> values, const char* name) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) fail(NSM_NOT_FINITE, "%s[%zu] is %g", name, k, values[k]);
}

void validate_companions(const Problem& problem) {
  const std::int64_t size = problem.size();
  require_companion_length(problem.guess, size, "guess");
  require_companion_length(problem.solution_z, size, "solution.z");
  require_companion_length(problem.solution_w, size, "solution.w");
  require_finite(problem.guess, "guess");
  require_finite(problem.solution_z, "solution.z");
  require_finite(problem.solution_w, "solution.w");
}

}  // namespace nonsmooth
