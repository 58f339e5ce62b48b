// Tiny problems of every class and storage for the tests of the file formats, and a comparison to the bit.
#pragma once

#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "problems/problem.hpp"

namespace nonsmooth::examples {

// Values that bad number formatting loses: -0.0, denormals, the largest, a third.
inline constexpr double hard_values[] = {-0.0,         5e-324, -2.2250738585072011e-308, 1.7976931348623157e308, 1.0 / 3.0, 1e22,
                                         -123456789.0, 0.1};
inline constexpr double infinity = std::numeric_limits<double>::infinity();

inline Vector hard_vector(std::size_t size, std::size_t offset = 0) {
  Vector v(size);
  for (std::size_t k = 0; k < size; ++k) v[k] = hard_values[(k + offset) % std::size(hard_values)];
  return v;
}

inline Matrix dense(std::int64_t rows, std::int64_t cols) {
  return Matrix(DenseMatrix{rows, cols, hard_vector(static_cast<std::size_t>(rows * cols), 3)}, "example");
}

// Every second entry of the full pattern, column by column.
inline Matrix csc(std::int64_t rows, std::int64_t cols) {
  CscMatrix A{rows, cols, {0}, {}, {}};
  for (std::int64_t j = 0; j < cols; ++j) {
    for (std::int64_t i = j % 2; i < rows; i += 2) A.row_index.push_back(static_cast<std::int32_t>(i));
    A.col_start.push_back(static_cast<std::int32_t>(A.row_index.size()));
  }
  A.values = hard_vector(A.row_index.size(), 1);
  return Matrix(std::move(A), "example");
}

// Two by two blocks of uneven sizes, the last one missing.
inline Matrix block_csr(std::int32_t order) {
  BlockCsrMatrix A;
  A.rows = A.cols = order;
  A.row_end = A.col_end = {1, order};
  A.row_start = {0, 2, 3};
  A.block_col = {0, 1, 0};
  A.values = hard_vector(static_cast<std::size_t>(1 + 2 * (order - 1)), 2);
  return Matrix(std::move(A), "example");
}

inline Matrix square(nsm_storage storage, std::int32_t order) {
  if (storage == NSM_BLOCK_CSR) return block_csr(order);
  return storage == NSM_DENSE ? dense(order, order) : csc(order, order);
}

// Symmetric positive semidefinite on the same patterns: 1/3 on the diagonal where it is stored.
inline Matrix semidefinite(nsm_storage storage, std::int32_t order) {
  Matrix M = square(storage, order);
  std::size_t k = 0;
  for_each_entry(M, [&](std::int64_t i, std::int64_t j, double) { M.own_values()[k++] = i == j ? 1.0 / 3.0 : 0.0; });
  return M;
}

inline Matrix rectangle(nsm_storage storage, std::int32_t rows, std::int32_t cols) {
  return storage == NSM_DENSE ? dense(rows, cols) : csc(rows, cols);
}

template <class Global>
Global global(nsm_storage storage, std::int32_t dimension) {
  Global p;
  p.dimension = dimension;
  p.M = square(storage, 6);
  p.H = rectangle(storage, 6, 2 * dimension);
  p.f = hard_vector(6);
  p.w = hard_vector(static_cast<std::size_t>(2 * dimension), 4);
  p.mu = {0.0, 0.7};
  p.G = rectangle(storage, 6, 2);
  p.b = hard_vector(2, 5);
  return p;
}

inline std::vector<nsm_class> storable_classes() {
  std::vector<nsm_class> classes;
  for (int c = 0; c < NSM_CLASS_COUNT; ++c)
    if (is_storable(static_cast<nsm_class>(c))) classes.push_back(static_cast<nsm_class>(c));
  return classes;
}

inline ProblemData data_of_class(nsm_class problem_class, nsm_storage storage) {
  const Vector q6 = hard_vector(6);
  switch (problem_class) {
    case NSM_LCP: return Lcp{square(storage, 6), q6};
    case NSM_MLCP: return Mlcp{square(storage, 6), q6, {0, 1, 1, 0, 1, 0}};
    case NSM_RELAY: return Relay{square(storage, 6), q6, {-infinity, -1, -0.0, 0, -2, 1}, {infinity, 1, 0.0, 0, 3, 1}};
    case NSM_AVI: {
      Avi avi{square(storage, 6), q6, {}};
      avi.set = {rectangle(storage, 2, 6), hard_vector(2), Vector(6, -infinity), {1, 2, 3, infinity, 5, 6}};
      return avi;
    }
    case NSM_QP: {
      Qp qp;
      qp.M = semidefinite(storage, 6);
      qp.q = q6;
      qp.set = {rectangle(storage, 2, 6), hard_vector(2), {0, -infinity, 0, 0, 0, -1}, Vector(6, infinity)};
      return qp;
    }
    case NSM_FRICTION: return Friction{3, square(storage, 6), q6, {0.0, 0.3}};
    case NSM_GLOBAL_FRICTION: return global<GlobalFriction>(storage, 3);
    case NSM_ROLLING: return Rolling{5, square(storage, 5), hard_vector(5), {0.5}, {0.01}};
    case NSM_GLOBAL_ROLLING: {
      GlobalRolling p = global<GlobalRolling>(storage, 5);
      p.mu_r = {0.02, 0.0};
      return p;
    }
    case NSM_GENERIC: {
      Generic p{square(storage, 8), hard_vector(8), {0, 1, 2, 3, 4}, {1, 1, 1, 2, 3}, {0, 0, 0, 0.2, 0.3}, {}, {}};
      p.lo = Vector(8, -infinity);
      p.hi = Vector(8, infinity);
      p.lo[2] = -1;
      p.hi[2] = 1;
      return p;
    }
    case NSM_PLASTICITY: return Plasticity{square(storage, 6), q6, {0.5, 0.7}, {0.0, 0.3}};
    default: return Soclcp{square(storage, 6), q6, {0, 3, 4, 6}, {1.0, 0.5, 2.0}};
  }
}

// With title, guess and solution; the part of w that FCLIB does not hold (of the dynamics) is zero, as in an exact solution.
inline Problem problem(nsm_class problem_class, nsm_storage storage) {
  Problem p;
  p.data = data_of_class(problem_class, storage);
  p.title = "a \"title\"\n\\";
  p.description =
      "d\xc3\xa9"
      "crit";
  p.math_info = "m";
  const auto size = static_cast<std::size_t>(p.size());
  p.guess = hard_vector(size, 1);
  p.solution_z = hard_vector(size, 2);
  p.solution_w = hard_vector(size, 3);
  if (problem_class == NSM_GLOBAL_FRICTION || problem_class == NSM_GLOBAL_ROLLING) std::fill_n(p.solution_w.begin(), 8, 0.0);
  return p;
}

// Every field as text, floating-point numbers by their bits: equal texts mean equal problems.
class Dump {
 public:
  void operator()(const Field& field, std::int32_t value) { line(field.name) += std::to_string(value); }
  void operator()(const Field& field, const IndexVector& values) { append(line(field.name), values); }
  void operator()(const Field& field, const Vector& values) { append(line(field.name), values); }
  void operator()(const Field& field, const Matrix& A) {
    line(field.name) += std::to_string(A.storage()) + " " + std::to_string(A.rows()) + " x " + std::to_string(A.cols());
    for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
      text += " (" + std::to_string(i) + "," + std::to_string(j) + ")";
      append(text, Vector{a});
    });
  }
  std::string& line(const char* name) { return text += std::string("\n") + name + ": "; }
  static void append(std::string& to, const Vector& values) {
    for (double value : values) to += " " + std::to_string(std::bit_cast<std::uint64_t>(value));
  }
  static void append(std::string& to, const IndexVector& values) {
    for (std::int32_t value : values) to += " " + std::to_string(value);
  }
  std::string text;
};

inline std::string dump(const Problem& p) {
  Dump dump;
  dump.text = nsm_class_name(p.problem_class());
  visit_fields(p, dump);
  dump({"guess"}, p.guess);
  dump({"solution_z"}, p.solution_z);
  dump({"solution_w"}, p.solution_w);
  return dump.text + "\n" + p.title + "|" + p.description + "|" + p.math_info;
}

// The same problem with all matrices as FCLIB stores them.
class ToCsc {
 public:
  void operator()(const Field&, Matrix& A) {
    if (!A.empty()) A = Matrix(to_csc(A), "example");
  }
  template <class T>
  void operator()(const Field&, T&) {}
};

inline Problem with_csc(Problem p) {
  visit_fields(p, ToCsc());
  return p;
}

}  // namespace nonsmooth::examples
