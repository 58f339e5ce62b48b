// Text of XML and SVG.
#ifndef NONSMOOTH_KERNEL_IO_MARKUP_HPP
#define NONSMOOTH_KERNEL_IO_MARKUP_HPP

#include <string>

namespace nonsmooth::kernel {

// As content or between double quotation marks; control characters become blanks.
std::string escaped(const std::string& text);

}  // namespace nonsmooth::kernel
#endif
