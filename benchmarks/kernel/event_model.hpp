// The event-driven scenes as models of this kernel.
#pragma once

#include <memory>
#include <nonsmooth/kernel/kernel.hpp>

#include "event_scenes.hpp"

namespace nonsmooth::scenes {

class EventModel {
 public:
  explicit EventModel(const EventScene& scene) : model_(0.0, scene.duration), instants_(0.0, scene.h) {
    const kernel::Vector q = vectorOf(scene.position), v = kernel::Vector::Zero(q.size());
    if (scene.gap == Gap::Height)
      body_ = std::make_shared<kernel::LagrangianLinearTIDS>(q, v, kernel::Diagonal(vectorOf(scene.mass)));
    else
      body_ = std::make_shared<kernel::LagrangianDS>(q, v, kernel::Matrix(vectorOf(scene.mass).asDiagonal()));
    body_->setFExt(vectorOf(scene.force));
    model_.insertDynamicalSystem(body_);
    std::shared_ptr<kernel::OneStepNSProblem> impact = std::make_shared<kernel::LCP>();
    if (scene.gap == Gap::Corners) {
      impact = std::make_shared<kernel::OSNSMultipleImpact>("BiStiffness", impulse_step);
      const auto law = std::make_shared<kernel::MultipleImpactNSL>(scene.restitution, stiffness, 1.0);
      for (const double side : {1.0, -1.0}) link(law, corner(side));
    } else {
      link(std::make_shared<kernel::NewtonImpactNSL>(scene.restitution), scene.gap == Gap::Height ? height(q.size()) : length());
    }
    simulation_ = std::make_unique<kernel::EventDriven>(model_, instants_, integrator_, impact, std::make_shared<kernel::LCP>());
  }

  kernel::EventDriven& simulation() { return *simulation_; }
  const kernel::LagrangianDS& body() const { return *body_; }

 private:
  static kernel::Vector vectorOf(const std::vector<double>& values) {
    return kernel::ConstVectorView(values.data(), static_cast<kernel::Index>(values.size()));
  }
  static std::shared_ptr<kernel::Relation> height(kernel::Index size) {
    return std::make_shared<kernel::LagrangianLinearTIR>(kernel::Matrix(kernel::Vector::Unit(size, 0).transpose()));
  }
  static std::shared_ptr<kernel::Relation> length() {
    return std::make_shared<kernel::LagrangianScleronomousR>(
        [](kernel::ConstVectorRef q, kernel::VectorRef y, kernel::VectorRef) { y[0] = 1 - q.squaredNorm(); },
        [](kernel::ConstVectorRef q, kernel::MatrixRef G, kernel::VectorRef) { G.row(0) = -2 * q.transpose(); },
        [](kernel::ConstVectorRef, kernel::ConstVectorRef v, kernel::MatrixRef Gdot, kernel::VectorRef) {
          Gdot.row(0) = -2 * v.transpose();
        });
  }
  static std::shared_ptr<kernel::Relation> corner(double side) {
    const double a = side * half_length;
    return std::make_shared<kernel::LagrangianScleronomousR>(
        [a](kernel::ConstVectorRef q, kernel::VectorRef y, kernel::VectorRef) {
          y[0] = q[1] - a * std::sin(q[2]) - half_height * std::cos(q[2]);
        },
        [a](kernel::ConstVectorRef q, kernel::MatrixRef G, kernel::VectorRef) {
          G << 0, 1, -a * std::cos(q[2]) + half_height * std::sin(q[2]);
        },
        [a](kernel::ConstVectorRef q, kernel::ConstVectorRef v, kernel::MatrixRef Gdot, kernel::VectorRef) {
          Gdot << 0, 0, (a * std::sin(q[2]) + half_height * std::cos(q[2])) * v[2];
        });
  }
  void link(std::shared_ptr<kernel::NonSmoothLaw> law, std::shared_ptr<kernel::Relation> relation) {
    model_.link(std::make_shared<kernel::Interaction>(std::move(law), std::move(relation)), body_);
  }

  kernel::NonSmoothDynamicalSystem model_;
  std::shared_ptr<kernel::LagrangianDS> body_;
  kernel::TimeDiscretisation instants_;
  kernel::LsodarOSI integrator_;
  std::unique_ptr<kernel::EventDriven> simulation_;
};

}  // namespace nonsmooth::scenes
