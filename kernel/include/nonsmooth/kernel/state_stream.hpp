// Saved states as a sequence of numbers and texts; see checkpoint.hpp.
#ifndef NONSMOOTH_KERNEL_STATE_STREAM_HPP
#define NONSMOOTH_KERNEL_STATE_STREAM_HPP

#include <cstdint>
#include <string>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

// Gathers the bytes of a saved state.
class StateWriter {
 public:
  // Appends a value.
  void integer(std::int64_t value) { append(&value, sizeof value); }
  void real(double value) { append(&value, sizeof value); }
  void reals(const double* values, Index count);
  void text(const std::string& value);
  // What has been gathered.
  const std::string& bytes() const { return bytes_; }

 private:
  void append(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string bytes_;
};

// Reads in the order of writing. Every failure names the file.
class StateReader {
 public:
  StateReader(std::string bytes, std::string file) : bytes_(std::move(bytes)), file_(std::move(file)) {}
  // The next value.
  std::int64_t integer();
  double real();
  // Into an array that must have the length of the saved one.
  void reals(double* values, Index count, const std::string& what);
  // The next value; is there none?
  std::string text();
  bool atEnd() const { return position_ == bytes_.size(); }

  // Reads a value that must be that of the model at hand.
  void expect(const std::string& what, std::int64_t here);
  void expect(const std::string& what, const std::string& here);
  void expectReal(const std::string& what, double here);
  // Throws: "FILE: WHAT".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  void take(void* data, std::size_t size);
  std::string bytes_, file_;
  std::size_t position_ = 0;
};

}  // namespace nonsmooth::kernel
#endif
