#include "methods/pivoting/bimatrix.hpp"

#include <algorithm>

#include "core/index.hpp"

namespace nonsmooth {

bool BimatrixStart::detect(const EquilibratedLcp& lcp) {
  std::fill(side_.begin(), side_.end(), char{0});
  for (int j = 0; j < lcp.n(); ++j) {
    if (!(lcp.q()[at(j)] < 0)) return false;
    for (int i = 0; i < lcp.n(); ++i)
      if (lcp.column(j)[i] < 0) return false;
  }
  for (int j = 0; j < lcp.n(); ++j)
    if (side_[at(j)] == 0 && !colour_from(lcp, j)) return false;
  return true;
}

// Breadth first: an entry M(i, j) puts i and j on different sides.
bool BimatrixStart::colour_from(const EquilibratedLcp& lcp, int first) {
  side_[at(first)] = 1;
  queue_.assign(1, first);
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const int j = queue_[next];
    for (int i = 0; i < lcp.n(); ++i) {
      if (lcp.column(j)[i] == 0 && lcp.column(i)[j] == 0) continue;
      if (side_[at(i)] == side_[at(j)]) return false;
      if (side_[at(i)] != 0) continue;
      side_[at(i)] = static_cast<char>(3 - side_[at(j)]);
      queue_.push_back(i);
    }
  }
  return true;
}

// The last row of the other side that becomes non-negative when z_column grows.
bool BimatrixStart::best_response(const EquilibratedLcp& lcp, int column, int& row) const {
  double largest = 0;
  row = -1;
  for (int i = 0; i < lcp.n(); ++i) {
    if (side_[at(i)] == side_[at(column)]) continue;
    if (!(lcp.column(column)[i] > 0)) return false;
    const double ratio = -lcp.q()[at(i)] / lcp.column(column)[i];
    if (ratio <= largest) continue;
    largest = ratio;
    row = i;
  }
  return row >= 0;
}

bool BimatrixStart::start(const EquilibratedLcp& lcp, int k, int& answer, int& entering) const {
  return best_response(lcp, k, answer) && best_response(lcp, answer, entering);
}

}  // namespace nonsmooth
