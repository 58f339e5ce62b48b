// A line on the terminal: how far, what next, how long yet. Nothing where standard error is no terminal.
#pragma once

#include <cstddef>
#include <string>

namespace nonsmooth::bench {

class Progress {
 public:
  explicit Progress(bool show);
  ~Progress();
  void begin(const std::string& what, std::size_t total);
  void show(std::size_t done, const std::string& now_at);
  void clear();  // before other output

 private:
  bool show_;
  std::string what_;
  std::size_t total_ = 0, done_at_start_ = 0;
  bool started_ = false;
  double start_ = 0, shown_ = 0;
};

std::string duration_text(double seconds);  // 1:02:03

}  // namespace nonsmooth::bench
