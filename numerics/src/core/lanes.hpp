// Eight numbers that are worked on at once. What is written for a type Real, double or Lanes, does the same operations in the
// same order in every lane, so that both have the same bits, whatever instructions the processor has. To be called from functions
// that may be compiled for several instruction sets: everything is inlined, and Lanes is another type where vectors hold all
// eight.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __x86_64__
#include <immintrin.h>
#endif

// All of it is inlined, so that how vectors are passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"
#define NSM_INLINE __attribute__((always_inline)) inline

namespace nonsmooth {

constexpr int lane_count = 8;

// Two numbers, of which lanes are put together: they were stored one by one as a rule, and processors wait where a load joins
// several stores just made.
using Pair = double __attribute__((vector_size(16)));

#ifdef __AVX512DQ__
inline namespace eight_at_once {

struct Lanes {
  using Vector = double __attribute__((vector_size(64), may_alias));
  Vector all;
  Lanes() = default;
  NSM_INLINE explicit Lanes(const Vector& vector) : all(vector) {}
  NSM_INLINE Lanes(double number) : all(Vector{} + number) {}
};
// GCC 12 takes comparisons of vectors of this length apart, unless it is told of masks.
struct LaneMask {
  __mmask8 all;
  NSM_INLINE explicit LaneMask(unsigned bits) : all(static_cast<__mmask8>(bits)) {}
};

NSM_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return Lanes(a.all + b.all); }
NSM_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return Lanes(a.all - b.all); }
NSM_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return Lanes(a.all * b.all); }
NSM_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return Lanes(a.all / b.all); }
NSM_INLINE Lanes operator-(const Lanes& a) { return Lanes(-a.all); }
NSM_INLINE LaneMask operator<(const Lanes& a, const Lanes& b) { return LaneMask(_mm512_cmp_pd_mask(a.all, b.all, _CMP_LT_OS)); }
NSM_INLINE LaneMask operator<=(const Lanes& a, const Lanes& b) { return LaneMask(_mm512_cmp_pd_mask(a.all, b.all, _CMP_LE_OS)); }
NSM_INLINE LaneMask operator==(const Lanes& a, const Lanes& b) { return LaneMask(_mm512_cmp_pd_mask(a.all, b.all, _CMP_EQ_OQ)); }
NSM_INLINE LaneMask operator&(const LaneMask& a, const LaneMask& b) { return LaneMask(unsigned{a.all} & b.all); }
NSM_INLINE LaneMask operator|(const LaneMask& a, const LaneMask& b) { return LaneMask(unsigned{a.all} | b.all); }
NSM_INLINE LaneMask negation(const LaneMask& mask) { return LaneMask(~unsigned{mask.all}); }
NSM_INLINE bool any(const LaneMask& mask) { return mask.all != 0; }
NSM_INLINE Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  return Lanes(_mm512_mask_blend_pd(mask.all, no.all, yes.all));
}
NSM_INLINE Lanes magnitude(const Lanes& x) { return Lanes(_mm512_abs_pd(x.all)); }
NSM_INLINE Lanes square_root(const Lanes& x) { return Lanes(_mm512_sqrt_pd(x.all)); }

