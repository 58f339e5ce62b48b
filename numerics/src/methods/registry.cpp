// The table of methods, grown from methods.def.
#include <algorithm>
#include <cstring>

#include "methods/method.hpp"

namespace nonsmooth {

#define NSM_METHOD(name) extern const MethodEntry name##_method;
#include "methods/methods.def"
#undef NSM_METHOD

namespace {

constexpr std::int64_t largest_pivoting_order = 4000;  // beyond it a dense basis costs more than 128 MB and seconds

constexpr std::int64_t largest_enumerated_order = 1000;
constexpr std::ptrdiff_t largest_enumeration = 25;  // complementarities; with more the tree may be hopeless, and pivoting is not

bool has_polyhedron(const Problem& problem) {
  const Avi* avi = std::get_if<Avi>(&problem.data);
  return avi != nullptr && avi->set.H.rows() > 0;
}

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
  const nsm_class c = problem.problem_class();
  // Pivoting is exact where it applies, but dense; a mixed LCP is enumerated with pruning; everything with small blocks is swept.
  const bool pivots = c == NSM_LCP || c == NSM_MLCP || c == NSM_RELAY || c == NSM_AVI;
  if (pivots && problem.size() > largest_pivoting_order && !has_polyhedron(problem)) return find_method("block_gauss_seidel");
  if (const Mlcp* mlcp = std::get_if<Mlcp>(&problem.data)) {
    const auto choices = std::count(mlcp->is_complementarity.begin(), mlcp->is_complementarity.end(), 1);
    return find_method(choices <= largest_enumeration && problem.size() <= largest_enumerated_order ? "enumeration" : "lemke");
  }
  for (const MethodEntry* entry : method_table())
    if ((entry->info.classes & class_bit(c)) != 0) return entry;
  return nullptr;
}

}  // namespace nonsmooth
