#include "outputs.hpp"

#include <filesystem>
#include <nonsmooth/kernel/time_plot.hpp>
#include <nonsmooth/kernel/trajectory.hpp>

#include "common.hpp"

namespace cli {

using namespace nonsmooth::kernel;
namespace fs = std::filesystem;

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
  virtual void open() {}
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

namespace {

// Named quantities are columns; HDF5 has tables of systems, contacts and steps where none are named.
class TableRecorder : public Recorder {
 public:
  TableRecorder(const LoadedModel& loaded, const OutputRequest& request)
      : Recorder(loaded, request), simulation_(*loaded.simulation) {
    whole_state_ = request.quantities.empty() && fs::path(request.file).extension() != ".csv";
    if (whole_state_) quantities_.clear();
    std::vector<std::string> names;
    for (const Quantity& quantity : quantities_) names.push_back(quantity.column);
    checkTrajectory(request.file, names);
  }
  void open() override {
    trajectory_ = createTrajectory(request_.file);
    for (const Quantity& quantity : quantities_) trajectory_->addColumn(quantity.column, quantity.value);
    if (!whole_state_) return;
    simulation_.setPhaseTimes(true);  // seconds are among the figures of steps
    trajectory_->addAll(simulation_);
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
  Simulation& simulation_;
  bool whole_state_ = false;
  std::unique_ptr<Trajectory> trajectory_;
  long rows_ = 0;
};

class PlotRecorder : public Recorder {
 public:
  PlotRecorder(const LoadedModel& loaded, const OutputRequest& request) : Recorder(loaded, request), plot_(request.title) {
    if (fs::path(request.file).extension() != ".svg") throw Error(request.file + ": a plot ends in .svg");
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

// A file of the run and what it is.
struct RunFile {
  const char* what;
  std::string path;
};

bool same(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  // Neither may be there yet.
  const auto place = [&](const std::string& path) { return fs::weakly_canonical(fs::absolute(path, error), error); };
  return place(a) == place(b) && !error;
}

void checkPlace(const std::string& path) {
  std::error_code error;
  const fs::path folder = fs::path(path).parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error))
    throw Error(path + ": cannot be written: there is no folder " + folder.string());
  if (fs::is_directory(path, error)) throw Error(path + ": cannot be written: it is a folder");
}

// No output replaces what is read, or another output; only the state that a run starts from may be that which it leaves.
void checkFiles(const RunRequest& request) {
  std::vector<RunFile> known{{"the model", request.model_file}}, outputs;
  if (!request.resume.empty()) known.push_back({"the state the run starts from", request.resume});
  for (const OutputRequest& table : request.tables) outputs.push_back({"a table", table.file});
  for (const OutputRequest& plot : request.plots) outputs.push_back({"a plot", plot.file});
  if (!request.save_state.empty()) outputs.push_back({"the saved state", request.save_state});
  for (const RunFile& output : outputs) {
    checkPlace(output.path);
    for (const RunFile& other : known) {
      const bool goes_on = output.path == request.save_state && other.path == request.resume;
      if (!goes_on && same(output.path, other.path))
        throw Failure{usage, output.path + ": " + output.what + " would replace " + other.what + ", " + other.path};
    }
    known.push_back(output);
  }
}

}  // namespace

Outputs::Outputs(const LoadedModel& loaded, const RunRequest& request) : loaded_(loaded), request_(request) {
  checkFiles(request);
  for (const OutputRequest& table : request.tables) recorders_.push_back(std::make_unique<TableRecorder>(loaded, table));
  for (const OutputRequest& plot : request.plots) recorders_.push_back(std::make_unique<PlotRecorder>(loaded, plot));
}

Outputs::~Outputs() = default;

// False where writing fails; the first reason is kept.
template <class Write>
bool Outputs::attempt(const Write& write) {
  try {
    write();
    return true;
  } catch (const Error& error) {
    if (failure_.empty()) failure_ = error.what();
    return false;
  }
}

void Outputs::open() {
  // What cannot be saved is known before a table is replaced.
  if (StateWriter trial; !request_.save_state.empty()) loaded_.simulation->save(trial);
  for (const auto& recorder : recorders_) recorder->open();
  if (!request_.save_state.empty()) saveState(request_.save_state, *loaded_.simulation, loaded_.fingerprint);
  if (request_.save_every > 0)
    checkpoints_.emplace(*loaded_.simulation, request_.save_state, request_.save_every, loaded_.fingerprint);
}

void Outputs::record(double time) {
  for (auto& recorder : recorders_)
    if (recorder && !attempt([&] { recorder->add(time); })) recorder.reset();
}

void Outputs::step() {
  if (checkpoints_) attempt([&] { checkpoints_->step(); });
}

void Outputs::finish(Account& account) {
  for (const auto& recorder : recorders_)
    if (recorder) attempt([&] { recorder->finish(account); });
  if (!request_.save_state.empty())
    attempt([&] {
      saveState(request_.save_state, *loaded_.simulation, loaded_.fingerprint);
      account.written.emplace_back(request_.save_state, -1);
    });
  if (failed()) throw Error(failure_);
}

}  // namespace cli
