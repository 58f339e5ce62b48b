// Saved states as a sequence of numbers and texts; see checkpoint.hpp.
#ifndef NONSMOOTH_KERNEL_STATE_STREAM_HPP
#define NONSMOOTH_KERNEL_STATE_STREAM_HPP

#include <cstdint>
#include <memory>
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

// Reads in the order of writing. Every failure names the file. A copy goes on from the same place on its own.
class StateReader {
 public:
  StateReader(std::string bytes, std::string file)
      : bytes_(std::make_shared<const std::string>(std::move(bytes))), file_(std::move(file)) {}
  // From here on arrays are checked, and left as they are.
  void lookOnly() { looks_only_ = true; }
  // The next value.
  std::int64_t integer();
  double real();
  // How many things follow, of at least so many bytes each: refused where there is no room for them.
  std::size_t count(const std::string& what, std::size_t bytes);
  // Into an array that must have the length of the saved one; past an array of any length.
  void reals(double* values, Index count, const std::string& what);
  void skipReals(const std::string& what);
  // The next value; is there none?
  std::string text();
  bool atEnd() const { return left() == 0; }

  // Reads a value that must be that of the model at hand.
  void expect(const std::string& what, std::int64_t here);
  void expect(const std::string& what, const std::string& here);
  void expectReal(const std::string& what, double here);
  // Throws: "FILE: WHAT".
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  std::size_t left() const { return bytes_->size() - position_; }
  void take(void* data, std::size_t size);
  std::shared_ptr<const std::string> bytes_;
  std::string file_;
  std::size_t position_ = 0;
  bool looks_only_ = false;
};

}  // namespace nonsmooth::kernel
#endif
