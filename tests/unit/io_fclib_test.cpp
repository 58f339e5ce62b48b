#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "../support/collected.hpp"
#include "core/error.hpp"
#include "core/index.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"
#include "io_test_file.hpp"

namespace nonsmooth::io_fclib_test {

using namespace examples;

nsm_status status_of(std::string_view bytes, nsm_class asked, std::string* message = nullptr) {
  try {
    parse_fclib(bytes, asked);
  } catch (const Error& error) {
    if (message != nullptr) *message = error.message();
    return error.status();
  }
  return NSM_OK;
}

TEST(IoFclib, EveryClassRoundTripsToTheBit) {
  for (const nsm_class problem_class : examples::storable_classes())
    for (int s = 0; s < 3; ++s) {
      const Problem problem = examples::problem(problem_class, static_cast<nsm_storage>(s));
      const std::string bytes = format_fclib(problem);
      const Problem copy = parse_fclib(bytes, NSM_CLASS_COUNT);
      const bool friction = problem_class >= NSM_FRICTION && problem_class <= NSM_GLOBAL_ROLLING;  // these become CSC
      EXPECT_EQ(examples::dump(copy), examples::dump(friction ? examples::with_csc(problem) : problem));
      EXPECT_EQ(format_fclib(copy), friction ? format_fclib(examples::with_csc(problem)) : bytes);
      EXPECT_EQ(status_of(bytes, problem_class), NSM_OK);
      EXPECT_EQ(parse_solution_fclib(problem, bytes).z, problem.solution_z);
    }
}

TEST(IoFclib, TwoDimensionalRollingKeepsItsClass) {
  Problem problem;
  problem.data = Rolling{3, examples::csc(3, 3), {1, 2, 3}, {0.5}, {0.1}};
  EXPECT_EQ(examples::dump(parse_fclib(format_fclib(problem), NSM_CLASS_COUNT)), examples::dump(problem));
}

TEST(IoFclib, ReadsTheThreeSparseLayoutsWithAndWithoutCompression) {
  for (auto add : {add_triplet, add_csc, add_csr})
    for (bool compressed : {false, true}) {
      TestFile file;
      file.compressed = compressed;
      file.local_frame();
      add(file);
      const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
      const Friction& friction = std::get<Friction>(problem.data);
      EXPECT_EQ(to_dense(friction.W).values, expected_w);
      EXPECT_EQ(friction.q, (Vector{-1, 0.5, 0}));
      EXPECT_EQ(friction.mu, Vector{0.25});
    }
}

TEST(IoFclib, ReadsColumnsAndRowsAsVectors) {
  for (const TestFile::Shape shape : {TestFile::Shape::column, TestFile::Shape::row})
    for (const bool compressed : {false, true}) {
      TestFile file;
      file.compressed = compressed;
      file.shape = shape;
      file.local_frame();
      add_csc(file);
      const Friction friction = std::get<Friction>(parse_fclib(file.bytes(), NSM_CLASS_COUNT).data);
      EXPECT_EQ(to_dense(friction.W).values, expected_w);
      EXPECT_EQ(friction.q, (Vector{-1, 0.5, 0}));
      EXPECT_EQ(friction.mu, Vector{0.25});
    }
}

TEST(IoFclib, AMatrixIsNoVector) {
  for (const bool compressed : {false, true}) {
    TestFile file;
    file.local_frame();
    H5Ldelete(file.id(), "/fclib_local/vectors/q", H5P_DEFAULT);
    const hsize_t extent[] = {3, 2}, chunk[] = {2, 2};
    const hid_t space = H5Screate_simple(2, extent, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
    if (compressed) H5Pset_chunk(creation, 2, chunk);
    const hid_t data = H5Dcreate2(file.id(), "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const Vector values(6, -1);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(data);
    H5Pclose(creation);
    H5Sclose(space);
    add_csc(file);
    std::string message;
    EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT, &message), NSM_BAD_FILE);
    EXPECT_EQ(message, "/fclib_local/vectors/q has 2 dimensions, 1 expected");
  }
}

TEST(IoFclib, ReadsTheNewestFormatAsFarAsItSays) {
  TestFile plain(true);
  plain.local_frame();
  add_csr(plain);
  EXPECT_EQ(to_dense(std::get<Friction>(parse_fclib(plain.bytes(), NSM_CLASS_COUNT).data).W).values, expected_w);

  TestFile chunked(true);
  chunked.compressed = true;
  chunked.local_frame();
  add_csr(chunked);
  std::string message;
  EXPECT_EQ(status_of(chunked.bytes(), NSM_CLASS_COUNT, &message), NSM_UNSUPPORTED);
  EXPECT_NE(message.find("h5repack"), std::string::npos) << message;

  TestFile dense_group(true);
  for (int k = 0; k < 20; ++k) dense_group.group("/group" + std::to_string(k));
  EXPECT_EQ(status_of(dense_group.bytes(), NSM_CLASS_COUNT, &message), NSM_UNSUPPORTED);
  EXPECT_NE(message.find("h5repack"), std::string::npos) << message;
}

TEST(IoFclib, ReadsLargeGroupsAndManyChunks) {
  TestFile file;
  for (int k = 0; k < 2000; ++k) file.group("/group" + std::to_string(k));  // several levels of the group's tree
  file.local_frame();
  add_csc(file);
  EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT), NSM_OK);

  const hsize_t size = 3000, chunk = 3;  // several levels of the tree of chunks
  Vector q(size);
  for (std::size_t k = 0; k < q.size(); ++k) q[k] = static_cast<double>(k) / 7;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  H5Ldelete(file.id(), "/fclib_local", H5P_DEFAULT);
  file.local_frame();
  H5Ldelete(file.id(), "/fclib_local/vectors/q", H5P_DEFAULT);
  const hid_t data = H5Dcreate2(file.id(), "/fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q.data());
  H5Dclose(data);
  H5Pclose(creation);
  H5Sclose(space);
  H5Ldelete(file.id(), "/fclib_local/vectors/mu", H5P_DEFAULT);
  file.reals("/fclib_local/vectors/mu", Vector(1000, 0.5));
  file.matrix("/fclib_local/W", 1, 1, {0}, {0}, {1}, 3000, 3000);
  EXPECT_EQ(std::get<Friction>(parse_fclib(file.bytes(), NSM_CLASS_COUNT).data).q, q);
}

