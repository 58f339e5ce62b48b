// Room on the disk, asked for before it is needed.
#pragma once

#include <cstdint>
#include <string>

namespace nonsmooth::kernel {

// Sees to it that `bytes` can be written to an open file from `start` on; its length keeps. Returns 0, or the errno that a write
// would end with. Where the file system cannot set room aside, free space is compared only.
int reserveSpace(int descriptor, std::uint64_t start, std::uint64_t bytes);
// Gives back what has been set aside after the end of the file.
void releaseSpace(const std::string& path);

}  // namespace nonsmooth::kernel
