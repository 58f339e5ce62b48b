// Basis of a pivoting method: dense LU of the last refactorisation times product-form updates (Dantzig and Orchard-Hays 1954).
#pragma once

#include <span>
#include <vector>

#include "linalg/dense_lu.hpp"

namespace nonsmooth {

class BasisFactor {
 public:
  void resize(int n, int largest_updates);
  // Column k of the basis goes to matrix() + k n before refactorise. false if the basis is singular.
  std::span<double> matrix() { return lu_.matrix(); }
  bool refactorise();
  bool full() const { return updates_ == static_cast<int>(row_.size()); }
  int updates() const { return updates_; }

  void ftran(double* x) const;  // B x = b, in place
  // Basis position `row` is replaced by a column whose ftran is y.
  void update(int row, std::span<const double> y);

 private:
  int n_ = 0, updates_ = 0;
  DenseLu lu_;
  std::vector<int> row_;
  std::vector<double> eta_;  // one column per update
};

}  // namespace nonsmooth
