// The table of methods, grown from methods.def.
#include <cstring>

#include "methods/frame/method.hpp"

namespace nonsmooth {

#define NSM_METHOD(name) extern const MethodEntry name##_method;
#include "methods/methods.def"
#undef NSM_METHOD

namespace {

constexpr std::size_t method_count = 0
#define NSM_METHOD(name) +1
#include "methods/methods.def"
#undef NSM_METHOD
    ;

}  // namespace

std::span<const MethodEntry* const> method_table() {
  static const MethodEntry* const table[method_count] = {
#define NSM_METHOD(name) &name##_method,
#include "methods/methods.def"
#undef NSM_METHOD
  };
  return table;
}

const MethodEntry* find_method(const char* name) {
  for (const MethodEntry* entry : method_table())
    if (std::strcmp(entry->info.name, name) == 0) return entry;
  return nullptr;
}

const MethodEntry* default_method(const Problem& problem) {
  const MethodEntry* entry = find_method("auto");
  return (entry->info.classes & class_bit(problem.problem_class())) != 0 ? entry : nullptr;
}

}  // namespace nonsmooth