NSM_INLINE Lanes load(const double* from) { return Lanes(_mm512_loadu_pd(from)); }
NSM_INLINE Lanes join(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  const auto front = __builtin_shufflevector(a, b, 0, 1, 2, 3), back = __builtin_shufflevector(c, d, 0, 1, 2, 3);
  return Lanes(Lanes::Vector(__builtin_shufflevector(front, back, 0, 1, 2, 3, 4, 5, 6, 7)));
}
template <int FIRST>
NSM_INLINE Pair pair_of(const Lanes& x) {
  return __builtin_shufflevector(x.all, x.all, FIRST, FIRST + 1);
}
// The first, or the second, of each two numbers of a, each followed by that of b.
NSM_INLINE Lanes firsts(const Lanes& a, const Lanes& b) { return Lanes(_mm512_unpacklo_pd(a.all, b.all)); }
NSM_INLINE Lanes seconds(const Lanes& a, const Lanes& b) { return Lanes(_mm512_unpackhi_pd(a.all, b.all)); }

}  // namespace eight_at_once
#else
inline namespace four_at_once {

// Two vectors of the width most processors have: while one waits for a division, the other goes on.
struct Lanes {
  using Half = double __attribute__((vector_size(32), may_alias));
  Half half[2];
  Lanes() = default;
  NSM_INLINE Lanes(const Half& front, const Half& back) : half{front, back} {}
  NSM_INLINE Lanes(double all) : half{Half{} + all, Half{} + all} {}
};
// All bits of a lane set or not.
struct LaneMask {
  using Half = decltype(Lanes::Half{} < Lanes::Half{});
  Half half[2];
  NSM_INLINE LaneMask(const Half& front, const Half& back) : half{front, back} {}
};

NSM_INLINE Lanes operator+(const Lanes& a, const Lanes& b) { return {a.half[0] + b.half[0], a.half[1] + b.half[1]}; }
NSM_INLINE Lanes operator-(const Lanes& a, const Lanes& b) { return {a.half[0] - b.half[0], a.half[1] - b.half[1]}; }
NSM_INLINE Lanes operator*(const Lanes& a, const Lanes& b) { return {a.half[0] * b.half[0], a.half[1] * b.half[1]}; }
NSM_INLINE Lanes operator/(const Lanes& a, const Lanes& b) { return {a.half[0] / b.half[0], a.half[1] / b.half[1]}; }
NSM_INLINE Lanes operator-(const Lanes& a) { return {-a.half[0], -a.half[1]}; }
NSM_INLINE LaneMask operator<(const Lanes& a, const Lanes& b) { return {a.half[0] < b.half[0], a.half[1] < b.half[1]}; }
NSM_INLINE LaneMask operator<=(const Lanes& a, const Lanes& b) { return {a.half[0] <= b.half[0], a.half[1] <= b.half[1]}; }
NSM_INLINE LaneMask operator==(const Lanes& a, const Lanes& b) { return {a.half[0] == b.half[0], a.half[1] == b.half[1]}; }
NSM_INLINE LaneMask operator&(const LaneMask& a, const LaneMask& b) { return {a.half[0] & b.half[0], a.half[1] & b.half[1]}; }
NSM_INLINE LaneMask operator|(const LaneMask& a, const LaneMask& b) { return {a.half[0] | b.half[0], a.half[1] | b.half[1]}; }
NSM_INLINE LaneMask negation(const LaneMask& mask) { return {~mask.half[0], ~mask.half[1]}; }
NSM_INLINE bool any(const LaneMask& mask) {
  const LaneMask::Half both = mask.half[0] | mask.half[1];
  const auto two = __builtin_shufflevector(both, both, 0, 1) | __builtin_shufflevector(both, both, 2, 3);
  return (two[0] | two[1]) != 0;
}
NSM_INLINE Lanes select(const LaneMask& mask, const Lanes& yes, const Lanes& no) {
  return {mask.half[0] ? yes.half[0] : no.half[0], mask.half[1] ? yes.half[1] : no.half[1]};
}

NSM_INLINE Lanes::Half magnitude(const Lanes::Half& x) {
  using Bits = LaneMask::Half;
  return reinterpret_cast<Lanes::Half>(reinterpret_cast<Bits>(x) & ~reinterpret_cast<Bits>(-Lanes::Half{}));
}
NSM_INLINE Lanes magnitude(const Lanes& x) { return {magnitude(x.half[0]), magnitude(x.half[1])}; }
NSM_INLINE Lanes::Half square_root(const Lanes::Half& x) {
#ifdef __x86_64__
  const auto front = _mm_sqrt_pd(__builtin_shufflevector(x, x, 0, 1)), back = _mm_sqrt_pd(__builtin_shufflevector(x, x, 2, 3));
  return __builtin_shufflevector(front, back, 0, 1, 2, 3);
#else
  return Lanes::Half{std::sqrt(x[0]), std::sqrt(x[1]), std::sqrt(x[2]), std::sqrt(x[3])};
#endif
}
NSM_INLINE Lanes square_root(const Lanes& x) { return {square_root(x.half[0]), square_root(x.half[1])}; }

NSM_INLINE Lanes load(const double* from) {
  Lanes all;
  std::memcpy(&all.half[0], from, sizeof(Lanes::Half));
  std::memcpy(&all.half[1], from + 4, sizeof(Lanes::Half));
  return all;
}
NSM_INLINE Lanes join(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  return {__builtin_shufflevector(a, b, 0, 1, 2, 3), __builtin_shufflevector(c, d, 0, 1, 2, 3)};
}
template <int FIRST>
NSM_INLINE Pair pair_of(const Lanes& x) {
  const Lanes::Half& half = x.half[FIRST / 4];
  return __builtin_shufflevector(half, half, FIRST % 4, FIRST % 4 + 1);
}
// The first, or the second, of each two numbers of a, each followed by that of b.
NSM_INLINE Lanes firsts(const Lanes& a, const Lanes& b) {
  return {__builtin_shufflevector(a.half[0], b.half[0], 0, 4, 2, 6), __builtin_shufflevector(a.half[1], b.half[1], 0, 4, 2, 6)};
}
NSM_INLINE Lanes seconds(const Lanes& a, const Lanes& b) {
  return {__builtin_shufflevector(a.half[0], b.half[0], 1, 5, 3, 7), __builtin_shufflevector(a.half[1], b.half[1], 1, 5, 3, 7)};
}

}  // namespace four_at_once
#endif

