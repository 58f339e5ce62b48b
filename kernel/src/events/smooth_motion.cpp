#include "events/smooth_motion.hpp"

#include <cmath>
#include <cstring>

namespace nonsmooth::kernel {

namespace {

constexpr double dependent = 1e-10;  // ratio of pivots
constexpr double far_apart = 1e3;    // ratio of the roots of diagonal entries

Vector3 inSpace(const std::array<double, 2>& direction, const std::array<Vector3, 2>& tangents) {
  return direction[0] * tangents[0] + direction[1] * tangents[1];
}

}  // namespace

void SmoothMotion::initialize(NonSmoothDynamicalSystem& model) {
  model_ = &model;
  setClosed({});
}

void SmoothMotion::setClosed(const std::vector<ClosedContact>& closed) {
  closed_ = closed;
  preferred_.resize(0);
  for (ClosedContact& contact : closed_) contact.in_space = inSpace(contact.direction, tangents(contact));
  acceptDirections();
  place_of_record_.assign(model_->records().size(), -1);
  rows_.clear();
  input_start_.clear();
  std::vector<int> active;
  Index inputs = 0, largest = 1;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    place_of_record_[static_cast<std::size_t>(closed_[k].record)] = static_cast<int>(k);
    active.push_back(closed_[k].record);
    const bool normal_only = closed_[k].mode == ContactMode::Frictionless || closed_[k].mode == ContactMode::Sliding;
    rows_.push_back(normal_only ? 1 : record.y.rows);
    input_start_.push_back(closed_[k].mode == ContactMode::Sliding ? inputs : -1);
    if (closed_[k].mode == ContactMode::Sliding) inputs += record.totalMotion() * record.y.rows;
    largest = std::max(largest, record.y.rows);
  }
  inputs_.assign(static_cast<std::size_t>(inputs), 0.0);
  assembly_.analyse(*model_, active, std::numeric_limits<Index>::max(), rows_);
  right_.setZero(assembly_.size());
  scratch_.setZero(largest);
}

void SmoothMotion::prepare(double time) {
  level_.evaluate(*model_, time);
  prepareMatrices(time);
}

void SmoothMotion::prepareMatrices(double time) {
  time_ = time;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    InteractionRecord& record = recordOf(closed_[k]);
    if (!record.linear || !record.fresh) {
      const RelationPoint at = model_->point(record, time, 2);
      record.relation->evaluateh(at, model_->outputs().view(Output::y0, record.y));
      model_->updateMatrices(record, at);
    }
    if (closed_[k].mode == ContactMode::Sliding) updateInput(closed_[k], k);
  }
}

// Those of the last evaluation. A relation that does not tell them has tangents that move with the contact.
std::array<Vector3, 2> SmoothMotion::tangents(const ClosedContact& contact) const {
  const InteractionRecord& record = recordOf(contact);
  if (record.y.rows > 2)
    if (const auto frame = record.relation->contactFrame()) return {frame->tangent1, frame->tangent2};
  return {Vector3::UnitX(), Vector3::UnitY()};
}

// In the present tangents.
std::array<double, 2> SmoothMotion::reference(const ClosedContact& contact) const {
  const auto [first, second] = tangents(contact);
  const double a = first.dot(contact.reference), b = second.dot(contact.reference), length = std::hypot(a, b);
  return length > 0 ? std::array{a / length, b / length} : std::array{0.0, 0.0};
}

double SmoothMotion::slidingVelocity(const ClosedContact& contact, const VectorView& velocity) const {
  const std::array<double, 2> direction = reference(contact);
  return velocity[1] * direction[0] + (velocity.size() > 2 ? velocity[2] * direction[1] : 0.0);
}

