#include "core/error.hpp"

#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace nonsmooth {
namespace {
thread_local char message_buffer[1024] = "";
thread_local int error_number = 0;

std::string format_text(const char* format, va_list arguments) {
  char buffer[1024];
  std::vsnprintf(buffer, sizeof buffer, format, arguments);
  return buffer;
}
}  // namespace

std::string text(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string result = format_text(format, arguments);
  va_end(arguments);
  return result;
}

void fail(nsm_status status, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::string message = format_text(format, arguments);
  va_end(arguments);
  throw Error(status, std::move(message));
}

const char* last_error() noexcept { return message_buffer; }
int last_errno() noexcept { return error_number; }

void set_last_error(const char* message, int number) noexcept {
  error_number = number;
  std::strncpy(message_buffer, message, sizeof message_buffer - 1);
  message_buffer[sizeof message_buffer - 1] = '\0';
}

}  // namespace nonsmooth
