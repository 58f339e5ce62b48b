#include "methods/problem_values.hpp"

#include <algorithm>
#include <variant>

#include "core/error.hpp"

namespace nonsmooth {

Vector* right_hand_side(Problem& problem) {
  return std::visit(
      [](auto& p) -> Vector* {
        if constexpr (requires { p.q; })
          return &p.q;
        else if constexpr (requires { p.w; })
          return &p.w;
        else
          return nullptr;
      },
      problem.data);
}

Vector* forces(Problem& problem) {
  GlobalContactData* data = global_data(problem);
  return data == nullptr ? nullptr : &data->f;
}

Vector* friction_coefficients(Problem& problem) {
  return std::visit(
      [](auto& p) -> Vector* {
        if constexpr (requires { p.block_kind; })
          return p.mu.empty() ? nullptr : &p.mu;  // generic: optional
        else if constexpr (requires { p.mu; })
          return &p.mu;
        else
          return nullptr;
      },
      problem.data);
}

Polyhedron* polyhedron_of(Problem& problem) {
  return std::visit(
      [](auto& p) -> Polyhedron* {
        if constexpr (requires { p.set.H; })
          return &p.set;
        else
          return nullptr;
      },
      problem.data);
}

bool has_layout_of(const nsm_matrix& view, const Matrix& M) {
  if (view.struct_size < sizeof(nsm_matrix) || view.storage != M.storage() || view.rows != M.rows() || view.cols != M.cols() ||
      view.values == nullptr)
    return false;
  const auto equal = [](const std::int32_t* given, const IndexVector& own) {
    return given != nullptr && std::equal(own.begin(), own.end(), given);
  };
  if (const CscMatrix* csc = M.csc()) return equal(view.start, csc->col_start) && equal(view.index, csc->row_index);
  if (const BlockCsrMatrix* blocks = M.block_csr())
    return view.block_size > 0 && view.block_size == blocks->uniform_block_size() && view.block_rows == blocks->block_rows() &&
           equal(view.start, blocks->row_start) && equal(view.index, blocks->block_col);
  return view.leading_dimension == 0 || view.leading_dimension == view.rows;
}

bool same_pattern(const Matrix& a, const Matrix& b) {
  if (a.storage() != b.storage() || a.rows() != b.rows() || a.cols() != b.cols()) return false;
  if (const CscMatrix* x = a.csc()) return x->col_start == b.csc()->col_start && x->row_index == b.csc()->row_index;
  if (const BlockCsrMatrix* x = a.block_csr()) {
    const BlockCsrMatrix* y = b.block_csr();
    return x->row_end == y->row_end && x->col_end == y->col_end && x->row_start == y->row_start && x->block_col == y->block_col;
  }
  return true;
}

[[noreturn]] void fail_without(const char* what, const Problem& problem) {
  fail(NSM_UNSUPPORTED, "problems of class %s have no %s", nsm_class_name(problem.problem_class()), what);
}

void require_finite_values(std::span<const double> values, const char* name) {
  const std::int64_t k = find_not_finite(values);
  if (k >= 0) fail(NSM_NOT_FINITE, "%s[%lld] is %g", name, static_cast<long long>(k), values[static_cast<std::size_t>(k)]);
}

void require_size(std::size_t given, std::size_t expected, const char* name) {
  if (given != expected) fail(NSM_INVALID_DIMENSION, "%s has %zu entries, %zu expected", name, given, expected);
}

Vector& require_values(Vector* target, std::span<const double> values, const char* name, const Problem& problem) {
  if (target == nullptr) fail_without(name, problem);
  require_size(values.size(), target->size(), name);
  require_finite_values(values, name);
  return *target;
}

}  // namespace nonsmooth
