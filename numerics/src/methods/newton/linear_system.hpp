// A problem as one system w = M z + q over a product of sets, a polyhedron {H z >= k, lo <= z <= hi} with its multipliers l as
// further unknowns: M becomes [M -H'; H 0], q (q, -k), and l >= 0. Monotone if M is. Kept dense, or sparse where it is large and
// has few entries.
#pragma once

#include "core/index.hpp"
#include "methods/frame/method.hpp"

namespace nonsmooth {

// Whether sparse factors are worth more than dense ones: of a matrix that is not stored dense, from 100 unknowns and multipliers
// on, up to 5 % of the entries.
bool has_sparse_system(const Inclusion& view);

class LinearSystem {
 public:
  // Allocates and loads. Throws Error if the order of a dense system exceeds the limit; `method` is named then.
  void setup(const Inclusion& view, const char* method, std::int64_t largest_dense_order);
  void update(Change change);

  int n() const { return n_; }
  // nullptr if it is dense. Every column has an entry on the diagonal.
  const CscMatrix* sparse() const { return sparse_.csc(); }
  const double* column(int j) const { return values_ + at(j) * at(n_); }  // dense
  const Vector& q() const { return q_; }
  const std::vector<SetBlock>& blocks() const { return blocks_; }
  bool is_symmetric() const { return symmetric_; }
  double largest_entry() const { return largest_; }
  double mean_diagonal() const { return mean_diagonal_; }  // of |M|; 1 if it is 0

  // Bounds of each unknown, infinite where it is free. Defined if all sets are free, orthants or boxes.
  bool has_bounds() const { return has_bounds_; }
  const Vector& lo() const { return lo_; }
  const Vector& hi() const { return hi_; }

  // w = M z + q.
  void evaluate(std::span<const double> z, std::span<double> w) const;
  // target = the block of these rows and columns, or its lower triangle. Dense.
  void gather(std::span<const int> indices, bool lower, double* target) const;

 private:
  void load_matrix();
  void load_dense();
  void load_sparse();
  bool update_sparse();
  void build_sparse();
  void measure();
  void load_q();
  void load_sets();

  const Inclusion* view_ = nullptr;
  const Polyhedron* polyhedron_ = nullptr;
  const char* method_ = "";
  std::int64_t largest_dense_order_ = 0;
  int n_ = 0, unknowns_ = 0;
  const double* values_ = nullptr;  // the problem's own where it is dense and has no polyhedron, else own_
  Vector own_, q_, lo_, hi_;
  Matrix sparse_;
  std::vector<SetBlock> blocks_;
  bool symmetric_ = false, has_bounds_ = true;
  double largest_ = 0, mean_diagonal_ = 1;
};

}  // namespace nonsmooth
