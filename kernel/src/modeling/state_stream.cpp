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
  if (size > bytes_.size() - position_) refuse("the state ends early");
  if (size > 0) std::memcpy(data, bytes_.data() + position_, size);
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

void StateReader::reals(double* values, Index count, const std::string& what) {
  expect("the length of " + what, count);
  take(values, static_cast<std::size_t>(count) * sizeof(double));
}

std::string StateReader::text() {
  const std::int64_t size = integer();
  if (size < 0 || static_cast<std::size_t>(size) > bytes_.size() - position_) refuse("the state ends early");
  std::string value(static_cast<std::size_t>(size), '\0');
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