// B of a sliding contact: its first column is the normal force with the friction it brings.
void SmoothMotion::updateInput(ClosedContact& contact, std::size_t k) {
  const InteractionRecord& record = recordOf(contact);
  const MatrixView C = model_->block(record, Block::C);
  const RelationPoint at = model_->point(record, time_, 2);
  VectorView velocity(scratch_.data(), record.y.rows);
  model_->outputRate(record, at, velocity);
  // In the plane the direction is a sign, which changes at an event only.
  if (record.y.rows > 2) {
    const double speed = std::hypot(velocity[1], velocity[2]);
    contact.direction = reference(contact);
    if (slidingVelocity(contact, velocity) > sliding_velocity_) contact.direction = {velocity[1] / speed, velocity[2] / speed};
    contact.in_space = inSpace(contact.direction, tangents(contact));
  }
  MatrixView B(inputs_.data() + input_start_[k], C.cols(), C.rows());
  B = C.transpose();
  for (Index i = 1; i < C.rows(); ++i)
    B.col(0) -= record.law->mu() * contact.direction[static_cast<std::size_t>(i - 1)] * B.col(i);
}

void SmoothMotion::freeAcceleration(const InteractionRecord& record, VectorView q) { level_.freeOutput(record, q); }

void SmoothMotion::acceleration(const InteractionRecord& record, VectorView out) {
  partial_.resize(out.size());
  record.relation->evaluateCurvature(model_->point(record, time_, 2), partial_);
  model_->outputOf(record, Motion::rate, out);
  out += partial_;
}

bool SmoothMotion::driftsBeyond(double tolerance) const {
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    const Index held = closed_[k].mode == ContactMode::Bilateral ? record.y.rows : 1;
    if (model_->outputs().view(Output::y0, record.y).head(held).cwiseAbs().maxCoeff() > tolerance) return true;
    if (model_->outputs().view(Output::y1, record.y).head(rows_[k]).cwiseAbs().maxCoeff() > tolerance) return true;
  }
  return false;
}

void SmoothMotion::acceptDirections() {
  for (ClosedContact& contact : closed_) contact.reference = contact.in_space;
}

void SmoothMotion::apply(int system, double* columns, Index count) const {
  if (responses_ != nullptr) return (*responses_)[static_cast<std::size_t>(system)].solve(columns, count);
  level_.respond(system, columns, count);
}

const double* SmoothMotion::input(const InteractionRecord& record) const {
  switch (inputs_used_) {
    case Inputs::Present: return inputOf(record);
    case Inputs::Kept:
      return kept_.data() + kept_start_[static_cast<std::size_t>(place_of_record_[static_cast<std::size_t>(place(record))])];
    case Inputs::Transposed: break;
  }
  return nullptr;
}

const double* SmoothMotion::inputOf(const InteractionRecord& record) const {
  const int k = place_of_record_[static_cast<std::size_t>(place(record))];
  if (k < 0 || input_start_[static_cast<std::size_t>(k)] < 0) return nullptr;
  return inputs_.data() + input_start_[static_cast<std::size_t>(k)];
}

const ClosedContact* SmoothMotion::find(const InteractionRecord& record) const {
  const int k = place_of_record_[static_cast<std::size_t>(place(record))];
  return k < 0 ? nullptr : &closed_[static_cast<std::size_t>(k)];
}

// Where constraints depend on each other, the solution of least norm.
void SmoothMotion::solve(Vector& right) {
  assembly_.fill(*model_, *this);
  const Index size = assembly_.size();
  const ConstMatrixView A(assembly_.matrix().values->data(), size, size);
  if (size == 1) {
    right[0] = A(0, 0) != 0 ? right[0] / A(0, 0) : 0.0;
    return;
  }
  if (solveIndependent(A, right)) return;
  // The responses of a heavy body are nothing beside those of a light one: its constraints are not dependent for that.
  scale_ = A.diagonal().cwiseAbs().unaryExpr([](double response) { return response > 0 ? 1 / std::sqrt(response) : 1.0; });
  if (scale_.maxCoeff() <= far_apart * scale_.minCoeff()) return solveDependent(A, right);
  solveScaled(A, right);
}

