#include "linalg/panel_product.hpp"

#include <algorithm>
#include <cstring>

#include "core/instructions.hpp"
#include "core/lanes.hpp"

namespace nonsmooth {
namespace {

// Columns of a tile, whose sums stay in registers: two vectors of rows times six (Van Zee and van de Geijn 2015).
constexpr int tile_columns = 6;

// V vectors of rows, N columns.
template <int V, int N, int BYTES, class Real>
NSM_INLINE void multiply_tile(int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C, std::ptrdiff_t stride) {
  using Vector __attribute__((vector_size(BYTES))) = Real;
  constexpr int width = BYTES / static_cast<int>(sizeof(Real));
  Vector sum[V][N];
  for (auto& row : sum)
    for (Vector& entry : row) entry = Vector{};
  const Real *a = A.values, *b = B.values;
  for (int l = 0; l < k; ++l, a += A.stride, b += B.stride) {
    Vector rows[V];
    std::memcpy(rows, a, sizeof rows);
    for (int j = 0; j < N; ++j)
      for (int v = 0; v < V; ++v) sum[v][j] += rows[v] * (Vector{} + b[j]);
  }
  for (int j = 0; j < N; ++j)
    for (int v = 0; v < V; ++v) std::memcpy(C + stride * j + v * width, &sum[v][j], sizeof(Vector));
}

// N columns. The last vector of rows is moved back over rows that are done; where there are fewer rows, vectors are shorter.
template <int N, int BYTES, class Real>
NSM_INLINE void multiply_columns(int m, int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C) {
  constexpr int width = BYTES / static_cast<int>(sizeof(Real));
  if (m < width) {
    if constexpr (width > 1) multiply_columns<N, BYTES / 2>(m, k, A, B, C);
    return;
  }
  int i = 0;
  for (; i + 2 * width <= m; i += 2 * width) multiply_tile<2, N, BYTES>(k, {A.values + i, A.stride}, B, C + i, m);
  for (; i < m; i += width) {
    const int first = std::min(i, m - width);
    multiply_tile<1, N, BYTES>(k, {A.values + first, A.stride}, B, C + first, m);
  }
}

template <int BYTES, class Real>
NSM_INLINE void multiply(int m, int n, int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C) {
  const auto columns = [&]<int N>(int j) __attribute__((always_inline)) {
    multiply_columns<N, BYTES>(m, k, A, {B.values + j, B.stride}, C + std::ptrdiff_t{m} * j);
  };
  int j = 0;
  for (; j + tile_columns <= n; j += tile_columns) columns.template operator()<tile_columns>(j);
  for (; j + 3 <= n; j += 3) columns.template operator()<3>(j);  // a contact
  for (; j < n; ++j) columns.template operator()<1>(j);
}

// For each set of instructions.
template <class Real>
void multiply_anywhere(int m, int n, int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C) {
  multiply<16>(m, n, k, A, B, C);
}
#ifdef __x86_64__
template <class Real>
__attribute__((target("avx2,fma"))) void multiply_avx2(int m, int n, int k, const PanelRows<Real>& A, const PanelRows<Real>& B,
                                                       Real* C) {
  multiply<32>(m, n, k, A, B, C);
}
template <class Real>
__attribute__((target("avx512f,avx512dq,avx512vl"))) void multiply_avx512(int m, int n, int k, const PanelRows<Real>& A,
                                                                          const PanelRows<Real>& B, Real* C) {
  multiply<64>(m, n, k, A, B, C);
}
#endif

template <class Real>
auto widest_multiply() {
#ifdef __x86_64__
  const Instructions widest = widest_instructions();
  if (widest == Instructions::avx512) return multiply_avx512<Real>;
  if (widest == Instructions::avx2 && __builtin_cpu_supports("fma")) return multiply_avx2<Real>;
#endif
  return multiply_anywhere<Real>;
}

}  // namespace

template <class Real>
void multiply_panels(int m, int n, int k, const PanelRows<Real>& A, const PanelRows<Real>& B, Real* C) {
  static const auto chosen = widest_multiply<Real>();
  chosen(m, n, k, A, B, C);
}
template void multiply_panels(int m, int n, int k, const PanelRows<float>& A, const PanelRows<float>& B, float* C);
template void multiply_panels(int m, int n, int k, const PanelRows<double>& A, const PanelRows<double>& B, double* C);

}  // namespace nonsmooth
