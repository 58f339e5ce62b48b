// Eight numbers that are worked on at once. What is written for a type Real, double or Lanes, does the same operations in the
// same order in every lane, so that both have the same bits, whatever instructions the processor has. To be called from functions
// that may be compiled for several instruction sets: everything is inlined.
#pragma once

#include <cmath>
#include <cstddef>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

// All of it is inlined, so that how vectors are passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#define NSM_INLINE __attribute__((always_inline)) inline

namespace nonsmooth {

constexpr int lane_count = 8;

// Two vectors of the width most processors have: while one waits for a division, the other goes on.
struct Lanes {
  using Half = double __attribute__((vector_size(32)));
  Half half[2];
  Lanes() = default;
  NSM_INLINE Lanes(const Half& front, const Half& back) : half{front, back} {}
  NSM_INLINE Lanes(double all) : half{Half{} + all, Half{} + all} {}
  NSM_INLINE void set(std::size_t lane, double value) { half[lane / 4][lane % 4] = value; }
};
// All bits of a lane set or not.
struct LaneMask {
  using Half = decltype(Lanes::Half{} < Lanes::Half{});
  Half half[2];
  NSM_INLINE LaneMask(const Half& front, const Half& back) : half{front, back} {}
};
// What a comparison of two Reals gives.
template <class Real>
struct MaskOfReal {
  using Type = bool;
};
template <>
struct MaskOfReal<Lanes> {
  using Type = LaneMask;
};
template <class Real>
using MaskOf = typename MaskOfReal<Real>::Type;

NSM_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.half[0] + b.half[0], a.half[1] + b.half[1]}; }
NSM_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return {a.half[0] - b.half[0], a.half[1] - b.half[1]}; }
NSM_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.half[0] * b.half[0], a.half[1] * b.half[1]}; }
NSM_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return {a.half[0] / b.half[0], a.half[1] / b.half[1]}; }
NSM_INLINE Lanes operator-(const Lanes& a) { return {-a.half[0], -a.half[1]}; }
NSM_INLINE LaneMask operator<(const Lanes& a, const Lanes& b) { return {a.half[0] < b.half[0], a.half[1] < b.half[1]}; }
NSM_INLINE LaneMask operator<=(const Lanes& a, const Lanes& b) { return {a.half[0] <= b.half[0], a.half[1] <= b.half[1]}; }
NSM_INLINE LaneMask operator>(const Lanes& a, const Lanes& b) { return b < a; }
NSM_INLINE LaneMask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }
NSM_INLINE LaneMask operator==(const Lanes& a, const Lanes& b) { return {a.half[0] == b.half[0], a.half[1] == b.half[1]}; }
NSM_INLINE LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {a.half[0] & b.half[0], a.half[1] & b.half[1]}; }
NSM_INLINE LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {a.half[0] | b.half[0], a.half[1] | b.half[1]}; }

NSM_INLINE bool negation(bool mask) { return !mask; }
NSM_INLINE LaneMask negation(const LaneMask& mask) { return {~mask.half[0], ~mask.half[1]}; }
NSM_INLINE bool any(bool mask) { return mask; }
NSM_INLINE bool any(const LaneMask& mask) {
  const LaneMask::Half both = mask.half[0] | mask.half[1];
  const auto two = __builtin_shufflevector(both, both, 0, 1) | __builtin_shufflevector(both, both, 2, 3);
  return (two[0] | two[1]) != 0;
}

NSM_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
NSM_INLINE Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  return {mask.half[0] ? yes.half[0] : no.half[0], mask.half[1] ? yes.half[1] : no.half[1]};
}

// As std::max and std::min: the first where they do not compare.
template <class Real>
NSM_INLINE Real larger(const Real& a, const Real& b) {
  return select(a < b, b, a);
}
template <class Real>
NSM_INLINE Real smaller(const Real& a, const Real& b) {
  return select(b < a, b, a);
}

NSM_INLINE double magnitude(double x) { return std::abs(x); }
NSM_INLINE Lanes::Half magnitude(const Lanes::Half& x) {
  using Bits = LaneMask::Half;
  return reinterpret_cast<Lanes::Half>(reinterpret_cast<Bits>(x) & ~reinterpret_cast<Bits>(-Lanes::Half{}));
}
NSM_INLINE Lanes magnitude(const Lanes& x) { return {magnitude(x.half[0]), magnitude(x.half[1])}; }

NSM_INLINE double square_root(double x) { return std::sqrt(x); }
NSM_INLINE Lanes::Half square_root(const Lanes::Half& x) {
#ifdef __x86_64__
  const auto front = _mm_sqrt_pd(__builtin_shufflevector(x, x, 0, 1)), back = _mm_sqrt_pd(__builtin_shufflevector(x, x, 2, 3));
  return __builtin_shufflevector(front, back, 0, 1, 2, 3);
#else
  return Lanes::Half{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}
NSM_INLINE Lanes square_root(const Lanes& x) { return {square_root(x.half[0]), square_root(x.half[1])}; }

// Entry `offset` of what each of the places points to. They were stored one by one as a rule, and processors wait where a load
// joins several stores just made.
NSM_INLINE Lanes join(const double* const* places, int offset) {
#ifdef __x86_64__
  __m128d pair[lane_count / 2];
  for (int k = 0; k < lane_count / 2; ++k)
    pair[k] = _mm_loadh_pd(_mm_load_sd(places[2 * k] + offset), places[2 * k + 1] + offset);
  return {__builtin_shufflevector(pair[0], pair[1], 0, 1, 2, 3), __builtin_shufflevector(pair[2], pair[3], 0, 1, 2, 3)};
#else
  Lanes all;
  for (std::size_t k = 0; k < lane_count; ++k) all.set(k, places[k][offset]);
  return all;
#endif
}
// The other way round.
NSM_INLINE void separate(const Lanes& all, double* const* places, int offset) {
#ifdef __x86_64__
  for (int h = 0; h < 2; ++h) {
    const Lanes::Half& half = all.half[h];
    const __m128d front = __builtin_shufflevector(half, half, 0, 1), back = __builtin_shufflevector(half, half, 2, 3);
    double* const* four = places + 4 * h;
    _mm_storel_pd(four[0] + offset, front);
    _mm_storeh_pd(four[1] + offset, front);
    _mm_storel_pd(four[2] + offset, back);
    _mm_storeh_pd(four[3] + offset, back);
  }
#else
  for (int k = 0; k < lane_count; ++k) places[k][offset] = all.half[k / 4][k % 4];
#endif
}

}  // namespace nonsmooth
