// FCLIB files written with the HDF5 library in layouts that our own writer never uses.
#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "linalg/matrix.hpp"

namespace nonsmooth::examples {

// A file in memory.
class TestFile {
 public:
  explicit TestFile(bool newest_format = false) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (newest_format) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    H5Pset_fapl_core(access, 1 << 16, 0);
    static int files = 0;  // HDF5 refuses to open one name twice
    file_ = H5Fcreate(("nonsmooth-test-" + std::to_string(files++)).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
  }
  ~TestFile() { H5Fclose(file_); }
  TestFile(const TestFile&) = delete;
  TestFile& operator=(const TestFile&) = delete;

  bool compressed = false;
  // Extents of an array beside its length, as of the columns (n, 1) and rows (1, n) that other programs write.
  enum class Shape { line, column, row } shape = Shape::line;

  void group(const std::string& path) { H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); }
  void reals(const std::string& path, const Vector& values, hid_t stored = H5T_IEEE_F64BE) {
    array(path, stored, H5T_NATIVE_DOUBLE, values.size(), values.data());
  }
  void integers(const std::string& path, const std::vector<long long>& values, hid_t stored = H5T_STD_I32BE) {
    array(path, stored, H5T_NATIVE_LLONG, values.size(), values.data());
  }
  void matrix(const std::string& path, long long nz, long long nzmax, const std::vector<long long>& p,
              const std::vector<long long>& i, const Vector& x, long long m = 3, long long n = 3) {
    group(path);
    integers(path + "/nz", {nz});
    integers(path + "/nzmax", {nzmax}, H5T_STD_I64LE);
    integers(path + "/m", {m}, H5T_STD_U16LE);
    integers(path + "/n", {n});
    integers(path + "/p", p);
    integers(path + "/i", i);
    reals(path + "/x", x);
  }
  // One contact in space; W is to be added.
  void local_frame() {
    group("/fclib_local");
    integers("/fclib_local/spacedim", {3});
    group("/fclib_local/vectors");
    reals("/fclib_local/vectors/q", {-1, 0.5, 0}, H5T_IEEE_F32LE);
    reals("/fclib_local/vectors/mu", {0.25});
  }
  void variable_string(const std::string& path, const char* value) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, H5T_VARIABLE);
    const hid_t data = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    H5Dclose(data);
    H5Sclose(space);
    H5Tclose(type);
  }
  std::string bytes() {
    H5Fflush(file_, H5F_SCOPE_GLOBAL);
    std::string image(static_cast<std::size_t>(H5Fget_file_image(file_, nullptr, 0)), '\0');
    H5Fget_file_image(file_, image.data(), image.size());
    return image;
  }
  hid_t id() const { return file_; }

 private:
  void array(const std::string& path, hid_t stored, hid_t memory, std::size_t count, const void* values) {
    const int rank = shape == Shape::line ? 1 : 2, along = shape == Shape::row ? 1 : 0;
    hsize_t extent[2] = {1, 1}, chunk[2] = {1, 1};
    extent[along] = count;
    const hid_t space = H5Screate_simple(rank, extent, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed && count > 1) {
      chunk[along] = count / 2 + 1;
      H5Pset_chunk(creation, rank, chunk);
      H5Pset_shuffle(creation);
      H5Pset_deflate(creation, 6);
      H5Pset_fletcher32(creation);
    }
    const hid_t data = H5Dcreate2(file_, path.c_str(), stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(data);
    H5Pclose(creation);
    H5Sclose(space);
  }
  hid_t file_ = H5I_INVALID_HID;
};

// W = [1 2 0; 0 3 0; 4 0 5] in the three layouts of FCLIB.
inline const Vector expected_w = {1, 0, 4, 2, 3, 0, 0, 0, 5};
inline void add_triplet(TestFile& file) {
  file.matrix("/fclib_local/W", 5, 9, {2, 0, 1, 1, 0}, {2, 0, 1, 0, 2}, {5, 1, 3, 2, 4});  // i rows, p columns
}
inline void add_csc(TestFile& file) { file.matrix("/fclib_local/W", -1, 5, {0, 2, 4, 5}, {0, 2, 1, 0, 2}, {1, 4, 3, 2, 5}); }
inline void add_csr(TestFile& file) {
  file.matrix("/fclib_local/W", -2, 7, {0, 2, 3, 5}, {0, 1, 1, 2, 0, 9, 9}, {1, 2, 3, 5, 4, 9, 9});
}

}  // namespace nonsmooth::examples