TEST(IoFclib, ChecksumsAreVerified) {
  TestFile file;
  file.compressed = true;
  file.local_frame();
  add_csc(file);
  std::string bytes = file.bytes();
  const auto step = at(support::cases(1, 5));
  int refused = 0;
  for (std::size_t k = 0; k < bytes.size(); k += step) {
    bytes[k] = static_cast<char>(bytes[k] ^ 1);
    std::string message;
    if (status_of(bytes, NSM_CLASS_COUNT, &message) != NSM_OK && message.find("checksum of a chunk") != std::string::npos)
      ++refused;
    bytes[k] = static_cast<char>(bytes[k] ^ 1);
  }
  EXPECT_GT(refused, support::cases(100, 20));
}

TEST(IoFclib, ReadsStringsOfVariableLength) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  file.group("/fclib_local/info");
  file.variable_string("/fclib_local/info/title", "of variable length");
  EXPECT_EQ(parse_fclib(file.bytes(), NSM_CLASS_COUNT).title, "of variable length");
}

// u = W r + V l + q, V' r + R l + s = 0 of one contact and two bilateral constraints. W is [1 2 0; 0 3 0; 4 0 5].
void add_bilateral(TestFile& file, const char* left_out = "") {
  const std::string name = left_out;
  file.local_frame();
  add_csc(file);
  if (name != "V") file.matrix("/fclib_local/V", 2, 2, {0, 1}, {0, 2}, {6, 7}, 3, 2);  // [6 0; 0 0; 0 7]
  if (name != "R") file.matrix("/fclib_local/R", 3, 3, {0, 1, 1}, {0, 0, 1}, {8, -1, 9}, 2, 2);
  if (name != "s") file.reals("/fclib_local/vectors/s", {10, 11});
}

