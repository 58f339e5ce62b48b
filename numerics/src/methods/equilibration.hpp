// Scaling of a dense LCP by powers of two: M' = R M C, q' = R q, z = C z', w' = R w. Signs, zeros and complementarity stay, no
// digit is lost.
#pragma once

#include <span>
#include <vector>

#include "problems/inclusion.hpp"

namespace nonsmooth {

class EquilibratedLcp {
 public:
  void resize(std::int64_t n);
  // `symmetric` keeps R = C, and with it positive (semi)definiteness and copositivity, on which the theory of pivoting rests;
  // two-sided scaling balances better where these are not at stake.
  enum class Kind { symmetric, two_sided };
  // Copies M and q of the view (dense) and balances them (Ruiz 2001, infinity norm, rounded to powers of two).
  void load(const Inclusion& view, Kind kind);

  int n() const { return n_; }
  const double* column(int j) const { return M_.data() + static_cast<std::size_t>(j) * static_cast<std::size_t>(n_); }
  std::span<const double> q() const { return q_; }
  // z' = C^-1 z and z = C z'.
  void scale(std::span<const double> z, std::span<double> scaled) const;
  void unscale(std::span<const double> scaled, std::span<double> z) const;
  // A multiplier y' of the scaled rows is R y' for the original ones.
  void unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const;

 private:
  void balance_rows();
  void balance_columns();
  void balance_symmetrically();
  double largest_in_row(std::size_t i) const;
  double largest_in_column(std::size_t j) const;
  void scale_row(std::size_t i, double factor);
  void scale_column(std::size_t j, double factor);
  int n_ = 0;
  Vector M_, q_, row_, col_;
};

}  // namespace nonsmooth