NSM_INLINE LaneMask operator>(const Lanes& a, const Lanes& b) { return b < a; }
NSM_INLINE LaneMask operator>=(const Lanes& a, const Lanes& b) { return b <= a; }

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

// The same for one number.
NSM_INLINE bool negation(bool mask) { return !mask; }
NSM_INLINE bool any(bool mask) { return mask; }
NSM_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }
NSM_INLINE double magnitude(double x) { return std::abs(x); }
NSM_INLINE double square_root(double x) { return std::sqrt(x); }

// As std::max and std::min: the first where they do not compare.
template <class Real>
NSM_INLINE Real larger(const Real& a, const Real& b) {
  return select(a < b, b, a);
}
template <class Real>
NSM_INLINE Real smaller(const Real& a, const Real& b) {
  return select(b < a, b, a);
}

// Entry `offset` of what each of the places points to.
NSM_INLINE Lanes join(const double* const* places, int offset) {
  const auto pair = [&](int k) __attribute__((always_inline)) { return Pair{places[k][offset], places[k + 1][offset]}; };
  return join(pair(0), pair(2), pair(4), pair(6));
}
// The other way round.
NSM_INLINE void separate(const Lanes& all, double* const* places, int offset) {
  const auto put = [&](int k, const Pair& pair) __attribute__((always_inline)) {
    places[k][offset] = pair[0];
    places[k + 1][offset] = pair[1];
  };
  put(0, pair_of<0>(all));
  put(2, pair_of<2>(all));
  put(4, pair_of<4>(all));
  put(6, pair_of<6>(all));
}

// x[i]: number i of the three that begin at each of eight places in z.
NSM_INLINE void join_threes(const double* z, const std::int32_t* places, Lanes* x) {
  const auto first_two = [&](int k) __attribute__((always_inline)) {
    Pair pair;
    std::memcpy(&pair, z + places[k], sizeof pair);
    return pair;
  };
  const auto third = [&](int k) __attribute__((always_inline)) { return Pair{z[places[k] + 2], z[places[k + 1] + 2]}; };
  const Lanes even = join(first_two(0), first_two(2), first_two(4), first_two(6)),
              odd = join(first_two(1), first_two(3), first_two(5), first_two(7));
  x[0] = firsts(even, odd);
  x[1] = seconds(even, odd);
  x[2] = join(third(0), third(2), third(4), third(6));
}

}  // namespace nonsmooth