TEST(IoFclib, ALocalProblemWithABilateralPartIsGeneric) {
  TestFile file;
  add_bilateral(file);
  const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  const Generic& generic = std::get<Generic>(problem.data);
  EXPECT_EQ(to_dense(generic.M).values, (Vector{8, 0, 6, 0, 0, -1, 9, 0, 0, 7, 6, 0, 1, 0, 4, 0, 0, 2, 3, 0, 0, 7, 0, 0, 5}));
  EXPECT_EQ(generic.q, (Vector{10, 11, -1, 0.5, 0}));
  EXPECT_EQ(generic.block_kind, (IndexVector{NSM_BLOCK_EQUALITY, NSM_BLOCK_FRICTION_3D}));
  EXPECT_EQ(generic.block_size, (IndexVector{2, 3}));
  EXPECT_EQ(generic.mu, (Vector{0, 0.25}));
  EXPECT_EQ(status_of(file.bytes(), NSM_GENERIC), NSM_OK);
  std::string message;
  EXPECT_EQ(status_of(file.bytes(), NSM_FRICTION, &message), NSM_BAD_FILE);
  EXPECT_EQ(message, "the file holds problems of class generic, friction was asked for");
}

TEST(IoFclib, PointsOfABilateralPartComeFirst) {
  TestFile file;
  add_bilateral(file);
  file.group("/solution");
  file.reals("/solution/l", {1, 2});
  file.reals("/solution/r", {3, 4, 5});
  file.reals("/solution/u", {6, 7, 8});
  file.group("/guesses");
  file.group("/guesses/1");
  file.reals("/guesses/1/r", {9, 8, 7});
  std::string message;
  EXPECT_NE(status_of(file.bytes(), NSM_CLASS_COUNT, &message), NSM_OK);
  EXPECT_NE(message.find("/guesses/1/l"), std::string::npos) << message;
  file.reals("/guesses/1/l", {6, 5});
  const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  EXPECT_EQ(problem.solution_z, (Vector{1, 2, 3, 4, 5}));
  EXPECT_EQ(problem.solution_w, (Vector{0, 0, 6, 7, 8}));
  EXPECT_EQ(problem.guess, (Vector{6, 5, 9, 8, 7}));
  EXPECT_EQ(parse_solution_fclib(problem, file.bytes()).z, problem.solution_z);
  const std::string written = format_fclib(problem);
  EXPECT_NE(written.find("fclib_local"), std::string::npos);
  EXPECT_EQ(examples::dump(parse_fclib(written, NSM_CLASS_COUNT)), examples::dump(problem));
  EXPECT_EQ(format_fclib(parse_fclib(written, NSM_CLASS_COUNT)), written);
}

// Only what FCLIB has a place for is written in its layout.
TEST(IoFclib, OtherGenericProblemsKeepTheirLayout) {
  TestFile file;
  add_bilateral(file);
  const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  const auto expect_native = [](const Problem& other) {
    const std::string bytes = format_fclib(other);
    EXPECT_EQ(bytes.find("fclib_local"), std::string::npos);
    EXPECT_EQ(examples::dump(parse_fclib(bytes, NSM_CLASS_COUNT)), examples::dump(other));
  };
  Problem changed = problem;
  auto& generic = std::get<Generic>(changed.data);
  CscMatrix M = *generic.M.csc();
  M.values[at(place_of(M, 0, 2))] += 1;  // V' is no longer the transpose of V
  generic.M = Matrix(M, "M");
  expect_native(changed);
  changed = problem;
  std::get<Generic>(changed.data).block_kind = {NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_FRICTION_3D};
  expect_native(changed);
  changed = problem;
  std::get<Generic>(changed.data).block_kind = {NSM_BLOCK_EQUALITY, NSM_BLOCK_EQUALITY};
  std::get<Generic>(changed.data).mu = {};
  expect_native(changed);
  changed = problem;  // the rows of the equality and one more, three
  std::get<Generic>(changed.data).block_kind = {NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK};
  std::get<Generic>(changed.data).block_size = {3, 2};
  expect_native(changed);
}

