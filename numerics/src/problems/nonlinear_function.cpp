#include "problems/nonlinear_function.hpp"

#include <algorithm>
#include <cmath>

#include "core/checked.hpp"
#include "core/index.hpp"
#include "problems/checks.hpp"

namespace nonsmooth {
namespace {

void require_pattern(std::int64_t n, const nsm_matrix& pattern) {
  if (pattern.storage != NSM_DENSE && pattern.storage != NSM_CSC)
    fail(NSM_INVALID_ARGUMENT, "pattern has storage %d; dense or CSC expected", pattern.storage);
  if (pattern.rows != n || pattern.cols != n)
    fail(NSM_INVALID_DIMENSION, "pattern is %lld x %lld, n is %lld", static_cast<long long>(pattern.rows),
         static_cast<long long>(pattern.cols), static_cast<long long>(n));
}

// The pattern, sorted; each value is the position in the caller's order.
Matrix numbered_pattern(std::int64_t n, const nsm_matrix& pattern) {
  if (pattern.start == nullptr) fail(NSM_INVALID_ARGUMENT, "pattern.start is NULL");
  const std::int64_t entries = std::clamp<std::int64_t>(pattern.start[n], 0, n * n);  // from_view checks the rest
  Vector numbers(at(entries));
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k);
  nsm_matrix view = pattern;
  view.values = numbers.data();
  return Matrix::from_view(view, "pattern");
}

}  // namespace

NonlinearFunction NonlinearFunction::from_callbacks(std::int64_t n, nsm_function function, nsm_jacobian jacobian,
                                                    const nsm_matrix* pattern, void* user) {
  if (n <= 0) fail(NSM_INVALID_DIMENSION, "n is %lld", static_cast<long long>(n));
  checked_index(n, "n");
  if (pattern != nullptr) require_pattern(n, *pattern);
  NonlinearFunction F{function, jacobian, user, {}, {}};
  if (pattern == nullptr || pattern->storage == NSM_DENSE) {
    const auto entries = at(checked_mul(n, n, "entries of a dense Jacobian"));
    F.pattern = Matrix(DenseMatrix{n, n, Vector(entries, 0.0)}, "pattern");
    return F;
  }
  F.pattern = numbered_pattern(n, *pattern);
  bool in_order = true;
  for (double number : F.pattern.values()) {
    F.position.push_back(static_cast<std::int32_t>(number));
    in_order = in_order && F.position.back() + 1 == static_cast<std::int32_t>(F.position.size());
  }
  if (in_order) F.position.clear();
  std::ranges::fill(F.pattern.own_values(), 0.0);
  return F;
}

bool NonlinearFunction::evaluate(std::span<const double> z, std::span<double> w) const noexcept {
  if (function(user, size(), z.data(), w.data()) == 0 && find_not_finite(w) < 0) return true;
  std::fill(w.begin(), w.end(), std::nan(""));
  return false;
}

}  // namespace nonsmooth
