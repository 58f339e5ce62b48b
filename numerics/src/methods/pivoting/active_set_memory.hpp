// Active sets of one solver, each with the factor of its block: in a simulation the next solution nearly always has one that was
// met before, and costs two triangular solves.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "core/index.hpp"
#include "linalg/workspace.hpp"
#include "methods/frame/control.hpp"
#include "methods/frame/row_sides.hpp"
#include "methods/pivoting/small_lemke.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

class ActiveSetMemory {
 public:
  static constexpr std::int64_t largest_order = 128;
  // Orthants, boxes and free rows, and few enough of them.
  static bool treats(const Inclusion& view);
  // Allocates for a view that it treats; the view must outlive this object.
  void setup(const Inclusion& view);
  // Values of M or of the bounds have changed: factors are computed anew when they are next needed.
  void forget_factors();
  // From the active set of z all infeasible indices are exchanged a few times (Kostreva 1978); where that leads nowhere, the
  // other sets are tried, and of an LCP Lemke's path is followed. Stop::finished with the solution in z, a limit that was
  // reached, or Stop::stalled.
  Stop solve(std::span<double> z, Control& control);
  // Remembers the active set of a solution; the one unused for longest makes room.
  void learn(std::span<const double> z);

 private:
  struct Entry {
    std::span<RowSide> side;
    std::span<int> basic, pivot;  // basic: the first `count` are the indices of the basic z
    int count = 0;
    bool factored = false, regular = false;
    bool tried = false;          // in this solve
    std::span<double> factor;    // of M_BB
    std::span<double> constant;  // M_BN z_N: what bounds other than zero contribute
  };

  double element(int i, int j) const { return values_[at(i) + at(j) * at(n_)]; }
  double value_at_bound(const Entry& entry, int j) const;
  bool factorise(Entry& entry);
  void evaluate(const Entry& entry);
  Stop attempt(const Entry& entry, std::span<double> z, Control& control, int& wrong);
  std::size_t find_or_add();
  void read_active_set(std::span<const double> z);
  Stop follow_exchanges(std::span<double> z, Control& control);
  Stop try_known(std::span<double> z, Control& control);
  Stop follow_path(std::span<double> z, Control& control);
  void move_to_front(std::size_t place);

  const Inclusion* view_ = nullptr;
  int n_ = 0;
  std::size_t known_ = 0, capacity_ = 0;
  std::int64_t steps_ = 0;  // of this solve: sets and pivots
  std::array<Entry, 8> entries_;
  std::array<Entry*, 8> order_{};   // most recently used first
  const double* values_ = nullptr;  // of M by columns: its own where it is dense, else dense_
  bool has_path_ = false;
  SmallLemke path_;  // of an LCP that is small enough
  // Of all entries, one behind the other: a problem met once is not to pay for forty allocations, nor for factors it never has.
  Workspace room_;
  std::span<double> lo_, hi_, x_, z_, w_, dense_, factors_;
  std::vector<int> indices_;
  std::vector<RowSide> sides_;
  std::span<RowSide> next_;
};

}  // namespace nonsmooth