TEST(IoFclib, ABilateralPartIsWholeOrRefused) {
  for (const char* left_out : {"V", "R", "s"}) {
    TestFile file;
    add_bilateral(file, left_out);
    std::string message;
    EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT, &message), NSM_BAD_FILE) << left_out;
    EXPECT_EQ(message, "/fclib_local/: V, R and vectors/s need each other") << left_out;
  }
  const auto message_with = [](const char* replaced, const auto& add, nsm_status status) {
    TestFile file;
    add_bilateral(file, replaced);
    add(file);
    std::string message;
    EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT, &message), status);
    return message;
  };
  EXPECT_EQ(message_with(
                "V", [](TestFile& f) { f.matrix("/fclib_local/V", 0, 0, {}, {}, {}, 2, 3); }, NSM_INVALID_DIMENSION),
            "/fclib_local/V is 2 x 3, the vectors need 3 x 2");
  EXPECT_EQ(message_with(
                "R", [](TestFile& f) { f.matrix("/fclib_local/R", 0, 0, {}, {}, {}, 2, 3); }, NSM_INVALID_DIMENSION),
            "/fclib_local/R is 2 x 3, the vectors need 2 x 2");
  EXPECT_EQ(message_with(
                "s",
                [](TestFile& f) {
                  f.reals("/fclib_local/vectors/s", {1, HUGE_VAL});
                },
                NSM_NOT_FINITE),
            "/fclib_local/vectors/s[1] is inf");
  EXPECT_EQ(message_with(
                "s",
                [](TestFile& f) {
                  f.reals("/fclib_local/vectors/s", {1, 2, 3});
                },
                NSM_INVALID_DIMENSION),
            "/fclib_local/V is 3 x 2, the vectors need 3 x 3");
  EXPECT_NE(message_with(
                "", [](TestFile& f) { f.reals("/fclib_local/vectors/mu_r", {0.1}); }, NSM_UNSUPPORTED)
                .find("/fclib_local/vectors/mu_r: rolling friction"),
            std::string::npos);
}

TEST(IoFclib, SolutionsAndGuesses) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  const Problem bare = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  EXPECT_THROW(parse_solution_fclib(bare, file.bytes()), Error);
  file.group("/solution");
  file.reals("/solution/r", {0, 0, 0});
  file.reals("/solution/u", {0, 0, 0});
  EXPECT_EQ(parse_solution_fclib(bare, file.bytes()).z, Vector(3, 0.0));
  file.group("/guesses");
  file.group("/guesses/1");
  file.reals("/guesses/1/r", {1, 2, 3});
  const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  EXPECT_EQ(problem.guess, (Vector{1, 2, 3}));
  EXPECT_TRUE(problem.solution_z.empty()) << "zeros are no solution";
  EXPECT_EQ(parse_solution_fclib(problem, file.bytes()).z, (Vector{1, 2, 3}));
}

// Bodies that part: no reactions, but velocities.
TEST(IoFclib, ZeroReactionsAreASolution) {
  Problem problem = examples::problem(NSM_FRICTION, NSM_CSC);
  problem.guess = Vector(6, 3.0);
  problem.solution_z = Vector(6, 0.0);
  problem.solution_w = {1, 2, 0, 0, 0, 0};
  const std::string bytes = format_fclib(problem);
  EXPECT_EQ(parse_fclib(bytes, NSM_CLASS_COUNT).solution_w, problem.solution_w);
  EXPECT_EQ(parse_solution_fclib(problem, bytes).z, problem.solution_z);
  EXPECT_EQ(parse_solution_fclib(problem, bytes).w, problem.solution_w);
}

// FCLIB has a place for u that has to be filled.
TEST(IoFclib, AnUnknownWIsWrittenAsItFollowsFromZ) {
  const CscMatrix identity{3, 3, {0, 1, 2, 3}, {0, 1, 2}, {1, 1, 1}};
  Problem problem;
  problem.data = Friction{3, Matrix(identity, "W"), {-1, 2, 0}, {0.5}};
  problem.solution_z = {1, -0.5, 0};
  EXPECT_EQ(parse_fclib(format_fclib(problem), NSM_CLASS_COUNT).solution_w, (Vector{0, 1.5, 0}));
  problem.solution_z = {0, 0, 0};
  EXPECT_EQ(parse_fclib(format_fclib(problem), NSM_CLASS_COUNT).solution_z, problem.solution_z);
}

