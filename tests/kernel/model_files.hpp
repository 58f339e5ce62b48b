// The shipped model files.
#ifndef TESTS_KERNEL_MODEL_FILES_HPP
#define TESTS_KERNEL_MODEL_FILES_HPP

#include <fstream>
#include <sstream>
#include <string>

namespace kernel_tests {

inline std::string shipped(const std::string& name) { return std::string(NONSMOOTH_DATA_DIR) + "/models/" + name; }

inline std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace kernel_tests

#endif
