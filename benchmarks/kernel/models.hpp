// The scenes as models of this kernel.
#pragma once

#include <memory>
#include <nonsmooth/kernel/kernel.hpp>

#include "scenes.hpp"

namespace nonsmooth::scenes {

inline void spherePair(double, const double* a, const double* b, kernel::Contact& contact) {
  const kernel::Vector3 d(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const double distance = d.norm();
  contact.normal = d / distance;
  contact.gap = distance - 2 * radius;
  contact.point1 = kernel::Vector3(a[0], a[1], a[2]) - radius * contact.normal;
  contact.point2 = kernel::Vector3(b[0], b[1], b[2]) + radius * contact.normal;
}

inline void sphereOnGround(double, const double* a, const double*, kernel::Contact& contact) {
  contact.normal = kernel::Vector3::UnitZ();
  contact.gap = a[2] - radius;
  contact.point1 = contact.point2 = kernel::Vector3(a[0], a[1], a[2] - radius);
}

// A scene, and a simulation of it by the scheme of Moreau and Jean, theta = 1/2.
class Model {
 public:
  explicit Model(const Scene& scene) : instants_(0.0, scene.h), integrator_(0.5) {
    scene.rigid ? addRigidBodies(scene) : addPoints(scene);
    if (scene.rigid)
      problem_ = std::make_shared<kernel::FrictionContact>(3);
    else
      problem_ = std::make_shared<kernel::LCP>();
    simulation_ = std::make_unique<kernel::TimeStepping>(model_, instants_, integrator_, problem_);
    simulation_->setNewtonOptions(kernel::TimeStepping::Newton::LinearImplicit);
  }

  kernel::NonSmoothDynamicalSystem& model() { return model_; }
  kernel::TimeStepping& simulation() { return *simulation_; }
  kernel::MoreauJeanOSI& integrator() { return integrator_; }
  kernel::OneStepNSProblem& problem() { return *problem_; }
  kernel::SecondOrderDS& body(int k) { return *bodies_[static_cast<std::size_t>(k)]; }
  kernel::Interaction& contact(int k) { return *contacts_[static_cast<std::size_t>(k)]; }

 private:
  void addPoints(const Scene& scene) {
    const auto law = std::make_shared<kernel::NewtonImpactNSL>(scene.restitution);
    kernel::Matrix floor = kernel::Matrix::Zero(1, 3), pair = kernel::Matrix::Zero(1, 6);
    floor(0, 0) = pair(0, 0) = 1;
    pair(0, 3) = -1;
    const auto on_floor = std::make_shared<kernel::LagrangianLinearTIR>(floor, kernel::Vector::Constant(1, -radius));
    const auto between = std::make_shared<kernel::LagrangianLinearTIR>(pair, kernel::Vector::Constant(1, -2 * radius));
    for (std::size_t k = 0; k < scene.position.size(); ++k) {
      const kernel::Vector q = kernel::Vector::Unit(3, 0) * scene.position[k][2],
                           v = kernel::Vector::Unit(3, 0) * scene.velocity[k][2];
      auto body = std::make_shared<kernel::LagrangianLinearTIDS>(q, v, kernel::Matrix::Identity(3, 3));
      body->setFExt(kernel::Vector3(-gravity, 0, 0));
      insert(body);
    }
    for (const Pair& contact : scene.contacts) link(contact, law, contact.second == ground ? on_floor : between);
  }

  void addRigidBodies(const Scene& scene) {
    const auto law = std::make_shared<kernel::NewtonImpactFrictionNSL>(scene.restitution, 0.0, scene.mu, 3);
    const kernel::Matrix3 inertia = 0.4 * radius * radius * kernel::Matrix3::Identity();
    for (std::size_t k = 0; k < scene.position.size(); ++k) {
      const auto &x = scene.position[k], &u = scene.velocity[k];
      kernel::Vector q(7), v = kernel::Vector::Zero(6);
      q << x[0], x[1], x[2], 1, 0, 0, 0;
      v.head(3) << u[0], u[1], u[2];
      auto body = std::make_shared<kernel::NewtonEulerDS>(q, v, 1.0, inertia);
      body->setFExt(kernel::Vector3(0, 0, -gravity));
      insert(body);
    }
    for (const Pair& contact : scene.contacts)
      link(contact, law, std::make_shared<kernel::NewtonEuler3DR>(contact.second == ground ? sphereOnGround : spherePair));
  }

  void insert(std::shared_ptr<kernel::SecondOrderDS> body) {
    model_.insertDynamicalSystem(body);
    bodies_.push_back(std::move(body));
  }

  void link(const Pair& pair, std::shared_ptr<kernel::NonSmoothLaw> law, std::shared_ptr<kernel::Relation> relation) {
    contacts_.push_back(std::make_shared<kernel::Interaction>(std::move(law), std::move(relation)));
    if (pair.second == ground)
      model_.link(contacts_.back(), body(pair.first));
    else
      model_.link(contacts_.back(), body(pair.first), body(pair.second));
  }

  kernel::NonSmoothDynamicalSystem model_{0.0};
  std::vector<std::shared_ptr<kernel::SecondOrderDS>> bodies_;
  std::vector<std::shared_ptr<kernel::Interaction>> contacts_;
  kernel::TimeDiscretisation instants_;
  kernel::MoreauJeanOSI integrator_;
  std::shared_ptr<kernel::OneStepNSProblem> problem_;
  std::unique_ptr<kernel::TimeStepping> simulation_;
};

}  // namespace nonsmooth::scenes