TEST(IoFclib, ZerosForVelocitiesBesideReactionsAreNotKnown) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  file.group("/solution");
  file.reals("/solution/r", {1, 0, 0});
  file.reals("/solution/u", {0, 0, 0});
  const Problem problem = parse_fclib(file.bytes(), NSM_CLASS_COUNT);
  EXPECT_EQ(problem.solution_z, (Vector{1, 0, 0}));
  EXPECT_TRUE(problem.solution_w.empty());
}

TEST(IoFclib, SolutionsOfTheWrongSizeAreRefused) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  file.group("/solution");
  file.reals("/solution/r", {1, 0});
  std::string message;
  EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT, &message), NSM_BAD_FILE);
  EXPECT_EQ(message, "/solution/r has 2 entries, 3 expected");
}

TEST(IoFclib, TheClassAskedForDecides) {
  const Problem problem = examples::problem(NSM_FRICTION, NSM_CSC);
  std::string message;
  EXPECT_EQ(status_of(format_fclib(problem), NSM_GLOBAL_FRICTION, &message), NSM_BAD_FILE);
  EXPECT_NE(message.find("class friction, global_friction"), std::string::npos) << message;
  EXPECT_EQ(status_of(format_fclib(examples::problem(NSM_LCP, NSM_CSC)), NSM_MLCP, &message), NSM_BAD_FILE);
  EXPECT_NE(message.find("class lcp, mlcp"), std::string::npos) << message;
}

TEST(IoFclib, OtherFilesAreRefused) {
  EXPECT_EQ(status_of("", NSM_CLASS_COUNT), NSM_BAD_FILE);
  EXPECT_EQ(status_of("no HDF5 at all", NSM_CLASS_COUNT), NSM_BAD_FILE);
  TestFile file;
  file.group("/something");
  EXPECT_EQ(status_of(file.bytes(), NSM_CLASS_COUNT), NSM_UNKNOWN_FORMAT);
}

TEST(IoFclib, EveryPrefixOfAFileIsRefused) {
  TestFile file;
  file.local_frame();
  add_csc(file);
  const std::string bytes = file.bytes();
  for (std::size_t size = 0; size < bytes.size(); size += 61)
    EXPECT_NE(status_of(std::string_view(bytes).substr(0, size), NSM_CLASS_COUNT), NSM_OK) << size;
}

TEST(IoFclib, ReadsTheCollection) {
  const char* collection = collected::folder();
  if (collection == nullptr) GTEST_SKIP() << "NONSMOOTH_COLLECTION is not set";
  int files = 0, with_both = 0;
  for (const char* folder : {"fclib", "rolling"})
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(collection) / folder)) {
      if (entry.path().extension() != ".hdf5") continue;
      std::ifstream stream(entry.path(), std::ios::binary);
      const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
      std::string message;
      ++files;
      ASSERT_EQ(status_of(bytes, NSM_CLASS_COUNT, &message), NSM_OK) << entry.path() << ": " << message;
      const Problem problem = parse_fclib(bytes, NSM_CLASS_COUNT);
      EXPECT_FALSE(problem.title.empty()) << entry.path();
      if (bytes.size() <= collected::largest_written) {
        EXPECT_EQ(examples::dump(parse_fclib(format_fclib(problem), NSM_CLASS_COUNT)), examples::dump(problem)) << entry.path();
        EXPECT_EQ(examples::dump(parse_json(format_json(problem), NSM_CLASS_COUNT)), examples::dump(problem)) << entry.path();
      }
      if (problem.problem_class() != NSM_FRICTION || status_of(bytes, NSM_GLOBAL_FRICTION) != NSM_OK) continue;
      ++with_both;
      const Problem global = parse_fclib(bytes, NSM_GLOBAL_FRICTION);
      EXPECT_EQ(std::get<GlobalFriction>(global.data).mu, std::get<Friction>(problem.data).mu);
    }
  EXPECT_GT(files, 0);
  EXPECT_GT(with_both, 0);
  RecordProperty("files", files);
  RecordProperty("with_both", with_both);
}

}  // namespace nonsmooth::io_fclib_test
