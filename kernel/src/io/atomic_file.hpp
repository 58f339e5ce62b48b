// Files that are complete or not there.
#pragma once

#include <string>

namespace nonsmooth::kernel {

// Writes a file beside, hands it to the disk and gives it the name: a file of that name is replaced whole or left alone. Links
// are followed; what is no regular file, such as a device, is written to as it is. Throws, naming the file. `durable` waits until
// it is on the disk.
void writeAtomically(const std::string& path, const std::string& content, bool durable);

}  // namespace nonsmooth::kernel
