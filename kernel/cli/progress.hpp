// The bar of a long run, on stderr.
#pragma once

#include <chrono>
#include <string>

namespace cli {

// Nothing is shown for the first half second; after that the line is written anew five times a second at most.
class Progress {
 public:
  explicit Progress(bool wanted) : wanted_(wanted), start_(Clock::now()), next_(start_ + std::chrono::milliseconds(500)) {}
  ~Progress() { clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // fraction of the run that is done, from 0 to 1; `what` stands behind the bar.
  void show(double fraction, double time, long step);
  // Takes the line away.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  bool wanted_, shown_ = false;
  Clock::time_point start_, next_;
};

// "0:07", "12:30", "3:05:00"
std::string clockTime(double seconds);

}  // namespace cli
