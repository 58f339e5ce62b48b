// The Jacobian of a function given by callbacks, from its callback or by differences; holds the workspace of one user.
#pragma once

#include <span>

#include "problems/inclusion.hpp"

namespace nonsmooth {

class Jacobian {
 public:
  // Allocates. view.F is not null and outlives this object.
  void setup(const Inclusion& view);
  // At z, where F is w. false if it cannot be evaluated or is not finite there; the values are then of no use. Columns of the
  // callback that are not finite, as those of a root at 0 are, become differences: with them Newton's methods go on.
  bool evaluate(std::span<const double> z, std::span<const double> w);
  // The callback's values, whatever they are; false if it fails.
  bool evaluate_given(std::span<const double> z) { return by_callback(z); }
  const Matrix& matrix() const { return matrix_; }
  Matrix& matrix() { return matrix_; }

 private:
  void group_columns();
  bool by_callback(std::span<const double> z);
  bool is_finite(std::size_t group) const;
  bool by_differences(std::span<const double> z, std::span<const double> w, bool mends);
  bool difference_group(std::size_t group, std::span<const double> z, std::span<const double> w, double direction);
  void measure_rows(std::span<const double> z, std::span<const double> w);
  bool is_refined(std::size_t j, std::span<const double> z) const;
  template <class Visit>
  void for_each_rough_entry(std::size_t j, double z, Visit&& visit);
  void refine_group(std::size_t group, std::span<const double> z);

  const NonlinearFunction* F_ = nullptr;
  Matrix matrix_;
  Vector given_;                     // of the callback, where its order is another
  Vector point_, value_, below_;     // F on this side and on that
  Vector upper_, lower_;             // bounds of box rows: at the upper ones steps go the other way
  Vector row_size_;                  // by measure_rows
  IndexVector group_start_, group_;  // columns that have no row in common (Curtis, Powell and Reid 1974)
};

// Compares the callback with differences of F at z, outside the pattern too. Throws Error naming the row, the column and both
// values. An infinity, as that of a root at 0, is no error: differences take its place. Without a callback a sparse pattern is
// all there is to compare: entries that it leaves out, and what they add to those that share their differences.
void check_jacobian(const Inclusion& view, std::span<const double> z);

}  // namespace nonsmooth
