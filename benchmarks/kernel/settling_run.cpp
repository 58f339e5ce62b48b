#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nonsmooth/kernel/kernel.hpp>
#include <set>
#include <sstream>

#include "../../programs/program.hpp"
#include "../support/number_in.hpp"
#include "measure.hpp"
#include "settling.hpp"
#include "sphere_heap.hpp"

namespace nonsmooth::settling {
namespace {

constexpr long save_every = 100;

std::string named(const std::string& prefix, double tolerance) {
  std::ostringstream name;
  name << prefix << '-' << tolerance;
  return name.str();
}

Solves solvesOf(const Request& request) { return {request.method.empty() ? "auto" : request.method, request.iterations}; }

// What is there and not to be replaced.
Run stepsThere(const Request& request, double tolerance) {
  const std::string path = named(request.output, tolerance) + ".csv";
  return request.overwrite || !std::filesystem::exists(path) ? Run() : readRun(path);
}

// One simulation and its file.
class Settling {
 public:
  Settling(const Request& request, double tolerance)
      : tolerance_(tolerance),
        spheres_(heap::fill(model_, request.scene.side, request.scene.height)),
        detection_(model_, spheres_, heap::halfWidth(request.scene.box), request.scene.mu),
        instants_(0.0, request.scene.h),
        path_(named(request.output, tolerance)) {
    try {
      configure(request);
    } catch (const std::runtime_error& error) {
      throw programs::Failure{programs::usage, error.what()};
    }
    if (!request.capture.empty())
      problem_.setCapture(kernel::OneStepNSProblem::Capture::Failed, named(request.capture, tolerance), "json");
    simulation_ = std::make_unique<kernel::TimeStepping>(model_, instants_, integrator_, problem_);
    simulation_->setNewtonOptions(kernel::TimeStepping::Newton::Linear);
    simulation_->insertInteractionManager(detection_);
    simulation_->setFailurePolicy(kernel::FailurePolicy::Record);
    open(request);
  }

  double tolerance() const { return tolerance_; }
  // Of the last `step`s since the sum was taken.
  double takeSeconds() { return std::exchange(seconds_, 0.0); }
  long failed() const { return failed_; }
  long count() const { return count_; }
  void save() { kernel::saveState(path_ + ".state", *simulation_); }

  Step step() {
    const double before = scenes::cpuSeconds();
    const kernel::StepStatus status = simulation_->computeOneStep();
    simulation_->nextStep();
    Step result;
    result.cpu = scenes::cpuSeconds() - before;
    result.number = ++count_;
    result.time = status.time;
    result.contacts = status.activeContacts;
    result.changed = simulation_->indexSet(1) != active_;
    if (result.changed) active_ = simulation_->indexSet(1);
    result.certified = status.solve.certified;
    result.outcome = status.solve.outcome;
    result.residual = status.solve.residual;
    result.method = result.contacts > 0 ? status.solve.method : "none";
    result.iterations = status.solve.iterations;
    result.detection = status.seconds.detection;
    result.free_state = status.seconds.freeState;
    result.assembly = status.seconds.assembly;
    result.solver = status.seconds.solver;
    result.update = status.seconds.update;
    result.kinetic = model_.kineticEnergy();
    result.violation = status.violation;
    failed_ += result.certified ? 0 : 1;
    seconds_ += result.cpu;
    writeStep(file_, result);
    requireWritten();
    if (count_ % save_every == 0) save();
    return result;
  }

 private:
  // Of a run that is resumed the steps up to the saved state stay.
  void resume(Run& run, const Request& request) {
    kernel::restoreState(path_ + ".state", *simulation_);
    count_ = std::lround(simulation_->getTk() / request.scene.h);
    if (run.steps.size() < static_cast<std::size_t>(count_)) throw std::runtime_error(path_ + ".csv lacks steps");
    run.steps.resize(static_cast<std::size_t>(count_));
  }

