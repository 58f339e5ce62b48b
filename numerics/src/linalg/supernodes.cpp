#include "linalg/supernodes.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/elimination_order.hpp"

namespace nonsmooth {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Children before parents and every subtree in one piece.
IndexVector postorder(const IndexVector& parent) {
  const auto n = static_cast<std::int32_t>(parent.size());
  IndexVector child(parent.size(), -1), sibling(parent.size(), -1), order, stack;
  for (std::int32_t j = n - 1; j >= 0; --j)
    if (parent[at(j)] != -1) {
      sibling[at(j)] = child[at(parent[at(j)])];
      child[at(parent[at(j)])] = j;
    }
  for (std::int32_t root = 0; root < n; ++root) {
    if (parent[at(root)] != -1) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const std::int32_t j = stack.back(), below = child[at(j)];
      if (below == -1) {
        order.push_back(j);
        stack.pop_back();
      } else {
        child[at(j)] = sibling[at(below)];
        stack.push_back(below);
      }
    }
  }
  return order;
}

// Whether a supernode of `columns` columns may hold this share of zeros: small dense panels are worth some (Ashcraft and Grimes
// 1989).
bool acceptable(double zeros, double entries, std::int32_t columns) {
  return columns <= 4 || zeros <= entries * (columns <= 16 ? 0.8 : columns <= 48 ? 0.1 : 0.05);
}

// First columns of the supernodes: chains of the tree with one structure, then each merged with the one above it while few zeros
// come in.
IndexVector partition(const IndexVector& parent, const IndexVector& count) {
  const auto n = static_cast<std::int32_t>(parent.size());
  IndexVector merged;  // ends of the supernodes found, last first
  std::vector<double> zeros;
  std::int32_t end = n;
  const auto entries = [&](double columns, double below) { return columns * (columns + 1) / 2 + columns * below; };
  for (std::int32_t j = n - 1; j >= 0; --j) {
    if (j > 0 && parent[at(j - 1)] == j && count[at(j - 1)] == count[at(j)] + 1) continue;
    // Columns j .. end - 1 are of one structure; `end` starts the supernode above if the tree says so.
    double own_zeros = 0;
    while (!merged.empty() && parent[at(end - 1)] == end) {
      const std::int32_t above = merged.back(), all = above - j, upper = above - end;
      const double below = count[at(above - 1)], lower_columns = end - j;
      const double extra = lower_columns * (upper + below - count[at(end - 1)]);
      if (extra > 0 && !acceptable(own_zeros + zeros.back() + extra, entries(all, below), all)) break;
      own_zeros += zeros.back() + extra;
      end = above;
      merged.pop_back();
      zeros.pop_back();
    }
    merged.push_back(end);
    zeros.push_back(own_zeros);
    end = j;
  }
  IndexVector first{0};
  first.insert(first.end(), merged.rbegin(), merged.rend());
  return first;
}

// Rows below each supernode: those of A in its columns, and what its children hand up.
void find_rows(Supernodes& s, const CscMatrix& A) {
  IndexVector mark(at(A.cols), -1), child(at(s.count()), -1), sibling(at(s.count()), -1);
  // Rows of A + A' below the diagonal of a column: the transposed of lower_rows.
  const LowerRows lower = lower_rows(A, s.position);
  std::vector<std::int64_t> next(at(A.cols + 1), 0);
  for (std::int32_t j : lower.column) ++next[at(j + 1)];
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::vector<std::int64_t> begin = next;
  IndexVector below(lower.column.size());
  for (std::int64_t i = 0; i < A.cols; ++i)
    for (std::int64_t k = lower.start[at(i)]; k < lower.start[at(i + 1)]; ++k)
      below[at(next[at(lower.column[at(k)])]++)] = static_cast<std::int32_t>(i);

  s.start.assign(1, 0);
  for (std::int32_t t = 0; t < s.count(); ++t) {
    const std::int32_t last = s.first[at(t + 1)] - 1;
    const auto add = [&](std::int32_t i) {
      if (i <= last || mark[at(i)] == t) return;
      mark[at(i)] = t;
      s.row.push_back(i);
    };
    for (std::int64_t k = begin[at(s.first[at(t)])]; k < begin[at(last + 1)]; ++k) add(below[at(k)]);
    for (std::int32_t c = child[at(t)]; c != -1; c = sibling[at(c)])
      for (std::int64_t k = s.start[at(c)]; k < s.start[at(c + 1)]; ++k) add(s.row[at(k)]);
    std::sort(s.row.begin() + s.start.back(), s.row.end());
    if (static_cast<std::int64_t>(s.row.size()) > s.start.back()) {
      const std::int32_t above = s.owner[at(s.row[at(s.start.back())])];
      sibling[at(t)] = child[at(above)];
      child[at(above)] = t;
    }
    s.start.push_back(static_cast<std::int64_t>(s.row.size()));
  }
}

}  // namespace

Supernodes find_supernodes(const CscMatrix& A) {
  Supernodes s;
  const IndexVector fill_order = find_elimination_order(A).order;
  const IndexVector tree_order = postorder(elimination_tree(lower_rows(A, inverse_order(fill_order))));
  s.order.resize(tree_order.size());
  for (std::size_t k = 0; k < s.order.size(); ++k) s.order[k] = fill_order[at(tree_order[k])];
  s.position = inverse_order(s.order);
  {
    const LowerRows lower = lower_rows(A, s.position);
    const IndexVector parent = elimination_tree(lower);
    s.first = partition(parent, column_counts(lower, parent));
  }
  s.owner.resize(at(A.cols));
  for (std::int32_t t = 0; t < s.count(); ++t)
    std::fill(s.owner.begin() + s.first[at(t)], s.owner.begin() + s.first[at(t + 1)], t);
  find_rows(s, A);
  return s;
}

}  // namespace nonsmooth
