#include "run.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <nonsmooth/kernel/checkpoint.hpp>
#include <nonsmooth/kernel/event_driven.hpp>
#include <programs/interruption.hpp>

#include "common.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace cli {
namespace {

using namespace nonsmooth::kernel;

void add(PhaseTimes& sum, const PhaseTimes& step) {
  sum.freeState += step.freeState;
  sum.detection += step.detection;
  sum.assembly += step.assembly;
  sum.solver += step.solver;
  sum.update += step.update;
}

void count(Account& account, const StepStatus& status) {
  ++account.steps;
  account.newton_iterations += status.newtonIterations;
  account.halved += status.parts > 1 ? 1 : 0;
  account.most_contacts = std::max<long>(account.most_contacts, status.activeContacts);
  account.residual = std::max(account.residual, status.solve.residual);
  account.violation = std::max(account.violation, status.violation);
  account.end = status.time;
  add(account.phases, status.seconds);
  if (status.solve.certified && status.newtonConverged) {
    ++account.certified;
  } else if (!account.first_bad) {
    char reason[160];
    if (!status.solve.certified)
      std::snprintf(reason, sizeof reason, "%s, residual %.3g", status.solve.outcome, status.solve.residual);
    else
      std::snprintf(reason, sizeof reason, "Newton's iteration did not converge, residual %.3g", status.newtonResidual);
    account.first_bad = BadStep{account.steps, status.time, reason};
  }
}

// One step; false if it could not be made, which is written down.
bool advance(Simulation& simulation, Account& account) {
  const double start = simulation.startingTime(), aim = simulation.nextTime();
  try {
    count(account, simulation.computeOneStep());
    return true;
  } catch (const Error& error) {
    // An event comes before the instant that was aimed at.
    const double reached = simulation.startingTime();
    if (!account.first_bad) account.first_bad = BadStep{account.steps + 1, reached > start ? reached : aim, error.what()};
    account.ended_early = true;
    return false;
  }
}

bool hasStepsLeft(const Simulation& simulation, const RunRequest& request, const Account& account) {
  return simulation.hasNextEvent() && (!request.steps || account.steps < *request.steps);
}

void makeSteps(const LoadedModel& loaded, const RunRequest& request, Outputs& outputs, Account& account) {
  Simulation& simulation = *loaded.simulation;
  auto* const events = dynamic_cast<EventDriven*>(&simulation);
  outputs.record(account.start);
  // Before and after every nonsmooth event.
  if (events != nullptr) events->setTrajectoryCallback([&](const EventDriven& s, bool) { outputs.record(s.startingTime()); });
  Progress progress(request.progress);
  const auto begin = std::chrono::steady_clock::now();
  while (!outputs.failed() && hasStepsLeft(simulation, request, account)) {
    account.interrupted = programs::is_interrupted();
    if (account.interrupted || !advance(simulation, account)) break;
    if (events == nullptr) {
      outputs.record(account.end);
      simulation.nextStep();
    }
    outputs.step();
    const double of_steps = request.steps ? static_cast<double>(account.steps) / static_cast<double>(*request.steps) : 0;
    const double of_time = (account.end - account.start) / (loaded.model->finalT() - account.start);
    progress.show(std::max(of_steps, of_time), account.end, account.steps);
  }
  account.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (events != nullptr) events->setTrajectoryCallback(nullptr);
}

// Numbers of a model may differ from those of the state, which does not hold them: that is told, and may be meant.
void resume(const LoadedModel& loaded, const RunRequest& request) {
  const std::string origin = restoreState(request.resume, *loaded.simulation);
  if (!origin.empty() && origin != loaded.fingerprint)
    std::fprintf(stderr, "nonsmooth simulate: warning: %s was saved with another model, or %s has been edited since\n",
                 request.resume.c_str(), request.model_file.c_str());
}

// A run that does nothing, or ends before its final time, is none that has succeeded.
void requireSteps(const Simulation& simulation, const RunRequest& request) {
  const TimeDiscretisation& instants = simulation.timeDiscretisation();
  const double start = simulation.startingTime(), end = simulation.nonSmoothDynamicalSystem().finalT();
  char reason[160] = "";
  if (std::isfinite(end) && !instants.reaches(end))
    std::snprintf(reason, sizeof reason, "the final time, %.9g s, is after the last instant, %.9g s", end,
                  instants.lastInstant());
  else if (!simulation.hasNextEvent() && request.steps != 0)
    std::snprintf(reason, sizeof reason, "no step lies between %.9g s, where the run starts, and its final time, %.9g s", start,
                  end);
  if (reason[0] != 0) throw Failure{usage, request.model_file + ": " + reason};
}

// All that is done before a file is touched.
void prepare(const LoadedModel& loaded, const RunRequest& request) {
  if (!request.resume.empty()) resume(loaded, request);
  requireSteps(*loaded.simulation, request);
}

}  // namespace

void check(const LoadedModel& loaded, const RunRequest& request) {
  try {
    const Outputs outputs(loaded, request);
    prepare(loaded, request);
  } catch (const Error& error) {
    throw Failure{bad_file, error.what()};
  }
}

Account run(const LoadedModel& loaded, const RunRequest& request) {
  Account account;
  try {
    Outputs outputs(loaded, request);
    prepare(loaded, request);
    loaded.simulation->setPhaseTimes(request.summary);
    outputs.open();
    account.start = account.end = loaded.simulation->startingTime();
    account.energy_at_start = loaded.model->kineticEnergy();
    makeSteps(loaded, request, outputs, account);
    account.energy_at_end = loaded.model->kineticEnergy();
    outputs.finish(account);
  } catch (const Error& error) {
    throw Failure{bad_file, error.what()};
  }
  return account;
}

}  // namespace cli
