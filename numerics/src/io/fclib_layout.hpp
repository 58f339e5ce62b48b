// The FCLIB layout (https://frictionalcontactlibrary.github.io): which group holds which class, and how its vectors make up z and
// w.
#pragma once

#include "nonsmooth/problem.h"

namespace nonsmooth::fclib {

struct RootGroup {
  const char* name;
  nsm_class plain, rolling;  // without and with mu_r; the same where FCLIB has a group of its own for rolling friction
};

// In the order in which a file that holds several is read when no class is asked for. A rolling local problem is our extension;
// a local one with a bilateral part is `generic` (fclib_bilateral.hpp).
inline constexpr RootGroup root_groups[] = {
    {"fclib_local", NSM_FRICTION, NSM_ROLLING},
    {"fclib_global", NSM_GLOBAL_FRICTION, NSM_GLOBAL_FRICTION},
    {"fclib_global_rolling", NSM_GLOBAL_ROLLING, NSM_GLOBAL_ROLLING},
};

inline constexpr const char* native_group = "nonsmooth";  // classes that FCLIB does not have
inline constexpr const char* class_attribute = "class";

inline const RootGroup* root_group_of(nsm_class problem_class) {
  for (const RootGroup& group : root_groups)
    if (group.plain == problem_class || group.rolling == problem_class) return &group;
  return nullptr;
}

}  // namespace nonsmooth::fclib
