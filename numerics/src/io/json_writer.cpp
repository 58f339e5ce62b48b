#include "io/json_writer.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

// Titles of HDF5 files may hold any bytes: those that are no UTF-8 are replaced.
std::string json_string(std::string_view value) {
  return nlohmann::json(std::string(value)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void JsonWriter::begin(const char* name) {
  text_ += first_ ? "\n" : ",\n";
  text_.append(at(2 * depth_), ' ');
  text_ += json_string(name) + ": ";
  first_ = false;
}

void JsonWriter::append(double value, const char* name, std::size_t position) {
  if (std::isnan(value)) fail(NSM_NOT_FINITE, "%s[%zu] is nan: not written", name, position);
  if (std::isinf(value)) {
    text_ += value > 0 ? "\"inf\"" : "\"-inf\"";
  } else if (value == 0) {
    text_ += std::signbit(value) ? "-0.0" : "0";  // readers take "-0" for the integer 0
  } else {
    char buffer[32];
    text_.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  }
}

template <class Values, class Append>
void JsonWriter::array(const char* name, const Values& values, Append&& append_one) {
  begin(name);
  text_ += '[';
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (k > 0) text_ += ", ";
    append_one(values[k], k);
  }
  text_ += ']';
}

void JsonWriter::string(const char* name, std::string_view value) {
  begin(name);
  text_ += json_string(value);
}

void JsonWriter::integer(const char* name, std::int64_t value) {
  begin(name);
  text_ += std::to_string(value);
}

void JsonWriter::number(const char* name, double value) {
  begin(name);
  append(value, name, 0);
}

void JsonWriter::numbers(const char* name, std::span<const double> values) {
  array(name, values, [&](double value, std::size_t k) { append(value, name, k); });
}

void JsonWriter::integers(const char* name, std::span<const std::int32_t> values) {
  array(name, values, [&](std::int32_t value, std::size_t) { text_ += std::to_string(value); });
}

void JsonWriter::names(const char* name, std::span<const std::int32_t> values, std::span<const char* const> table) {
  array(name, values, [&](std::int32_t value, std::size_t) { text_ += json_string(table[at(value)]); });
}

void JsonWriter::open(const char* name) {
  begin(name);
  text_ += '{';
  ++depth_;
  first_ = true;
}

void JsonWriter::close() {
  --depth_;
  text_ += '\n';
  text_.append(at(2 * depth_), ' ');
  text_ += '}';
  first_ = false;
}

std::string JsonWriter::finish() {
  text_ += "\n}\n";
  return std::move(text_);
}

}  // namespace nonsmooth
