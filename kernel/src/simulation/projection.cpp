// Acary (2013), Computer Methods in Applied Mechanics and Engineering 256, 224-250.
#include "nonsmooth/kernel/projection.hpp"

#include <algorithm>
#include <cmath>

#include "integrators/acceleration_level.hpp"
#include "problems/block_assembly.hpp"
#include "problems/numerics_bridge.hpp"
#include "simulation/unilateral.hpp"

namespace nonsmooth::kernel {

bool MoreauJeanDirectProjectionOSI::isActive(const InteractionRecord& record) const {
  if (!record.active) return MoreauJeanOSI::isActive(record);
  if (record.law->kind() == LawKind::EqualityCondition || record.law->kind() == LawKind::Relay) return true;
  OutputStore& outputs = model().outputs();
  const double y = outputs.data(Output::y0Old)[record.y.start], rate = outputs.data(Output::y1Old)[record.y.start];
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
  std::vector<int> active;
  std::vector<Index> rows;
  Vector q, lambda, w, move;

  void apply(int system, double* columns, Index count) const override { mass.solve(system, columns, count); }
  Coupling coupling(const InteractionRecord&) const override { return {1.0, 0.0}; }
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
    const InteractionRecord& record = model_->records()[static_cast<std::size_t>(index)];
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
    const InteractionRecord& record = model->records()[static_cast<std::size_t>(active[k])];
    const MatrixView C = model->block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < static_cast<std::size_t>(record.sides()); ++side) {
      VectorView input = model->systems()[static_cast<std::size_t>(record.system[side])]->motion(Motion::input0);
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

void TimeSteppingDirectProjection::project() {
  Work& work = *work_;
  work.active.clear();
  work.rows.clear();
  work.data = ProblemData();
  work.data.kind = ProblemKind::Mlcp;
  for (const int index : indexSet(1)) {
    const InteractionRecord& record = model_->records()[static_cast<std::size_t>(index)];
    const Index rows = positionRows(record);
    if (rows == 0) continue;
    const bool equality = record.law->kind() == LawKind::EqualityCondition;
    work.active.push_back(index);
    work.rows.push_back(rows);
    work.data.is_complementarity.insert(work.data.is_complementarity.end(), static_cast<std::size_t>(rows), equality ? 0 : 1);
  }
  work.mass.compute(*model_);
  work.assembly.analyse(*model_, work.active, OneStepNSProblem::dense_rows, work.rows);
  work.assembly.fill(*model_, work);
  work.data.M = work.assembly.matrix();
  work.q.resize(work.assembly.size());
  for (std::size_t k = 0; k < work.active.size(); ++k) {
    const InteractionRecord& record = model_->records()[static_cast<std::size_t>(work.active[k])];
    work.q.segment(work.assembly.rowStarts()[k], work.rows[k]) = model_->outputs().view(Output::y0, record.y).head(work.rows[k]);
  }
  work.lambda.setZero(work.q.size());
  work.w.setZero(work.q.size());
  work.solver.setup(work.data, work.q, {"", {}});
  const SolveReport report = work.solver.solve(work.data, work.q, false, false, work.lambda, work.w);
  if (!report.certified) fail("projection on constraints: %s, residual %.3g", report.outcome, report.residual);
  work.moveSystems();
}

void TimeSteppingDirectProjection::postProcess(const Interval& step) {
  iterations_ = 0;
  while (violation() > 1.0 && iterations_ < max_iterations_) {
    refreshJacobians(step.end);
    project();
    evaluateOutputs(step.end, false);
    ++iterations_;
  }
}

}  // namespace nonsmooth::kernel
