#include "linalg/block_product.hpp"

#include <algorithm>
#include <cstring>

#include "core/index.hpp"
#include "core/instructions.hpp"

namespace nonsmooth {
namespace {

constexpr std::size_t at_once = 4;  // rows: each sum is a chain whose additions wait for each other

// Two numbers, or three and one that is not wanted, the first of the next column.
template <int D>
struct LanesOf {
  using Type = double __attribute__((vector_size(32)));
};
template <>
struct LanesOf<2> {
  using Type = double __attribute__((vector_size(16)));
};
template <int D>
using Lanes = typename LanesOf<D>::Type;

// Of the D numbers that are wanted alone.
template <int D>
__attribute__((always_inline)) inline void load(const double* from, Lanes<D>& lanes) {
  lanes = Lanes<D>{};
  for (int i = 0; i < D; ++i) lanes[i] = from[i];
}
template <int D>
__attribute__((always_inline)) inline void store(const Lanes<D>& lanes, double* to) {
  for (int i = 0; i < D; ++i) to[i] = lanes[i];
}
// Reads one number more where D is 3.
template <int D>
__attribute__((always_inline)) inline void add_column(const double* column, double x, Lanes<D>& sum) {
  Lanes<D> lanes;
  std::memcpy(&lanes, column, sizeof lanes);
  sum += lanes * x;
}

template <int D>
struct Row {
  const double* block;
  const std::int32_t *column, *end;
  Lanes<D> sum;
  __attribute__((always_inline)) void add_block(const double* x) {
    const double* xb = x + std::ptrdiff_t{D} * *column++;
    for (int j = 0; j < D; ++j, block += D) add_column<D>(block, xb[j], sum);
  }
};

// Block rows I .. I + count - 1, none of which holds the last block of all.
template <int D>
__attribute__((always_inline)) inline void add_rows(const BlockCsrMatrix& A, std::size_t I, std::size_t count, const double* x,
                                                    double* y) {
  Row<D> rows[at_once];
  std::int32_t shared = INT32_MAX;
  for (std::size_t k = 0; k < at_once; ++k) {
    const std::size_t i = I + std::min(k, count - 1);
    const std::int32_t begin = A.row_start[i], end = A.row_start[i + 1];
    rows[k].block = A.values.data() + std::ptrdiff_t{D * D} * begin;
    rows[k].column = A.block_col.data() + begin;
    rows[k].end = A.block_col.data() + end;
    load<D>(y + i * D, rows[k].sum);
    shared = std::min(shared, end - begin);
  }
  for (; shared > 0; --shared)
    for (Row<D>& row : rows) row.add_block(x);
  for (std::size_t k = 0; k < count; ++k) {
    while (rows[k].column < rows[k].end) rows[k].add_block(x);
    store<D>(rows[k].sum, y + (I + k) * D);
  }
}

// The same of single numbers, four rows at once wherever the last block is.
void add_rows_of_ones(const BlockCsrMatrix& A, std::size_t I, std::size_t count, const double* x, double* y) {
  const double *number[at_once], *last[at_once];
  const std::int32_t* column[at_once];
  double sum[at_once];
  std::ptrdiff_t shared = INT32_MAX;
  for (std::size_t k = 0; k < at_once; ++k) {
    const std::size_t i = I + std::min(k, count - 1);
    number[k] = A.values.data() + A.row_start[i];
    last[k] = A.values.data() + A.row_start[i + 1];
    column[k] = A.block_col.data() + A.row_start[i];
    sum[k] = y[i];
    shared = std::min(shared, last[k] - number[k]);
  }
  for (; shared > 0; --shared)
    for (std::size_t k = 0; k < at_once; ++k) sum[k] += *number[k]++ * x[*column[k]++];
  for (std::size_t k = 0; k < count; ++k) {
    while (number[k] < last[k]) sum[k] += *number[k]++ * x[*column[k]++];
    y[I + k] = sum[k];
  }
}

template <int D>
void add_row_by_numbers(const BlockCsrMatrix& A, std::size_t I, const double* x, double* y) {
  const double* block = A.values.data() + std::ptrdiff_t{D * D} * A.row_start[I];
  for (std::int32_t k = A.row_start[I]; k < A.row_start[I + 1]; ++k)
    for (int j = 0; j < D; ++j, block += D)
      for (int i = 0; i < D; ++i) y[I * D + at(i)] += block[i] * x[std::ptrdiff_t{D} * A.block_col[at(k)] + j];
}

void add_column_by_numbers(const CscMatrix& A, std::int64_t j, double x, double* y) {
  if (x == 0) return;
  for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k) y[A.row_index[at(k)]] += A.values[at(k)] * x;
}

template <int D>
ColumnGroups groups_of(const CscMatrix& A) {
  ColumnGroups groups{D, {}};
  groups.is_together.reserve(at(A.cols / D));
  for (std::int64_t j = 0; j + D <= A.cols; j += D) groups.is_together.push_back(is_block_column<D>(A, j));
  return groups;
}

// One number behind the columns that are taken together is read, so that those at the end of the array are taken one by one.
template <int D>
__attribute__((always_inline)) inline void add_columns(const CscMatrix& A, const ColumnGroups& groups, double sign,
                                                       const double* x, double* y) {
  std::int64_t j = 0;
  for (; j + D <= A.cols; j += D) {
    if (A.col_start[at(j + D)] == A.col_start.back() || groups.is_together[at(j / D)] == 0) {
      for (int d = 0; d < D; ++d) add_column_by_numbers(A, j + d, sign * x[j + d], y);
      continue;
    }
    if (std::all_of(x + j, x + j + D, [](double value) { return value == 0; })) continue;
    const std::int32_t first = A.col_start[at(j)], count = A.col_start[at(j + 1)] - first;
    const double* column = A.values.data() + first;
    for (std::int32_t k = 0; k < count; k += D, column += D) {
      double* target = y + A.row_index[at(first + k)];
      Lanes<D> sum;
      load<D>(target, sum);
      for (int d = 0; d < D; ++d) add_column<D>(column + std::ptrdiff_t{d} * count, sign * x[j + d], sum);
      store<D>(sum, target);
    }
  }
  for (; j < A.cols; ++j) add_column_by_numbers(A, j, sign * x[j], y);
}

// For each set of instructions.
struct Products {
  void (*rows_of_twos)(const BlockCsrMatrix&, std::size_t, std::size_t, const double*, double*);
  void (*rows_of_threes)(const BlockCsrMatrix&, std::size_t, std::size_t, const double*, double*);
  void (*columns_by_twos)(const CscMatrix&, const ColumnGroups&, double, const double*, double*);
  void (*columns_by_threes)(const CscMatrix&, const ColumnGroups&, double, const double*, double*);
};

template <int D>
void add_rows_anywhere(const BlockCsrMatrix& A, std::size_t I, std::size_t count, const double* x, double* y) {
  add_rows<D>(A, I, count, x, y);
}
template <int D>
void add_columns_anywhere(const CscMatrix& A, const ColumnGroups& groups, double sign, const double* x, double* y) {
  add_columns<D>(A, groups, sign, x, y);
}
#ifdef __x86_64__
template <int D>
__attribute__((target("avx2"))) void add_rows_avx2(const BlockCsrMatrix& A, std::size_t I, std::size_t count, const double* x,
                                                   double* y) {
  add_rows<D>(A, I, count, x, y);
}
template <int D>
__attribute__((target("avx2"))) void add_columns_avx2(const CscMatrix& A, const ColumnGroups& groups, double sign,
                                                      const double* x, double* y) {
  add_columns<D>(A, groups, sign, x, y);
}
#endif

Products widest() {
#ifdef __x86_64__
  if (widest_instructions() >= Instructions::avx2)
    return {add_rows_avx2<2>, add_rows_avx2<3>, add_columns_avx2<2>, add_columns_avx2<3>};
#endif
  return {add_rows_anywhere<2>, add_rows_anywhere<3>, add_columns_anywhere<2>, add_columns_anywhere<3>};
}

const Products& products() {
  static const Products chosen = widest();
  return chosen;
}

}  // namespace

