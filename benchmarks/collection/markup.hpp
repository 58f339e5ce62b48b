// Text and numbers inside HTML and SVG.
#pragma once

#include <cstdio>
#include <string>

namespace nonsmooth::bench {

inline std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < 0x20 && c != '\n' ? ' ' : c;  // XML has no control characters
    }
  return result;
}

inline std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

// Of all plots, on a page or in a file of their own.
extern const char* const plot_style;

}  // namespace nonsmooth::bench
