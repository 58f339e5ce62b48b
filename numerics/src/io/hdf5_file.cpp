#include "io/hdf5_file.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace nonsmooth::hdf5 {
namespace {

// Largest ratio that deflate reaches is 1032; data that claim more were not written by it.
constexpr std::size_t deflate_ratio = 1100;
// A chunk may exceed a small file: 64 thousand numbers are an ordinary chunk of a short, extensible dataset.
constexpr std::size_t chunk_slack = std::size_t{1} << 19;
// Elements of strings and numbers beyond these sizes have no meaning here.
constexpr std::size_t largest_number = 16;

// HDF5 as packaged keeps global state without locks, so the library's calls are put in a row. Function-local: made on first use.
std::mutex& library_mutex() {
  static std::mutex mutex;
  return mutex;
}

void require(herr_t result, const std::string& what) {
  if (result < 0) fail(NSM_BAD_FILE, "%s: damaged HDF5 data", what.c_str());
}

// For writing, where a failure is not the fault of a file.
template <class Result>
Result require_written(Result result, const char* what) {
  if (result < 0) fail(NSM_INTERNAL, "HDF5 cannot write %s", what);
  return result;
}

Handle new_handle(hid_t id, Handle::Close close, const char* what) { return Handle(require_written(id, what), close, what); }

Handle core_access(std::string_view image) {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5");
  require(H5Pset_fapl_core(access.get(), std::size_t{1} << 16, 0), "HDF5");
  require(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG), "HDF5");
  // The library copies the image; the cast only meets its signature.
  if (!image.empty()) require(H5Pset_file_image(access.get(), const_cast<char*>(image.data()), image.size()), "HDF5");
  return access;
}

void require_known_filters(const Handle& creation, const std::string& path) {
  const int filters = H5Pget_nfilters(creation.get());
  require(filters, path);
  for (int k = 0; k < filters; ++k) {
    unsigned flags = 0, config = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.get(), static_cast<unsigned>(k), &flags, &values, nullptr, 0, nullptr, &config);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
      fail(NSM_BAD_FILE, "%s: HDF5 filter %d; only deflate, shuffle and fletcher32 are read", path.c_str(),
           static_cast<int>(filter));
  }
}

// Elements of one chunk.
std::size_t chunk_elements(const Handle& creation, const std::string& path) {
  hsize_t extent[1] = {0};
  if (H5Pget_chunk(creation.get(), 1, extent) != 1) fail(NSM_BAD_FILE, "%s: chunks of several dimensions", path.c_str());
  return static_cast<std::size_t>(extent[0]);
}

const char* class_text(H5T_class_t type) {
  return type == H5T_INTEGER ? "integers" : type == H5T_FLOAT ? "floating-point numbers" : "a string";
}

// A fixed-length string ends at its first NUL, if there is one.
std::string up_to_nul(std::string text) {
  text.erase(std::find(text.begin(), text.end(), '\0'), text.end());
  return text;
}

// read(type, buffer) reads the one element of a dataset or attribute.
template <class Read>
std::string read_text(const Handle& type, const Handle& space, std::size_t file_bytes, const std::string& what, Read&& read) {
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail(NSM_BAD_FILE, "%s is not one string", what.c_str());
  if (H5Tis_variable_str(type.get()) > 0) {
    char* data = nullptr;
    require(read(type.get(), &data), what);
    const std::string result = data == nullptr ? "" : data;
    require(H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, &data), what);
    return result;
  }
  const std::size_t size = H5Tget_size(type.get());
  if (size > file_bytes) fail(NSM_BAD_FILE, "%s: string of %zu bytes in a file of %zu", what.c_str(), size, file_bytes);
  std::string buffer(size, '\0');
  require(read(type.get(), buffer.data()), what);
  return up_to_nul(std::move(buffer));
}

Handle string_type(const std::string& value, const char* what) {
  Handle type = new_handle(H5Tcopy(H5T_C_S1), H5Tclose, what);
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

Handle::Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) fail(NSM_BAD_FILE, "%s: cannot be opened, damaged HDF5 data", what.c_str());
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(id_, other.id_);
  std::swap(close_, other.close_);
  return *this;
}

void Handle::reset() noexcept {
  if (id_ >= 0) close_(id_);
}

