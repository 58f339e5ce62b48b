// What tests leave out under the sanitizers, where the same takes five to twenty times as long.
#pragma once

namespace support {

#ifdef __SANITIZE_ADDRESS__
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

// The first of two numbers of cases; the second under the sanitizers, where further ones take no other ways through the code.
constexpr int cases(int usual, int sanitized) { return is_sanitized ? sanitized : usual; }

}  // namespace support
