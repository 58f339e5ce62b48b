// The one exception of the library: a status and a message that names the field and the value.
#pragma once

#include <string>

#include "nonsmooth/status.h"

namespace nonsmooth {

class Error {
 public:
  // `number`: errno, where the system has refused something.
  Error(nsm_status status, std::string message, int number = 0)
      : status_(status), number_(number), message_(std::move(message)) {}
  nsm_status status() const noexcept { return status_; }
  const std::string& message() const noexcept { return message_; }
  int number() const noexcept { return number_; }

 private:
  nsm_status status_;
  int number_;
  std::string message_;
};

// printf-like; throws Error.
[[noreturn]] void fail(nsm_status status, const char* format, ...) __attribute__((format(printf, 2, 3)));
// printf-like string.
std::string text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Thread-local message and errno of the last failing call; a fixed buffer, so that it works when memory is exhausted.
const char* last_error() noexcept;
int last_errno() noexcept;
void set_last_error(const char* message, int number = 0) noexcept;

}  // namespace nonsmooth
