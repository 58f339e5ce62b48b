// Of the numbers that factors are kept in.
#pragma once

namespace nonsmooth {

enum class Precision { single, full };  // float, double

}  // namespace nonsmooth
