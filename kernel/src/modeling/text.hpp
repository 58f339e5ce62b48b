// Lines of display().
#pragma once

#include <cstdio>
#include <string>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel::text {

inline void line(std::string& text, const char* name, ConstVectorRef values) {
  text += "  ";
  text += name;
  text += " =";
  for (Index k = 0; k < values.size(); ++k) {
    char number[32];
    std::snprintf(number, sizeof number, " %.10g", values[k]);
    text += number;
  }
  text += "\n";
}

}  // namespace nonsmooth::kernel::text
