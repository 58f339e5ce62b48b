// Polyhedron P = {z : H z >= k, lo <= z <= hi}; lo and hi empty or per unknown, entries may be infinite.
#pragma once

#include <cmath>
#include <span>

#include "core/patience.hpp"
#include "linalg/matrix.hpp"

namespace nonsmooth {

struct Polyhedron {
  Matrix H;
  Vector k;
  Vector lo, hi;
  Patience* patience = nullptr;  // borrowed, without end if null

  // Bounds of one unknown.
  double low(std::size_t i) const { return lo.empty() ? -HUGE_VAL : lo[i]; }
  double high(std::size_t i) const { return hi.empty() ? HUGE_VAL : hi[i]; }
  bool patience_lasts() const { return patience == nullptr || patience->lasts(); }
};

// p = projection of x on P: of many unknowns by Newton steps from the face of the point `near`, or of x itself if that is empty
// (face_projection.hpp); of few, and up to some million entries of H also where those do not settle, by the dual active-set
// method of Goldfarb and Idnani (1983) with identity Hessian, which is dense. false if P is empty, if no method ends, or if
// patience does.
bool project(const Polyhedron& set, std::span<const double> x, std::span<double> p, std::span<const double> near = {});

// The largest distance of x to a half-space of P: what x is from P at least. NaN if x has one.
double largest_violation(const Polyhedron& set, std::span<const double> x);

}  // namespace nonsmooth
