#include "methods/pivoting/tridiagonal_runs.hpp"

#include <algorithm>

namespace nonsmooth {

bool TridiagonalRuns::applies(const Tridiagonal& T) {
  const auto positive = [](double x) { return x > 0; };
  return std::none_of(T.below.begin(), T.below.end(), positive) && std::none_of(T.above.begin(), T.above.end(), positive);
}

// z of the row before `row` if it ends run number run - 1 (counted from 1), else 0.
double TridiagonalRuns::tail_before(std::size_t row, std::size_t run) const {
  return run > 0 && runs_[run - 1].last + 1 == row ? runs_[run - 1].tail : 0.0;
}

// The last two runs, which touch, as one.
bool TridiagonalRuns::join() {
  Run& a = runs_[count_ - 2];
  const Run& b = runs_[count_ - 1];
  const double determinant = 1 - a.tail_right * b.head_left;
  if (!(determinant > 0)) return false;
  // x ends a, y begins b: x = (a.tail + a.tail_left left) + a.tail_right y and y = (b.head + b.head_right right) + b.head_left x.
  const double inverse = 1 / determinant;
  const double x = (a.tail + a.tail_right * b.head) * inverse, x_left = a.tail_left * inverse;
  const double x_right = a.tail_right * b.head_right * inverse;
  const double y = b.head + b.head_left * x, y_left = b.head_left * x_left, y_right = b.head_right + b.head_left * x_right;
  a = {a.first,
       b.last,
       a.head + a.head_right * y,
       a.head_left + a.head_right * y_left,
       a.head_right * y_right,
       b.tail + b.tail_left * x,
       b.tail_left * x_left,
       b.tail_right + b.tail_left * x_right};
  --count_;
  return true;
}

// `row` becomes free, right of all runs or just left of the last one; joined with what it touches.
bool TridiagonalRuns::push(const Tridiagonal& T, std::span<const double> q, std::size_t row) {
  if (!(T.diagonal[row] > 0)) return false;
  const double inverse = 1 / T.diagonal[row];
  const double z = -q[row] * inverse, left = -T.below[row] * inverse, right = -T.above[row] * inverse;
  const Run single{row, row, z, left, right, z, left, right};
  const bool inserted = count_ > 0 && runs_[count_ - 1].first == row + 1;
  if (inserted) {
    // [row] and the last run in the places of the last run, then with the run before.
    const Run last = runs_[count_ - 1];
    runs_[count_ - 1] = single;
    if (count_ > 1 && runs_[count_ - 2].last + 1 == row && !join()) return false;
    runs_[count_++] = last;
    return join();
  }
  const bool touches = count_ > 0 && runs_[count_ - 1].last + 1 == row;
  runs_[count_++] = single;
  return !touches || join();
}

bool TridiagonalRuns::find(const Tridiagonal& T, std::span<const double> q, std::span<char> free) {
  count_ = 0;
  for (std::size_t row = 0; row < q.size(); ++row) {
    if (q[row] + T.below[row] * tail_before(row, count_) >= 0) continue;
    if (!push(T, q, row)) return false;
    // The run has grown upwards: the row left of it may have to follow, again and again.
    for (;;) {
      const Run& run = runs_[count_ - 1];
      if (run.first == 0) break;
      const std::size_t left = run.first - 1;
      if (q[left] + T.above[left] * run.head + T.below[left] * tail_before(left, count_ - 1) >= 0) break;
      if (!push(T, q, left)) return false;
    }
  }
  std::fill(free.begin(), free.end(), char{0});
  for (std::size_t k = 0; k < count_; ++k)
    std::fill(free.begin() + static_cast<std::ptrdiff_t>(runs_[k].first),
              free.begin() + static_cast<std::ptrdiff_t>(runs_[k].last) + 1, char{1});
  return true;
}

}  // namespace nonsmooth
