#include "io/lexer.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "core/error.hpp"
#include "core/index.hpp"

namespace nonsmooth {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// For messages: short, and without bytes that would upset a terminal.
std::string quoted(std::string_view word) {
  std::string shown(word.substr(0, 40));
  for (char& c : shown)
    if (c < ' ' || c > '~') c = '?';
  return "'" + shown + (word.size() > shown.size() ? "...'" : "'");
}

// Decimal exponent of the leading digit of a number that from_chars could not represent; only its sign matters.
long leading_exponent(std::string_view number) {
  const std::size_t e = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, e);
  long exponent = 0;
  if (e != std::string_view::npos) {
    const char* digits = number.data() + e + (number[e + 1] == '+' ? 2 : 1);
    const auto [end, error] = std::from_chars(digits, number.data() + number.size(), exponent);
    constexpr long largest = std::numeric_limits<long>::max() / 2;  // no file has so many digits before a point
    if (error != std::errc() || exponent > largest || exponent < -largest) return number[e + 1] == '-' ? -1 : 1;
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  return exponent + static_cast<long>(point) - static_cast<long>(first);
}

}  // namespace

bool parse_integer(std::string_view word, std::int64_t& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::result_out_of_range)
    value = word[0] == '-' ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  return error != std::errc::invalid_argument && end == word.data() + word.size();
}

bool parse_real(std::string_view word, double& value) {
  if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
  std::from_chars_result read = std::from_chars(word.data(), word.data() + word.size(), value);
  std::string fortran;
  if (read.ptr != word.data() + word.size() && (*read.ptr == 'd' || *read.ptr == 'D') &&
      word.find_first_not_of("+-.0123456789dD") == std::string_view::npos) {
    fortran = word;
    fortran[static_cast<std::size_t>(read.ptr - word.data())] = 'e';
    word = fortran;
    read = std::from_chars(word.data(), word.data() + word.size(), value);
  }
  if (read.ec == std::errc::invalid_argument || read.ptr != word.data() + word.size()) return false;
  if (read.ec == std::errc::result_out_of_range) {
    value = leading_exponent(word) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
    if (word[0] == '-') value = -value;
  }
  return true;
}

void append_real(std::string& text, double value) {
  char buffer[32];
  const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  text.append(buffer, end);
}

std::string_view Lexer::peek() {
  while (position_ < bytes_.size() && is_space(bytes_[position_])) ++position_;
  std::size_t end = position_;
  while (end < bytes_.size() && !is_space(bytes_[end])) ++end;
  return bytes_.substr(position_, end - position_);
}

std::string_view Lexer::take() {
  const std::string_view word = peek();
  if (!word.empty()) {
    last_ = word;
    position_ += word.size();
    mark_ = position_;
  }
  return word;
}

bool Lexer::next_word_is_on_a_new_line() {
  peek();
  return bytes_.substr(mark_, position_ - mark_).find('\n') != std::string_view::npos;
}

bool Lexer::accept(std::string_view word) {
  if (peek() != word) return false;
  take();
  return true;
}

void Lexer::expect(std::string_view word, std::string_view field) {
  const std::string_view found = take();
  if (found.empty()) refuse(NSM_BAD_FILE, field, "the file ends, " + quoted(word) + " expected");
  if (found != word) refuse(NSM_BAD_FILE, field, quoted(found) + " stands where " + quoted(word) + " is expected");
}

std::string_view Lexer::take_line() {
  const std::size_t end = std::min(bytes_.find('\n', position_), bytes_.size());
  const std::string_view line = bytes_.substr(position_, end - position_);
  position_ = mark_ = end;
  return line;
}

std::int32_t Lexer::integer(std::string_view field, std::int64_t low, std::int64_t high, std::int64_t index) {
  const std::string_view word = take();
  std::int64_t value = 0;
  if (word.empty()) refuse(NSM_BAD_FILE, field, "the file ends, an integer is expected", index);
  if (!parse_integer(word, value)) refuse(NSM_BAD_FILE, field, quoted(word) + " is not an integer", index);
  if (value < low || value > high)
    refuse(NSM_BAD_FILE, field,
           std::string(word.substr(0, 40)) + text(" is outside %lld .. %lld", (long long)low, (long long)high), index);
  return static_cast<std::int32_t>(value);
}

std::int32_t Lexer::entry_index(std::string_view field, const char* kind, std::int64_t first, std::int64_t limit) {
  const std::int64_t index = integer(field, -largest_index - 1, largest_index) - first;
  if (index < 0 || index >= limit)
    refuse(NSM_INVALID_STRUCTURE, field,
           text("%s %lld is outside %lld .. %lld", kind, (long long)(index + first), (long long)first,
                (long long)(limit + first - 1)));
  return static_cast<std::int32_t>(index);
}

double Lexer::real(std::string_view field, std::int64_t index) {
  const std::string_view word = take();
  double value = 0;
  if (word.empty()) refuse(NSM_BAD_FILE, field, "the file ends, a number is expected", index);
  if (!parse_real(word, value)) refuse(NSM_BAD_FILE, field, quoted(word) + " is not a number", index);
  return value;
}

IndexVector Lexer::integers(std::int64_t count, std::string_view field, std::int64_t low, std::int64_t high) {
  require_words(count, field);
  IndexVector values(at(count));
  for (std::int64_t k = 0; k < count; ++k) values[at(k)] = integer(field, low, high, k);
  return values;
}

Vector Lexer::reals(std::int64_t count, std::string_view field) {
  require_words(count, field);
  Vector values(at(count));
  for (std::int64_t k = 0; k < count; ++k) values[at(k)] = real(field, k);
  return values;
}

void Lexer::require_words(std::int64_t count, std::string_view field) {
  peek();
  // One byte for each word and a blank between any two.
  const auto left = static_cast<std::int64_t>(bytes_.size() - position_);
  if (count > (left + 1) / 2)
    refuse(NSM_BAD_FILE, field,
           text("%lld more number%s expected, the file has %lld more bytes", (long long)count, count == 1 ? "" : "s",
                (long long)left));
}

void Lexer::refuse(nsm_status status, std::string_view field, const std::string& what, std::int64_t index) const {
  const auto line = 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(mark_), '\n');
  std::string message = text("line %lld: ", (long long)line);
  message += field;
  if (index >= 0) message += text("[%lld]", (long long)index);
  throw Error(status, message + ": " + what);
}

}  // namespace nonsmooth
