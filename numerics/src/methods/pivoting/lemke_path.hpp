// Walk along the almost complementary path of  w = M z + q + d t: ratio test with two-sided bounds, ties, pivots.
#pragma once

#include <cstdint>
#include <vector>

#include "methods/frame/control.hpp"
#include "methods/pivoting/complementary_basis.hpp"

namespace nonsmooth {

class LemkePath {
 public:
  explicit LemkePath(ComplementaryBasis& basis) : basis_(basis) {}
  void resize(int n);
  // Rebuilds after so many pivots.
  void set_interval(int interval) { interval_ = interval; }

  // Brings t in, from where all basic variables are in their intervals. false if they are so for t = 0: a solution.
  bool enter_from_cover(const double* cover);
  // The path starts with this variable; t is basic already. missing: a z whose leaving ends the path, like t's; -1 if none.
  void enter(int entering, int missing);
  // finished: the basis is complementary. none: the limit of pivots is reached. ray: see write_ray. stalled: the path is a closed
  // one, which need not be where it does not begin on a ray, beside a basic z with two bounds. Others as check_limits says.
  Stop follow(std::int64_t& pivots, std::int64_t limit, Control& control);
  // After a ray: z part of it for an LCP, by index.
  void write_ray(std::vector<double>& ray) const;

 private:
  struct Step {
    int row = -1;  // -1 with flip false: a ray
    bool flip = false;
    double length = 0, length_s = 0;
  };
  struct Sizes {
    double column, x;
  };
  Sizes sizes() const;
  double range_of_entering() const;
  // Whether the path is at its end once this variable has left.
  bool ends_path(int variable) const { return variable == basis_.t() || variable == missing_; }
  Step ratio_test();
  void collect_ties(double smallest, double threshold, double x_size);
  int break_ties();
  void keep_smallest(const std::vector<double>& entries);
  void move(const Step& step);
  void continue_after(int leaving, bool at_high);
  bool is_where_it_was();
  bool refresh();
  bool rebuild();

  ComplementaryBasis& basis_;
  int interval_ = 0, entering_ = -1, missing_ = -1;
  double sign_ = 1;  // direction of the entering variable
  // Tells the state, that is which variables are basic and which at upper bounds, from all others but with a chance of 2^-64.
  std::uint64_t state_ = 0, marked_state_ = 0;
  std::int64_t steps_ = 0, next_mark_ = 1;
  std::vector<double> column_, entries_;
  std::vector<int> tied_;
};

}  // namespace nonsmooth
