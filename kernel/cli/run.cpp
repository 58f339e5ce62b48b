#include "run.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <nonsmooth/kernel/csv_trajectory.hpp>
#include <nonsmooth/kernel/time_plot.hpp>

#include "common.hpp"
#include "progress.hpp"

namespace cli {
namespace {

using namespace nonsmooth::kernel;

// A table being written: one row per call.
class Table {
 public:
  virtual ~Table() = default;
  virtual void record(double time) = 0;
};

class CsvTable : public Table {
 public:
  CsvTable(const std::string& path, const std::vector<Quantity>& quantities) : csv_(path) {
    for (const Quantity& quantity : quantities) csv_.addColumn(quantity.column, quantity.value);
  }
  void record(double time) override { csv_.record(time); }

 private:
  CsvTrajectory csv_;
};

using TableMaker = std::function<std::unique_ptr<Table>(const std::string& path, const std::vector<Quantity>& quantities)>;

// Formats of tables, by the ending of the file.
const std::vector<std::pair<std::string, TableMaker>>& tableFormats() {
  static const std::vector<std::pair<std::string, TableMaker>> formats = {
      {".csv", [](const std::string& path, const std::vector<Quantity>& quantities) {
         return std::make_unique<CsvTable>(path, quantities);
       }}};
  return formats;
}

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
  void step(long number, double time) {
    if (number % request_.every == 0) record(time);
  }
  virtual void finish(Account& account) = 0;

 protected:
  virtual void record(double time) = 0;
  OutputRequest request_;
  std::vector<Quantity> quantities_;
};

class TableRecorder : public Recorder {
 public:
  TableRecorder(const LoadedModel& loaded, const OutputRequest& request) : Recorder(loaded, request) {
    const std::string ending = std::filesystem::path(request.file).extension().string();
    std::string all;
    for (const auto& [known, make] : tableFormats()) {
      if (known == ending) table_ = make(request.file, quantities_);
      all += (all.empty() ? "" : ", ") + known;
    }
    if (!table_) throw Failure{usage, request.file + ": the ending \"" + ending + "\" is none of: " + all};
  }
  void finish(Account& account) override { account.written.emplace_back(request_.file, rows_); }

 protected:
  void record(double time) override {
    table_->record(time);
    ++rows_;
  }

 private:
  std::unique_ptr<Table> table_;
  long rows_ = 0;
};

class PlotRecorder : public Recorder {
 public:
  PlotRecorder(const LoadedModel& loaded, const OutputRequest& request) : Recorder(loaded, request), plot_(request.title) {
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
  const NonSmoothDynamicalSystem& model = *loaded.model;
  Account account;
  account.start = account.end = model.t0();
  account.energy_at_start = model.kineticEnergy();
  try {
    const auto recorders = makeRecorders(loaded, request);
    const auto record = [&](double time) {
      for (const auto& recorder : recorders) recorder->step(account.steps, time);
    };
    record(account.start);
    Progress progress(request.progress);
    const auto begin = std::chrono::steady_clock::now();
    while (simulation.hasNextEvent() && (!request.steps || account.steps < *request.steps)) {
      if (!advance(simulation, account)) break;
      record(account.end);
      const double of_steps = request.steps ? static_cast<double>(account.steps) / static_cast<double>(*request.steps) : 0;
      progress.show(std::max(of_steps, (account.end - account.start) / (model.finalT() - account.start)), account.end,
                    account.steps);
      simulation.nextStep();
    }
    account.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    progress.clear();
    account.energy_at_end = model.kineticEnergy();
    for (const auto& recorder : recorders) recorder->finish(account);
  } catch (const Error& error) {
    throw Failure{bad_file, error.what()};
  }
  return account;
}

}  // namespace cli
