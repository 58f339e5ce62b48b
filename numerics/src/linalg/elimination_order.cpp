#include "linalg/elimination_order.hpp"

#include <amd.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <utility>

#include "core/index.hpp"
#include "linalg/symmetry.hpp"
#ifdef NONSMOOTH_WITH_CHOLMOD
#include <cholmod.h>

#include <mutex>

#include "core/held_termination.hpp"
#endif

namespace nonsmooth {
namespace {

// Approximate minimum degree (Amestoy, Davis and Duff 1996).
IndexVector minimum_degree_order(const CscMatrix& A) {
  IndexVector order(at(A.cols));
  double control[AMD_CONTROL];
  amd_defaults(control);
  const int status = amd_order(static_cast<int>(A.cols), A.col_start.data(), A.row_index.data(), order.data(), control, nullptr);
  if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
  return order;
}

double work_in(const CscMatrix& A, const IndexVector& order, bool is_symmetric) {
  const LowerRows lower = lower_rows(A, inverse_order(order), is_symmetric);
  double work = 0;
  for (const double below : column_counts(lower_columns(lower), elimination_tree(lower))) work += (1 + below) * (1 + below);
  return work;
}

#ifdef NONSMOOTH_WITH_CHOLMOD
// Below these multiplications nested dissection costs what it saves in a few factorisations.
constexpr double smallest_dissected_work = 5e7, smallest_work_per_row = 3e3;

// METIS draws from the generator of the C library and seeds it: that of the caller is put aside, and one order is found at a
// time, so that each is the same.
class OwnRandomNumbers {
 public:
  OwnRandomNumbers() : lock_(only_one()), callers_(initstate(1, state_, sizeof state_)) {}
  ~OwnRandomNumbers() { setstate(callers_); }
  OwnRandomNumbers(const OwnRandomNumbers&) = delete;
  OwnRandomNumbers& operator=(const OwnRandomNumbers&) = delete;

 private:
  static std::mutex& only_one() {
    static std::mutex mutex;
    return mutex;
  }
  std::lock_guard<std::mutex> lock_;
  alignas(std::int32_t) char state_[128];
  char* callers_;
};

// METIS takes SIGTERM and SIGABRT for errors of its own, of which nobody else hears, and gives them back to a handler that serves
// once more only. So the first is held back, and both are as they were before they reach the program again.
class OwnSignals {
 public:
  OwnSignals() {
    sigaction(SIGTERM, nullptr, &termination_);
    sigaction(SIGABRT, nullptr, &abort_);
  }
  ~OwnSignals() {
    sigaction(SIGTERM, &termination_, nullptr);
    sigaction(SIGABRT, &abort_, nullptr);
  }
  OwnSignals(const OwnSignals&) = delete;
  OwnSignals& operator=(const OwnSignals&) = delete;

