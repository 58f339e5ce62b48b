// Lemke's path for an LCP of few unknowns, on a whole tableau that every pivot works on: without the scaling, fresh factors and
// exact ties that large and badly scaled problems need (lemke.cpp), which a problem of microseconds pays dearly for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "linalg/workspace.hpp"

namespace nonsmooth {

class SmallLemke {
 public:
  void resize(int n);  // allocates
  // From w = q, with ones as the covering vector (Lemke 1965). M: n x n by columns. The solution goes to z; false, and z is left
  // alone, if the path ends on a ray, takes long or is lost in rounding. Pivots are counted in `pivots`.
  bool follow(const double* M, std::span<const double> q, std::span<double> z, std::int64_t& pivots);

 private:
  double* column(int j) { return T_.data() + static_cast<std::ptrdiff_t>(j) * n_; }
  void load(const double* M, std::span<const double> q);
  void write_solution(std::span<double> z);
  int lowest_row();
  int leaving_row(int entering);
  void exchange(int row, int col);

  int n_ = 0, t_ = 0, x_ = 0, s_ = 0;  // x_, s_: columns of the basic variables and their perturbation
  void (*eliminate_)(double* T, int n, int columns, int row, int col) = nullptr;
  Workspace T_;  // basic = x + (infinitesimal) s + T non-basic, by columns
  std::vector<int> variables_;
  std::span<int> nonbasic_, basic_;  // of the columns, of the rows: w_i is i, z_i is n + i, t is 2 n
};

}  // namespace nonsmooth
