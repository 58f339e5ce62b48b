// What an HDF5 file may hold that our own writer never writes, and what no file should: chunks stored raw, trees that lead to
// themselves, numbers of other widths.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>
#include <limits>

#include "core/error.hpp"
#include "io/io.hpp"
#include "io/lexer.hpp"
#include "io_test_file.hpp"

namespace nonsmooth::io_hdf5_test {

using namespace examples;

const char* const q_path = "/fclib_local/vectors/q";

void expect_refused(std::string_view bytes, nsm_status status, const std::string& fragment) {
  try {
    parse_fclib(bytes, NSM_CLASS_COUNT);
    ADD_FAILURE() << "taken, not refused with: " << fragment;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.message();
    EXPECT_NE(error.message().find(fragment), std::string::npos) << error.message();
  }
}

// One contact whose q is written by write(file, path).
template <class Write>
std::string file_with_q(Write&& write) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  H5Ldelete(file.id(), q_path, H5P_DEFAULT);
  write(file);
  return file.bytes();
}

Vector q_of(std::string_view bytes) { return std::get<Friction>(parse_fclib(bytes, NSM_CLASS_COUNT).data).q; }

// q = (-1, 0.5, 0) in chunks of 2, the second filled up by a 7; `stored` bytes of each chunk as they are, without its filter.
std::string raw_chunks(std::size_t stored) {
  return file_with_q([&](TestFile& file) {
    const hsize_t size = 3, chunk = 2;
    const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &chunk);
    H5Pset_deflate(creation, 6);
    const hid_t data = H5Dcreate2(file.id(), q_path, H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const double values[] = {-1, 0.5, 0, 7};
    for (const hsize_t start : {hsize_t{0}, hsize_t{2}}) H5Dwrite_chunk(data, H5P_DEFAULT, 1, &start, stored, values + start);
    H5Dclose(data);
    H5Pclose(creation);
    H5Sclose(space);
  });
}

TEST(Hdf5, ChunksMayHaveSkippedTheirFilter) { EXPECT_EQ(q_of(raw_chunks(16)), (Vector{-1, 0.5, 0})); }

TEST(Hdf5, ChunksHaveTheirSize) { expect_refused(raw_chunks(12), NSM_BAD_FILE, "q: a chunk has 12 bytes, 16 expected"); }

// Where a node of a B-tree of this type stands: 0 of groups, 1 of chunks.
std::size_t tree_of(const std::string& bytes, char type) { return bytes.find(std::string("TREE") + type); }

void put(std::string& bytes, std::size_t place, std::uint64_t value) { std::memcpy(&bytes[place], &value, sizeof value); }

// Signature, type, level, number of children, two neighbours of 8 bytes; then a key, of 8 bytes for groups and of 24 for chunks
// of a line, before each child.
constexpr std::size_t level_at = 5, keys_at = 24;

TEST(Hdf5, TreesThatLeadToThemselves) {
  for (const auto& [type, key, message] : {std::tuple('\0', 8, "group tree"), std::tuple('\1', 24, "damaged index of chunks")}) {
    std::string bytes = raw_chunks(16);
    const std::size_t node = tree_of(bytes, type);
    ASSERT_NE(node, std::string::npos);
    bytes[node + level_at] = 1;
    put(bytes, node + keys_at + static_cast<std::size_t>(key), node);
    expect_refused(bytes, NSM_BAD_FILE, message);
  }
}

TEST(Hdf5, ChunksStartAtTheirMultiples) {
  std::string bytes = raw_chunks(16);
  put(bytes, tree_of(bytes, '\1') + keys_at + 8, 1);  // after size and mask
  expect_refused(bytes, NSM_BAD_FILE, "q: a chunk starts at element 1 of 3");
}

// Nodes of two children each, both the next node: 2^30 chunks in 31 nodes.
TEST(Hdf5, TreesThatOverlap) {
  std::string bytes = raw_chunks(16);
  const std::size_t leaf = tree_of(bytes, '\1'), size = keys_at + 3 * 24 + 2 * 8;
  const std::string node = bytes.substr(leaf, size);
  std::size_t next = leaf;
  for (char level = 1; level <= 30; ++level) {
    const std::size_t place = bytes.size();
    bytes += node;
    bytes[place + level_at] = level;
    for (const std::size_t child : {keys_at + 24, keys_at + 2 * 24 + 8}) put(bytes, place + child, next);
    next = place;
  }
  std::string address(8, '\0');
  put(address, 0, leaf);
  const std::size_t layout = bytes.find(std::string("\3\2\2", 3) + address);  // version, chunked, dimensions and one
  ASSERT_NE(layout, std::string::npos);
  put(bytes, layout + 3, next);
  expect_refused(bytes, NSM_BAD_FILE, "structures overlap or run in circles");
}

