// How Ctrl-C and its like end our programs. Long runs are asked to end, keep what they have, and tell it by their exit code:
//   nonsmooth solve        writes the best iterate, or gives up waiting for the reader of a pipe; exit code of a limit, 5
//   nonsmooth-bench        ends the solves at work and their files; the same command goes on; ends by the signal
//   nonsmooth simulate     ends with a whole step, whose state, tables and plots are written; exit code of a limit, 5
//   nonsmooth-settle run   ends with a whole step and saves the state, which --resume takes; exit code of the steps so far
// All others end at once: files are written whole or not at all.
#pragma once

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

namespace nonsmooth::programs {

// The signal that has asked the run to end; 0: none. A handler can reach nothing but this.
inline std::atomic<int> interrupting_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "else a handler must not touch it");

// For std::function, callbacks and loops alike.
inline bool is_interrupted() { return interrupting_signal.load() != 0; }

// While it lives, Ctrl-C, SIGTERM and SIGHUP ask the run to end. A second Ctrl-C kills; the others do not, since timeout(1) sends
// them twice. Signals that were ignored when the program started stay so: nohup, and shells without job control, rely on it.
class Interruptible {
 public:
  Interruptible() {
    for (std::size_t k = 0; k < signals.size(); ++k) {
      sigaction(signals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler == SIG_IGN) continue;
      struct sigaction action {};
      action.sa_handler = [](int signal) { interrupting_signal = signal; };
      action.sa_flags = signals[k] == SIGINT ? static_cast<int>(SA_RESTART | SA_RESETHAND) : SA_RESTART;
      sigemptyset(&action.sa_mask);
      sigaction(signals[k], &action, nullptr);
    }
  }
  ~Interruptible() {
    for (std::size_t k = 0; k < signals.size(); ++k) sigaction(signals[k], &before_[k], nullptr);
  }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  static constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

// Ends the program by the signal that has interrupted it, once no Interruptible lives: shells and make so see that it has not
// ended by itself.
inline void end_by_signal() { std::raise(interrupting_signal); }

}  // namespace nonsmooth::programs
