// Reference trajectories.
#ifndef TESTS_KERNEL_TRAJECTORY_HPP
#define TESTS_KERNEL_TRAJECTORY_HPP

#include <gtest/gtest.h>
#include <zlib.h>
#include <nonsmooth/kernel/kernel.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace kernel_tests {

inline std::string trajectoryFolder() {
  if (const char* folder = std::getenv("NONSMOOTH_TRAJECTORIES")) return folder;
  if (const char* folder = std::getenv("NONSMOOTH_COLLECTION")) return std::string(folder) + "/../trajectories";
  return "";
}

// Rows of a .ref or .ref.gz file; empty if the file is not there.
inline nonsmooth::kernel::Matrix readTrajectory(const std::string& name) {
  gzFile file = gzopen((trajectoryFolder() + "/" + name).c_str(), "rb");
  if (file == nullptr) return {};
  std::string text;
  char buffer[65536];
  for (int count; (count = gzread(file, buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(count));
  gzclose(file);
  char* at = text.data();
  const long rows = std::strtol(at, &at, 10), cols = std::strtol(at, &at, 10);
  nonsmooth::kernel::Matrix result(rows, cols);
  for (long i = 0; i < rows; ++i)
    for (long j = 0; j < cols; ++j) result(i, j) = std::strtod(at, &at);
  return result;
}

// Greatest absolute difference over the first `cols` columns of rows [from, to); also in the XML report of the test.
inline double difference(const nonsmooth::kernel::Matrix& a, const nonsmooth::kernel::Matrix& b, long from, long to, long cols) {
  const double worst = (a.block(from, 0, to - from, cols) - b.block(from, 0, to - from, cols)).cwiseAbs().maxCoeff();
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", worst);
  testing::Test::RecordProperty("difference", text);
  return worst;
}

}  // namespace kernel_tests

#define READ_OR_SKIP(variable, name)                                             \
  const nonsmooth::kernel::Matrix variable = kernel_tests::readTrajectory(name); \
  if (variable.size() == 0) GTEST_SKIP() << "no " name " in NONSMOOTH_TRAJECTORIES"

#endif
