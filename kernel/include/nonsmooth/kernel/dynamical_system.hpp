// Dynamical systems: what all kinds have in common.
#ifndef NONSMOOTH_KERNEL_DYNAMICAL_SYSTEM_HPP
#define NONSMOOTH_KERNEL_DYNAMICAL_SYSTEM_HPP

#include <memory>
#include <string>

#include "nonsmooth/kernel/functions.hpp"
#include "nonsmooth/kernel/linear_operator.hpp"
#include "nonsmooth/kernel/state_store.hpp"

namespace nonsmooth::kernel {

// Equations of first order, of a mechanical system in coordinates of its own, of a rigid body in space.
enum class SystemKind { FirstOrder, Lagrangian, NewtonEuler };

// Which object a system is, for those who outlive it. Its address may become another one's, this not (std::owner_less).
using SystemIdentity = std::weak_ptr<const void>;

// A set of ordinary differential equations xdot = rhs(x, t, z), with an input from nonsmooth laws.
//
// Once inserted in a NonSmoothDynamicalSystem its state lives in that model's arrays; until then, and after its removal, in its
// own. The views returned by the accessors of the state are valid until systems are inserted or removed. An object belongs to one
// thread at a time.
class DynamicalSystem {
 public:
  virtual ~DynamicalSystem();
  DynamicalSystem(const DynamicalSystem&) = delete;
  DynamicalSystem& operator=(const DynamicalSystem&) = delete;

  // What it is, for checks and messages.
  SystemKind kind() const { return kind_; }
  // Name of the class, for messages and tables.
  virtual const char* className() const = 0;
  // Place in the model, from 0 in the order of insertion; -1 outside a model.
  int number() const { return number_; }
  // Expires with the object.
  SystemIdentity identity() const { return identity_; }
  // Order as a first order system: n, 2 ndof, or 13.
  virtual Index n() const = 0;
  // Length of the vectors on which reactions act: n, ndof, or 6.
  Index dimension() const { return slot_.nv; }
  // Is it linear, by operators that are constant but for forces and the like of time? The iteration matrix is computed once, a
  // step needs no Newton iteration.
  virtual bool isLinear() const = 0;

  // Parameters z [any size], which are passed to every user function and never changed by the kernel: a reference.
  Vector& z() { return *shared_z_; }
  const Vector& z() const { return *shared_z_; }
  // z: a copy.
  Vector getz() const { return z(); }
  // New values of z, which are copied.
  void setz(const Vector& z) { *shared_z_ = z; }
  // The vector of the caller is z from now on: it is shared, what one changes the other sees.
  void setzPtr(std::shared_ptr<Vector> z) { shared_z_ = requirePointer(std::move(z), "z"); }

  // x(0) = x and x(1) = xdot = rhs, both [n]: copies.
  virtual Vector x(int level) const = 0;
  // rhs [n] and its Jacobian with respect to x [n, n], as of the last compute.
  const Vector& rhs() const { return rhs_; }
  const Matrix& jacobianRhsx() const { return jacobian_rhs_; }
  // Prepares, and evaluates both at an instant.
  virtual void initRhs(double time);
  virtual void computeRhs(double time) = 0;
  virtual void computeJacobianRhsx(double time) = 0;

  // Zero input (r, or p[level]) from nonsmooth laws.
  void initializeNonSmoothInput(int level) { resetNonSmoothPart(level); }
  void resetAllNonSmoothParts();
  void resetNonSmoothPart(int level);
  // Saves the state as that of the start of the next step.
  virtual void swapInMemory();
  // Back to the state of the start of the step.
  virtual void restoreFromMemory();
  // Back to the initial conditions; memories included.
  virtual void resetToInitialState() = 0;
  // Throws, naming the entry, unless the state is finite. Simulations ask for it at the end of each step.
  void requireFiniteState(double time) const;
  // The object as text, one quantity per line.
  std::string display() const;
  // Compares every Jacobian the user gave with central differences at the present state; throws naming the worst one if an entry
  // is off by more than `tolerance`, relative to the largest entry. What the differences themselves may be off by does not count.
  virtual void checkJacobians(double time, double tolerance = 1e-6) = 0;

  // To be called after changing the entries of a shared constant operator.
  void touch() { ++version_; }
  // How often operators have changed.
  unsigned long version() const { return version_; }

  // For integrators: views of the state.
  VectorView motion(Motion field) const { return store_->view(field, slot_); }
  VectorView coordinates(Coordinate field) const { return store_->view(field, slot_); }
  const StateSlot& slot() const { return slot_; }

 protected:
  DynamicalSystem(SystemKind kind, Index nq, Index nv);
  void requireVector(const Vector& value, const char* what) const;
  void requireSquare(const Matrix& value, const char* what) const;
  void requireFiniteResult(const Vector& value, const char* what, double time) const {
    requireFinite(value.data(), value.size(), what, number_, time);
  }
  void requireFiniteResult(const Matrix& value, const char* what, double time) const {
    requireFinite(value.data(), value.size(), what, number_, time);
  }
  virtual void describe(std::string& text) const = 0;
  // Its integrator is asked again whether it treats the system.
  void changeDemands() { store_->changeDemands(), touch(); }

  Vector rhs_;
  Matrix jacobian_rhs_;

 private:
  friend class NonSmoothDynamicalSystem;
  void moveTo(StateStore& store, int number);
  void moveOut();

  SystemKind kind_;
  int number_ = -1;
  unsigned long version_ = 0;
  std::shared_ptr<Vector> shared_z_ = std::make_shared<Vector>();
  std::shared_ptr<const void> identity_ = std::make_shared<char>();
  std::unique_ptr<StateStore> own_;
  StateStore* store_;
  StateSlot slot_;
};

// Greatest |J - central differences of f|, less the error of these, over the largest entry of both; for checkJacobians.
double jacobianDefect(const std::function<void(ConstVectorRef x, VectorRef out)>& f, ConstVectorRef x, const Matrix& jacobian);

}  // namespace nonsmooth::kernel
#endif