 private:
  const HeldTermination held_;
  struct sigaction termination_;
  struct sigaction abort_;
};

// Nested dissection of METIS (Karypis and Kumar 1998), as CHOLMOD calls it. Empty if it is not installed or fails.
IndexVector dissection_order(const CscMatrix& A, bool is_symmetric) {
  IndexVector own(at(A.cols));
  std::iota(own.begin(), own.end(), 0);
  LowerRows upper = lower_rows(A, own, is_symmetric);  // its rows are the columns of the upper triangle
  IndexVector start{0};
  for (std::size_t i = 0, k = 0; i < own.size(); ++i) {
    const auto begin = upper.column.begin() + upper.start[i], end = upper.column.begin() + upper.start[i + 1];
    if (!is_symmetric) std::sort(begin, end);
    k = at(std::copy(begin, std::unique(begin, end), upper.column.begin() + static_cast<std::ptrdiff_t>(k)) -
           upper.column.begin());
    start.push_back(static_cast<std::int32_t>(k));
  }
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  cholmod_sparse pattern{};
  pattern.nrow = pattern.ncol = own.size();
  pattern.nzmax = at(start.back());
  pattern.p = start.data();
  pattern.i = upper.column.data();
  pattern.stype = 1;
  pattern.itype = CHOLMOD_INT;
  pattern.xtype = CHOLMOD_PATTERN;
  pattern.sorted = pattern.packed = 1;
  const OwnRandomNumbers random;
  const OwnSignals signals;
  const bool found = cholmod_metis(&pattern, nullptr, 0, 0, own.data(), &common) != 0;
  cholmod_finish(&common);
  return found ? own : IndexVector();
}

// Where each row stands for several, by the first of them: they have one pattern and come one after the other.
IndexVector dissection_order(const CscMatrix& A, bool is_symmetric, std::int32_t rows_of_each) {
  CscMatrix all{A.rows * rows_of_each, A.cols * rows_of_each, {0}, {}, {}};
  for (std::int64_t j = 0; j < all.cols; ++j) {
    const auto begin = A.col_start[at(j / rows_of_each)], end = A.col_start[at(j / rows_of_each + 1)];
    for (std::int32_t k = begin; k < end; ++k)
      for (std::int32_t i = 0; i < rows_of_each; ++i) all.row_index.push_back(A.row_index[at(k)] * rows_of_each + i);
    all.col_start.push_back(static_cast<std::int32_t>(all.row_index.size()));
  }
  IndexVector order;
  for (const std::int32_t row : dissection_order(all, is_symmetric))
    if (row % rows_of_each == 0) order.push_back(row / rows_of_each);
  return order;
}
#endif

}  // namespace

LowerRows lower_rows(const CscMatrix& A, const IndexVector& position, bool is_symmetric) {
  LowerRows lower{std::vector<std::int64_t>(at(A.cols + 1), 0), {}};
  const auto visit = [&](auto&& entry) {
    for (std::int64_t j = 0; j < A.cols; ++j)
      for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k) {
        const std::int32_t a = position[at(A.row_index[at(k)])], b = position[at(j)];
        if (a > b || (a < b && !is_symmetric)) entry(std::max(a, b), std::min(a, b));
      }
  };
  visit([&](std::int32_t i, std::int32_t) { ++lower.start[at(i + 1)]; });
  std::partial_sum(lower.start.begin(), lower.start.end(), lower.start.begin());
  lower.column.resize(at(lower.start.back()));
  std::vector<std::int64_t> next(lower.start.begin(), lower.start.end() - 1);
  visit([&](std::int32_t i, std::int32_t j) { lower.column[at(next[at(i)]++)] = j; });
  return lower;
}

IndexVector elimination_tree(const LowerRows& lower) {
  const std::size_t n = lower.start.size() - 1;
  IndexVector parent(n, -1), ancestor(n, -1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::int64_t k = lower.start[i]; k < lower.start[i + 1]; ++k)
      for (std::int32_t j = lower.column[at(k)]; j != -1 && j != static_cast<std::int32_t>(i);) {
        const std::int32_t next = ancestor[at(j)];
        ancestor[at(j)] = static_cast<std::int32_t>(i);
        if (next == -1) parent[at(j)] = static_cast<std::int32_t>(i);
        j = next;
      }
  return parent;
}

LowerColumns lower_columns(const LowerRows& lower) {
  const std::size_t n = lower.start.size() - 1;
  LowerColumns columns{std::vector<std::int64_t>(n + 1, 0), IndexVector(lower.column.size())};
  for (const std::int32_t j : lower.column) ++columns.start[at(j + 1)];
  std::partial_sum(columns.start.begin(), columns.start.end(), columns.start.begin());
  std::vector<std::int64_t> next(columns.start.begin(), columns.start.end() - 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::int64_t k = lower.start[i]; k < lower.start[i + 1]; ++k)
      columns.row[at(next[at(lower.column[at(k)])]++)] = static_cast<std::int32_t>(i);
  return columns;
}

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

