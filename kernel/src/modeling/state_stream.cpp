#include "nonsmooth/kernel/state_stream.hpp"

#include <cstring>

namespace nonsmooth::kernel {

void StateWriter::reals(const double* values, Index count) {
  integer(count);
  append(values, static_cast<std::size_t>(count) * sizeof(double));
}

void StateWriter::text(const std::string& value) {
  integer(static_cast<std::int64_t>(value.size()));
  append(value.data(), value.size());
}

void StateReader::refuse(const std::string& what) const { fail("%s: %s", file_.c_str(), what.c_str()); }

void StateReader::take(void* data, std::size_t size) {
  if (size > left()) refuse("the state ends early");
  if (size > 0 && data != nullptr) std::memcpy(data, bytes_->data() + position_, size);
  position_ += size;
}

std::int64_t StateReader::integer() {
  std::int64_t value = 0;
  take(&value, sizeof value);
  return value;
}

double StateReader::real() {
  double value = 0;
  take(&value, sizeof value);
  return value;
}

std::size_t StateReader::count(const std::string& what, std::size_t bytes) {
  const std::int64_t value = integer();
  if (value < 0 || static_cast<std::size_t>(value) > left() / bytes)
    refuse("the number of " + what + " is " + std::to_string(value) + ", and " + std::to_string(left()) + " bytes follow");
  return static_cast<std::size_t>(value);
}

void StateReader::reals(double* values, Index count, const std::string& what) {
  expect("the length of " + what, count);
  take(looks_only_ ? nullptr : values, static_cast<std::size_t>(count) * sizeof(double));
}

void StateReader::skipReals(const std::string& what) { take(nullptr, count(what, sizeof(double)) * sizeof(double)); }

std::string StateReader::text() {
  std::string value(count("letters", 1), '\0');
  take(value.data(), value.size());
  return value;
}

void StateReader::expect(const std::string& what, std::int64_t here) {
  const std::int64_t saved = integer();
  if (saved != here) refuse(what + " is " + std::to_string(saved) + " in the file, " + std::to_string(here) + " here");
}

void StateReader::expect(const std::string& what, const std::string& here) {
  const std::string saved = text();
  if (saved != here) refuse(what + " is " + saved + " in the file, " + here + " here");
}

void StateReader::expectReal(const std::string& what, double here) {
  const double saved = real();
  if (!(saved == here)) fail("%s: %s is %.17g in the file, %.17g here", file_.c_str(), what.c_str(), saved, here);
}

}  // namespace nonsmooth::kernel