bool multiply_add_blocks(const BlockCsrMatrix& A, std::int32_t size, std::span<const double> x, std::span<double> y,
                         Workers* workers) {
  if (size == 1) {
    const std::size_t rows = A.row_end.size();
    for_each_share(workers, (rows + at_once - 1) / at_once, [&](std::size_t group) {
      const std::size_t I = group * at_once;
      add_rows_of_ones(A, I, std::min(at_once, rows - I), x.data(), y.data());
    });
    return true;
  }
  if (size != 2 && size != 3) return false;
  const auto add = size == 2 ? products().rows_of_twos : products().rows_of_threes;
  std::size_t whole = A.row_end.size();  // rows in front of that of the last block
  while (whole > 0 && A.row_start[whole] == A.row_start.back()) --whole;
  for_each_share(workers, (whole + at_once - 1) / at_once, [&](std::size_t group) {
    const std::size_t I = group * at_once;
    add(A, I, std::min(at_once, whole - I), x.data(), y.data());
  });
  for (std::size_t I = whole; I < A.row_end.size(); ++I)
    size == 2 ? add_row_by_numbers<2>(A, I, x.data(), y.data()) : add_row_by_numbers<3>(A, I, x.data(), y.data());
  return true;
}

ColumnGroups group_columns(const CscMatrix& A) {
  if (is_block_column<3>(A, 0)) return groups_of<3>(A);
  if (is_block_column<2>(A, 0)) return groups_of<2>(A);
  return {};
}

void multiply_add_columns(const CscMatrix& A, const ColumnGroups& groups, double sign, std::span<const double> x,
                          std::span<double> y) {
  switch (groups.size) {
    case 3: return products().columns_by_threes(A, groups, sign, x.data(), y.data());
    case 2: return products().columns_by_twos(A, groups, sign, x.data(), y.data());
  }
  for (std::int64_t j = 0; j < A.cols; ++j) add_column_by_numbers(A, j, sign * x[at(j)], y.data());
}

}  // namespace nonsmooth
