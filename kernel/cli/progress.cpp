#include "progress.hpp"

#include <algorithm>
#include <cstdio>

namespace cli {
namespace {

constexpr int bar_width = 30;

}  // namespace

std::string clockTime(double seconds) {
  const long whole = static_cast<long>(std::min(seconds + 0.5, 3.6e8));
  char text[32];
  if (whole < 3600)
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  else
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  return text;
}

void Progress::show(double fraction, double time, long step) {
  if (!wanted_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  fraction = std::clamp(fraction, 0.0, 1.0);
  const auto full = static_cast<int>(fraction * bar_width);
  const std::string bar =
      std::string(static_cast<std::size_t>(full), '#') + std::string(static_cast<std::size_t>(bar_width - full), '.');
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = fraction > 0 ? clockTime(elapsed * (1 - fraction) / fraction) + " left" : "";
  std::fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s, step %ld, %s\033[K", bar.c_str(), 100 * fraction, time, step, left.c_str());
  std::fflush(stderr);
  shown_ = true;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace cli
