// What the programs that simulate a scene have in common:
//   PROGRAM SCENE SIZE STEPS METHOD TOLERANCE ITERATIONS THRESHOLD FILE
// prints one line: CPU microseconds per step of this process, active contacts per step, iterations per solve, certified steps,
// and the CPU microseconds per step of five phases (free state, detection, assembly, solver, update; 0 where not known). The
// positions of all bodies after every step go to FILE. METHOD "-" is the default, ITERATIONS 0 the method's own limit; contacts
// with a predicted gap below THRESHOLD are active.
#ifndef NONSMOOTH_BENCHMARKS_KERNEL_MEASURE_HPP
#define NONSMOOTH_BENCHMARKS_KERNEL_MEASURE_HPP

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

// make(scene, request) gives a simulation with `void step(Measured&)` and `double position(int body, int axis)`.
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
    const Scene scene = sceneNamed(request.scene, request.size);
    auto simulation = make(scene, request);
    Measured sums;
    std::vector<double> positions;
    const int bodies = static_cast<int>(scene.position.size());
    positions.reserve(static_cast<std::size_t>(3 * bodies * request.steps));
    double seconds = 0;
    // Where steps are short, reading the clock around each would count: positions are stored within the time.
    const bool each = bodies > 100;
    const double start = cpuSeconds();
    for (int k = 0; k < request.steps; ++k) {
      const double before = each ? cpuSeconds() : 0;
      simulation->step(sums);
      if (each) seconds += cpuSeconds() - before;
      for (int body = 0; body < bodies; ++body)
        for (int axis = scene.rigid ? 0 : 2; axis < 3; ++axis) positions.push_back(simulation->position(body, axis));
    }
    if (!each) seconds = cpuSeconds() - start;
    const double per_step = 1.0 / request.steps;
    std::printf("%.9g %.9g %.9g %d", 1e6 * seconds * per_step, sums.contacts * per_step, sums.iterations * per_step,
                sums.certified);
    for (const double phase : sums.phases) std::printf(" %.9g", 1e6 * phase * per_step);
    std::printf("\n");
    std::FILE* file = std::fopen(argv[8], "wb");
    if (file == nullptr || std::fwrite(positions.data(), sizeof(double), positions.size(), file) != positions.size() ||
        std::fclose(file) != 0)
      throw std::runtime_error(std::string("cannot write ") + argv[8]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
  return 0;
}

}  // namespace nonsmooth::scenes
#endif