  // The old file stays until what is kept of it has been written.
  void open(const Request& request) {
    Run kept = stepsThere(request, tolerance_);
    if (!kept.steps.empty()) resume(kept, request);
    const std::string fresh = path_ + ".csv.new";
    file_.open(fresh);
    writeHead(file_, request.scene, tolerance_, solvesOf(request));
    for (const Step& step : kept.steps) {
      writeStep(file_, step);
      failed_ += step.certified ? 0 : 1;
    }
    requireWritten();
    std::filesystem::rename(fresh, path_ + ".csv");
    if (kept.steps.empty()) std::filesystem::remove(path_ + ".state");  // of what is replaced
  }

  void requireWritten() const {
    if (!file_) throw std::runtime_error("cannot write " + path_ + ".csv: " + std::strerror(errno));
  }

  // What the command line says of solves.
  void configure(const Request& request) {
    choose(request.method);
    problem_.setTolerance(tolerance_);
    problem_.setOption("max_iterations", static_cast<double>(request.iterations));
    problem_.checkSolver();
    if (request.scene.threshold != 0) integrator_.setConstraintActivationThreshold(request.scene.threshold);
  }

  void choose(const std::string& method) {
    std::istringstream list(method);
    std::string word;
    std::getline(list, word, ',');
    problem_.setSolver(word);
    while (std::getline(list, word, ',')) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos) throw std::runtime_error(word + " is no NAME=VALUE");
      problem_.setOption(word.substr(0, equals), numberIn(word.substr(equals + 1)));
    }
  }

  double tolerance_, seconds_ = 0;
  kernel::NonSmoothDynamicalSystem model_{0.0};
  heap::Spheres spheres_;
  heap::Detection detection_;
  kernel::TimeDiscretisation instants_;
  kernel::MoreauJeanOSI integrator_{0.5};
  kernel::FrictionContact problem_{3};
  std::unique_ptr<kernel::TimeStepping> simulation_;
  std::string path_;
  std::ofstream file_;
  std::vector<int> active_;
  long count_ = 0, failed_ = 0;
};

// Hours of simulation may be in them.
void requireNoRunIsLost(const Request& request) {
  for (const double tolerance : request.tolerances) {
    const Run run = stepsThere(request, tolerance);
    if (run.steps.empty()) continue;
    if (!request.resume)
      throw programs::Failure{programs::usage, run.path + " has " + std::to_string(run.steps.size()) +
                                                   " steps: --resume goes on from them, --overwrite replaces them"};
    const std::string found = headOf(run.scene, run.tolerance, run.solves);
    if (const std::string asked = headOf(request.scene, tolerance, solvesOf(request)); found != asked)
      throw programs::Failure{programs::usage, run.path + " begins with \"" + found + "\", the run asked for with \"" + asked +
                                                   "\"; --overwrite replaces it"};
  }
}

void requireFilesOfTheirOwn(const Request& request) {
  std::set<std::string> names;
  for (const double tolerance : request.tolerances)
    if (const std::string name = named(request.output, tolerance); !names.insert(name).second)
      throw programs::Failure{programs::usage, "two of the tolerances would write " + name + ".csv"};
}

}  // namespace

long simulate(const Request& request, bool (*interrupted)()) {
  requireFilesOfTheirOwn(request);
  requireNoRunIsLost(request);
  std::vector<std::unique_ptr<Settling>> all;
  for (const double tolerance : request.tolerances) all.push_back(std::make_unique<Settling>(request, tolerance));
  for (long done = 0; done < request.steps && !interrupted(); done += request.turn)
    for (const auto& one : all)
      while (one->count() < std::min(done + request.turn, request.steps) && !interrupted()) {
        const Step step = one->step();
        if (step.number % request.print_every == 0)
          std::printf("%-6g step %6ld  %5ld contacts  %9.3e J  %8.2f ms a step  %ld not certified\n", one->tolerance(),
                      step.number, step.contacts, step.kinetic,
                      1e3 * one->takeSeconds() / static_cast<double>(request.print_every), one->failed()),
              std::fflush(stdout);
      }
  long failed = 0;
  for (const auto& one : all) {
    one->save();
    failed += one->failed();
  }
  return failed;
}

}  // namespace nonsmooth::settling