Image::Image(std::string_view bytes) : bytes_(bytes.size()) {
  if (bytes.empty()) fail(NSM_BAD_FILE, "empty HDF5 file");
  const Handle access = core_access(bytes);
  const hid_t id = H5Fopen("nonsmooth-image", H5F_ACC_RDONLY, access.get());
  if (id < 0) fail(NSM_BAD_FILE, "not a complete HDF5 file (truncated or damaged)");
  file_ = Handle(id, H5Fclose, "HDF5");
}

Group Image::root() const {
  return Group(Handle(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose, "the root group"), "", bytes_);
}

bool Group::has(const char* name) const {
  const std::string path = path_of(name);
  const htri_t exists = H5Lexists(id_.get(), name, H5P_DEFAULT);
  require(exists, path);
  if (exists == 0) return false;
  H5L_info_t info;
  require(H5Lget_info(id_.get(), name, &info, H5P_DEFAULT), path);
  if (info.type != H5L_TYPE_HARD)
    fail(NSM_BAD_FILE, "%s is a soft or external link; only data in the file itself are read", path.c_str());
  return true;
}

Group Group::group(const char* name) const {
  const std::string path = path_of(name);
  if (!has(name)) fail(NSM_BAD_FILE, "group %s is missing", path.c_str());
  H5O_info_t info;
  require(H5Oget_info_by_name2(id_.get(), name, &info, H5O_INFO_BASIC, H5P_DEFAULT), path);
  if (info.type != H5O_TYPE_GROUP) fail(NSM_BAD_FILE, "%s is not a group", path.c_str());
  return Group(Handle(H5Gopen2(id_.get(), name, H5P_DEFAULT), H5Gclose, path), path, file_bytes_);
}

// The layout must be one that keeps its data in the file, and count * element bytes must be what the file can hold.
void Group::require_plausible_size(const Handle& dataset, const std::string& path, std::size_t count, std::size_t element) const {
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, path);
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout != H5D_COMPACT && layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)
    fail(NSM_BAD_FILE, "%s: virtual HDF5 datasets are not read", path.c_str());
  if (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation.get()) != 0)
    fail(NSM_BAD_FILE, "%s keeps its data in another file", path.c_str());
  std::size_t most = file_bytes_;
  if (layout == H5D_CHUNKED) {
    require_known_filters(creation, path);
    const std::size_t stored = std::min(file_bytes_, static_cast<std::size_t>(H5Dget_storage_size(dataset.get())));
    most = std::max(most, H5Pget_nfilters(creation.get()) > 0 ? deflate_ratio * stored : stored);
    const std::size_t chunk = chunk_elements(creation, path);
    if (chunk > std::max(most, chunk_slack) / element)
      fail(NSM_BAD_FILE, "%s: chunks of %zu elements in a file of %zu bytes", path.c_str(), chunk, file_bytes_);
  }
  if (count > most / element)
    fail(NSM_BAD_FILE, "%s: %zu elements announced in a file of %zu bytes", path.c_str(), count, file_bytes_);
}

Handle Group::dataset(const char* name, H5T_class_t expected, std::size_t& count) const {
  const std::string path = path_of(name);
  if (!has(name)) fail(NSM_BAD_FILE, "dataset %s is missing", path.c_str());
  H5O_info_t info;
  require(H5Oget_info_by_name2(id_.get(), name, &info, H5O_INFO_BASIC, H5P_DEFAULT), path);
  if (info.type != H5O_TYPE_DATASET) fail(NSM_BAD_FILE, "%s is not a dataset", path.c_str());
  Handle dataset(H5Dopen2(id_.get(), name, H5P_DEFAULT), H5Dclose, path);
  const Handle type(H5Dget_type(dataset.get()), H5Tclose, path);
  if (H5Tget_class(type.get()) != expected) fail(NSM_BAD_FILE, "%s does not hold %s", path.c_str(), class_text(expected));
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, path);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (rank != 0 && rank != 1) fail(NSM_BAD_FILE, "%s has %d dimensions, 1 expected", path.c_str(), rank);
  const hssize_t points = H5Sget_simple_extent_npoints(space.get());
  if (points < 0) fail(NSM_BAD_FILE, "%s has no size", path.c_str());
  count = static_cast<std::size_t>(points);
  const std::size_t element = H5Tget_size(type.get());
  if (element == 0 || (expected != H5T_STRING && element > largest_number))
    fail(NSM_BAD_FILE, "%s: elements of %zu bytes", path.c_str(), element);
  require_plausible_size(dataset, path, count, element);
  return dataset;
}

