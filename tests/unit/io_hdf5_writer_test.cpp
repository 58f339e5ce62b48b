// What we write as HDF5, read by the HDF5 library; and what checksums notice.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstring>

#include "core/error.hpp"
#include "io/hdf5_checksum.hpp"
#include "io/hdf5_reader.hpp"
#include "io/hdf5_writer.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"

namespace nonsmooth::io_hdf5_writer_test {

// A file of the HDF5 library from an image in memory.
class Opened {
 public:
  explicit Opened(std::string image) : image_(std::move(image)) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    H5Pset_file_image(access, image_.data(), image_.size());
    static int files = 0;  // HDF5 refuses to open one name twice
    file_ = H5Fopen(("nonsmooth-image-" + std::to_string(files++)).c_str(), H5F_ACC_RDONLY, access);
    H5Pclose(access);
  }
  ~Opened() {
    if (file_ >= 0) H5Fclose(file_);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  hid_t id() const { return file_; }

 private:
  std::string image_;
  hid_t file_;
};

bool has_type(hid_t dataset, hid_t expected) {
  const hid_t type = H5Dget_type(dataset);
  const bool equal = H5Tequal(type, expected) > 0;
  H5Tclose(type);
  return equal;
}

std::size_t count_of(hid_t dataset) {
  const hid_t space = H5Dget_space(dataset);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  H5Sclose(space);
  return static_cast<std::size_t>(count);
}

template <class Number>
std::vector<Number> numbers(const Opened& file, const char* path, hid_t stored, hid_t memory) {
  const hid_t data = H5Dopen2(file.id(), path, H5P_DEFAULT);
  EXPECT_TRUE(has_type(data, stored)) << path;
  std::vector<Number> values(count_of(data));
  EXPECT_GE(H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << path;
  H5Dclose(data);
  return values;
}

// Of a dataset or, with `attribute`, of a group.
std::string text(const Opened& file, const char* path, const char* attribute = nullptr) {
  const hid_t object = H5Oopen(file.id(), path, H5P_DEFAULT);
  const hid_t holder = attribute != nullptr ? H5Aopen(object, attribute, H5P_DEFAULT) : object;
  const hid_t type = attribute != nullptr ? H5Aget_type(holder) : H5Dget_type(holder);
  std::string value(H5Tget_size(type), '?');
  if (attribute != nullptr)
    H5Aread(holder, type, value.data());
  else
    H5Dread(holder, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value.data());
  const bool ascii = value.find('\xc3') == std::string::npos;
  EXPECT_EQ(H5Tget_cset(type), ascii ? H5T_CSET_ASCII : H5T_CSET_UTF8) << path;
  EXPECT_EQ(value.back(), '\0') << path;
  value.pop_back();
  H5Tclose(type);
  if (attribute != nullptr) H5Aclose(holder);
  H5Oclose(object);
  return value;
}

const Vector reals = examples::hard_vector(9);

std::string small_image() {
  hdf5::NewImage image;
  hdf5::NewGroup& group = image.root().group("group");
  group.text_attribute("class", "an attribute");
  group.integers("integers", {-1, 0, 2147483647});
  hdf5::NewGroup& inner = group.group("inner");
  group.integer("integer", -7);  // of a group that is not the last
  inner.reals("reals", reals);
  inner.reals("none", {});
  inner.text("text", "Saint-Venant, Kötter");
  inner.text("empty", "");
  return image.take();
}

TEST(Hdf5Writer, TheLibraryReadsWhatIsWritten) {
  const Opened file(small_image());
  ASSERT_GE(file.id(), 0);
  EXPECT_EQ(text(file, "/group", "class"), "an attribute");
  EXPECT_EQ(numbers<int>(file, "/group/integers", H5T_STD_I32LE, H5T_NATIVE_INT), (std::vector<int>{-1, 0, 2147483647}));
  EXPECT_EQ(numbers<int>(file, "/group/integer", H5T_STD_I32LE, H5T_NATIVE_INT), std::vector<int>{-7});
  const Vector read = numbers<double>(file, "/group/inner/reals", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE);
  ASSERT_EQ(read.size(), reals.size());
  EXPECT_EQ(std::memcmp(read.data(), reals.data(), sizeof(double) * reals.size()), 0);
  EXPECT_TRUE(numbers<double>(file, "/group/inner/none", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE).empty());
  EXPECT_EQ(text(file, "/group/inner/text"), "Saint-Venant, Kötter");
  EXPECT_EQ(text(file, "/group/inner/empty"), "");
  EXPECT_LE(H5Lexists(file.id(), "/group/inner/other", H5P_DEFAULT), 0);
}

// Programs that add to a file of ours do so through the library.
TEST(Hdf5Writer, TheLibraryAddsToWhatIsWritten) {
  std::string image = small_image();
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, 0);
  H5Pset_file_image(access, image.data(), image.size());
  const hid_t file = H5Fopen("nonsmooth-image-to-change", H5F_ACC_RDWR, access);
  H5Pclose(access);
  ASSERT_GE(file, 0);
  const hid_t group = H5Gcreate2(file, "/group/inner/more", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(group, 0);
  H5Gclose(group);
  H5Fflush(file, H5F_SCOPE_GLOBAL);
  std::string changed(static_cast<std::size_t>(H5Fget_file_image(file, nullptr, 0)), '\0');
  H5Fget_file_image(file, changed.data(), changed.size());
  H5Fclose(file);
  const hdf5::Group inner = hdf5::Image(changed).root().group("group").group("inner");
  EXPECT_TRUE(inner.has("more"));
  EXPECT_EQ(inner.optional_text("text"), "Saint-Venant, Kötter");
}

// What programs that copy a file ask, as h5repack does.
TEST(Hdf5Writer, TheLibraryCountsAttributes) {
  const Opened file(small_image());
  for (const auto& [path, count] : {std::pair("/group", 1u), std::pair("/group/inner", 0u), std::pair("/group/integers", 0u)}) {
    H5O_info_t info;
    ASSERT_GE(H5Oget_info_by_name2(file.id(), path, &info, H5O_INFO_NUM_ATTRS, H5P_DEFAULT), 0) << path;
    EXPECT_EQ(info.num_attrs, count) << path;
  }
}

// Counts the datasets below a group, each of which must be readable.
herr_t visit(hid_t file, const char* path, const H5O_info_t* info, void* count) {
  if (info->type != H5O_TYPE_DATASET) return 0;
  ++*static_cast<int*>(count);
  const hid_t data = H5Dopen2(file, path, H5P_DEFAULT), type = H5Dget_type(data);
  std::string room(H5Tget_size(type) * count_of(data) + 1, '\0');
  EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room.data()), 0) << path;
  EXPECT_EQ(info->num_attrs, 0u) << path;
  H5Tclose(type);
  H5Dclose(data);
  return 0;
}

