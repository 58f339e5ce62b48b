#include "io/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;  // as the system follows them

// What links lead to, whether or not it is there.
fs::path behindLinks(fs::path path) {
  std::error_code error;
  for (int k = 0; k < most_links && fs::is_symlink(path, error); ++k) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;
  }
  return path;
}

// Returns 0 or an errno.
int writeFile(const std::string& path, const std::string& content, bool durable) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return errno;
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0 &&
                       (!durable || fsync(fileno(file)) == 0);
  const int reason = errno;
  if (std::fclose(file) != 0 && written) return errno;
  return written ? 0 : reason;
}

}  // namespace

void writeAtomically(const std::string& path, const std::string& content, bool durable) {
  const fs::path target = behindLinks(path);
  std::error_code error;
  int reason = 0;
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    // Pipes and most devices know no fsync.
    reason = writeFile(target, content, false);
  } else {
    const std::string part = target.string() + "." + std::to_string(getpid()) + ".part";
    reason = writeFile(part, content, durable);
    if (reason == 0 && std::rename(part.c_str(), target.c_str()) != 0) reason = errno;
    if (reason != 0) std::remove(part.c_str());
  }
  if (reason != 0) fail("%s: %s", path.c_str(), std::strerror(reason));
}

}  // namespace nonsmooth::kernel
