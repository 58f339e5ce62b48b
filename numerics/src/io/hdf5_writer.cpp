#include "io/hdf5_writer.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace nonsmooth::hdf5 {
namespace {

constexpr std::size_t growth = std::size_t{1} << 16;  // bytes by which a file in memory grows

// HDF5 as packaged may keep global state without locks, so the library's calls are put in a row. Function-local: made on first
// use.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class Result>
Result require_written(Result result, const char* what) {
  if (result < 0) fail(NSM_INTERNAL, "HDF5 cannot write %s", what);
  return result;
}

Handle string_type(const std::string& value, const char* what) {
  Handle type = Handle(H5Tcopy(H5T_C_S1), H5Tclose, what);
  require_written(H5Tset_size(type.get(), value.size() + 1), what);
  const bool ascii = std::all_of(value.begin(), value.end(), [](unsigned char c) { return c < 128; });
  if (!ascii) require_written(H5Tset_cset(type.get(), H5T_CSET_UTF8), what);
  return type;
}

}  // namespace

Session::Session() : lock_(library_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Session::~Session() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

Handle::Handle(hid_t id, Close close, const char* what) : id_(require_written(id, what)), close_(close) {}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

void Handle::reset() noexcept {
  if (id_ >= 0) close_(id_);
}

NewImage::NewImage() {
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "a file in memory");
  require_written(H5Pset_fapl_core(access.get(), growth, 0), "a file in memory");
  file_ = Handle(H5Fcreate("nonsmooth-image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, "a file in memory");
}

NewGroup NewImage::root() const { return NewGroup(Handle(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose, "the root group")); }

std::string NewImage::bytes() const {
  require_written(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "a file in memory");
  const ssize_t size = require_written(H5Fget_file_image(file_.get(), nullptr, 0), "a file in memory");
  std::string image(static_cast<std::size_t>(size), '\0');
  require_written(H5Fget_file_image(file_.get(), image.data(), image.size()), "a file in memory");
  return image;
}

NewGroup NewGroup::group(const char* name) const {
  return NewGroup(Handle(H5Gcreate2(id_.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name));
}

// count entries in one dimension; a scalar for strings (type of class H5T_STRING).
void NewGroup::array(const char* name, hid_t type, std::size_t count, const void* values) const {
  const hsize_t extent[1] = {count};
  const bool scalar = H5Tget_class(type) == H5T_STRING;
  const Handle space = Handle(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, extent, nullptr), H5Sclose, name);
  const Handle creation = Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  require_written(H5Pset_obj_track_times(creation.get(), false), name);
  const Handle data =
      Handle(H5Dcreate2(id_.get(), name, type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose, name);
  if (count > 0) require_written(H5Dwrite(data.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), name);
}

void NewGroup::integer(const char* name, std::int32_t value) const { array(name, H5T_NATIVE_INT32, 1, &value); }

void NewGroup::integers(const char* name, const IndexVector& values) const {
  array(name, H5T_NATIVE_INT32, values.size(), values.data());
}

void NewGroup::reals(const char* name, const Vector& values) const {
  array(name, H5T_NATIVE_DOUBLE, values.size(), values.data());
}

void NewGroup::text(const char* name, const std::string& value) const {
  array(name, string_type(value, name).get(), 1, value.c_str());
}

void NewGroup::text_attribute(const char* name, const std::string& value) const {
  const Handle type = string_type(value, name);
  const Handle space = Handle(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle attribute = Handle(H5Acreate2(id_.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  require_written(H5Awrite(attribute.get(), type.get(), value.c_str()), name);
}

}  // namespace nonsmooth::hdf5
