// The collected problems, which are not part of the project.
#pragma once

#include <cstdlib>

namespace collected {

// NONSMOOTH_COLLECTION; null if it is not set, or empty.
inline const char* folder() {
  const char* name = std::getenv("NONSMOOTH_COLLECTION");
  return name != nullptr && *name != '\0' ? name : nullptr;
}

}  // namespace collected
