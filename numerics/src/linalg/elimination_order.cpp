#include "linalg/elimination_order.hpp"

#include <amd.h>

#include <algorithm>
#include <new>
#include <numeric>
#ifdef NONSMOOTH_WITH_CHOLMOD
#include <cholmod.h>

#include <cstdlib>
#include <mutex>
#endif

namespace nonsmooth {
namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Approximate minimum degree (Amestoy, Davis and Duff 1996).
IndexVector minimum_degree_order(const CscMatrix& A) {
  IndexVector order(at(A.cols));
  double control[AMD_CONTROL];
  amd_defaults(control);
  const int status = amd_order(static_cast<int>(A.cols), A.col_start.data(), A.row_index.data(), order.data(), control, nullptr);
  if (status == AMD_OUT_OF_MEMORY) throw std::bad_alloc();
  return order;
}

double work_in(const CscMatrix& A, const IndexVector& order) {
  const LowerRows lower = lower_rows(A, inverse_order(order));
  double work = 0;
  for (const double below : column_counts(lower, elimination_tree(lower))) work += (1 + below) * (1 + below);
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

// Nested dissection of METIS (Karypis and Kumar 1998), as CHOLMOD calls it. Empty if it is not installed or fails.
IndexVector dissection_order(const CscMatrix& A) {
  IndexVector own(at(A.cols));
  std::iota(own.begin(), own.end(), 0);
  LowerRows upper = lower_rows(A, own);  // its rows are the columns of the upper triangle
  IndexVector start{0};
  for (std::size_t i = 0, k = 0; i < own.size(); ++i) {
    const auto begin = upper.column.begin() + upper.start[i], end = upper.column.begin() + upper.start[i + 1];
    std::sort(begin, end);
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
  const bool found = cholmod_metis(&pattern, nullptr, 0, 0, own.data(), &common) != 0;
  cholmod_finish(&common);
  return found ? own : IndexVector();
}
#endif

}  // namespace

LowerRows lower_rows(const CscMatrix& A, const IndexVector& position) {
  LowerRows lower{std::vector<std::int64_t>(at(A.cols + 1), 0), {}};
  const auto visit = [&](auto&& entry) {
    for (std::int64_t j = 0; j < A.cols; ++j)
      for (std::int32_t k = A.col_start[at(j)]; k < A.col_start[at(j + 1)]; ++k) {
        const std::int32_t a = position[at(A.row_index[at(k)])], b = position[at(j)];
        if (a != b) entry(std::max(a, b), std::min(a, b));
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

// Row i has an entry in every column on the paths up to i.
IndexVector column_counts(const LowerRows& lower, const IndexVector& parent) {
  const std::size_t n = parent.size();
  IndexVector count(n, 0), mark(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    const auto row = static_cast<std::int32_t>(i);
    mark[i] = row;
    for (std::int64_t k = lower.start[i]; k < lower.start[i + 1]; ++k)
      for (std::int32_t j = lower.column[at(k)]; mark[at(j)] != row; j = parent[at(j)]) {
        mark[at(j)] = row;
        ++count[at(j)];
      }
  }
  return count;
}

IndexVector inverse_order(const IndexVector& order) {
  IndexVector position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) position[at(order[k])] = static_cast<std::int32_t>(k);
  return position;
}

EliminationOrder find_elimination_order(const CscMatrix& A) {
  EliminationOrder best{minimum_degree_order(A), 0};
  best.work = work_in(A, best.order);
#ifdef NONSMOOTH_WITH_CHOLMOD
  if (best.work < smallest_dissected_work || best.work < smallest_work_per_row * static_cast<double>(A.cols)) return best;
  EliminationOrder other{dissection_order(A), 0};
  if (other.order.empty()) return best;
  other.work = work_in(A, other.order);
  if (other.work < best.work) return other;
#endif
  return best;
}

}  // namespace nonsmooth
