// Reading problem files from memory: MB/s of the file's own bytes, the checks of the data included.
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nonsmooth/nonsmooth.hpp>
#include <string>

#include "counters.hpp"
#include "scenes.hpp"

namespace nonsmooth {
namespace {

nsm::Problem pile(int n) {
  const collection::LocalData data = collection::sphere_pile(n, 0.3).local();
  return nsm::Problem::friction(data.dimension, data.W, data.q, data.mu);
}

std::filesystem::path scratch(const char* format) {
  return std::filesystem::temp_directory_path() / (std::string("nonsmooth_io_benchmark.") + format);
}

std::string bytes_of(const nsm::Problem& problem, const char* format) {
  const std::filesystem::path path = scratch(format);
  problem.write(path.string(), format);
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::filesystem::remove(path);
  return bytes;
}

void read(benchmark::State& state, const char* format) {
  const std::string bytes = bytes_of(pile(static_cast<int>(state.range(0))), format);
  const auto size = static_cast<std::int64_t>(bytes.size());
  for (auto _ : state) benchmark::DoNotOptimize(nsm::Problem::read_memory(bytes.data(), size, "benchmark", "friction"));
  count_traffic(state, 1, static_cast<double>(size));
  state.counters["file_MB"] = static_cast<double>(size) / 1e6;
}

// To a file, as a program would: formatting, writing, syncing and renaming.
void write(benchmark::State& state, const char* format) {
  const nsm::Problem problem = pile(static_cast<int>(state.range(0)));
  const std::string path = scratch(format).string();
  for (auto _ : state) problem.write(path, format);
  count_traffic(state, 1, static_cast<double>(std::filesystem::file_size(path)));
  std::filesystem::remove(path);
}

BENCHMARK_CAPTURE(read, json, "json")->Arg(4)->Arg(10);
BENCHMARK_CAPTURE(read, fclib, "fclib")->Arg(4)->Arg(10);
BENCHMARK_CAPTURE(read, dat, "dat")->Arg(4)->Arg(10);
BENCHMARK_CAPTURE(write, json, "json")->Arg(10);
BENCHMARK_CAPTURE(write, fclib, "fclib")->Arg(10);

}  // namespace
}  // namespace nonsmooth
