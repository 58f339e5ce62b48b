// Callables behind the C callbacks of a nonlinear problem; part of nonsmooth.hpp.
#ifndef NONSMOOTH_CALLABLES_HPP
#define NONSMOOTH_CALLABLES_HPP

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <utility>

namespace nsm::detail {

// At a fixed address, shared with the solvers. No exception may cross the C interface: the first one waits in `thrown`.
struct Callables {
  using Function = std::function<bool(const double* z, double* values)>;

  Function F, jacobian, projection;
  std::exception_ptr thrown;
  std::atomic<bool> has_thrown{false};
  std::mutex mutex;

  // After an exception nothing can be evaluated, which ends the call that is at work.
  std::int32_t call(const Function& function, const double* z, double* values) noexcept {
    if (has_thrown) return 1;
    try {
      return function(z, values) ? 0 : 1;
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (!thrown) thrown = std::current_exception();
      has_thrown = true;
      return 1;
    }
  }
  void rethrow() {
    std::exception_ptr pending;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      std::swap(pending, thrown);
      has_thrown = false;
    }
    if (pending) std::rethrow_exception(pending);
  }
  static std::int32_t evaluate(void* user, std::int64_t, const double* z, double* values) noexcept {
    auto& self = *static_cast<Callables*>(user);
    return self.call(self.F, z, values);
  }
  static std::int32_t differentiate(void* user, std::int64_t, const double* z, double* values) noexcept {
    auto& self = *static_cast<Callables*>(user);
    return self.call(self.jacobian, z, values);
  }
  static std::int32_t project(void* user, std::int64_t, const double* x, double* p) noexcept {
    auto& self = *static_cast<Callables*>(user);
    return self.call(self.projection, x, p);
  }
};

}  // namespace nsm::detail

#endif
