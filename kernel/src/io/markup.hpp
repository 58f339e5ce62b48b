// Text of XML and SVG.
#pragma once

#include <string>

namespace nonsmooth::kernel {

// As content or between double quotation marks; control characters become blanks.
std::string escaped(const std::string& text);

}  // namespace nonsmooth::kernel
