#include "linalg/supernodes.hpp"

#include <algorithm>
#include <utility>

#include "core/index.hpp"
#include "linalg/elimination_order.hpp"
#include "linalg/symmetry.hpp"

namespace nonsmooth {
namespace {

// Whether a supernode of `columns` columns may hold this share of zeros: small dense panels are worth some (Ashcraft and Grimes
// 1989).
bool acceptable(double zeros, double entries, std::int32_t columns) {
  return columns <= 4 || zeros <= entries * (columns <= 16 ? 0.8 : columns <= 48 ? 0.1 : 0.05);
}

// First columns of the supernodes: chains of the tree with one structure, then each merged with the one above it while few zeros
// come in; the tail, which is merged with none. Column j stands for those from start[j] on.
IndexVector partition(const IndexVector& parent, const IndexVector& count, const IndexVector& start, std::int32_t tail) {
  const auto n = static_cast<std::int32_t>(parent.size()), behind = n - tail;
  IndexVector merged;  // ends of the supernodes found, last first
  std::vector<double> zeros;
  if (tail > 0) {
    merged.push_back(n);
    zeros.push_back(0);
  }
  std::int32_t end = behind;
  const auto columns = [&](std::int32_t first, std::int32_t last) { return start[at(last)] - start[at(first)]; };
  const auto entries = [&](double all, double below) { return all * (all + 1) / 2 + all * below; };
  for (std::int32_t j = behind - 1; j >= 0; --j) {
    if (j > 0 && parent[at(j - 1)] == j && count[at(j - 1)] == count[at(j)] + columns(j, j + 1)) continue;
    // Columns j .. end - 1 are of one structure; `end` starts the supernode above if the tree says so.
    double own_zeros = 0;
    while (end != behind && parent[at(end - 1)] == end) {
      const std::int32_t above = merged.back(), all = columns(j, above);
      const double below = count[at(above - 1)], lower_columns = columns(j, end);
      const double extra = lower_columns * (columns(end, above) + below - count[at(end - 1)]);
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
void find_rows(Supernodes& s, const LowerColumns& below) {
  IndexVector mark(s.order.size(), -1), child(at(s.count()), -1), sibling(at(s.count()), -1);
  s.start.assign(1, 0);
  for (std::int32_t t = 0; t < s.count(); ++t) {
    const std::int32_t last = s.first[at(t + 1)] - 1;
    const auto add = [&](std::int32_t i) {
      if (i <= last || mark[at(i)] == t) return;
      mark[at(i)] = t;
      s.row.push_back(i);
    };
    for (std::int64_t k = below.start[at(s.first[at(t)])]; k < below.start[at(last + 1)]; ++k) add(below.row[at(k)]);
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

// The same elimination, children before parents.
IndexVector in_postorder(const CscMatrix& A, const IndexVector& fill_order, bool is_symmetric) {
  IndexVector order = postorder(elimination_tree(lower_rows(A, inverse_order(fill_order), is_symmetric)));
  for (std::int32_t& row : order) row = fill_order[at(row)];
  return order;
}

IndexVector order_of(const CscMatrix& A) { return in_postorder(A, find_elimination_order(A).order, has_symmetric_pattern(A)); }

CscMatrix without_tail(const CscMatrix& A, std::int32_t tail) {
  const std::int64_t n = A.cols - tail;
  return {n,
          n,
          {A.col_start.begin(), A.col_start.begin() + n + 1},
          {A.row_index.begin(), A.row_index.begin() + A.col_start[at(n)]},
          {}};
}

// In the order given, in which each row stands for as many as it weighs.
Supernodes supernodes_in(const CscMatrix& A, IndexVector order, const IndexVector& weight, std::int32_t tail, bool is_symmetric) {
  Supernodes s;
  s.order = std::move(order);
  s.position = inverse_order(s.order);
  LowerColumns below;
  IndexVector parent;
  {
    const LowerRows lower = lower_rows(A, s.position, is_symmetric);
    parent = elimination_tree(lower);
    below = lower_columns(lower);
  }
  IndexVector start{0}, own;
  for (const std::int32_t row : s.order) {
    own.push_back(weight[at(row)]);
    start.push_back(start.back() + own.back());
  }
  s.first = partition(parent, column_counts(below, parent, own), start, tail);
  s.owner.resize(at(A.cols));
  for (std::int32_t t = 0; t < s.count(); ++t)
    std::fill(s.owner.begin() + s.first[at(t)], s.owner.begin() + s.first[at(t + 1)], t);
  find_rows(s, below);
  return s;
}

// Each row in place of the rows of a block, which are numbered from block_start on.
Supernodes rows_of_blocks(const Supernodes& blocks, const IndexVector& block_start, const IndexVector& weight) {
  Supernodes rows;
  IndexVector start{0};  // of each block in the new order
  for (const std::int32_t b : blocks.order) {
    for (std::int32_t i = 0; i < weight[at(b)]; ++i) rows.order.push_back(block_start[at(b)] + i);
    start.push_back(static_cast<std::int32_t>(rows.order.size()));
  }
  rows.position = inverse_order(rows.order);
  for (const std::int32_t b : blocks.first) rows.first.push_back(start[at(b)]);
  rows.start.assign(1, 0);
  for (std::int32_t s = 0; s < blocks.count(); ++s) {
    rows.owner.resize(at(rows.first[at(s + 1)]), s);
    for (std::int64_t k = blocks.start[at(s)]; k < blocks.start[at(s + 1)]; ++k) {
      const auto b = at(blocks.row[at(k)]);
      for (std::int32_t row = start[b]; row < start[b + 1]; ++row) rows.row.push_back(row);
    }
    rows.start.push_back(static_cast<std::int64_t>(rows.row.size()));
  }
  return rows;
}

}  // namespace

Supernodes find_supernodes(const CscMatrix& A, std::int32_t tail) {
  IndexVector order = tail == 0 ? order_of(A) : order_of(without_tail(A, tail));
  for (auto row = static_cast<std::int32_t>(order.size()); row < A.cols; ++row) order.push_back(row);
  return supernodes_in(A, std::move(order), IndexVector(at(A.cols), 1), tail, has_symmetric_pattern(A));
}

Supernodes find_block_supernodes(const CscMatrix& A, const IndexVector& block_start, const IndexVector& order) {
  IndexVector weight;
  for (std::int64_t b = 0; b < A.cols; ++b) weight.push_back(block_start[at(b + 1)] - block_start[at(b)]);
  const bool is_symmetric = has_symmetric_pattern(A);
  return rows_of_blocks(supernodes_in(A, in_postorder(A, order, is_symmetric), weight, 0, is_symmetric), block_start, weight);
}

}  // namespace nonsmooth
