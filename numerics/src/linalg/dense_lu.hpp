// Dense LU with partial pivoting (LAPACK). resize allocates; factorise and solve do not.
#pragma once

#include <span>
#include <vector>

namespace nonsmooth {

class DenseLu {
 public:
  void resize(int largest_order);
  // Where the matrix goes before factorise: column-major, leading dimension = order.
  std::span<double> matrix() { return lu_; }
  // Factorises the leading order x order matrix. false if it is singular to working precision: a pivot is rounding of its column.
  bool factorise(int order);
  void solve(double* x) const;             // A x = b in place
  void solve_transposed(double* x) const;  // A'x = b in place
  int order() const { return order_; }

 private:
  void solve_with(char transposed, double* x) const;
  int order_ = 0;
  std::vector<double> lu_, column_size_;
  std::vector<int> pivot_;
};

}  // namespace nonsmooth
