// Reading and replacing files: nothing half-written, nothing left behind, messages that name the file.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <filesystem>

#include "core/error.hpp"
#include "io/io.hpp"
#include "io_examples.hpp"

namespace nonsmooth::io_files_test {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "nonsmooth-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::ptrdiff_t entries() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

template <class Action>
void expect_error(Action&& action, nsm_status status, const std::string& fragment) {
  try {
    action();
    ADD_FAILURE() << "no error: " << fragment;
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), status) << error.message();
    EXPECT_NE(error.message().find(fragment), std::string::npos) << error.message();
  }
}

// All writes beyond so many bytes fail, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST_F(Files, WriteThenRead) {
  std::string bytes(300000, 'x');
  bytes[7] = '\0';
  write_file_atomically(path("a"), bytes);
  EXPECT_EQ(read_file(path("a")), bytes);
  write_file_atomically(path("a"), "short");
  EXPECT_EQ(read_file(path("a")), "short");
  write_file_atomically(path("a"), "");
  EXPECT_EQ(read_file(path("a")), "");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, KeepsTheModeAndTheLink) {
  write_file_atomically(path("a"), "old");
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  fs::create_symlink(path("a"), path("link"));
  write_file_atomically(path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(read_file(path("a")), "new");
  EXPECT_EQ(fs::status(path("a")).permissions(), static_cast<fs::perms>(0640));
}

// One whose target is not there yet may stand for a place on a larger disk.
TEST_F(Files, MakesTheTargetOfALink) {
  fs::create_directory(path("disk"));
  fs::create_symlink("disk/a", path("link"));
  fs::create_symlink(path("link"), path("second"));
  write_file_atomically(path("second"), "new");
  EXPECT_EQ(read_file(path("disk/a")), "new");
  for (const char* link : {"link", "second"}) EXPECT_TRUE(fs::is_symlink(path(link))) << link;
  fs::create_symlink("none/a", path("astray"));
  expect_error([&] { write_file_atomically(path("astray"), "new"); }, NSM_FILE_ERROR, "No such file");
  fs::create_symlink("loop", path("loop"));
  expect_error([&] { write_file_atomically(path("loop"), "new"); }, NSM_FILE_ERROR, "loop': Too many levels of symbolic links");
  EXPECT_EQ(entries(), 5);
}

TEST_F(Files, AFullDiskLeavesTheOldFileAlone) {
  write_file_atomically(path("a"), "old");
  {
    const FileSizeLimit limit(1000);
    expect_error([&] { write_file_atomically(path("a"), std::string(5000, 'x')); }, NSM_FILE_ERROR,
                 "cannot write '" + path("a") + "': ");
    expect_error([&] { write_file_atomically(path("b"), std::string(5000, 'x')); }, NSM_FILE_ERROR, "cannot write");
  }
  EXPECT_EQ(read_file(path("a")), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(Files, OfAPairBothAreReplacedOrNone) {
  const FileToWrite old[] = {{path("a"), "old a"}, {path("b"), "old b"}};
  write_files_atomically(old);
  {
    const FileSizeLimit limit(1000);
    const std::string large(5000, 'x');
    const FileToWrite both[] = {{path("a"), "new a"}, {path("b"), large}};
    expect_error([&] { write_files_atomically(both); }, NSM_FILE_ERROR, "cannot write '" + path("b") + "': ");
  }
  EXPECT_EQ(read_file(path("a")), "old a");
  EXPECT_EQ(read_file(path("b")), "old b");
  EXPECT_EQ(entries(), 2);
}

TEST_F(Files, DevicesAreWrittenInPlace) {
  write_file_atomically("/dev/null", "x");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  expect_error([] { write_file_atomically("/dev/full", "x"); }, NSM_FILE_ERROR, "cannot write '/dev/full': No space left");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// As the shell opens one for >>: nothing that stands in it is lost.
TEST_F(Files, AnOpenFileIsWrittenWhereItStands) {
  write_file_atomically(path("a"), "old ");
  const int open_file = open(path("a").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(open_file, 0);
  for (const char* folder : {"/dev/fd/", "/proc/self/fd/"}) write_file_atomically(folder + std::to_string(open_file), "new ");
  EXPECT_EQ(close(open_file), 0);
  EXPECT_EQ(read_file(path("a")), "old new new ");
  EXPECT_EQ(entries(), 1);
}

// Which is a folder below /dev/.
TEST_F(Files, PairsInSharedMemoryAreReplaced) {
  if (access("/dev/shm", W_OK) != 0) GTEST_SKIP() << "no /dev/shm";
  const fs::path folder = fs::path("/dev/shm") / folder_.filename();
  fs::create_directory(folder);
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  for (int k = 0; k < 2; ++k) EXPECT_NO_THROW(write_problem(problem, (folder / "a.mtx").string(), NSM_FORMAT_MATRIX_MARKET)) << k;
  fs::remove_all(folder);
}

TEST_F(Files, DevicesAreNotRead) {
  expect_error([] { read_file("/dev/zero"); }, NSM_FILE_ERROR, "cannot read '/dev/zero': it is a device");
  expect_error([] { read_file("/dev/null"); }, NSM_FILE_ERROR, "cannot read '/dev/null': it is a device");
}

TEST_F(Files, AReadOnlyFileIsNotReplaced) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  write_file_atomically(path("a"), "old");
  ASSERT_EQ(chmod(path("a").c_str(), 0444), 0);
  expect_error([&] { write_file_atomically(path("a"), "new"); }, NSM_FILE_ERROR, "Permission denied");
  EXPECT_EQ(read_file(path("a")), "old");
}

TEST_F(Files, ErrorsNamePathAndReason) {
  expect_error([&] { read_file(path("none")); }, NSM_FILE_ERROR, "none': No such file");
  expect_error([&] { read_file(folder_.string()); }, NSM_FILE_ERROR, "Is a directory");
  expect_error([&] { write_file_atomically(folder_.string(), "x"); }, NSM_FILE_ERROR, "Is a directory");
  expect_error([&] { write_file_atomically(path("none/a"), "x"); }, NSM_FILE_ERROR, "No such file");
  expect_error([&] { read_problem(path("none.dat"), NSM_CLASS_COUNT); }, NSM_FILE_ERROR, "none.dat");
}

TEST_F(Files, FormatsByNameAndEnding) {
  EXPECT_EQ(format_from_name("mtx"), NSM_FORMAT_MATRIX_MARKET);
  EXPECT_EQ(format_from_path("a.b/c.DAT"), NSM_FORMAT_DAT);
  EXPECT_EQ(format_from_path("c.h5"), NSM_FORMAT_FCLIB);
  EXPECT_EQ(format_from_path("c.hdf5"), NSM_FORMAT_FCLIB);
  EXPECT_EQ(format_from_path("c.json"), NSM_FORMAT_JSON);
  expect_error([] { format_from_name("xml"); }, NSM_UNKNOWN_FORMAT, "'xml' is none of the formats json, fclib, dat, mtx");
  expect_error([] { format_from_path("dat"); }, NSM_UNKNOWN_FORMAT, "'dat'");
}

TEST_F(Files, ProblemsByContentNotByEnding) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_CSC);
  write_problem(problem, path("a.txt"), NSM_FORMAT_DAT);
  EXPECT_EQ(examples::dump(read_problem(path("a.txt"), NSM_CLASS_COUNT)), examples::dump(problem));
  write_problem(problem, path("b.mtx"), NSM_FORMAT_MATRIX_MARKET);
  EXPECT_TRUE(fs::exists(path("b_q.mtx")));
  EXPECT_EQ(examples::dump(read_problem(path("b.mtx"), NSM_CLASS_COUNT)), examples::dump(problem));
}

TEST_F(Files, TextsMayBeginWithAByteOrderMark) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  for (const nsm_format format : {NSM_FORMAT_JSON, NSM_FORMAT_DAT, NSM_FORMAT_MATRIX_MARKET}) {
    write_problem(problem, path("m.mtx"), format);
    for (const char* name : {"m.mtx", "m_q.mtx"})
      if (fs::exists(path(name))) write_file_atomically(path(name), "\xef\xbb\xbf" + read_file(path(name)));
    EXPECT_EQ(examples::dump(read_problem(path("m.mtx"), NSM_LCP)), examples::dump(problem)) << format;
  }
}

TEST_F(Files, MatrixMarketNeedsItsSecondFile) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  write_problem(problem, path("b.mtx"), NSM_FORMAT_MATRIX_MARKET);
  fs::remove(path("b_q.mtx"));
  expect_error([&] { read_problem(path("b.mtx"), NSM_CLASS_COUNT); }, NSM_FILE_ERROR, "b_q.mtx");
  expect_error([&] { read_problem_memory(format_matrix_market(problem).m, "memory", NSM_CLASS_COUNT); }, NSM_BAD_FILE,
               "memory: q is missing");
}

