#include "io/atomic_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

void writeAtomically(const std::string& path, const std::string& content, bool durable) {
  const std::string part = path + "." + std::to_string(getpid()) + ".part";
  const auto giveUp = [&] {
    const int reason = errno;
    std::remove(part.c_str());
    fail("%s: %s", path.c_str(), std::strerror(reason));
  };
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) giveUp();
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0 &&
                       (!durable || fsync(fileno(file)) == 0);
  const int reason = errno;
  const bool closed = std::fclose(file) == 0;
  if (!written) errno = reason;
  if (!written || !closed || std::rename(part.c_str(), path.c_str()) != 0) giveUp();
}

}  // namespace nonsmooth::kernel
