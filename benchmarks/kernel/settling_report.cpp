#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>

#include "../support/median.hpp"
#include "settling.hpp"

namespace nonsmooth::settling {
namespace {

using Steps = std::vector<const Step*>;

constexpr double at_rest_energy = 1e-6;  // of the greatest kinetic energy of the run
constexpr std::size_t longest_list = 50;
constexpr std::array<const char*, 3> phase_names{"falling", "landing", "at rest"};

template <class Value>
double mean(const Steps& steps, const Value& value) {
  double sum = 0;
  for (const Step* step : steps) sum += static_cast<double>(value(*step));
  return steps.empty() ? NAN : sum / static_cast<double>(steps.size());
}

double cpuOf(const Step& step) { return step.cpu; }

double medianCpu(const Steps& steps) {
  std::vector<double> values;
  for (const Step* step : steps) values.push_back(step->cpu);
  return median(std::move(values));
}

// Falling: nothing has touched yet. At rest: from the step on after which the kinetic energy stays small.
std::array<Steps, 3> phasesOf(const Run& run) {
  double greatest = 0;
  for (const Step& step : run.steps) greatest = std::max(greatest, step.kinetic);
  std::size_t landed = 0, rest = run.steps.size();
  while (landed < run.steps.size() && run.steps[landed].contacts == 0) ++landed;
  while (rest > landed && run.steps[rest - 1].kinetic <= at_rest_energy * greatest) --rest;
  std::array<Steps, 3> phases;
  for (std::size_t k = 0; k < run.steps.size(); ++k) phases[k < landed ? 0 : k < rest ? 1 : 2].push_back(&run.steps[k]);
  return phases;
}

Steps allOf(const Run& run) {
  Steps steps;
  for (const Step& step : run.steps) steps.push_back(&step);
  return steps;
}

std::string format(const char* pattern, double value) {
  if (std::isnan(value)) return "-";
  char text[48];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string ratio(double value, double reference) { return format("%.2f", value / reference); }

long certified(const Steps& steps) {
  return std::count_if(steps.begin(), steps.end(), [](const Step* step) { return step->certified; });
}

// Files that do not tell it are of the default.
std::string methodsOf(const std::vector<Run>& runs) {
  std::set<std::string> names;
  for (const Run& run : runs) names.insert(run.solves.method.empty() ? "auto" : run.solves.method);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

void writeScene(std::ostream& out, const std::vector<Run>& runs) {
  const Run& run = runs.front();
  const int count = run.scene.side * run.scene.side * run.scene.side;
  out << "# " << count << " spheres settle\n\nWritten by `./dev compare settling` (benchmarks/kernel/settling.cpp). " << count
      << " rigid spheres (radius 0.1 m, 1 kg) fall " << run.scene.height << " m and more into a box in which " << run.scene.box
      << " have room\nside by side along each edge, mu = " << run.scene.mu
      << ", no restitution; contacts whose predicted gap is below " << run.scene.threshold
      << " m are active: scheme of Moreau and Jean, theta = 1/2, steps of " << run.scene.h << " s, one linear iteration a step, "
      << methodsOf(runs)
      << ". One process makes the steps of both\nsimulations by turns on "
         "one core. Times are CPU milliseconds of a whole step, contact detection included. The first "
      << run.steps.size() << " steps, which both have made.\n";
}

void writeSummary(std::ostream& out, const std::vector<Run>& runs) {
  out << "\n| tolerance | steps | certified | median | mean | of the mean | solver's share | active contacts at the end | "
         "deepest penetration [mm] |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const Run& run : runs) {
    const Steps steps = allOf(run);
    const auto phases = [](const Step& s) { return s.detection + s.free_state + s.assembly + s.solver + s.update; };
    double deepest = 0;
    for (const Step& step : run.steps) deepest = std::max(deepest, step.violation);
    out << "| " << format("%g", run.tolerance) << " | " << steps.size() << " | " << certified(steps) << " ("
        << format("%.2f", 100.0 * static_cast<double>(certified(steps)) / static_cast<double>(steps.size())) << " %) | "
        << format("%.2f", 1e3 * medianCpu(steps)) << " | " << format("%.2f", 1e3 * mean(steps, cpuOf)) << " | "
        << ratio(mean(steps, cpuOf), mean(allOf(runs.front()), cpuOf)) << " | "
        << format("%.0f %%", 100 * mean(steps, [](const Step& s) { return s.solver; }) / mean(steps, phases)) << " | "
        << run.steps.back().contacts << " | " << format("%.2f", 1e3 * deepest) << " |\n";
  }
}

void writePhases(std::ostream& out, const std::vector<Run>& runs) {
  out << "\n## By phase\n\nFalling: no sphere has touched anything yet. At rest: from the step on after which the kinetic energy "
         "stays below "
      << format("%g", at_rest_energy)
      << " of its greatest value.\nThe trajectories part where contacts are many: the same phase is not the same problem. "
         "*Changed*: steps whose active "
         "contacts are others than in the step before.\n\n"
         "| phase | tolerance | steps | active contacts | changed | certified | median | mean | of the mean |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (std::size_t phase = 0; phase < phase_names.size(); ++phase) {
    const double reference = mean(phasesOf(runs.front())[phase], cpuOf);
    for (const Run& run : runs) {
      const Steps steps = phasesOf(run)[phase];
      out << "| " << phase_names[phase] << " | " << format("%g", run.tolerance) << " | " << steps.size() << " | "
          << format("%.0f", mean(steps, [](const Step& s) { return s.contacts; })) << " | "
          << format("%.0f %%", 100 * mean(steps, [](const Step& s) { return s.changed; })) << " | " << certified(steps) << " | "
          << format("%.2f", 1e3 * medianCpu(steps)) << " | " << format("%.2f", 1e3 * mean(steps, cpuOf)) << " | "
          << ratio(mean(steps, cpuOf), reference) << " |\n";
    }
  }
}

void writeMethods(std::ostream& out, const std::vector<Run>& runs) {
  out << "\n## What finished\n\nThe stage of `auto` at work when the solve ended; `auto` itself: the solution of the last step, "
         "its own steps, or parts\nthat do not touch each other.\n\n"
         "| tolerance | method | steps | median iterations | median | mean | of the time |\n|---|---|---|---|---|---|---|\n";
  for (const Run& run : runs) {
    std::map<std::string, Steps> by_method;
    double all = 0;
    for (const Step& step : run.steps) {
      by_method[step.method].push_back(&step);
      all += step.cpu;
    }
    for (const auto& [method, steps] : by_method) {
      std::vector<double> iterations;
      for (const Step* step : steps) iterations.push_back(static_cast<double>(step->iterations));
      const double average = mean(steps, cpuOf);
      out << "| " << format("%g", run.tolerance) << " | " << method << " | " << steps.size() << " | "
          << format("%.0f", median(iterations)) << " | " << format("%.2f", 1e3 * medianCpu(steps)) << " | "
          << format("%.2f", 1e3 * average) << " | " << format("%.1f %%", 100 * average * static_cast<double>(steps.size()) / all)
          << " |\n";
    }
  }
}

void writeFailures(std::ostream& out, const std::vector<Run>& runs) {
  out << "\n## Steps without certificate\n\n";
  Steps failed;
  std::vector<double> tolerances;
  for (const Run& run : runs)
    for (const Step& step : run.steps)
      if (!step.certified) {
        failed.push_back(&step);
        tolerances.push_back(run.tolerance);
      }
  if (failed.empty()) {
    out << "None.\n";
    return;
  }
  out << "| tolerance | step | active contacts | outcome | residual | time [s] |\n|---|---|---|---|---|---|\n";
  for (std::size_t k = 0; k < std::min(failed.size(), longest_list); ++k)
    out << "| " << format("%g", tolerances[k]) << " | " << failed[k]->number << " | " << failed[k]->contacts << " | "
        << failed[k]->outcome << " | " << format("%.1e", failed[k]->residual) << " | " << format("%.2f", failed[k]->cpu)
        << " |\n";
  if (failed.size() > longest_list) out << "\nand " << failed.size() - longest_list << " more.\n";
}

void requireOneScene(const std::vector<Run>& runs) {
  for (const Run& run : runs)
    if (headOf(run.scene, 0) != headOf(runs.front().scene, 0))
      throw std::runtime_error(run.path + " is of another scene than " + runs.front().path);
}

}  // namespace

void writeReport(std::ostream& out, std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.tolerance > b.tolerance; });
  std::size_t common = runs.front().steps.size();
  for (const Run& run : runs) common = std::min(common, run.steps.size());
  if (common == 0) throw std::runtime_error("a run has no steps");
  requireOneScene(runs);
  for (Run& run : runs) run.steps.resize(common);
  writeScene(out, runs);
  writeSummary(out, runs);
  writePhases(out, runs);
  writeMethods(out, runs);
  writeFailures(out, runs);
}

}  // namespace nonsmooth::settling
