// Scaling of an LCP or box problem by powers of two: M' = R M C, q' = R q, z = C z', w' = R w, bounds with z. Signs, zeros and
// complementarity stay, no digit is lost. A second-order cone has one factor for its rows of M, and one for its columns.
//
// A polyhedron {H z >= k} is taken in with its multipliers l as further unknowns: M becomes [M -H'; H 0], q (q, -k), and l >= 0.
#pragma once

#include <span>

#include "core/index.hpp"
#include "linalg/workspace.hpp"
#include "problems/inclusion.hpp"
#include "sets/polyhedron.hpp"

namespace nonsmooth {

// nullptr if the view has none.
const Polyhedron* polyhedron_of(const Inclusion& view);

// All but the storage of M.
class Equilibration {
 public:
  virtual ~Equilibration() = default;
  // Order with multipliers, where the view has a polyhedron.
  static std::int64_t order_of(const Inclusion& view);
  // `symmetric` keeps R = C, and with it positive (semi)definiteness and copositivity, on which the theory of pivoting rests;
  // two-sided scaling balances better where these are not at stake.
  enum class Kind { symmetric, two_sided };
  // Copies M and q of the view and balances them (Ruiz 2001, infinity norm, rounded to powers of two).
  void load(const Inclusion& view, Kind kind);
  // The right-hand side alone.
  void load_q(const Inclusion& view);

  int n() const { return n_; }
  std::span<const double> q() const { return q_; }
  std::span<const double> lo() const { return lo_; }  // scaled; -infinity .. infinity where z is free
  std::span<const double> hi() const { return hi_; }
  // y += value M_j.
  virtual void add_column(int j, double value, double* y) const = 0;
  // y += |M_j|.
  virtual void add_sizes(int j, double* y) const = 0;
  // z' = C^-1 z and z = C z'; z may be shorter: multipliers come last.
  void scale(std::span<const double> z, std::span<double> scaled) const;
  void unscale(std::span<const double> scaled, std::span<double> z) const;
  // A multiplier y' of the scaled rows is R y' for the original ones.
  void unscale_row_multiplier(std::span<const double> scaled, std::span<double> y) const;

 protected:
  void resize(std::int64_t n);

 private:
  virtual void load_matrix(const Inclusion& view) = 0;
  // Largest |M_ij| of every row and column; M := diag(rows) M diag(columns).
  virtual void measure(Vector& rows, Vector& columns) const = 0;
  virtual void multiply(const Vector& rows, const Vector& columns) = 0;
  void load_bounds(const Inclusion& view);
  bool balance(const Inclusion& view, Kind kind);

  int n_ = 0;
  Vector q_, lo_, hi_, row_, col_;
  Vector row_factor_, col_factor_;
};

// visit(row, column, value) for the entries of M, or of [M -H'; H 0].
template <class Visit>
void for_each_entry_with_multipliers(const Inclusion& view, Visit&& visit) {
  for_each_entry(*view.M, visit);
  if (const Polyhedron* set = polyhedron_of(view))
    for_each_entry(set->H, [&](std::int64_t i, std::int64_t j, double h) {
      visit(view.size() + i, j, h);
      visit(j, view.size() + i, -h);
    });
}

class EquilibratedLcp final : public Equilibration {
 public:
  void resize(std::int64_t n);
  const double* column(int j) const { return M_.data() + at(j) * at(n()); }
  void add_column(int j, double value, double* y) const override;
  void add_sizes(int j, double* y) const override;

 private:
  void load_matrix(const Inclusion& view) override;
  void measure(Vector& rows, Vector& columns) const override;
  void multiply(const Vector& rows, const Vector& columns) override;
  Workspace M_;
};

}  // namespace nonsmooth
