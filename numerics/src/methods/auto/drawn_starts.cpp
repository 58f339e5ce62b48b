#include "methods/auto/drawn_starts.hpp"

#include <cmath>

#include "core/index.hpp"

namespace nonsmooth {
namespace {

// Powers of two: starts are so much smaller and larger than what balances q, and the blocks of one start than each other.
constexpr double sizes = 6, block_sizes = 3;

}  // namespace

DrawnStarts::DrawnStarts(const char* method, std::int64_t starts, std::int64_t iterations)
    : method_(find_method(method)->create()), starts_(starts), iterations_(iterations) {}

void DrawnStarts::setup(const Inclusion& view, const Options& options) {
  view_ = &view;
  method_->setup(view, options);
  point_.resize(at(view.size()));
  read_size();
}

void DrawnStarts::update(Change change) {
  method_->update(change);
  if (change == Change::matrix) read_size();
}

// What a row of M is of an unknown of size 1, on the average.
void DrawnStarts::read_size() {
  double squares = 0;
  for_each_entry(*view_->M, [&](std::int64_t, std::int64_t, double value) { squares += value * value; });
  matrix_size_ = std::sqrt(squares / static_cast<double>(view_->size()));
}

// Evenly between -1 and 1.
double DrawnStarts::draw() { return 2 * random_.uniform() - 1; }

void DrawnStarts::draw_start(std::span<double> z) {
  double largest = 0;
  for (const double value : *view_->q) largest = std::max(largest, std::abs(value));
  const double size = (matrix_size_ > 0 ? largest / matrix_size_ : 1) * std::exp2(sizes * draw());
  for (const SetBlock& block : view_->blocks) {
    const double own = size * std::exp2(block_sizes * draw());
    for (std::int32_t i = block.start; i < block.start + block.size; ++i) point_[at(i)] = own * draw();
  }
  project(*view_, point_, z);
}

Stop DrawnStarts::solve(std::span<double> z, Control& control) {
  random_ = Random();
  for (std::int64_t start = 0; start < starts_; ++start) {
    draw_start(z);
    control.begin_stage(iterations_);
    const Stop stop = method_->solve(z, control);
    if (stop == Stop::finished && control.best_residual() <= control.tolerance()) return stop;
    if (stop == Stop::out_of_memory || is_limit(stop)) return stop;
  }
  return Stop::stalled;
}

}  // namespace nonsmooth
