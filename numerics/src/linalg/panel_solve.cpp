#include "linalg/panel_solve.hpp"

#include <cstring>

#include "core/instructions.hpp"
#include "core/lanes.hpp"

namespace nonsmooth {
namespace {

// Each vector of what they act on is read and written once. The next ones, which stand behind them, are fetched meanwhile:
// columns are too short for the processor to see where they lead.
constexpr int columns_together = 4;

// So many bytes of numbers, wherever they stand.
template <class Real, int BYTES>
struct Numbers {
  using Vector __attribute__((vector_size(BYTES))) = Real;
  static constexpr int count = BYTES / static_cast<int>(sizeof(Real));
  Vector all;
  NSM_INLINE void load(const Real* from) { std::memcpy(&all, from, sizeof all); }
  NSM_INLINE void store(Real* to) const { std::memcpy(to, &all, sizeof all); }
  NSM_INLINE Real sum() const {
    Real result = 0;
    for (int i = 0; i < count; ++i) result += all[i];
    return result;
  }
};

// y[i] -= A[i, :] known from i on, while whole vectors are left.
template <int N, int BYTES, class Real>
NSM_INLINE int subtract_vectors(const Real* A, std::ptrdiff_t stride, int i, int rows, const Real* known, Real* y) {
  using Vector = Numbers<Real, BYTES>;
  for (; i + Vector::count <= rows; i += Vector::count) {
    Vector sum, column;
    sum.load(y + i);
    for (int j = 0; j < N; ++j) {
      column.load(A + i + stride * j);
      __builtin_prefetch(A + i + stride * (j + N));
      sum.all -= column.all * known[j];
    }
    sum.store(y + i);
  }
  return i;
}

// y -= A x, N columns. A copy of x stays in registers, whatever is written to y.
template <int N, class Real>
NSM_INLINE void subtract_columns(const Real* A, std::ptrdiff_t stride, int rows, const Real* x, Real* y) {
  Real known[N];
  for (int j = 0; j < N; ++j) known[j] = x[j];
  int i = subtract_vectors<N, 32>(A, stride, 0, rows, known, y);
  i = subtract_vectors<N, 16>(A, stride, i, rows, known, y);
  for (; i < rows; ++i) {
    Real sum = y[i];
    for (int j = 0; j < N; ++j) sum -= A[i + stride * j] * known[j];
    y[i] = sum;
  }
}

// x[j] -= A[:, j]' y from row i on, while whole vectors are left.
template <int N, int BYTES, class Real>
NSM_INLINE int subtract_products(const Real* A, std::ptrdiff_t stride, int i, int rows, const Real* y, Real* x) {
  using Vector = Numbers<Real, BYTES>;
  if (i + Vector::count > rows) return i;
  Vector sums[N], own, column;
  for (int j = 0; j < N; ++j) sums[j].all = typename Vector::Vector{};
  for (; i + Vector::count <= rows; i += Vector::count) {
    own.load(y + i);
    for (int j = 0; j < N; ++j) {
      column.load(A + i + stride * j);
      __builtin_prefetch(A + i + stride * (j + N));
      sums[j].all += column.all * own.all;
    }
  }
  for (int j = 0; j < N; ++j) x[j] -= sums[j].sum();
  return i;
}

// x -= A' y, N columns.
template <int N, class Real>
NSM_INLINE void subtract_rows(const Real* A, std::ptrdiff_t stride, int rows, const Real* y, Real* x) {
  int i = subtract_products<N, 32>(A, stride, 0, rows, y, x);
  i = subtract_products<N, 16>(A, stride, i, rows, y, x);
  for (; i < rows; ++i)
    for (int j = 0; j < N; ++j) x[j] -= A[i + stride * j] * y[i];
}

// Of the diagonal of N columns. Divisions do not wait for each other so, as those of a solution would.
template <int N, class Real>
struct Reciprocals {
  Real of[N];
  NSM_INLINE Reciprocals(const Real* diagonal, std::ptrdiff_t stride) {
    for (int j = 0; j < N; ++j) of[j] = 1 / diagonal[j + stride * j];
  }
};

// N columns of a lower triangle, their diagonal block on top, and the rows below them.
template <int N, bool UNIT, class Real>
NSM_INLINE void forward_columns(const Real* L, std::ptrdiff_t stride, int rows, Real* x) {
  const Reciprocals<N, Real> reciprocals(L, stride);
  for (int j = 0; j < N; ++j) {
    if (!UNIT) x[j] *= reciprocals.of[j];
    for (int i = j + 1; i < N; ++i) x[i] -= L[i + stride * j] * x[j];
  }
  subtract_columns<N>(L + N, stride, rows - N, x, x + N);
}

template <int N, class Real>
NSM_INLINE void backward_columns(const Real* L, std::ptrdiff_t stride, int rows, Real* x) {
  const Reciprocals<N, Real> reciprocals(L, stride);
  subtract_rows<N>(L + N, stride, rows - N, x + N, x);
  for (int j = N - 1; j >= 0; --j) {
    for (int i = j + 1; i < N; ++i) x[j] -= L[i + stride * j] * x[i];
    x[j] *= reciprocals.of[j];
  }
}

// Columns c .. c + N - 1 of an upper triangle; U is the first of them.
template <int N, class Real>
NSM_INLINE void upper_columns(const Real* U, std::ptrdiff_t stride, int c, Real* x) {
  const Reciprocals<N, Real> reciprocals(U + c, stride);
  for (int j = N - 1; j >= 0; --j) {
    x[c + j] *= reciprocals.of[j];
    for (int i = 0; i < j; ++i) x[c + i] -= U[c + i + stride * j] * x[c + j];
  }
  subtract_columns<N>(U, stride, c, x + c, x);
}

// visit.operator()<N>(c) of the columns c .. c + N - 1, the last ones fewer at a time.
template <class Visit>
NSM_INLINE void visit_last(int columns, Visit&& visit) {
  const int rest = columns % columns_together, c = columns - rest;
  if (rest == 3) visit.template operator()<3>(c);
  if (rest == 2) visit.template operator()<2>(c);
  if (rest == 1) visit.template operator()<1>(c);
}
template <class Visit>
NSM_INLINE void visit_forward(int columns, Visit&& visit) {
  for (int c = 0; c + columns_together <= columns; c += columns_together) visit.template operator()<columns_together>(c);
  visit_last(columns, visit);
}
template <class Visit>
NSM_INLINE void visit_backward(int columns, Visit&& visit) {
  visit_last(columns, visit);
  for (int c = columns - columns % columns_together - columns_together; c >= 0; c -= columns_together)
    visit.template operator()<columns_together>(c);
}

template <bool UNIT, class Real>
NSM_INLINE void forward(const SolvedPanel<Real>& L, Real* x) {
  visit_forward(
      L.columns, [&]<int N>(int c) __attribute__((always_inline)) {
        forward_columns<N, UNIT>(L.values + c + L.stride * c, L.stride, L.rows - c, x + c);
      });
}
template <class Real>
NSM_INLINE void backward(const SolvedPanel<Real>& L, Real* x) {
  visit_backward(
      L.columns, [&]<int N>(int c) __attribute__((always_inline)) {
        backward_columns<N>(L.values + c + L.stride * c, L.stride, L.rows - c, x + c);
      });
}
template <class Real>
NSM_INLINE void backward_upper(const SolvedPanel<Real>& U, Real* x) {
  visit_backward(
      U.columns, [&]<int N>(int c) __attribute__((always_inline)) { upper_columns<N>(U.values + U.stride * c, U.stride, c, x); });
}
template <class Real>
NSM_INLINE void subtract(const SolvedPanel<Real>& B, const Real* x, Real* y) {
  visit_forward(
      B.columns, [&]<int N>(int c) __attribute__((always_inline)) {
        subtract_columns<N>(B.values + B.stride * c, B.stride, B.rows, x + c, y);
      });
}
template <class Real>
NSM_INLINE void subtract_transposed(const SolvedPanel<Real>& B, const Real* y, Real* x) {
  visit_forward(
      B.columns, [&]<int N>(int c)
                     __attribute__((always_inline)) { subtract_rows<N>(B.values + B.stride * c, B.stride, B.rows, y, x + c); });
}

// For each set of instructions, by the same operations in the same order: the bits are the same.
template <bool UNIT, class Real>
void forward_anywhere(const SolvedPanel<Real>& L, Real* x) {
  forward<UNIT>(L, x);
}
template <class Real>
void backward_anywhere(const SolvedPanel<Real>& L, Real* x) {
  backward(L, x);
}
template <class Real>
void backward_upper_anywhere(const SolvedPanel<Real>& U, Real* x) {
  backward_upper(U, x);
}
template <class Real>
void subtract_anywhere(const SolvedPanel<Real>& B, const Real* x, Real* y) {
  subtract(B, x, y);
}
template <class Real>
void subtract_transposed_anywhere(const SolvedPanel<Real>& B, const Real* y, Real* x) {
  subtract_transposed(B, y, x);
}
#ifdef __x86_64__
template <bool UNIT, class Real>
__attribute__((target("avx2"))) void forward_avx2(const SolvedPanel<Real>& L, Real* x) {
  forward<UNIT>(L, x);
}
template <class Real>
__attribute__((target("avx2"))) void backward_avx2(const SolvedPanel<Real>& L, Real* x) {
  backward(L, x);
}
template <class Real>
__attribute__((target("avx2"))) void backward_upper_avx2(const SolvedPanel<Real>& U, Real* x) {
  backward_upper(U, x);
}
template <class Real>
__attribute__((target("avx2"))) void subtract_avx2(const SolvedPanel<Real>& B, const Real* x, Real* y) {
  subtract(B, x, y);
}
template <class Real>
__attribute__((target("avx2"))) void subtract_transposed_avx2(const SolvedPanel<Real>& B, const Real* y, Real* x) {
  subtract_transposed(B, y, x);
}
#endif

template <class Real>
PanelSolves<Real> widest_solves() {
#ifdef __x86_64__
  if (widest_instructions() >= Instructions::avx2)
    return {forward_avx2<false, Real>, forward_avx2<true, Real>, backward_avx2<Real>,
            backward_upper_avx2<Real>, subtract_avx2<Real>,      subtract_transposed_avx2<Real>};
#endif
  return {forward_anywhere<false, Real>, forward_anywhere<true, Real>, backward_anywhere<Real>,
          backward_upper_anywhere<Real>, subtract_anywhere<Real>,      subtract_transposed_anywhere<Real>};
}

}  // namespace

template <class Real>
const PanelSolves<Real>& panel_solves() {
  static const PanelSolves<Real> chosen = widest_solves<Real>();
  return chosen;
}
template const PanelSolves<float>& panel_solves();
template const PanelSolves<double>& panel_solves();

}  // namespace nonsmooth
