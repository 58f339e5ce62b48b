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

// Closes the file. Returns 0 or an errno.
int writeFile(std::FILE* file, const std::string& content, bool durable) {
  if (file == nullptr) return errno;
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0 &&
                       (!durable || fsync(fileno(file)) == 0);
  const int reason = errno;
  if (std::fclose(file) != 0 && written) return errno;
  return written ? 0 : reason;
}

// A new file beside the target: neither that of another thread that writes to it too, nor what a killed process with this one's
// number has left. Null, with errno, if there can be none.
std::FILE* createPart(const fs::path& target, std::string& part) {
  constexpr int attempts = 1000;
  std::FILE* file = nullptr;
  for (int k = 0; k < attempts && file == nullptr && (k == 0 || errno == EEXIST); ++k) {
    part = target.string() + "." + std::to_string(getpid()) + "-" + std::to_string(k) + ".part";
    file = std::fopen(part.c_str(), "wbx");
  }
  return file;
}

}  // namespace

void writeAtomically(const std::string& path, const std::string& content, bool durable) {
  const fs::path target = behindLinks(path);
  std::error_code error;
  int reason = 0;
  if (fs::exists(target, error) && !fs::is_regular_file(target, error)) {
    // Pipes and most devices know no fsync.
    reason = writeFile(std::fopen(target.c_str(), "wb"), content, false);
  } else {
    std::string part;
    std::FILE* file = createPart(target, part);
    reason = writeFile(file, content, durable);
    if (reason == 0 && std::rename(part.c_str(), target.c_str()) != 0) reason = errno;
    if (reason != 0 && file != nullptr) std::remove(part.c_str());
  }
  if (reason != 0) fail("%s: %s", path.c_str(), std::strerror(reason));
}

}  // namespace nonsmooth::kernel
