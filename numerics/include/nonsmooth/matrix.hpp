// Errors, handles and matrices of the C++17 wrapper; part of nonsmooth.hpp.
#ifndef NONSMOOTH_MATRIX_HPP
#define NONSMOOTH_MATRIX_HPP

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nonsmooth/nonsmooth.h"

namespace nsm {

// Numbers and indices as the wrapper takes and gives them.
using Vector = std::vector<double>;
using Indices = std::vector<std::int32_t>;

// A call that did not work. What became of the problem is no error: see Result::outcome().
class Error : public std::runtime_error {
 public:
  Error(nsm_status status, const std::string& message, int number = 0)
      : std::runtime_error(message), status_(status), number_(number) {}
  // What the call returned.
  nsm_status status() const noexcept { return status_; }
  // errno, where the system refused something: ENOENT of a file that is not there; else 0.
  int error_number() const noexcept { return number_; }

 private:
  nsm_status status_;
  int number_;
};

// Names and texts of the values of the C interface.
inline const char* name(nsm_status status) { return nsm_status_name(status); }
inline const char* name(nsm_outcome outcome) { return nsm_outcome_name(outcome); }
inline const char* name(nsm_class problem_class) { return nsm_class_name(problem_class); }
inline const char* text(nsm_verdict verdict) { return nsm_verdict_text(verdict); }
// Version of the library that is loaded.
inline std::string version() { return nsm_version(); }

namespace detail {

inline void check(nsm_status status) {
  if (status == NSM_OK) return;
  const std::string message = nsm_last_error();
  throw Error(status, message.empty() ? nsm_status_text(status) : message, nsm_last_errno());
}

// The C interface cannot see the length of an array: it is checked here.
template <class T>
const T* data(const std::vector<T>& values, std::int64_t length, const char* what) {
  if (static_cast<std::int64_t>(values.size()) != length)
    throw Error(NSM_INVALID_DIMENSION, std::string(what) + " has " + std::to_string(values.size()) + " entries, " +
                                           std::to_string(length) + " expected");
  return values.data();
}

template <class T>
const T* optional_data(const std::vector<T>& values, std::int64_t length, const char* what) {
  return values.empty() ? nullptr : data(values, length, what);
}

// Of callbacks n says how many there are. It is looked at first: the bounds have to fit it, not it to them.
inline const double* optional_bounds(const Vector& values, std::int64_t n, const char* what) {
  if (n <= 0) throw Error(NSM_INVALID_DIMENSION, "n is " + std::to_string(n));
  return optional_data(values, n, what);
}

inline std::int64_t length(const Vector& values) { return static_cast<std::int64_t>(values.size()); }
inline const char* null_if_empty(const std::string& value) { return value.empty() ? nullptr : value.c_str(); }

// All rows of a table of the library.
template <class Row>
std::vector<Row> table(std::int64_t count, nsm_status (*describe)(std::int64_t, Row*)) {
  std::vector<Row> rows(static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].struct_size = static_cast<std::uint32_t>(sizeof(Row));
    check(describe(static_cast<std::int64_t>(k), &rows[k]));
  }
  return rows;
}

struct ProblemDeleter {
  void operator()(nsm_problem* problem) const noexcept { nsm_problem_free(&problem); }
};
struct OptionsDeleter {
  void operator()(nsm_options* options) const noexcept { nsm_options_free(&options); }
};
struct SolverDeleter {
  void operator()(nsm_solver* solver) const noexcept { nsm_free(&solver); }
};

}  // namespace detail

// A matrix in one of the three storages; owns its arrays.
class Matrix {
 public:
  Matrix() = default;  // 0 x 0: absent

  // values: column-major, rows * cols of them.
  static Matrix dense(std::int64_t rows, std::int64_t cols, Vector values) {
    // A product that overflows cannot be the length of a vector either.
    const bool overflows = require_count(rows) > 0 && require_count(cols) > INT64_MAX / rows;
    detail::data(values, overflows ? INT64_MAX : rows * cols, "values");
    Matrix result(rows, cols, {}, {}, std::move(values));
    result.kind_ = NSM_DENSE;
    return result;
  }

  // Compressed columns: start has cols + 1 entries, index the row of each value.
  static Matrix csc(std::int64_t rows, std::int64_t cols, Indices start, Indices index, Vector values) {
    detail::data(start, require_count(cols) + 1, "start");
    detail::data(index, start.back(), "index");
    detail::data(values, start.back(), "values");
    Matrix result(rows, cols, std::move(start), std::move(index), std::move(values));
    result.kind_ = NSM_CSC;
    return result;
  }

  // Square blocks of one size, each column-major.
  static Matrix block_csr(std::int32_t block_size, std::int64_t block_rows, std::int64_t block_cols, Indices start, Indices index,
                          Vector values) {
    detail::data(start, require_count(block_rows) + 1, "start");
    detail::data(index, start.back(), "index");
    detail::data(values, std::int64_t{block_size} * block_size * start.back(), "values");
    Matrix result(block_size * block_rows, block_size * block_cols, std::move(start), std::move(index), std::move(values));
    result.kind_ = NSM_BLOCK_CSR;
    result.block_size_ = block_size;
    result.block_rows_ = block_rows;
    result.block_cols_ = block_cols;
    return result;
  }

  // Size; empty: made without arguments.
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t cols() const noexcept { return cols_; }
  bool empty() const noexcept { return rows_ == 0 && cols_ == 0; }

  // Borrows this matrix.
  nsm_matrix view() const {
    switch (kind_) {
      case NSM_CSC: return nsm_matrix_csc(rows_, cols_, start_.data(), index_.data(), values_.data());
      case NSM_BLOCK_CSR:
        return nsm_matrix_block_csr(block_size_, block_rows_, block_cols_, start_.data(), index_.data(), values_.data());
      default: return nsm_matrix_dense(rows_, cols_, values_.data());
    }
  }

 private:
  static std::int64_t require_count(std::int64_t value) {
    if (value < 0) throw Error(NSM_INVALID_DIMENSION, "a matrix has a negative size");
    return value;
  }
  Matrix(std::int64_t rows, std::int64_t cols, Indices start, Indices index, Vector values)
      : rows_(rows), cols_(cols), start_(std::move(start)), index_(std::move(index)), values_(std::move(values)) {}

  nsm_storage kind_ = NSM_DENSE;
  std::int64_t rows_ = 0, cols_ = 0;
  std::int32_t block_size_ = 0;
  std::int64_t block_rows_ = 0, block_cols_ = 0;
  Indices start_, index_;
  Vector values_;
};

}  // namespace nsm

#endif
