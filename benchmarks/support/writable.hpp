// Whether what is measured for minutes can be written in the end.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "../../programs/program.hpp"

namespace nonsmooth {

// Throws programs::Failure where the file, or a new one in its folder, cannot be written; leaves what is there as it is. No name:
// standard output.
inline void require_writable(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) return;
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) throw programs::Failure{programs::bad_file, path + ": is a folder"};
  const fs::path place = fs::exists(path, unknown) ? fs::path(path) : fs::absolute(path).parent_path() / ".";
  if (access(place.c_str(), W_OK) != 0)
    throw programs::Failure{programs::bad_file, path + ": cannot be written: " + std::strerror(errno)};
}

}  // namespace nonsmooth
