#include "io/hdf5_series.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace nonsmooth::kernel {
namespace {

constexpr hsize_t longest_chunk = 512, largest_chunk = 65536, widest_chunk = 4096;  // rows, bytes, first extent of a row
constexpr hsize_t metadata_per_object = 4096, metadata_per_chunk = 256;

// HDF5 as packaged may keep global state without locks. Function-local: made on first use.
std::mutex& libraryMutex() {
  static std::mutex mutex;
  return mutex;
}

herr_t keepReason(unsigned, const H5E_error2_t* error, void* text) {
  auto& reason = *static_cast<std::string*>(text);
  if (reason.empty() && error->desc != nullptr) reason = error->desc;
  return 0;
}

hid_t elementType(Hdf5Series::Type type) {
  switch (type) {
    case Hdf5Series::Type::Real: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case Hdf5Series::Type::Int32: return H5Tcopy(H5T_NATIVE_INT32);
    case Hdf5Series::Type::Int64: return H5Tcopy(H5T_NATIVE_INT64);
    case Hdf5Series::Type::Text: break;
  }
  const hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, Hdf5Series::text_size);
  return text;
}

std::size_t elementSize(Hdf5Series::Type type) {
  switch (type) {
    case Hdf5Series::Type::Real: return sizeof(double);
    case Hdf5Series::Type::Int32: return sizeof(std::int32_t);
    case Hdf5Series::Type::Int64: return sizeof(std::int64_t);
    case Hdf5Series::Type::Text: break;
  }
  return Hdf5Series::text_size;
}

hsize_t product(const std::vector<hsize_t>& extents) {
  hsize_t result = 1;
  for (const hsize_t extent : extents) result *= extent;
  return result;
}

hsize_t quotientUp(hsize_t a, hsize_t b) { return (a + b - 1) / b; }

}  // namespace

Hdf5Session::Hdf5Session() : lock_(libraryMutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Session::~Hdf5Session() {
  H5Eclear2(H5E_DEFAULT);
  H5Eset_auto2(H5E_DEFAULT, print_, print_data_);
}

std::string hdf5Reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepReason, &reason);
  // Of a failed write the message goes on with times and addresses, in lines of their own.
  return reason.empty() ? "unknown reason" : reason.substr(0, reason.find('\n'));
}

Hdf5Series::Hdf5Series(std::string name, Type type, std::vector<hsize_t> row, hsize_t skipped)
    : name_(std::move(name)), type_(type), row_(std::move(row)), rows_(skipped), written_(skipped) {}

std::size_t Hdf5Series::rowBytes() const { return elementSize(type_) * static_cast<std::size_t>(product(row_)); }

void Hdf5Series::appendBytes(const void* data) {
  const char* bytes = static_cast<const char*>(data);
  buffer_.insert(buffer_.end(), bytes, bytes + rowBytes());
  ++rows_;
}

void Hdf5Series::append(const char* text) {
  char padded[text_size] = {};
  std::strncpy(padded, text, text_size - 1);
  appendBytes(padded);
}

void Hdf5Series::widen(hsize_t width) { row_.front() = width; }

std::vector<hsize_t> Hdf5Series::shape(hsize_t rows) const {
  std::vector<hsize_t> result(1, rows);
  result.insert(result.end(), row_.begin(), row_.end());
  return result;
}

std::vector<hsize_t> Hdf5Series::chunkShape() const {
  std::vector<hsize_t> chunk = shape(1);
  if (!row_.empty()) chunk[1] = std::min(row_.front(), widest_chunk);
  chunk.front() = std::clamp<hsize_t>(largest_chunk / (product(chunk) * elementSize(type_)), 1, longest_chunk);
  return chunk;
}

hsize_t Hdf5Series::chunks(const std::vector<hsize_t>& chunk) const {
  return (row_.empty() ? 1 : quotientUp(row_.front(), chunk[1])) * quotientUp(rows_, chunk[0]);
}

hsize_t Hdf5Series::roomNeeded() const {
  const std::vector<hsize_t> chunk = chunk_.empty() ? chunkShape() : chunk_;
  const hsize_t more = chunks(chunk) - chunks_;
  const hsize_t metadata = (chunk_.empty() ? metadata_per_object : 0) + (more > 0 ? metadata_per_object : 0);
  return metadata + more * (product(chunk) * elementSize(type_) + metadata_per_chunk);
}

void Hdf5Series::require(long long result, const std::string& path) const {
  if (result < 0) fail("%s: %s: %s", path.c_str(), name_.c_str(), hdf5Reason().c_str());
}

void Hdf5Series::create(hid_t file, const std::string& path) {
  chunk_ = chunkShape();
  memory_type_ = Hdf5Handle(elementType(type_), H5Tclose);
  const std::vector<hsize_t> start = shape(0);
  std::vector<hsize_t> limit = start;
  limit[0] = H5S_UNLIMITED;
  if (limit.size() > 1) limit[1] = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(static_cast<int>(start.size()), start.data(), limit.data()), H5Sclose);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose),
      link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  require(H5Pset_chunk(creation.get(), static_cast<int>(chunk_.size()), chunk_.data()), path);
  require(H5Pset_obj_track_times(creation.get(), false), path);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  if (type_ == Type::Real && !row_.empty())
    require(H5Pset_fill_value(creation.get(), H5T_NATIVE_DOUBLE, &nan), path);
  else
    require(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), path);
  // What is written here is written once: no cache.
  require(H5Pset_chunk_cache(access.get(), 0, 0, 0.0), path);
  require(H5Pset_create_intermediate_group(link.get(), 1), path);
  dataset_ = Hdf5Handle(
      H5Dcreate2(file, name_.c_str(), memory_type_.get(), space.get(), link.get(), creation.get(), access.get()), H5Dclose);
  require(dataset_.get(), path);
}

void Hdf5Series::write(hid_t file, const std::string& path) {
  if (!dataset_.valid()) create(file, path);
  if (buffer_.empty()) return;
  const std::vector<hsize_t> extent = shape(rows_), count = shape(rows_ - written_);
  std::vector<hsize_t> start(extent.size(), 0);
  start.front() = written_;
  require(H5Dset_extent(dataset_.get(), extent.data()), path);
  const Hdf5Handle in_file(H5Dget_space(dataset_.get()), H5Sclose);
  require(in_file.get(), path);
  require(H5Sselect_hyperslab(in_file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path);
  const Hdf5Handle in_memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  require(H5Dwrite(dataset_.get(), memory_type_.get(), in_memory.get(), in_file.get(), H5P_DEFAULT, buffer_.data()), path);
  written_ = rows_;
  chunks_ = chunks(chunk_);
  buffer_.clear();
}

}  // namespace nonsmooth::kernel
