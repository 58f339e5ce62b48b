// HDF5 files as images in memory: a small wrapper on the plain C API. Every call is checked; what a file says of itself is not
// believed before it has been compared with the file's size.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>

#include "linalg/matrix.hpp"

namespace nonsmooth::hdf5 {

// Holds the library's lock and keeps its automatic error printing off. One per parse or format call; all other classes need one
// alive.
class Session {
 public:
  Session();
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* print_data_ = nullptr;
};

// An identifier and how it is closed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  // NSM_INTERNAL for a negative identifier.
  Handle(hid_t id, Close close, const char* what);
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = H5I_INVALID_HID; }
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  hid_t get() const { return id_; }

 private:
  void reset() noexcept;
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// A group that is written. Datasets are contiguous, without time stamps: the same problem gives the same bytes.
class NewGroup {
 public:
  NewGroup group(const char* name) const;
  void integer(const char* name, std::int32_t value) const;
  void integers(const char* name, const IndexVector& values) const;
  void reals(const char* name, const Vector& values) const;
  void text(const char* name, const std::string& value) const;
  void text_attribute(const char* name, const std::string& value) const;

 private:
  friend class NewImage;
  explicit NewGroup(Handle id) : id_(std::move(id)) {}
  void array(const char* name, hid_t type, std::size_t count, const void* values) const;
  Handle id_;
};

class NewImage {
 public:
  NewImage();
  NewGroup root() const;
  std::string bytes() const;

 private:
  Handle file_;
};

}  // namespace nonsmooth::hdf5