TEST(Hdf5Writer, TheLibraryReadsEveryClass) {
  for (int problem_class = 0; problem_class < NSM_CLASS_COUNT; ++problem_class) {
    if (problem_class == NSM_NCP || problem_class == NSM_MCP || problem_class == NSM_VI) continue;  // functions are in no file
    for (const nsm_storage storage : {NSM_DENSE, NSM_CSC}) {
      const Problem problem = examples::problem(static_cast<nsm_class>(problem_class), storage);
      const Opened file(format_fclib(problem));
      ASSERT_GE(file.id(), 0) << nsm_class_name(static_cast<nsm_class>(problem_class));
      int datasets = 0;
      EXPECT_GE(H5Ovisit2(file.id(), H5_INDEX_NAME, H5_ITER_INC, visit, &datasets, H5O_INFO_BASIC | H5O_INFO_NUM_ATTRS), 0);
      EXPECT_GE(datasets, 4) << nsm_class_name(static_cast<nsm_class>(problem_class));
    }
  }
}

// Two values that Jenkins published with lookup3.
TEST(Hdf5Writer, ChecksumsAreThoseOfLookup3) {
  EXPECT_EQ(hdf5::checksum(""), 0xdeadbeefu);
  EXPECT_EQ(hdf5::checksum("Four score and seven years ago"), 0x17770551u);
}

bool read_all(std::string_view bytes, std::string& message) {
  try {
    const hdf5::Group group = hdf5::Image(bytes).root().group("group"), inner = group.group("inner");
    group.text_attribute("class");
    group.integers("integers");
    group.integer("integer");
    for (const char* name : {"reals", "none"}) inner.reals(name);
    for (const char* name : {"text", "empty"}) inner.optional_text(name);
    return true;
  } catch (const Error& error) {
    message = error.message();
    return false;
  }
}

TEST(Hdf5Writer, NoByteOfAHeaderChangesUnseen) {
  std::string bytes = small_image(), message;
  ASSERT_TRUE(read_all(bytes, message)) << message;
  const auto refused = [&](std::size_t place) {
    bytes[place] = static_cast<char>(bytes[place] ^ 4);
    EXPECT_FALSE(read_all(bytes, message)) << "byte " << place;
    bytes[place] = static_cast<char>(bytes[place] ^ 4);
  };
  int headers = 0;
  for (std::size_t start = bytes.find("OHDR"); start != std::string::npos; start = bytes.find("OHDR", start + 1), ++headers) {
    std::uint32_t size = 0;
    std::memcpy(&size, &bytes[start + 6], sizeof size);
    for (std::size_t k = start; k < start + 10 + size + 4; ++k) refused(k);
  }
  EXPECT_EQ(headers, 9);
  bytes[bytes.find("OHDR") + 12] ^= 4;
  EXPECT_FALSE(read_all(bytes, message));
  EXPECT_NE(message.find("wrong checksum of an object header"), std::string::npos) << message;
}

}  // namespace nonsmooth::io_hdf5_writer_test
