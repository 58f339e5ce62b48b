// HDF5 files as images in memory: a small wrapper on the plain C API. Every call is checked; what a file says of itself is not
// believed before it has been compared with the file's size.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <string_view>

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
  // NSM_BAD_FILE "<what>: cannot be opened ..." for a negative identifier.
  Handle(hid_t id, Close close, const std::string& what);
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = H5I_INVALID_HID; }
  Handle& operator=(Handle&& other) noexcept;
  ~Handle() { reset(); }
  hid_t get() const { return id_; }

 private:
  void reset() noexcept;
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

// A group that is read. Members are reached through hard links only, so that nothing leads out of the file or round in circles.
class Group {
 public:
  bool has(const char* name) const;
  Group group(const char* name) const;
  // Datasets of one dimension (or one element). Integers of any size and sign whose values fit; floating-point numbers of any
  // size.
  std::int32_t integer(const char* name) const;
  IndexVector integers(const char* name) const;
  Vector reals(const char* name) const;
  // Fixed or variable length; empty if there is none.
  std::string optional_text(const char* name) const;
  // String attribute of the group itself.
  std::string text_attribute(const char* name) const;
  // "/fclib_local/W/x"
  std::string path_of(const char* name) const { return path_ + "/" + name; }

 private:
  friend class Image;
  Group(Handle id, std::string path, std::size_t file_bytes)
      : id_(std::move(id)), path_(std::move(path)), file_bytes_(file_bytes) {}
  Handle dataset(const char* name, H5T_class_t expected, std::size_t& count) const;
  void require_plausible_size(const Handle& dataset, const std::string& path, std::size_t count, std::size_t element) const;

  Handle id_;
  std::string path_;
  std::size_t file_bytes_ = 0;
};

class Image {
 public:
  explicit Image(std::string_view bytes);
  Group root() const;

 private:
  Handle file_;
  std::size_t bytes_ = 0;
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
