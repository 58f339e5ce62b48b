// Arrays in an HDF5 file that grow by rows.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <vector>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

// For as long as HDF5 is called: not all builds of it may be called by several threads. Its messages are kept off the terminal.
class Hdf5Session {
 public:
  Hdf5Session();
  ~Hdf5Session();
  Hdf5Session(const Hdf5Session&) = delete;
  Hdf5Session& operator=(const Hdf5Session&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// The innermost message of HDF5 for the call that has failed.
std::string hdf5Reason();

// Closes an identifier of HDF5.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept { std::swap(id_, other.id_), std::swap(close_, other.close_); }
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_), std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { reset(); }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }
  hid_t get() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

// Rows are gathered in memory; nothing of HDF5 is touched before write().
class Hdf5Series {
 public:
  enum class Type { Real, Int32, Int64, Text };
  static constexpr std::size_t text_size = 32;

  // `row` holds the extents of one row, none for single values. Reals of a row that has been widened are nan where nothing was.
  // The first `skipped` rows are left out: nan.
  Hdf5Series(std::string name, Type type, std::vector<hsize_t> row = {}, hsize_t skipped = 0);
  const std::string& name() const { return name_; }

  void append(const double* values) { appendBytes(values); }
  void append(double value) { appendBytes(&value); }
  void append(std::int32_t value) { appendBytes(&value); }
  void append(std::int64_t value) { appendBytes(&value); }
  void append(const std::int32_t* values) { appendBytes(values); }
  void append(const std::int64_t* values) { appendBytes(values); }
  void append(const char* text);
  hsize_t rows() const { return rows_; }
  // The first extent of a row. Needs an empty buffer.
  hsize_t width() const { return row_.front(); }
  void widen(hsize_t width);

  std::size_t buffered() const { return buffer_.size(); }
  // At most so many bytes of the file are taken by write().
  hsize_t roomNeeded() const;
  // Throws, naming file and dataset; the buffer is empty afterwards.
  void write(hid_t file, const std::string& path);

 private:
  void appendBytes(const void* data);
  std::size_t rowBytes() const;
  std::vector<hsize_t> shape(hsize_t rows) const;
  std::vector<hsize_t> chunkShape() const;
  hsize_t chunks(const std::vector<hsize_t>& chunk) const;
  void create(hid_t file, const std::string& path);
  void require(long long result, const std::string& path) const;

  std::string name_;
  Type type_;
  std::vector<hsize_t> row_, chunk_;
  hsize_t rows_ = 0, written_ = 0, chunks_ = 0;
  std::vector<char> buffer_;
  Hdf5Handle memory_type_, dataset_;
};

}  // namespace nonsmooth::kernel
