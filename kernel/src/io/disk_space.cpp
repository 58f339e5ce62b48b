#include "io/disk_space.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>

namespace nonsmooth::kernel {

int reserveSpace(int descriptor, std::uint64_t start, std::uint64_t bytes) {
  // Beyond this limit a write ends the program by a signal.
  rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && start + bytes > limit.rlim_cur) return EFBIG;
#ifdef FALLOC_FL_KEEP_SIZE
  if (fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(start), static_cast<off_t>(bytes)) == 0) return 0;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG || errno == EIO) return errno;
#endif
  struct statvfs disk;
  if (fstatvfs(descriptor, &disk) != 0) return 0;
  return static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < bytes ? ENOSPC : 0;
}

void releaseSpace(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode)) static_cast<void>(truncate(path.c_str(), status.st_size) == 0);
}

}  // namespace nonsmooth::kernel