TEST_F(Files, AMatrixMarketPairGoesToNoDevice) {
  Problem problem;
  problem.data = Lcp{Matrix(DenseMatrix{1, 1, {2.0}}, "M"), {1.0}};
  ASSERT_EQ(mkfifo(path("pipe.mtx").c_str(), 0600), 0);
  for (const std::string& target : {std::string("/dev/null"), path("pipe.mtx")})
    expect_error([&] { write_problem(problem, target, NSM_FORMAT_MATRIX_MARKET); }, NSM_FILE_ERROR,
                 target + ": Matrix Market files come in pairs");
  EXPECT_EQ(entries(), 1);
  EXPECT_FALSE(fs::exists("/dev/null_q"));
}

TEST_F(Files, MessagesOfReadersNameTheFile) {
  write_file_atomically(path("bad.dat"), "2\n9\n");
  expect_error([&] { read_problem(path("bad.dat"), NSM_LCP); }, NSM_BAD_FILE, path("bad.dat") + ": as lcp: line 2");
}

TEST_F(Files, SolutionsAreJsonOrFclib) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  const Vector z(6), w(6);
  expect_error([&] { write_solution(problem, path("s.dat"), z, w, nullptr, nullptr); }, NSM_UNKNOWN_FORMAT, "s.dat");
  write_file_atomically(path("s"), "1 2 3");
  expect_error([&] { read_solution(problem, path("s")); }, NSM_UNKNOWN_FORMAT, "a solution is a JSON or an FCLIB file");
}

