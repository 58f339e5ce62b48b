#include "run.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <memory>
#include <nonsmooth/kernel/checkpoint.hpp>
#include <nonsmooth/kernel/event_driven.hpp>
#include <nonsmooth/kernel/time_plot.hpp>
#include <nonsmooth/kernel/trajectory.hpp>

#include "common.hpp"
#include "progress.hpp"

namespace cli {
namespace {

using namespace nonsmooth::kernel;

// A table or plot of the run, fed after every step.
class Recorder {
 public:
  Recorder(const LoadedModel& loaded, const OutputRequest& request) : request_(request) {
    try {
      quantities_ = findQuantities(loaded, request.quantities);
    } catch (const Error& error) {
      throw Failure{usage, error.what()};
    }
  }
  virtual ~Recorder() = default;
  void add(double time) {
    if (count_++ % request_.every == 0) record(time);
  }
  virtual void finish(Account& account) = 0;

 protected:
  virtual void record(double time) = 0;
  OutputRequest request_;
  std::vector<Quantity> quantities_;

 private:
  long count_ = 0;
};

// Named quantities are columns; HDF5 has tables of systems, contacts and steps where none are named.
class TableRecorder : public Recorder {
 public:
  TableRecorder(const LoadedModel& loaded, const OutputRequest& request)
      : Recorder(loaded, request), trajectory_(createTrajectory(request.file)) {
    if (request.quantities.empty() && std::filesystem::path(request.file).extension() != ".csv") {
      trajectory_->addAll(*loaded.simulation);
      return;
    }
    for (const Quantity& quantity : quantities_) trajectory_->addColumn(quantity.column, quantity.value);
  }
  void finish(Account& account) override {
    trajectory_->flush();
    account.written.emplace_back(request_.file, rows_);
  }

 protected:
  void record(double time) override {
    trajectory_->record(time);
    ++rows_;
  }

 private:
  std::unique_ptr<Trajectory> trajectory_;
  long rows_ = 0;
};

class PlotRecorder : public Recorder {
 public:
  PlotRecorder(const LoadedModel& loaded, const OutputRequest& request) : Recorder(loaded, request), plot_(request.title) {
    // The picture is written when the run has ended: what can be known now is not left for then.
    const std::filesystem::path folder = std::filesystem::path(request.file).parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
      throw Failure{bad_file, request.file + ": cannot be written: there is no folder " + folder.string()};
    // One panel per quantity: its components and objects share a scale.
    for (const Quantity& quantity : quantities_) plot_.curve(quantity.label.substr(0, quantity.label.find('[')), quantity.label);
  }
  void finish(Account& account) override {
    plot_.write(request_.file);
    account.written.emplace_back(request_.file, -1);
  }

 protected:
  void record(double time) override {
    for (std::size_t k = 0; k < quantities_.size(); ++k) plot_.curve(k).add(time, quantities_[k].value());
  }

 private:
  TimePlot plot_;
};

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

std::vector<std::unique_ptr<Recorder>> makeRecorders(const LoadedModel& loaded, const RunRequest& request) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (const OutputRequest& table : request.tables) recorders.push_back(std::make_unique<TableRecorder>(loaded, table));
  for (const OutputRequest& plot : request.plots) recorders.push_back(std::make_unique<PlotRecorder>(loaded, plot));
  return recorders;
}

// One step; false if it could not be made, which is written down.
bool advance(Simulation& simulation, Account& account) {
  try {
    count(account, simulation.computeOneStep());
    return true;
  } catch (const Error& error) {
    if (!account.first_bad) account.first_bad = BadStep{account.steps + 1, simulation.nextTime(), error.what()};
    account.ended_early = true;
    return false;
  }
}

}  // namespace

Account run(const LoadedModel& loaded, const RunRequest& request) {
  Simulation& simulation = *loaded.simulation;
  auto* const events = dynamic_cast<EventDriven*>(&simulation);
  const NonSmoothDynamicalSystem& model = *loaded.model;
  Account account;
  try {
    if (!request.resume.empty()) restoreState(request.resume, simulation);
    // At once, so that what cannot be saved is known before the run.
    if (!request.save_state.empty()) saveState(request.save_state, simulation);
    std::optional<Checkpoints> checkpoints;
    if (request.save_every > 0) checkpoints.emplace(simulation, request.save_state, request.save_every);
    account.start = account.end = simulation.startingTime();
    account.energy_at_start = model.kineticEnergy();
    const auto recorders = makeRecorders(loaded, request);
    const auto record = [&](double time) {
      for (const auto& recorder : recorders) recorder->add(time);
    };
    record(account.start);
    // Before and after every nonsmooth event.
    if (events != nullptr) events->setTrajectoryCallback([&](const EventDriven& s, bool) { record(s.startingTime()); });
    Progress progress(request.progress);
    const auto begin = std::chrono::steady_clock::now();
    while (simulation.hasNextEvent() && (!request.steps || account.steps < *request.steps)) {
      if (!advance(simulation, account)) break;
      if (events == nullptr) record(account.end), simulation.nextStep();
      if (checkpoints) checkpoints->step();
      const double of_steps = request.steps ? static_cast<double>(account.steps) / static_cast<double>(*request.steps) : 0;
      progress.show(std::max(of_steps, (account.end - account.start) / (model.finalT() - account.start)), account.end,
                    account.steps);
    }
    account.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    progress.clear();
    if (events != nullptr) events->setTrajectoryCallback(nullptr);
    account.energy_at_end = model.kineticEnergy();
    for (const auto& recorder : recorders) recorder->finish(account);
    if (!request.save_state.empty()) {
      saveState(request.save_state, simulation);
      account.written.emplace_back(request.save_state, -1);
    }
  } catch (const Error& error) {
    throw Failure{bad_file, error.what()};
  }
  return account;
}

}  // namespace cli
