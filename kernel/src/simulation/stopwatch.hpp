// Seconds between laps; all zero, and no clock is read, where it is not running.
#pragma once

#include <chrono>

namespace nonsmooth::kernel {

class Stopwatch {
 public:
  explicit Stopwatch(bool running) : running_(running) {
    if (running_) last_ = Clock::now();
  }
  double lap() {
    if (!running_) return 0;
    const Clock::time_point now = Clock::now();
    const double seconds = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool running_;
  Clock::time_point last_;
};

}  // namespace nonsmooth::kernel
