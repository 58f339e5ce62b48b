// What the two native layouts (JSON, and the group /nonsmooth of an HDF5 file) share: a matrix as named parts, the class of a
// file, and the checks of a starting point or solution that came with a problem.
#pragma once

#include <span>
#include <string>

#include "linalg/matrix.hpp"
#include "problems/problem.hpp"

namespace nonsmooth {

// A matrix before its checks. Parts a storage does not have stay empty.
struct MatrixParts {
  std::string storage;  // "dense", "csc", "block_csr"
  std::int32_t rows = 0, cols = 0;
  IndexVector row_end, col_end, start, index;
  Vector values;

  // visit(name, member) for every part of `storage`, in the order in which files hold them. NSM_BAD_FILE if there is no such
  // storage.
  template <class Self, class Visit>
  static void visit_parts(Self& self, const char* what, Visit&& visit) {
    visit("rows", self.rows);
    visit("cols", self.cols);
    const nsm_storage kind = storage_from_name(self.storage, what);
    if (kind == NSM_BLOCK_CSR) {
      visit("row_end", self.row_end);
      visit("col_end", self.col_end);
    }
    if (kind != NSM_DENSE) {
      visit("start", self.start);
      visit("index", self.index);
    }
    visit("values", self.values);
  }
  static nsm_storage storage_from_name(const std::string& name, const char* what);
};

MatrixParts split(const Matrix& A);
Matrix assemble(MatrixParts&& parts, const char* what);

// The class a file names: NSM_BAD_FILE if it is none, or not the one asked for (NSM_CLASS_COUNT asks for none).
nsm_class require_class(const std::string& name, nsm_class asked);

// Lengths and finiteness of what came with a problem: NSM_BAD_FILE, NSM_NOT_FINITE.
void validate_companions(const Problem& problem);
void require_finite(std::span<const double> values, const char* name);

}  // namespace nonsmooth
