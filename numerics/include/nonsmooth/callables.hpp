// Callables behind the C callbacks of a nonlinear problem; part of nonsmooth.hpp.
#ifndef NONSMOOTH_CALLABLES_HPP
#define NONSMOOTH_CALLABLES_HPP

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace nsm::detail {

// At a fixed address, shared with the solvers. No exception may cross the C interface: the first one of a call of the library
// waits in `thrown`, under the thread that has called. Other threads, with other solvers, go on.
struct Callables {
  using Function = std::function<bool(const double* z, double* values)>;

  Function F, jacobian, projection;
  std::map<std::thread::id, std::exception_ptr> thrown;
  std::atomic<bool> has_thrown{false};  // any thread
  std::mutex mutex;                     // of `thrown`

  // After an exception nothing can be evaluated, which ends the call that is at work.
  std::int32_t call(const Function& function, const double* z, double* values) noexcept {
    if (has_thrown && has_ended()) return 1;
    try {
      return function(z, values) ? 0 : 1;
    } catch (...) {
      keep(std::current_exception());
      return 1;
    }
  }
  bool has_ended() {
    const std::lock_guard<std::mutex> lock(mutex);
    return thrown.count(std::this_thread::get_id()) != 0;
  }
  void keep(const std::exception_ptr& exception) noexcept {
    try {
      const std::lock_guard<std::mutex> lock(mutex);
      thrown.emplace(std::this_thread::get_id(), exception);
      has_thrown = true;
    } catch (...) {
      // No memory: then it cannot be evaluated at this point, and that is all.
    }
  }
  void rethrow() {
    if (!has_thrown) return;
    std::exception_ptr pending;
    {
      const std::lock_guard<std::mutex> lock(mutex);
      const auto own = thrown.find(std::this_thread::get_id());
      if (own != thrown.end()) {
        pending = own->second;
        thrown.erase(own);
      }
      has_thrown = !thrown.empty();
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
