#include "nonsmooth/kernel/one_step_ns_problem.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "problems/block_assembly.hpp"
#include "problems/numerics_bridge.hpp"
#include "simulation/stopwatch.hpp"

namespace nonsmooth::kernel {
namespace {

// Who formulates an interaction: the integrator of its first system, unless one treats all.
Formulation& formulationOf(const AssemblyContext& context, Index system) {
  if (context.formulation != nullptr) return *context.formulation;
  return context.integratorOf(system);
}

Formulation& formulationOf(const AssemblyContext& context, const InteractionRecord& record) {
  return formulationOf(context, record.system[0]);
}

class FormulationResponse : public BlockAssembly::Response {
 public:
  explicit FormulationResponse(const AssemblyContext& context) : context_(context) {}
  void apply(int system, double* columns, Index count) const override {
    formulationOf(context_, system).respond(system, columns, count);
  }
  Coupling coupling(const InteractionRecord& record) const override { return formulationOf(context_, record).coupling(record); }
  const double* input(const InteractionRecord& record) const override {
    return formulationOf(context_, record).inputMatrix(record);
  }

 private:
  const AssemblyContext& context_;
};

}  // namespace

OneStepNSProblem::OneStepNSProblem(SolverChoice solver)
    : solver_(std::move(solver)),
      assembly_(std::make_unique<BlockAssembly>()),
      data_(std::make_unique<ProblemData>()),
      numerics_(std::make_unique<NumericsSolver>()) {}

OneStepNSProblem::~OneStepNSProblem() = default;

void OneStepNSProblem::setSolver(const std::string& method) {
  solver_.method = method;
  solver_changed_ = true;
}

void OneStepNSProblem::setOption(const std::string& name, double value) {
  forgetOption(name);
  solver_.options.emplace_back(name, value);
}

void OneStepNSProblem::setOption(const std::string& name, const std::string& word) {
  forgetOption(name);
  solver_.words.emplace_back(name, word);
}

void OneStepNSProblem::forgetOption(const std::string& name) {
  const auto same = [&](const auto& option) { return option.first == name; };
  std::erase_if(solver_.options, same);
  std::erase_if(solver_.words, same);
  solver_changed_ = true;
}

void OneStepNSProblem::forget() {
  solver_changed_ = true;
  numerics_->forget();
}

void OneStepNSProblem::checkSolver() const { NumericsSolver::checkChoice(solver_, kind()); }

bool OneStepNSProblem::hasOption(const std::string& name) const {
  const auto same = [&](const auto& option) { return option.first == name; };
  return std::any_of(solver_.options.begin(), solver_.options.end(), same) ||
         std::any_of(solver_.words.begin(), solver_.words.end(), same);
}

void OneStepNSProblem::setCapture(Capture which, const std::string& prefix, const std::string& ending) {
  // What can be known now is not left for the step that shall be captured.
  if (ending != "json" && ending != "hdf5" && ending != "h5" && ending != "dat")
    fail("captured problems end in json, hdf5 or dat, not \"%s\"", ending.c_str());
  const std::filesystem::path folder = std::filesystem::path(prefix).parent_path();
  std::error_code error;
  if (which != Capture::None && !folder.empty() && !std::filesystem::is_directory(folder, error))
    fail("problems cannot be captured as \"%s\": there is no folder %s", prefix.c_str(), folder.c_str());
  capture_ = which;
  capture_prefix_ = prefix;
  capture_ending_ = ending;
  captured_step_ = 0;  // files of other captures stay
}

void OneStepNSProblem::checkLaw(const NonSmoothLaw& law) const {
  if (!accepts(law.kind())) fail("problem %s does not take law %s", className(), name(law.kind()));
  if (lawSize() > 0 && law.size() != lawSize())
    fail("problem %s of dimension %d does not take law %s of size %d", className(), static_cast<int>(lawSize()), name(law.kind()),
         static_cast<int>(law.size()));
}

void OneStepNSProblem::checkIntegrator(const OneStepIntegrator&) const {}

// The same interactions: not others that have taken their places, nor those of another simulation.
bool OneStepNSProblem::sameSet(const AssemblyContext& context, const std::vector<int>& active) const {
  if (active != active_ || owner_ != context.owner || formulation_ != context.formulation) return false;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const InteractionRecord& record = context.model->recordAt(active[k]);
    if (record.generation != generations_[k] || formulationOf(context, record).friction(record) != mu_[k]) return false;
  }
  return true;
}

// What belongs to these interactions and stays as long as they are the same.
void OneStepNSProblem::takeSet(const AssemblyContext& context, const std::vector<int>& active) {
  active_ = active;
  owner_ = context.owner;
  formulation_ = context.formulation;
  laws_.clear();
  mu_.clear();
  generations_.clear();
  row_start_.assign(1, 0);
  for (const int index : active) {
    const InteractionRecord& record = context.model->recordAt(index);
    laws_.push_back(record.law);
    mu_.push_back(formulationOf(context, record).friction(record));
    generations_.push_back(record.generation);
    row_start_.push_back(row_start_.back() + record.y.rows);
  }
  size_ = row_start_.back();
  q_.setZero(size_);
  lambda_.setZero(size_);
  y_.setZero(size_);
  *data_ = ProblemData();
  data_->kind = kind();
  if (condensed()) assembly_->analyse(*context.model, active, largestDense());
}

