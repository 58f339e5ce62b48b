// Writes one JSON object, a member per line, so that files can be read and compared line by line.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nonsmooth {

class JsonWriter {
 public:
  void string(const char* name, std::string_view value);
  void integer(const char* name, std::int64_t value);
  // Infinities become the strings "inf" and "-inf"; NSM_NOT_FINITE for NaN, which has no place in a file.
  void number(const char* name, double value);
  void numbers(const char* name, std::span<const double> values);
  void integers(const char* name, std::span<const std::int32_t> values);
  void names(const char* name, std::span<const std::int32_t> values, std::span<const char* const> table);
  // A member that is an object: what follows goes into it until close().
  void open(const char* name);
  void close();
  std::string finish();

 private:
  void begin(const char* name);
  void append(double value, const char* name, std::size_t position);
  template <class Values, class Append>
  void array(const char* name, const Values& values, Append&& append_one);

  std::string text_ = "{";
  int depth_ = 1;
  bool first_ = true;
};

}  // namespace nonsmooth
