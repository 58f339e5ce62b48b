#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "../support/child_process.hpp"

namespace nonsmooth::bench {
namespace {

constexpr std::size_t bar_width = 24;

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

std::string duration_text(double seconds) {
  const long whole = std::lround(std::max(seconds, 0.0)), minutes = whole / 60;
  char text[40];
  if (minutes >= 60)
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", minutes / 60, minutes % 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld", minutes, whole % 60);
  return text;
}

Progress::Progress(bool show) : show_(show && isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() { clear(); }

void Progress::begin(const std::string& what, std::size_t total) {
  what_ = what;
  total_ = total;
  started_ = false;
}

void Progress::show(std::size_t done, const std::string& now_at) {
  if (!show_ || total_ == 0) return;
  const double time = now();
  if (!started_) {
    started_ = true;
    start_ = time;
    done_at_start_ = done;
  } else if (time - shown_ < 0.1 && done < total_) {
    return;
  }
  shown_ = time;
  const std::size_t full = bar_width * std::min(done, total_) / total_, fresh = done - done_at_start_;
  std::string line = what_ + " [" + std::string(full, '#') + std::string(bar_width - full, '.') + "] " + std::to_string(done) +
                     "/" + std::to_string(total_);
  if (fresh > 0)
    line += ", " + duration_text((time - start_) / static_cast<double>(fresh) * static_cast<double>(total_ - done)) + " left";
  if (!now_at.empty()) line += "  " + now_at;
  line.resize(std::min(line.size(), terminal_width() - 1));
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (!show_ || !started_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace nonsmooth::bench
