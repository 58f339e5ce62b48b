// Words and numbers of a text file, with the line for messages. Locale independent; never reads beyond the bytes it was given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "linalg/matrix.hpp"
#include "nonsmooth/status.h"

namespace nonsmooth {

class Lexer {
 public:
  explicit Lexer(std::string_view bytes) : bytes_(bytes) {}

  // Next word without taking it; empty at the end of the file.
  std::string_view peek();
  // The word last taken.
  std::string_view last() const { return last_; }
  // Whether a line break stands between the last word and the next.
  bool next_word_is_on_a_new_line();
  // Takes the next word if it is this one.
  bool accept(std::string_view word);
  void expect(std::string_view word, std::string_view field);
  // Takes what is left of the current line.
  std::string_view take_line();

  std::int32_t integer(std::string_view field, std::int64_t low, std::int64_t high, std::int64_t index = -1);
  // Index of a sparse entry, counted from `first` in the file and from 0 in the result. `kind` is "row" or "column".
  std::int32_t entry_index(std::string_view field, const char* kind, std::int64_t first, std::int64_t limit);
  double real(std::string_view field, std::int64_t index = -1);
  IndexVector integers(std::int64_t count, std::string_view field, std::int64_t low, std::int64_t high);
  Vector reals(std::int64_t count, std::string_view field);

  // Refuses a count of words that the rest of the file cannot hold; to be called before anything of that size is allocated.
  void require_words(std::int64_t count, std::string_view field);

  std::size_t size() const { return bytes_.size(); }
  // End of the last word taken: how far the file has been understood.
  std::size_t position() const { return mark_; }

  // Throws Error: "line 7: field[index]: what".
  [[noreturn]] void refuse(nsm_status status, std::string_view field, const std::string& what, std::int64_t index = -1) const;

 private:
  std::string_view take();

  std::string_view bytes_;
  std::string_view last_;
  std::size_t position_ = 0;
  std::size_t mark_ = 0;
};

// Whole word as a number: strtod's decimal forms, a leading '+', a Fortran exponent (1.5D+03), inf and nan. Overflow gives an
// infinity, underflow zero. False if the word is no number.
bool parse_real(std::string_view word, double& value);
bool parse_integer(std::string_view word, std::int64_t& value);

// Shortest decimal form that reads back to the same bits. Always with an exponent, so that no real looks like an integer.
void append_real(std::string& text, double value);

}  // namespace nonsmooth
