// Numbers of command lines and files.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace nonsmooth {

// Throws std::runtime_error unless the whole text is a number.
inline double numberIn(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size()) throw std::runtime_error("'" + text + "' is no number");
  return value;
}

// From `least` on.
inline int wholeNumberIn(const std::string& text, int least) {
  const double value = numberIn(text);
  if (!(value >= least && value <= 1e9) || value != static_cast<int>(value))
    throw std::runtime_error("'" + text + "' is no whole number from " + std::to_string(least) + " to 1e9");
  return static_cast<int>(value);
}

}  // namespace nonsmooth
