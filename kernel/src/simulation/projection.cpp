// Acary (2013), Computer Methods in Applied Mechanics and Engineering 256, 224-250.
#include "nonsmooth/kernel/projection.hpp"

#include <algorithm>

#include "integrators/acceleration_level.hpp"
#include "problems/block_assembly.hpp"
#include "problems/numerics_bridge.hpp"
#include "simulation/unilateral.hpp"

namespace nonsmooth::kernel {

void MoreauJeanDirectProjectionOSI::beginStep(const Interval& new_step) {
  MoreauJeanOSI::beginStep(new_step);
  const auto& records = model().records();
  gaps_.resize(records.size());
  for (std::size_t k = 0; k < records.size(); ++k)
    if (records[k].object != nullptr) gaps_[k] = model().outputs().data(Output::y0)[records[k].y.start];
}

bool MoreauJeanDirectProjectionOSI::isActive(const InteractionRecord& record) const {
  if (!record.active || record.hasD()) return MoreauJeanOSI::isActive(record);
  if (record.law->kind() == LawKind::EqualityCondition || record.law->kind() == LawKind::Relay) return true;
  OutputStore& outputs = model().outputs();
  const double y = outputs.data(Output::y0Old)[record.y.start], rate = outputs.data(Output::y1Old)[record.y.start];
  const bool torn = y > gaps_[static_cast<std::size_t>(record.object->handle().index)] + std::max(0.0, deactivate_position_);
  if (torn) return MoreauJeanOSI::isActive(record);
  return y <= deactivate_position_ || rate <= deactivate_velocity_;
}

namespace {

// Rows that constrain positions: all of an equality, the gap of a contact. Other laws tell velocities what to do, and those of
// first order systems have been solved for the state itself.
Index positionRows(const InteractionRecord& record) {
  if (record.relation->family() == RelationFamily::FirstOrder) return 0;
  if (record.law->kind() == LawKind::EqualityCondition) return record.y.rows;
  return isUnilateral(record.law->kind()) ? 1 : 0;
}

}  // namespace

struct TimeSteppingDirectProjection::Work : BlockAssembly::Response {
  NonSmoothDynamicalSystem* model = nullptr;
  MassFactors mass;
  BlockAssembly assembly;
  NumericsSolver solver;
  ProblemData data;
  std::vector<int> active;  // the interactions that are projected; how often their places have been given away; their rows
  std::vector<std::uint32_t> generations;
  std::vector<Index> rows;
  bool is_set_up = false;  // for them
  Vector q, lambda, w, move;

  void apply(int system, double* columns, Index count) const override { mass.solve(system, columns, count); }
  Coupling coupling(const InteractionRecord&) const override { return {1.0, 0.0}; }
  bool select(const std::vector<int>& candidates);
  void setUp();
  void moveSystems();
};

TimeSteppingDirectProjection::TimeSteppingDirectProjection(Link<NonSmoothDynamicalSystem> model,
                                                           Link<TimeDiscretisation> discretisation,
                                                           Link<OneStepIntegrator> integrator, Link<OneStepNSProblem> problem)
    : TimeSteppingDirectProjection(std::move(model), std::move(discretisation)) {
  take(std::move(integrator), std::move(problem));
}

TimeSteppingDirectProjection::TimeSteppingDirectProjection(Link<NonSmoothDynamicalSystem> model,
                                                           Link<TimeDiscretisation> discretisation)
    : TimeStepping(std::move(model), std::move(discretisation)), work_(std::make_unique<Work>()) {
  work_->model = model_.get();
}

TimeSteppingDirectProjection::~TimeSteppingDirectProjection() = default;

void TimeSteppingDirectProjection::setConstraintTol(double tolerance) {
  if (!(tolerance > 0)) fail("tolerance of equalities in the projection: %g", tolerance);
  tolerance_ = tolerance;
}

void TimeSteppingDirectProjection::setConstraintTolUnilateral(double tolerance) {
  if (!(tolerance > 0)) fail("tolerance of contacts in the projection: %g", tolerance);
  unilateral_tolerance_ = tolerance;
}

void TimeSteppingDirectProjection::setProjectionMaxIteration(int iterations) {
  if (iterations < 0) fail("projections a step: %d", iterations);
  max_iterations_ = iterations;
}

double TimeSteppingDirectProjection::violation() const {
  OutputStore& outputs = model_->outputs();
  double worst = 0;
  for (const int index : indexSet(1)) {
    const InteractionRecord& record = model_->recordAt(index);
    if (positionRows(record) == 0) continue;
    const VectorView y = outputs.view(Output::y0, record.y);
    if (record.law->kind() == LawKind::EqualityCondition)
      worst = std::max(worst, y.cwiseAbs().maxCoeff() / tolerance_);
    else
      worst = std::max(worst, -y[0] / unilateral_tolerance_);
  }
  return worst;
}

// q moved by M^-1 C' lambda. What input0 holds of first order systems, r, is theirs.
void TimeSteppingDirectProjection::Work::moveSystems() {
  for (std::size_t d = 0; d < mass.size(); ++d)
    if (SecondOrderDS* ds = mass.mechanical(d)) ds->motion(Motion::input0).setZero();
  for (std::size_t k = 0; k < active.size(); ++k) {
    const InteractionRecord& record = model->recordAt(active[k]);
    const MatrixView C = model->block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      VectorView input = model->systemAt(record.system[side])->motion(Motion::input0);
      input += C.block(0, column, rows[k], record.motion[side]).transpose() * lambda.segment(assembly.rowStarts()[k], rows[k]);
      column += record.motion[side];
    }
  }
  for (std::size_t d = 0; d < mass.size(); ++d) {
    SecondOrderDS* ds = mass.mechanical(d);
    if (ds == nullptr) continue;
    move = ds->motion(Motion::input0);
    if (move.isZero(0)) continue;
    mass.solve(static_cast<int>(d), move.data(), 1);
    ds->move(ds->q(), move, ds->q());
  }
}

