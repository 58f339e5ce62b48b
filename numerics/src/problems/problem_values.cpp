#include "problems/problem_values.hpp"

#include <variant>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {

namespace {

// Of a problem that may be const: the pointer then is to what is const.
template <class AnyProblem>
auto find_right_hand_side(AnyProblem& problem) {
  using Pointer = decltype(&std::get<Lcp>(problem.data).q);
  return std::visit(
      [](auto& p) -> Pointer {
        if constexpr (requires { p.q; })
          return &p.q;
        else if constexpr (requires { p.w; })
          return &p.w;
        else
          return nullptr;
      },
      problem.data);
}

template <class AnyProblem>
auto find_friction_coefficients(AnyProblem& problem) {
  using Pointer = decltype(&std::get<Friction>(problem.data).mu);
  return std::visit(
      [](auto& p) -> Pointer {
        if constexpr (requires { p.block_kind; })
          return p.mu.empty() ? nullptr : &p.mu;  // generic: optional
        else if constexpr (requires { p.mu; })
          return &p.mu;
        else
          return nullptr;
      },
      problem.data);
}

template <class AnyProblem>
auto find_polyhedron(AnyProblem& problem) {
  using Pointer = decltype(&std::get<Avi>(problem.data).set);
  return std::visit(
      [](auto& p) -> Pointer {
        if constexpr (requires { p.set.H; })
          return &p.set;
        else
          return nullptr;
      },
      problem.data);
}

}  // namespace

Vector* right_hand_side(Problem& problem) { return find_right_hand_side(problem); }
const Vector* right_hand_side(const Problem& problem) { return find_right_hand_side(problem); }

Vector* forces(Problem& problem) {
  GlobalContactData* data = global_data(problem);
  return data == nullptr ? nullptr : &data->f;
}

Vector* friction_coefficients(Problem& problem) { return find_friction_coefficients(problem); }
const Vector* friction_coefficients(const Problem& problem) { return find_friction_coefficients(problem); }

Polyhedron* polyhedron_of(Problem& problem) { return find_polyhedron(problem); }
const Polyhedron* polyhedron_of(const Problem& problem) { return find_polyhedron(problem); }

[[noreturn]] void fail_without(const char* what, const Problem& problem) {
  fail(NSM_UNSUPPORTED, "problems of class %s have no %s", nsm_class_name(problem.problem_class()), what);
}

void require_finite_values(std::span<const double> values, const char* name) {
  const std::int64_t k = find_not_finite(values);
  if (k >= 0) fail(NSM_NOT_FINITE, "%s[%lld] is %g", name, static_cast<long long>(k), values[at(k)]);
}

void require_size(std::size_t given, std::size_t expected, const char* name) {
  if (given != expected) fail(NSM_INVALID_DIMENSION, "%s has %zu entries, %zu expected", name, given, expected);
}

Vector& require_values(Vector* target, std::span<const double> values, const char* name, const Problem& problem) {
  if (target == nullptr) fail_without(name, problem);
  require_size(values.size(), target->size(), name);
  require_finite_values(values, name);
  return *target;
}

}  // namespace nonsmooth