void OneStepNSProblem::assembleM(const AssemblyContext& context, const std::vector<int>& active) {
  const bool set_changed = solver_changed_ || !sameSet(context, active);
  if (!set_changed && response_ == context.response_version && jacobian_ == context.jacobian_version) return;
  needs_setup_ = needs_setup_ || set_changed;
  values_changed_ = true;
  if (set_changed) takeSet(context, active);
  if (condensed())
    assembly_->fill(*context.model, FormulationResponse(context));
  else
    assembleGlobal(context, *data_);
  if (set_changed) {
    data_->M = assembly_->matrix();
    formulate(*data_);
    solver_changed_ = false;
  }
  response_ = context.response_version;
  jacobian_ = context.jacobian_version;
}

void OneStepNSProblem::computeQ(const AssemblyContext& context) {
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const InteractionRecord& record = context.model->recordAt(active_[k]);
    formulationOf(context, record).freeOutput(record, VectorView(q_.data() + row_start_[k], record.y.rows));
  }
}

void OneStepNSProblem::loadStart(const AssemblyContext& context) {
  OutputStore& outputs = context.model->outputs();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const InteractionRecord& record = context.model->recordAt(active_[k]);
    const Output field = Interaction::multiplierField(formulationOf(context, record).level());
    lambda_.segment(row_start_[k], record.y.rows) = outputs.view(field, record.y);
  }
}

void OneStepNSProblem::scatter(const AssemblyContext& context) {
  OutputStore& outputs = context.model->outputs();
  for (std::size_t k = 0; k < active_.size(); ++k) {
    const InteractionRecord& record = context.model->recordAt(active_[k]);
    const int level = formulationOf(context, record).level();
    outputs.view(Interaction::multiplierField(level), record.y) = lambda_.segment(row_start_[k], record.y.rows);
    outputs.view(Interaction::outputField(level), record.y) = y_.segment(row_start_[k], record.y.rows);
  }
}

SolveReport OneStepNSProblem::solveByNumerics(const Vector& q, bool warm, Vector& z, Vector& w) {
  // Matrices of global problems have a pattern that follows their values: they are set up anew.
  if (needs_setup_ || numerics_->hasLearned() || (values_changed_ && !condensed())) numerics_->setup(*data_, q, choice());
  const SolveReport report = numerics_->solve(*data_, q, values_changed_, warm, z, w);
  needs_setup_ = values_changed_ = false;
  return report;
}

void OneStepNSProblem::solve(const AssemblyContext& context) {
  if (warm_) loadStart(context);
  report_ = solveByNumerics(q_, warm_, lambda_, y_);
}

// What a simulation wants does not stay with a problem that serves another one later.
void OneStepNSProblem::takeDefaults(const AssemblyContext& context) {
  warm_ = warm_start_ && context.warm_start;
  solver_changed_ = solver_changed_ || default_tolerance_ != context.tolerance;
  default_tolerance_ = context.tolerance;
}

SolverChoice OneStepNSProblem::choice() const {
  SolverChoice result = solver_;
  if (default_tolerance_ > 0 && !hasOption("tolerance")) result.options.emplace_back("tolerance", default_tolerance_);
  return result;
}

SolveReport OneStepNSProblem::compute(const AssemblyContext& context, const std::vector<int>& active) {
  if (active.empty()) {
    report_ = {};
    return report_;
  }
  Stopwatch watch(context.with_timings);
  takeDefaults(context);
  assembleM(context, active);
  computeQ(context);
  const double assembly_seconds = watch.lap();
  try {
    solve(context);
  } catch (const Error& error) {
    // The numerics library refuses what is not finite; the next solve starts afresh.
    solver_changed_ = true;
    fail("%s of %lld rows cannot be solved: %s", className(), static_cast<long long>(size_), error.what());
  }
  scatter(context);
  report_.assembly_seconds = assembly_seconds;
  report_.solver_seconds = watch.lap();
  ++solved_;
  captureIfAsked(context);
  return report_;
}

void OneStepNSProblem::captureIfAsked(const AssemblyContext& context) {
  if (capture_ == Capture::None || (capture_ == Capture::Failed && report_.certified)) return;
  char number[32];
  std::snprintf(number, sizeof number, "-%06ld.", solved_);
  const std::string path = capture_prefix_ + number + capture_ending_;
  NumericsSolver::write(*data_, q_, path);
  if (capture_ == Capture::All) return;
  // Newton's iterates of a step that fails resemble each other: the last one stands for them.
  const bool replaces = context.step != 0 && context.step == captured_step_ && context.owner == captured_owner_;
  std::error_code error;
  if (replaces && captured_ != path) std::filesystem::remove(captured_, error);
  captured_ = path;
  captured_step_ = context.step;
  captured_owner_ = context.owner;
}

Matrix OneStepNSProblem::getM() const {
  if (!condensed()) fail("a %s has no matrix M of its contacts", className());
  return assembly_->toDense();
}

}  // namespace nonsmooth::kernel