// In units in which all bodies respond alike. Orthogonal factors mix the rows: what that has left of a great right-hand side in
// the rows of small ones is solved for once more.
void SmoothMotion::solveScaled(const ConstMatrixView& A, Vector& right) {
  scaled_ = scale_.asDiagonal() * A * scale_.asDiagonal();
  const ConstMatrixView scaled(scaled_.data(), A.rows(), A.cols());
  const Vector wanted = right.cwiseProduct(scale_);
  right.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    Vector rest = wanted - scaled_ * right;
    if (!solveIndependent(scaled, rest)) solveDependent(scaled, rest);
    right += rest;
  }
  right.array() *= scale_.array();
}

// Where relations are linear and masses constant A is that of the last evaluation, to the last bit.
bool SmoothMotion::solveIndependent(const ConstMatrixView& A, Vector& right) {
  const bool same = factored_.rows() == A.rows() &&
                    std::memcmp(factored_.data(), A.data(), sizeof(double) * static_cast<std::size_t>(A.size())) == 0;
  if (!same) {
    lu_.compute(A);
    factored_ = A;
  }
  if (!(lu_.leastPivot() > dependent * lu_.greatestPivot())) return false;
  lu_.solve(right.data(), 1);
  return true;
}

void SmoothMotion::solveDependent(const ConstMatrixView& A, Vector& right) {
  orthogonal_.setThreshold(dependent);
  orthogonal_.compute(A);
  right = orthogonal_.solve(right).eval();
}

void SmoothMotion::distribute(const Vector& lambda) {
  OutputStore& outputs = model_->outputs();
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    VectorView force = outputs.view(Output::lambda2, record.y);
    outputs.view(Output::y2, record.y).setZero();
    force.setZero();
    force.head(rows_[k]) = lambda.segment(row, rows_[k]);
    if (closed_[k].mode == ContactMode::Sliding)
      for (Index i = 1; i < force.size(); ++i)
        force[i] = -record.law->mu() * force[0] * closed_[k].direction[static_cast<std::size_t>(i - 1)];
    model_->addInput(record, 2);
    row += rows_[k];
  }
}

void SmoothMotion::evaluate(double time) {
  prepare(time);
  model_->states().clear(Motion::input2);
  if (!closed_.empty()) {
    Index row = 0;
    for (std::size_t k = 0; k < closed_.size(); ++k) {
      const InteractionRecord& record = recordOf(closed_[k]);
      VectorView q(scratch_.data(), record.y.rows);
      freeAcceleration(record, q);
      right_.segment(row, rows_[k]) = -q.head(rows_[k]);
      row += rows_[k];
    }
    solveForForces(right_);
    distribute(right_);
  }
  level_.updateAccelerations();
}

// Of the forces that solve it, those nearest to the ones that are preferred.
void SmoothMotion::solveForForces(Vector& right) {
  if (preferred_.size() != right.size()) return solve(right);
  assembly_.fill(*model_, *this);
  right -= ConstMatrixView(assembly_.matrix().values->data(), right.size(), right.size()) * preferred_;
  solve(right);
  right += preferred_;
}

Vector SmoothMotion::presentForces() const {
  Vector forces(right_.size());
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    forces.segment(row, rows_[k]) = model_->outputs().view(Output::lambda2, recordOf(closed_[k]).y).head(rows_[k]);
    row += rows_[k];
  }
  return forces;
}

void SmoothMotion::correct(const Vector& lambda, bool positions) {
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    const MatrixView C = model_->block(record, Block::C);
    Index column = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      auto& ds = static_cast<SecondOrderDS&>(*model_->systemAt(record.system[side]));
      const Index size = record.motion[side];
      correction_.setZero(size);
      for (Index i = 0; i < rows_[k]; ++i) correction_ += lambda[row + i] * C.block(i, column, 1, size).transpose();
      level_.respond(ds.number(), correction_.data(), 1);
      if (positions)
        ds.move(ds.q(), correction_, ds.q());
      else
        ds.velocity() += correction_;
      column += size;
    }
    row += rows_[k];
  }
}

