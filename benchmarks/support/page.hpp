// Files that a program writes whole or not at all.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>

namespace nonsmooth {

// Beside the old file, which stands until the new one is whole; a link stays, its target is replaced. Pipes and devices are
// written in place.
inline void write_whole(const std::string& path, const std::string& text) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  const std::string target = error ? path : real.string();
  const bool is_replaced = !std::filesystem::exists(target, error) || std::filesystem::is_regular_file(target, error);
  const std::string part = is_replaced ? target + "." + std::to_string(getpid()) + ".part" : target;
  errno = 0;
  std::ofstream out(part, std::ios::binary);
  out << text;
  out.close();
  if (out && (!is_replaced || std::rename(part.c_str(), target.c_str()) == 0)) return;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : std::string();
  if (is_replaced) std::remove(part.c_str());
  throw std::runtime_error(path + ": cannot be written" + reason);
}

// What write(std::ostream&) writes, to standard output where there is no name. Where it throws, no file has been touched.
template <class Write>
void write_page(const std::string& path, const Write& write) {
  std::ostringstream page;
  write(page);
  if (!path.empty()) return write_whole(path, page.str());
  if (!(std::cout << page.str()).flush()) throw std::runtime_error("standard output cannot be written");
}

}  // namespace nonsmooth
