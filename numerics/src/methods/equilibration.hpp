// Scaling of a dense LCP or box problem by powers of two: M' = R M C, q' = R q, z = C z', w' = R w, bounds with z. Signs, zeros
// and complementarity stay, no digit is lost.
//
// A polyhedron {H z >= k} is taken in with its multipliers l as further unknowns: M becomes [M -H'; H 0], q (q, -k), and l >= 0.
#pragma once

#include <span>
#include <vector>

#include "linalg/workspace.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class EquilibratedLcp {
 public:
  void resize(std::int64_t n);
  // Order with multipliers, where the view has a polyhedron.
  static std::int64_t order_of(const Inclusion& view);
  // `symmetric` keeps R = C, and with it positive (semi)definiteness and copositivity, on which the theory of pivoting rests;
  // two-sided scaling balances better where these are not at stake.
  enum class Kind { symmetric, two_sided };
  // Copies M and q of the view (dense) and balances them (Ruiz 2001, infinity norm, rounded to powers of two).
  void load(const Inclusion& view, Kind kind);
  // The right-hand side alone.
  void load_q(const Inclusion& view);

  int n() const { return n_; }
  const double* column(int j) const { return M_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_); }
  std::span<const double> q() const { return q_; }
  std::span<const double> lo() const { return lo_; }  // scaled; -infinity .. infinity where z is free
  std::span<const double> hi() const { return hi_; }
  // z' = C^-1 z and z = C z'; z may be shorter: multipliers come last.
  void scale(std::span<const double> z, std::span<double> scaled) const;
  void unscale(std::span<const double> scaled, std::span<double> z) const;
  // A multiplier y' of the scaled rows is R y' for the original ones.
  void unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const;

 private:
  void load_bounds(const Inclusion& view);
  bool balance(Kind kind);
  void scale_all(const Vector& rows, const Vector& columns);
  int n_ = 0;
  Workspace M_;
  Vector q_, lo_, hi_, row_, col_;
  Vector row_factor_, col_factor_;
};

}  // namespace nonsmooth