IndexVector Group::integers(const char* name) const {
  std::size_t count = 0;
  const Handle data = dataset(name, H5T_INTEGER, count);
  // Read wide: a narrower read would clip what does not fit without a word. (Unsigned 64-bit is clipped to a value that does not
  // fit.)
  std::vector<std::int64_t> wide(count);
  if (count > 0) require(H5Dread(data.get(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, wide.data()), path_of(name));
  IndexVector values(count);
  for (std::size_t k = 0; k < count; ++k) {
    if (wide[k] < std::numeric_limits<std::int32_t>::min() || wide[k] > std::numeric_limits<std::int32_t>::max())
      fail(NSM_BAD_FILE, "%s[%zu] = %lld does not fit 32 bits", path_of(name).c_str(), k, (long long)wide[k]);
    values[k] = static_cast<std::int32_t>(wide[k]);
  }
  return values;
}

std::int32_t Group::integer(const char* name) const {
  const IndexVector values = integers(name);
  if (values.size() != 1) fail(NSM_BAD_FILE, "%s has %zu entries, 1 expected", path_of(name).c_str(), values.size());
  return values[0];
}

Vector Group::reals(const char* name) const {
  std::size_t count = 0;
  const Handle data = dataset(name, H5T_FLOAT, count);
  Vector values(count);
  if (count > 0) require(H5Dread(data.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), path_of(name));
  return values;
}

std::string Group::optional_text(const char* name) const {
  if (!has(name)) return {};
  std::size_t count = 0;
  const Handle data = dataset(name, H5T_STRING, count);
  const Handle type(H5Dget_type(data.get()), H5Tclose, path_of(name));
  const Handle space(H5Dget_space(data.get()), H5Sclose, path_of(name));
  return read_text(type, space, file_bytes_, path_of(name), [&](hid_t memory, void* buffer) {
    return H5Dread(data.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, buffer);
  });
}

std::string Group::text_attribute(const char* name) const {
  const std::string what = "attribute " + std::string(name) + " of " + path_;
  const htri_t exists = H5Aexists(id_.get(), name);
  require(exists, what);
  if (exists == 0) fail(NSM_BAD_FILE, "%s is missing", what.c_str());
  const Handle attribute(H5Aopen(id_.get(), name, H5P_DEFAULT), H5Aclose, what);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose, what);
  const Handle space(H5Aget_space(attribute.get()), H5Sclose, what);
  return read_text(type, space, file_bytes_, what,
                   [&](hid_t memory, void* buffer) { return H5Aread(attribute.get(), memory, buffer); });
}

NewImage::NewImage() {
  const Handle access = core_access({});
  file_ = new_handle(H5Fcreate("nonsmooth-image", H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose, "a file in memory");
}

NewGroup NewImage::root() const {
  return NewGroup(new_handle(H5Gopen2(file_.get(), "/", H5P_DEFAULT), H5Gclose, "the root group"));
}

std::string NewImage::bytes() const {
  require_written(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL), "a file in memory");
  const ssize_t size = require_written(H5Fget_file_image(file_.get(), nullptr, 0), "a file in memory");
  std::string image(static_cast<std::size_t>(size), '\0');
  require_written(H5Fget_file_image(file_.get(), image.data(), image.size()), "a file in memory");
  return image;
}

NewGroup NewGroup::group(const char* name) const {
  return NewGroup(new_handle(H5Gcreate2(id_.get(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose, name));
}

// count entries in one dimension; a scalar for strings (type of class H5T_STRING).
void NewGroup::array(const char* name, hid_t type, std::size_t count, const void* values) const {
  const hsize_t extent[1] = {count};
  const bool scalar = H5Tget_class(type) == H5T_STRING;
  const Handle space = new_handle(scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, extent, nullptr), H5Sclose, name);
  const Handle creation = new_handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, name);
  require_written(H5Pset_obj_track_times(creation.get(), false), name);
  const Handle data =
      new_handle(H5Dcreate2(id_.get(), name, type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose, name);
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
  const Handle space = new_handle(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle attribute =
      new_handle(H5Acreate2(id_.get(), name, type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  require_written(H5Awrite(attribute.get(), type.get(), value.c_str()), name);
}

}  // namespace nonsmooth::hdf5
