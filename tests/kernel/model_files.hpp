// The shipped model files.
#ifndef TESTS_KERNEL_MODEL_FILES_HPP
#define TESTS_KERNEL_MODEL_FILES_HPP

#include <string>

namespace kernel_tests {

inline std::string shipped(const std::string& name) { return std::string(NONSMOOTH_DATA_DIR) + "/models/" + name; }

}  // namespace kernel_tests

#endif
