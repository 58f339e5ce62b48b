// A scaled LCP or box problem in compressed columns.
#pragma once

#include <cmath>

#include "core/index.hpp"
#include "methods/frame/equilibration.hpp"

namespace nonsmooth {

class SparseLcp final : public Equilibration {
 public:
  // Allocates; the pattern of the view is kept.
  void resize(const Inclusion& view);
  std::int64_t entries() const { return static_cast<std::int64_t>(index_.size()); }
  // visit(row, value) for the entries of column j that are not zero.
  template <class Visit>
  void for_each_in_column(int j, Visit&& visit) const {
    for (std::size_t k = start_[at(j)]; k < start_[at(j) + 1]; ++k)
      if (values_[k] != 0) visit(index_[k], values_[k]);
  }
  void add_column(int j, double value, double* y) const override {
    for_each_in_column(j, [&](int i, double m) { y[i] += m * value; });
  }
  void add_sizes(int j, double* y) const override {
    for_each_in_column(j, [&](int i, double m) { y[i] += std::abs(m); });
  }

 private:
  void load_matrix(const Inclusion& view) override;
  void measure(Vector& rows, Vector& columns) const override;
  void multiply(const Vector& rows, const Vector& columns) override;

  std::vector<std::size_t> start_, next_;
  std::vector<int, UninitialisedAllocator<int>> index_;
  Workspace values_;
};

}  // namespace nonsmooth
