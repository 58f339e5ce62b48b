#include "io/markup.hpp"

namespace nonsmooth::kernel {

std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += static_cast<unsigned char>(c) < 32 ? ' ' : c;
    }
  }
  return result;
}

}  // namespace nonsmooth::kernel