TEST_F(Files, SolutionsHaveTheSizeOfTheProblem) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  const auto refused = [&](std::size_t z, std::size_t w, const char* message) {
    write_solution(problem, path("s.json"), Vector(z), Vector(w), nullptr, nullptr);
    expect_error([&] { read_solution(problem, path("s.json")); }, NSM_INVALID_DIMENSION, message);
  };
  refused(5, 6, "z of the solution has 5 entries, the problem has 6");
  refused(6, 7, "w of the solution has 7 entries, the problem has 6");
}

TEST_F(Files, SolutionsThatNoReaderTakesAreNotWritten) {
  Problem problem;
  problem.data = examples::data_of_class(NSM_LCP, NSM_DENSE);
  const Vector finite(6), infinite = {0, 0, HUGE_VAL, 0, 0, 0}, nan = {0, std::nan(""), 0, 0, 0, 0};
  for (const char* name : {"s.json", "s.hdf5"}) {
    const std::string file = path(name);
    expect_error([&] { write_solution(problem, file, infinite, {}, nullptr, nullptr); }, NSM_NOT_FINITE, file + ": z[2] is inf");
    expect_error([&] { write_solution(problem, file, finite, nan, nullptr, nullptr); }, NSM_NOT_FINITE, file + ": w[1] is nan");
  }
  expect_error([&] { write_infeasibility(problem, path("y.json"), infinite, nullptr); }, NSM_NOT_FINITE, "[2] is inf");
  EXPECT_EQ(entries(), 0);
}

}  // namespace nonsmooth::io_files_test