// y or y' of the rows that are constraints.
Vector& SmoothMotion::constraints(double time, bool of_velocity, double factor) {
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    InteractionRecord& record = recordOf(closed_[k]);
    const RelationPoint at = model_->point(record, time, 2);
    VectorView y(scratch_.data(), record.y.rows);
    record.relation->evaluateh(at, y);
    model_->updateMatrices(record, at);
    // The tangential place of a contact is free: only its gap is a constraint.
    Index held = closed_[k].mode == ContactMode::Bilateral ? record.y.rows : 1;
    if (of_velocity) {
      held = rows_[k];
      model_->outputRate(record, at, y);
    }
    right_.segment(row, rows_[k]).setZero();
    right_.segment(row, held) = factor * y.head(held);
    row += rows_[k];
  }
  return right_;
}

// right += C times a quantity of the systems.
void SmoothMotion::addProducts(Motion field, Vector& right) {
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    VectorView out(scratch_.data(), record.y.rows);
    model_->outputOf(record, field, out);
    right.segment(row, rows_[k]) += out.head(rows_[k]);
    row += rows_[k];
  }
}

void SmoothMotion::solveWith(const std::vector<Factor>& responses, Vector& right) {
  responses_ = &responses;
  solve(right);
  responses_ = nullptr;
}

void SmoothMotion::keepInputs() {
  kept_start_.clear();
  Index size = 0;
  for (const ClosedContact& contact : closed_) {
    const InteractionRecord& record = recordOf(contact);
    kept_start_.push_back(size);
    size += record.totalMotion() * record.y.rows;
  }
  kept_.resize(static_cast<std::size_t>(size));
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    MatrixView B(kept_.data() + kept_start_[k], record.totalMotion(), record.y.rows);
    if (const double* input = inputOf(record))
      B = ConstMatrixView(input, B.rows(), B.cols());
    else
      B = model_->block(record, Block::C).transpose();
  }
}

void SmoothMotion::evaluateTowards(double time, double duration) {
  model_->states().clear(Motion::input2);
  if (!closed_.empty()) {
    Vector& right = constraints(time, true, 1 / duration);
    addProducts(Motion::free, right);
    right = -right;
    inputs_used_ = Inputs::Kept;
    solveForForces(right);
    inputs_used_ = Inputs::Present;
    addKept(right);
  }
  level_.updateAccelerations();
}

// p[2] += B lambda with the inputs kept.
void SmoothMotion::addKept(const Vector& lambda) {
  Index row = 0;
  for (std::size_t k = 0; k < closed_.size(); ++k) {
    const InteractionRecord& record = recordOf(closed_[k]);
    const ConstMatrixView B(kept_.data() + kept_start_[k], record.totalMotion(), record.y.rows);
    Index start = 0;
    for (std::size_t side = 0; side < record.sides(); ++side) {
      VectorView input = model_->systemAt(record.system[side])->motion(Motion::input2);
      for (Index i = 0; i < rows_[k]; ++i) input += lambda[row + i] * B.col(i).segment(start, record.motion[side]);
      start += record.motion[side];
    }
    row += rows_[k];
  }
}

double SmoothMotion::project(double time, bool of_velocity) {
  double first = 0;
  for (int pass = 0; pass < 3 && !closed_.empty(); ++pass) {
    Vector& right = constraints(time, of_velocity, -1.0);
    const double worst = right.cwiseAbs().maxCoeff();
    if (pass == 0) first = worst;
    if (worst == 0) break;
    inputs_used_ = Inputs::Transposed;
    solve(right);
    inputs_used_ = Inputs::Present;
    correct(right, !of_velocity);
  }
  return first;
}

double SmoothMotion::drift(double time) {
  if (closed_.empty()) return 0;
  const double position = constraints(time, false, 1.0).cwiseAbs().maxCoeff();
  return std::max(position, constraints(time, true, 1.0).cwiseAbs().maxCoeff());
}

double SmoothMotion::projectVelocities(double time) { return project(time, true); }

double SmoothMotion::projectPositions(double time) { return project(time, false); }

}  // namespace nonsmooth::kernel