TEST(Hdf5, DataStartAtTheirFirstByte) {
  std::string bytes = raw_chunks(16);
  put(bytes, 24, 512);  // the base address
  expect_refused(bytes, NSM_UNSUPPORTED, "HDF5 data that start at byte 512");
}

// Half precision: sign, exponent of 5 bits, fraction of 10; the least number is 2^-24.
TEST(Hdf5, HalfPrecision) {
  const Vector q = {-1.5, 0x1p-24, 65504};
  const std::string bytes = file_with_q([&](TestFile& file) {
    const hid_t half = H5Tcopy(H5T_IEEE_F32LE);
    H5Tset_fields(half, 15, 10, 5, 0, 10);
    H5Tset_size(half, 2);
    H5Tset_ebias(half, 15);
    file.reals(q_path, q, half);
    H5Tclose(half);
  });
  EXPECT_EQ(q_of(bytes), q);
}

// A type that several datasets share is stored by itself.
TEST(Hdf5, NamedTypesAreNotRead) {
  const std::string bytes = file_with_q([](TestFile& file) {
    const hid_t type = H5Tcopy(H5T_IEEE_F64LE);
    H5Tcommit2(file.id(), "/number", type, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    file.reals(q_path, {-1, 0.5, 0}, type);
    H5Tclose(type);
  });
  expect_refused(bytes, NSM_UNSUPPORTED, "q: shared HDF5 header messages are not read");
}

// 2^64 - 1 is no -1.
TEST(Hdf5, UnsignedIntegersAreNotNegative) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  H5Ldelete(file.id(), "/fclib_local/spacedim", H5P_DEFAULT);
  const hsize_t one = 1;
  const std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  const hid_t space = H5Screate_simple(1, &one, nullptr);
  const hid_t data = H5Dcreate2(file.id(), "/fclib_local/spacedim", H5T_STD_U64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &largest);
  H5Dclose(data);
  H5Sclose(space);
  expect_refused(file.bytes(), NSM_BAD_FILE, "spacedim[0] = 18446744073709551615 does not fit 32 bits");
}

// A point on a plane, and a joint that holds it.
std::string global_file(bool with_G, bool with_b) {
  TestFile file;
  file.group("/fclib_global");
  file.group("/fclib_global/vectors");
  file.integers("/fclib_global/spacedim", {2});
  file.reals("/fclib_global/vectors/f", {-1});
  file.reals("/fclib_global/vectors/w", {0, 0});
  file.reals("/fclib_global/vectors/mu", {0.5});
  file.matrix("/fclib_global/M", -1, 1, {0, 1}, {0}, {2}, 1, 1);
  file.matrix("/fclib_global/H", -1, 1, {0, 1, 1}, {0}, {1}, 1, 2);
  if (with_G) file.matrix("/fclib_global/G", -1, 1, {0, 1}, {0}, {1}, 1, 1);
  if (with_b) file.reals("/fclib_global/vectors/b", {3});
  return file.bytes();
}

TEST(Hdf5, JointsNeedTheirVelocitiesAndTheseTheJoints) {
  EXPECT_EQ(std::get<GlobalFriction>(parse_fclib(global_file(true, true), NSM_CLASS_COUNT).data).b, Vector{3});
  EXPECT_TRUE(std::get<GlobalFriction>(parse_fclib(global_file(false, false), NSM_CLASS_COUNT).data).b.empty());
  expect_refused(global_file(true, false), NSM_BAD_FILE, "G and vectors/b need each other");
  expect_refused(global_file(false, true), NSM_BAD_FILE, "G and vectors/b need each other");
}

// Exponents that no integer holds.
TEST(Lexer, NumbersBeyondAllExponents) {
  double value = 1;
  EXPECT_TRUE(parse_real("1e-99999999999999999999", value));
  EXPECT_EQ(value, 0);
  EXPECT_TRUE(parse_real("-0.001e99999999999999999999", value));
  EXPECT_EQ(value, -std::numeric_limits<double>::infinity());
}

}  // namespace nonsmooth::io_hdf5_test
