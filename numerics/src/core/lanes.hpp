// Eight numbers that are worked on at once. What is written for a type Real, double or Lanes, does the same operations in the
// same order in every lane, so that both have the same bits, whatever instructions the processor has. To be called from functions
// that may be compiled for several instruction sets: everything is inlined, and Lanes is another type where vectors hold all
// eight.
#pragma once

#include <cmath>
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

// Eight numbers in single precision, and the three of a contact with a zero.
using Singles = float __attribute__((vector_size(32), may_alias));
using FourSingles = float __attribute__((vector_size(16), may_alias));

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
  NSM_INLINE Lanes(double number) : all(number - Vector{}) {}  // + would lose the sign of a zero
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
NSM_INLINE void store(const Lanes& all, double* to) { _mm512_storeu_pd(to, all.all); }
NSM_INLINE Lanes widen(const Singles& x) { return Lanes(Lanes::Vector(__builtin_convertvector(x, Lanes::Vector))); }
NSM_INLINE Singles narrow(const Lanes& x) { return Singles(__builtin_convertvector(x.all, Singles)); }
NSM_INLINE Lanes join(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  const auto front = __builtin_shufflevector(a, b, 0, 1, 2, 3), back = __builtin_shufflevector(c, d, 0, 1, 2, 3);
  return Lanes(Lanes::Vector(__builtin_shufflevector(front, back, 0, 1, 2, 3, 4, 5, 6, 7)));
}
template <int FIRST>
NSM_INLINE Pair pair_of(const Lanes& x) {
  return __builtin_shufflevector(x.all, x.all, FIRST, FIRST + 1);
}

}  // namespace eight_at_once
#else
inline namespace four_at_once {

// Two vectors of the width most processors have: while one waits for a division, the other goes on.
struct Lanes {
  using Half = double __attribute__((vector_size(32), may_alias));
  Half half[2];
  Lanes() = default;
  NSM_INLINE Lanes(const Half& front, const Half& back) : half{front, back} {}
  NSM_INLINE Lanes(double all) : half{all - Half{}, all - Half{}} {}  // + would lose the sign of a zero
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
NSM_INLINE void store(const Lanes& all, double* to) { std::memcpy(to, all.half, sizeof all.half); }
NSM_INLINE Lanes widen(const Singles& x) {
  return {__builtin_convertvector(__builtin_shufflevector(x, x, 0, 1, 2, 3), Lanes::Half),
          __builtin_convertvector(__builtin_shufflevector(x, x, 4, 5, 6, 7), Lanes::Half)};
}
NSM_INLINE Singles narrow(const Lanes& x) {
  return __builtin_shufflevector(__builtin_convertvector(x.half[0], FourSingles), __builtin_convertvector(x.half[1], FourSingles),
                                 0, 1, 2, 3, 4, 5, 6, 7);
}
NSM_INLINE Lanes join(const Pair& a, const Pair& b, const Pair& c, const Pair& d) {
  return {__builtin_shufflevector(a, b, 0, 1, 2, 3), __builtin_shufflevector(c, d, 0, 1, 2, 3)};
}
template <int FIRST>
NSM_INLINE Pair pair_of(const Lanes& x) {
  const Lanes::Half& half = x.half[FIRST / 4];
  return __builtin_shufflevector(half, half, FIRST % 4, FIRST % 4 + 1);
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

// x[i]: number i of the three that begin at each of eight places in z, four numbers apart or more.
NSM_INLINE void join_threes(const float* z, const std::int32_t* places, Singles* x) {
  const auto both = [&](int k) __attribute__((always_inline)) {
    FourSingles front, back;
    std::memcpy(&front, z + places[k], sizeof front);
    std::memcpy(&back, z + places[k + 4], sizeof back);
    return Singles(__builtin_shufflevector(front, back, 0, 1, 2, 3, 4, 5, 6, 7));
  };
  const Singles a = both(0), b = both(1), c = both(2), d = both(3);
  const Singles ab = __builtin_shufflevector(a, b, 0, 8, 1, 9, 4, 12, 5, 13),
                cd = __builtin_shufflevector(c, d, 0, 8, 1, 9, 4, 12, 5, 13),
                ab_third = __builtin_shufflevector(a, b, 2, 10, 3, 11, 6, 14, 7, 15),
                cd_third = __builtin_shufflevector(c, d, 2, 10, 3, 11, 6, 14, 7, 15);
  x[0] = __builtin_shufflevector(ab, cd, 0, 1, 8, 9, 4, 5, 12, 13);
  x[1] = __builtin_shufflevector(ab, cd, 2, 3, 10, 11, 6, 7, 14, 15);
  x[2] = __builtin_shufflevector(ab_third, cd_third, 0, 1, 8, 9, 4, 5, 12, 13);
}
// The other way round, from one place on, with a zero after each three.
NSM_INLINE void separate_threes(const Singles* x, float* to) {
  const Singles none{};
  const Singles ab = __builtin_shufflevector(x[0], x[1], 0, 8, 1, 9, 4, 12, 5, 13),
                cd = __builtin_shufflevector(x[0], x[1], 2, 10, 3, 11, 6, 14, 7, 15),
                ab_third = __builtin_shufflevector(x[2], none, 0, 8, 1, 9, 4, 12, 5, 13),
                cd_third = __builtin_shufflevector(x[2], none, 2, 10, 3, 11, 6, 14, 7, 15);
  const Singles a = __builtin_shufflevector(ab, ab_third, 0, 1, 8, 9, 4, 5, 12, 13),
                b = __builtin_shufflevector(ab, ab_third, 2, 3, 10, 11, 6, 7, 14, 15),
                c = __builtin_shufflevector(cd, cd_third, 0, 1, 8, 9, 4, 5, 12, 13),
                d = __builtin_shufflevector(cd, cd_third, 2, 3, 10, 11, 6, 7, 14, 15);
  const Singles all[4] = {
      __builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11), __builtin_shufflevector(c, d, 0, 1, 2, 3, 8, 9, 10, 11),
      __builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15), __builtin_shufflevector(c, d, 4, 5, 6, 7, 12, 13, 14, 15)};
  std::memcpy(to, all, sizeof all);
}

}  // namespace nonsmooth
