// Files of tests: in a folder of the process, which is removed at its end. Tests run at the same time.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace nonsmooth::kernel::test {

class ScratchFolder {
 public:
  ScratchFolder() : path_(std::filesystem::path(testing::TempDir()) / ("nonsmooth_kernel_" + std::to_string(owner_))) {
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    if (getpid() != owner_) return;  // a child
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  const pid_t owner_ = getpid();
  std::filesystem::path path_;
};

// A file of that name.
inline std::string scratch(const std::string& name) {
  static const ScratchFolder folder;
  return (folder.path() / name).string();
}

// An empty folder of that name.
inline std::filesystem::path scratchFolder(const std::string& name) {
  const std::filesystem::path folder = scratch(name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// Of a whole file.
inline std::string contentsOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace nonsmooth::kernel::test
