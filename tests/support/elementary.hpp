// Elementary functions of additions, multiplications and divisions alone. The last bits of those of the C library differ from one
// version of it to the next; these are the same on every machine with IEEE arithmetic (with -ffp-contract=off), as problems that
// are compared byte by byte want them. Accurate to some units in the last place for arguments up to a few hundred.
#pragma once

#include <cmath>

namespace generate {

namespace detail {

// sum of x^k / k! over k = first, first + 2, ..., signs alternating.
inline double trigonometric_series(double x, int first) {
  double term = first == 0 ? 1 : x, sum = term;
  for (int k = first + 1; k < 24; k += 2) {
    term *= -x * x / (k * (k + 1));
    sum += term;
  }
  return sum;
}

// sin(x + quarter turns * pi / 2)
inline double sine_of(double x, int quarter_turns) {
  constexpr double half_pi = 1.57079632679489661923, rest = 6.123233995736766e-17;  // pi / 2 = half_pi + rest
  const double turns = std::floor(x / half_pi + 0.5);
  const double r = (x - turns * half_pi) - turns * rest;
  const int quarter = (static_cast<int>(turns) + quarter_turns) & 3;
  const double value = trigonometric_series(r, quarter % 2 == 0 ? 1 : 0);
  return quarter < 2 ? value : -value;
}

}  // namespace detail

inline double sine(double x) { return detail::sine_of(x, 0); }
inline double cosine(double x) { return detail::sine_of(x, 1); }

inline double exponential(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  const double power = std::floor(x / ln2 + 0.5), r = x - power * ln2;
  double term = 1, sum = 1;
  for (int k = 1; k < 20; ++k) {
    term *= r / k;
    sum += term;
  }
  return std::ldexp(sum, static_cast<int>(power));
}

// log x = e log 2 + 2 artanh((m - 1) / (m + 1)), x = 2^e m.
inline double logarithm(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  int exponent = 0;
  const double m = std::frexp(x, &exponent), s = (m - 1) / (m + 1);
  double power = s, sum = 0;
  for (int k = 1; k < 60; k += 2) {
    sum += power / k;
    power *= s * s;
  }
  return exponent * ln2 + 2 * sum;
}

inline double power(double x, int exponent) {
  double result = 1;
  for (int k = 0; k < std::abs(exponent); ++k) result *= x;
  return exponent < 0 ? 1 / result : result;
}

inline double length(double x, double y) { return std::sqrt(x * x + y * y); }

}  // namespace generate
