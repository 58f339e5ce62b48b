// The page that a program writes.
#pragma once

#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>

namespace nonsmooth {

// write(std::ostream&) to the file, to standard output where there is no name.
template <class Write>
void write_page(const std::string& path, const Write& write) {
  std::ofstream file;
  if (!path.empty()) file.open(path);
  std::ostream& out = path.empty() ? std::cout : file;
  write(out);
  if (!out.flush()) throw std::runtime_error("cannot write " + (path.empty() ? "standard output" : path));
}

}  // namespace nonsmooth
