// Prescribed velocities of mechanical systems.
#ifndef NONSMOOTH_KERNEL_BOUNDARY_CONDITION_HPP
#define NONSMOOTH_KERNEL_BOUNDARY_CONDITION_HPP

#include <functional>
#include <vector>

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

// velocity[index] = prescribed(t) for some components of the velocity of a system.
class BoundaryCondition {
 public:
  // Writes the prescribed velocities [indices] at an instant.
  using Prescribed = std::function<void(double time, VectorRef velocities)>;
  BoundaryCondition(std::vector<Index> indices, Prescribed prescribed)
      : indices_(std::move(indices)), prescribed_(std::move(prescribed)), values_(static_cast<Index>(indices_.size())) {
    if (!prescribed_) fail("a boundary condition needs a function that gives the velocities");
  }
  virtual ~BoundaryCondition() = default;

  // Components of the velocity that are prescribed; their values as of the last compute.
  const std::vector<Index>& velocityIndices() const { return indices_; }
  const Vector& prescribedVelocity() const { return values_; }
  // Velocities at `time`.
  virtual void computePrescribedVelocity(double time) { prescribed_(time, values_); }

 private:
  std::vector<Index> indices_;
  Prescribed prescribed_;
  Vector values_;
};

// Velocities held at zero.
class FixedBC : public BoundaryCondition {
 public:
  explicit FixedBC(std::vector<Index> indices)
      : BoundaryCondition(std::move(indices), [](double, VectorRef v) { v.setZero(); }) {}
};

// velocity = a + b cos(omega t + phi), the same for all indices.
class HarmonicBC : public BoundaryCondition {
 public:
  HarmonicBC(std::vector<Index> indices, double a, double b, double omega, double phi)
      : BoundaryCondition(std::move(indices), [=](double t, VectorRef v) { v.setConstant(a + b * std::cos(omega * t + phi)); }) {}
};

}  // namespace nonsmooth::kernel
#endif
