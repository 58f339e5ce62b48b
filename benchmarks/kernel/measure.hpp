// What the programs that simulate a scene have in common:
//   PROGRAM SCENE SIZE STEPS METHOD TOLERANCE ITERATIONS THRESHOLD FILE
// prints one line: CPU microseconds per step of this process, active contacts per step, iterations per solve, certified steps,
// and the CPU microseconds per step of five phases (free state, detection, assembly, solver, update; 0 where not known). The
// positions of all bodies after every step go to FILE. METHOD "-" is the default, ITERATIONS 0 the method's own limit; contacts
// with a predicted gap below THRESHOLD are active.
#ifndef NONSMOOTH_BENCHMARKS_KERNEL_MEASURE_HPP
#define NONSMOOTH_BENCHMARKS_KERNEL_MEASURE_HPP

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "scenes.hpp"

namespace nonsmooth::scenes {

struct Request {
  std::string scene, method;
  int size = 0, steps = 0, iterations = 0;
  double tolerance = 0, threshold = 0;
};

struct Measured {
  double contacts = 0, iterations = 0;  // sums over the steps
  int certified = 0;
  std::array<double, 5> phases{};  // seconds, sums
};

inline double cpuSeconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// All steps of a simulation: CPU seconds. Where steps are short, reading the clock around each would count: positions are stored
// within the time.
template <class Simulation>
double secondsOfSteps(Simulation& simulation, const Scene& scene, int steps, Measured& sums, std::vector<double>& positions) {
  const int bodies = static_cast<int>(scene.position.size());
  positions.clear();
  positions.reserve(static_cast<std::size_t>(3 * bodies * steps));
  const bool each = bodies > 100;
  double seconds = 0;
  const double start = cpuSeconds();
  for (int k = 0; k < steps; ++k) {
    const double before = each ? cpuSeconds() : 0;
    simulation.step(sums);
    if (each) seconds += cpuSeconds() - before;
    for (int body = 0; body < bodies; ++body)
      for (int axis = scene.rigid ? 0 : 2; axis < 3; ++axis) positions.push_back(simulation.position(body, axis));
  }
  return each ? seconds : cpuSeconds() - start;
}

// make(scene, request) gives a simulation with `void step(Measured&)` and `double position(int body, int axis)`. A simulation of
// milliseconds is repeated; its median counts.
template <class Make>
void report(const Request& request, const char* path, const Make& make) {
  const Scene scene = sceneNamed(request.scene, request.size);
  Measured sums;
  std::vector<double> times, positions;
  for (std::size_t repeat = 0, repeats = scene.position.size() == 1 ? 21 : 1; repeat < repeats; ++repeat) {
    sums = {};
    auto simulation = make(scene, request);
    times.push_back(secondsOfSteps(*simulation, scene, request.steps, sums, positions));
  }
  std::sort(times.begin(), times.end());
  const double per_step = 1.0 / request.steps;
  std::printf("%.9g %.9g %.9g %d", 1e6 * times[times.size() / 2] * per_step, sums.contacts * per_step, sums.iterations * per_step,
              sums.certified);
  for (const double phase : sums.phases) std::printf(" %.9g", 1e6 * phase * per_step);
  std::printf("\n");
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr || std::fwrite(positions.data(), sizeof(double), positions.size(), file) != positions.size() ||
      std::fclose(file) != 0)
    throw std::runtime_error(std::string("cannot write ") + path);
}

template <class Make>
int measure(int argc, char** argv, const Make& make) {
  if (argc != 9) {
    std::fprintf(stderr, "usage: %s SCENE SIZE STEPS METHOD TOLERANCE ITERATIONS THRESHOLD FILE\n", argv[0]);
    return 2;
  }
  try {
    Request request;
    request.scene = argv[1];
    request.size = std::atoi(argv[2]);
    request.steps = std::atoi(argv[3]);
    request.method = argv[4];
    request.tolerance = std::atof(argv[5]);
    request.iterations = std::atoi(argv[6]);
    request.threshold = std::atof(argv[7]);
    report(request, argv[8], make);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

}  // namespace nonsmooth::scenes
#endif
