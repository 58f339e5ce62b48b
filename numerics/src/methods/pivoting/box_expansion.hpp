// Box problems as mixed LCPs: z = c + s x with x >= 0 from a finite bound c, and where the other bound is finite too a multiplier
// l >= 0 with  (hi - lo) - x >= 0  complementary to it. For methods whose combinatorics know two states only.
#pragma once

#include <span>

#include "problems/inclusion.hpp"

namespace nonsmooth {

class BoxExpansion {
 public:
  // Of the mixed LCP: rows with two finite bounds count twice.
  static std::int64_t order_of(const Inclusion& view);
  // Allocates. A view without boxes is taken as it is.
  void setup(const Inclusion& view);
  // Values of the view again; allocates nothing.
  void load();
  // The mixed LCP: rows of the view, then the multipliers.
  const Inclusion& inclusion() const { return identity_ ? *view_ : expanded_; }
  // z of a solution of it.
  void to_original(std::span<const double> x, std::span<double> z) const;

 private:
  const Inclusion* view_ = nullptr;
  bool identity_ = true;
  Inclusion expanded_;
  Matrix M_;
  Vector q_, lo_, hi_, origin_, sign_;
  IndexVector two_sided_;  // rows with a multiplier
};

}  // namespace nonsmooth
