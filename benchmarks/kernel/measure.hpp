// What the programs that simulate a scene have in common:
//   PROGRAM SCENE SIZE STEPS METHOD TOLERANCE ITERATIONS THRESHOLD FILE
// prints one line: CPU microseconds per step of this process, active contacts per step, iterations per solve, certified steps,
// and the CPU microseconds per step of five phases (free state, detection, assembly, solver, update; 0 where not known). The
// positions of all bodies after every step go to FILE. An event-driven simulation takes a step from one event to the next;
// instants, positions and velocities go to FILE. METHOD "-" is the default, ITERATIONS 0 the method's own limit; contacts with a
// predicted gap below THRESHOLD are active. Exit codes: those of programs/program.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "../../programs/program.hpp"
#include "../support/number_in.hpp"
#include "event_scenes.hpp"
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

// All steps of a simulation: CPU seconds. Where steps are short, reading the clock around each would count: what is recorded is
// stored within the time.
template <class Simulation>
double secondsOfSteps(Simulation& simulation, const Request& request, bool each, Measured& sums, std::vector<double>& values) {
  values.clear();
  double seconds = 0;
  const double start = cpuSeconds();
  for (int k = 0; k < request.steps; ++k) {
    const double before = each ? cpuSeconds() : 0;
    simulation.step(sums);
    if (each) seconds += cpuSeconds() - before;
    simulation.record(values);
  }
  return each ? seconds : cpuSeconds() - start;
}

// What work() throws is due to an argument.
template <class Work>
auto argumentsOf(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw programs::Failure{programs::usage, error.what()};
  }
}

// make(model, request) gives a simulation with `void step(Measured&)` and `void record(std::vector<double>&)`. A simulation of
// milliseconds is repeated; its median counts.
template <class Model, class Make>
void report(const Model& model, int repeats, bool each, const Request& request, const char* path, const Make& make) {
  Measured sums;
  std::vector<double> times, values;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    sums = {};
    auto simulation = argumentsOf([&] { return make(model, request); });
    times.push_back(secondsOfSteps(*simulation, request, each, sums, values));
  }
  std::sort(times.begin(), times.end());
  const double per_step = 1.0 / request.steps;
  std::printf("%.9g %.9g %.9g %d", 1e6 * times[times.size() / 2] * per_step, sums.contacts * per_step, sums.iterations * per_step,
              sums.certified);
  for (const double phase : sums.phases) std::printf(" %.9g", 1e6 * phase * per_step);
  std::printf("\n");
  if (std::fflush(stdout) != 0) throw programs::Failure{programs::bad_file, "cannot write standard output"};
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr || std::fwrite(values.data(), sizeof(double), values.size(), file) != values.size() ||
      std::fclose(file) != 0)
    throw programs::Failure{programs::bad_file, std::string("cannot write ") + path};
}

inline Request requestIn(char** argv) {
  Request request;
  request.scene = argv[1];
  request.size = wholeNumberIn(argv[2], 1);
  request.steps = wholeNumberIn(argv[3], 1);
  request.method = argv[4];
  if (request.method.empty()) throw std::runtime_error("METHOD is empty (- is the default)");
  request.tolerance = numberIn(argv[5]);
  request.iterations = wholeNumberIn(argv[6], 0);
  request.threshold = numberIn(argv[7]);
  return request;
}

// Either for the models of scenes.hpp or for those of event_scenes.hpp.
template <class MakeStepping, class MakeEvents>
int measure(int argc, char** argv, const MakeStepping& make_stepping, const MakeEvents& make_events) {
  const std::string usage_line =
      std::string("usage: ") + argv[0] + " SCENE SIZE STEPS METHOD TOLERANCE ITERATIONS THRESHOLD FILE";
  const auto run = [&] {
    if (argc == 2 && std::string(argv[1]) == "--help") {
      std::puts(usage_line.c_str());
      return 0;
    }
    if (argc != 9) throw programs::Failure{programs::usage, usage_line};
    const Request request = argumentsOf([&] { return requestIn(argv); });
    if (const auto events = eventSceneNamed(request.scene)) {
      report(*events, 21, false, request, argv[8], make_events);
    } else {
      const Scene scene = argumentsOf([&] { return sceneNamed(request.scene, request.size); });
      const std::size_t bodies = scene.position.size();
      report(scene, bodies == 1 ? 21 : 1, bodies > 100, request, argv[8], make_stepping);
    }
    return 0;
  };
  return programs::run_program(argv[0], run);
}

}  // namespace nonsmooth::scenes