// The constraints among the candidates; true if they are those of the last time.
bool TimeSteppingDirectProjection::Work::select(const std::vector<int>& candidates) {
  std::size_t count = 0;
  bool same = true;
  for (const int index : candidates) {
    const InteractionRecord& record = model->recordAt(index);
    const Index constraints = positionRows(record);
    if (constraints == 0) continue;
    if (count == active.size()) {
      active.push_back(-1);
      generations.push_back(0);
      rows.push_back(0);
    }
    same = same && active[count] == index && generations[count] == record.generation;
    active[count] = index;
    generations[count] = record.generation;
    rows[count++] = constraints;
  }
  same = same && count == active.size();
  active.resize(count);
  generations.resize(count);
  rows.resize(count);
  return same;
}

// Pattern, problem and solver of the selected constraints; matrices follow.
void TimeSteppingDirectProjection::Work::setUp() {
  assembly.analyse(*model, active, OneStepNSProblem::dense_rows, rows);
  data = ProblemData();
  data.kind = ProblemKind::Mlcp;
  for (std::size_t k = 0; k < active.size(); ++k) {
    const InteractionRecord& record = model->recordAt(active[k]);
    data.is_complementarity.insert(data.is_complementarity.end(), static_cast<std::size_t>(rows[k]),
                                   record.law->kind() == LawKind::EqualityCondition ? 0 : 1);
  }
  data.M = assembly.matrix();
}

// False, with nothing moved, where it has no certified solution and that is to be recorded.
bool TimeSteppingDirectProjection::project(double time) {
  Work& work = *work_;
  const bool same = work.select(indexSet(1)) && work.is_set_up;
  work.is_set_up = false;
  work.mass.compute(*model_);
  if (!same) work.setUp();
  work.assembly.fill(*model_, work);
  work.q.resize(work.assembly.size());
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    const InteractionRecord& record = model_->recordAt(work.active[k]);
    work.q.segment(work.assembly.rowStarts()[k], work.rows[k]) = model_->outputs().view(Output::y0, record.y).head(work.rows[k]);
  }
  work.lambda.setZero(work.q.size());
  work.w.setZero(work.q.size());
  if (!same) work.solver.setup(work.data, work.q, {"", {}});
  const SolveReport report = work.solver.solve(work.data, work.q, true, false, work.lambda, work.w);
  if (!report.certified && failurePolicy() != FailurePolicy::Record)
    fail("projection on constraints at t = %.17g: %s, residual %.3g", time, report.outcome, report.residual);
  work.is_set_up = report.certified;
  note(report);
  if (report.certified) work.moveSystems();
  return report.certified;
}

// A run that goes on and one that is resumed set up anew.
void TimeSteppingDirectProjection::saveMemory(StateWriter& out) const {
  TimeStepping::saveMemory(out);
  work_->is_set_up = false;
}

void TimeSteppingDirectProjection::postProcess(const Interval& step) {
  iterations_ = 0;
  while (violation() > 1.0 && iterations_ < max_iterations_) {
    refreshJacobians(step.end);
    ++iterations_;
    if (!project(step.end)) break;
    evaluateOutputs(step.end, false);
  }
}

}  // namespace nonsmooth::kernel