namespace {

// Row i of the factor has an entry in every column on the paths of the tree from those of A up to i: a subtree, known by its
// leaves. Columns are asked for in postorder.
class RowSubtrees {
 public:
  explicit RowSubtrees(std::size_t n) : ancestor_(n), latest_(n, -1), last_leaf_(n, -1) {
    std::iota(ancestor_.begin(), ancestor_.end(), 0);
  }
  // Whether column j, whose own subtree begins at place `first` of the order, is a leaf of row i.
  bool is_leaf(std::int32_t i, std::int32_t first) {
    if (first <= latest_[at(i)]) return false;
    latest_[at(i)] = first;
    return true;
  }
  // Where the path from leaf j meets that from the leaf before it; -1 if there was none.
  std::int32_t meeting(std::int32_t i, std::int32_t j) {
    const std::int32_t before = std::exchange(last_leaf_[at(i)], j);
    if (before < 0) return -1;
    std::int32_t root = before;
    while (ancestor_[at(root)] != root) root = ancestor_[at(root)];
    for (std::int32_t k = before; k != root;) k = std::exchange(ancestor_[at(k)], root);
    return root;
  }
  void leave(std::int32_t j, std::int32_t parent) { ancestor_[at(j)] = parent; }

 private:
  IndexVector ancestor_, latest_, last_leaf_;
};

}  // namespace

// A row counts its weight at each leaf of its subtree, and less by as much where two paths have met and at its own node: sums
// over subtrees then count the rows.
IndexVector column_counts(const LowerColumns& lower, const IndexVector& parent, const IndexVector& weight) {
  const IndexVector order = postorder(parent);
  IndexVector count(parent.size(), 0), first(parent.size(), -1);
  for (std::size_t k = 0; k < order.size(); ++k)
    for (std::int32_t j = order[k]; j != -1 && first[at(j)] == -1; j = parent[at(j)]) first[at(j)] = static_cast<std::int32_t>(k);
  RowSubtrees rows(parent.size());
  for (const std::int32_t j : order) {
    for (std::int64_t k = lower.start[at(j)]; k < lower.start[at(j + 1)]; ++k) {
      const std::int32_t i = lower.row[at(k)];
      if (!rows.is_leaf(i, first[at(j)])) continue;
      const std::int32_t met = rows.meeting(i, j);
      count[at(j)] += weight[at(i)];
      count[at(met < 0 ? i : met)] -= weight[at(i)];
    }
    if (parent[at(j)] != -1) rows.leave(j, parent[at(j)]);
  }
  for (std::size_t j = 0; j < parent.size(); ++j)
    if (parent[j] != -1) count[at(parent[j])] += count[j];
  return count;
}

IndexVector inverse_order(const IndexVector& order) {
  IndexVector position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<std::int32_t>(k);
  return position;
}

CscMatrix graph_of(const std::vector<IndexVector>& neighbours) {
  const auto count = static_cast<std::int64_t>(neighbours.size());
  CscMatrix graph{count, count, {0}, {}, {}};
  for (const IndexVector& column : neighbours) {
    graph.row_index.insert(graph.row_index.end(), column.begin(), column.end());
    graph.col_start.push_back(static_cast<std::int32_t>(graph.row_index.size()));
  }
  return graph;
}

IndexVector order_of_blocks(const IndexVector& row_order, const IndexVector& block_of_row) {
  IndexVector order;
  std::vector<char> seen(at(block_of_row.back()) + 1, 0);
  for (const std::int32_t row : row_order) {
    const std::int32_t b = block_of_row[at(row)];
    if (seen[at(b)] == 0) order.push_back(b);
    seen[at(b)] = 1;
  }
  return order;
}

EliminationOrder find_elimination_order(const CscMatrix& A, [[maybe_unused]] std::int32_t rows_of_each) {
  const bool is_symmetric = has_symmetric_pattern(A);
  EliminationOrder best{minimum_degree_order(A), 0};
  best.work = work_in(A, best.order, is_symmetric);
#ifdef NONSMOOTH_WITH_CHOLMOD
  const double work = best.work * std::pow(rows_of_each, 3), rows = static_cast<double>(A.cols) * rows_of_each;
  if (work < smallest_dissected_work || work < smallest_work_per_row * rows) return best;
  EliminationOrder other{rows_of_each == 1 ? dissection_order(A, is_symmetric) : dissection_order(A, is_symmetric, rows_of_each),
                         0};
  if (other.order.empty()) return best;
  other.work = work_in(A, other.order, is_symmetric);
  if (other.work < best.work) return other;
#endif
  return best;
}

}  // namespace nonsmooth
