// The motion between two events: contacts that are closed are constraints.
#pragma once

#include "integrators/acceleration_level.hpp"
#include "problems/block_assembly.hpp"

namespace nonsmooth::kernel {

enum class ContactMode {
  Frictionless,  // y'' = 0 in the normal direction
  Sticking,      // y'' = 0 in all directions
  Sliding,       // y'' = 0 in the normal direction, friction mu times the normal force against the sliding velocity
  Bilateral      // y'' = 0 in all rows
};

struct ClosedContact {
  int record = -1;
  ContactMode mode = ContactMode::Frictionless;
  std::array<double, 2> direction = {0, 0};  // unit vector of the sliding velocity, in the tangent directions
  // The same in space, and as it was where the present step started: tangents may turn at once from one place to the next.
  Vector3 in_space = Vector3::Zero(), reference = Vector3::Zero();
};

// Mass v' = fL + sum B lambda[2],  0 = C v' + curvature on the rows of the closed contacts: with S = Mass^-1
//   (C S B) lambda[2] = -(C S fL + curvature).
// B is C' but for sliding contacts: there C_N' - mu C_T' d with the direction d of sliding.
class SmoothMotion : public BlockAssembly::Response {
 public:
  void initialize(NonSmoothDynamicalSystem& model);
  // Another model is next.
  void forget() { level_.forget(); }
  void setClosed(const std::vector<ClosedContact>& closed);
  // The forces of the rows that are constraints, as lambda[2] has them. Where constraints depend on each other the forces are
  // those nearest to the ones preferred until the next setClosed: zero, unless something else is.
  Vector presentForces() const;
  void prefer(Vector forces) { preferred_ = std::move(forces); }
  const std::vector<ClosedContact>& closed() const { return closed_; }
  // Below that velocity [m/s], measured along the direction at the start of the step, that direction is kept.
  void setSlidingVelocity(double velocity) { sliding_velocity_ = velocity; }

  // At the present state of the model: masses and free accelerations; and matrices of the closed contacts.
  void prepare(double time);
  // All of it: lambda[2], y[2] of the closed contacts, the force p[2] and the acceleration of every system.
  void evaluate(double time);
  // Accelerations from the inputs p[2].
  void updateAccelerations() { level_.updateAccelerations(); }
  // For half-explicit methods. keepInputs: B as prepared now acts in the next evaluateTowards. evaluateTowards: accelerations (at
  // the masses and forces prepared before) such that the present velocities, after `duration` of them, satisfy the constraints at
  // the present positions.
  void keepInputs();
  void evaluateTowards(double time, double duration);
  // For implicit methods: matrices of the closed contacts alone; masses, with which projections respond; y, or y' times `factor`,
  // of the constraints; lambda[2] with S replaced by the responses of others; p[2].
  void prepareMatrices(double time);
  void evaluateMasses() { level_.evaluateMasses(*model_); }
  Vector& constraints(double time, bool of_velocity, double factor);
  void addProducts(Motion field, Vector& right);
  void solveWith(const std::vector<Factor>& responses, Vector& right);
  void distribute(const Vector& lambda);
  // Changes of v [all velocities of all systems, as the model has them] that take C v + dh/dt of the closed contacts to zero; and
  // moves of the systems that take y to zero. Returns the greatest defect that was there.
  double projectVelocities(double time);
  double projectPositions(double time);
  // Is an output y or y' that ought to be zero, as the model has it, beyond that?
  bool driftsBeyond(double tolerance) const;
  // The greatest of these outputs at the present state.
  double drift(double time);
  // y'' of a record at the accelerations of the last evaluation.
  void acceleration(const InteractionRecord& record, VectorView out);

  // C v' of a record at the free accelerations, and curvature.
  void freeAcceleration(const InteractionRecord& record, VectorView q);
  const double* inputOf(const InteractionRecord& record) const;
  // A step has ended here: directions of sliding are measured from the present ones.
  void acceptDirections();
  const ClosedContact* find(const InteractionRecord& record) const;
  // Velocity of a closed contact along the direction of sliding at the start of the step, from its y'.
  double slidingVelocity(const ClosedContact& contact, const VectorView& velocity) const;

  void apply(int system, double* columns, Index count) const override;
  Coupling coupling(const InteractionRecord&) const override { return {}; }
  const double* input(const InteractionRecord& record) const override;

 private:
  InteractionRecord& recordOf(const ClosedContact& contact) const { return model_->recordAt(contact.record); }
  Index place(const InteractionRecord& record) const { return &record - model_->records().data(); }
  std::array<Vector3, 2> tangents(const ClosedContact& contact) const;
  std::array<double, 2> reference(const ClosedContact& contact) const;
  void updateInput(ClosedContact& contact, std::size_t k);
  void solve(Vector& right);
  void solveForForces(Vector& right);
  bool solveIndependent(const ConstMatrixView& A, Vector& right);
  void solveScaled(const ConstMatrixView& A, Vector& right);
  void solveDependent(const ConstMatrixView& A, Vector& right);
  void addKept(const Vector& lambda);
  double project(double time, bool of_velocity);
  // v, or the moves, += S C' lambda
  void correct(const Vector& lambda, bool positions);

  NonSmoothDynamicalSystem* model_ = nullptr;
  AccelerationLevel level_;
  std::vector<ClosedContact> closed_;
  std::vector<int> place_of_record_;
  std::vector<Index> rows_, input_start_;
  std::vector<double> inputs_;
  BlockAssembly assembly_;
  DenseLu lu_;
  Matrix factored_;  // by lu_
  Eigen::CompleteOrthogonalDecomposition<Matrix> orthogonal_;
  Matrix scaled_;  // where bodies of very different masses are closed
  Vector scale_;
  enum class Inputs { Present, Kept, Transposed };  // which B takes part
  Inputs inputs_used_ = Inputs::Present;
  std::vector<double> kept_;
  std::vector<Index> kept_start_;
  const std::vector<Factor>* responses_ = nullptr;
  double sliding_velocity_ = 1e-9;
  double time_ = 0;
  Vector preferred_, right_, scratch_, partial_, correction_;
};

}  // namespace nonsmooth::kernel
