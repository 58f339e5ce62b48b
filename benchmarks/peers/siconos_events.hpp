// The event-driven scenes as models of the kernel of Siconos, with its own tolerances.
#pragma once

#include <MultipleImpact.hpp>
#include <MultipleImpactNSL.hpp>
#include <SiconosKernel.hpp>
#include <cmath>
#include <memory>

#include "../kernel/measure.hpp"

namespace nonsmooth::scenes {

inline std::shared_ptr<SiconosVector> vectorOf(const std::vector<double>& values) {
  auto result = std::make_shared<SiconosVector>(static_cast<unsigned>(values.size()));
  for (unsigned k = 0; k < values.size(); ++k) (*result)(k) = values[k];
  return result;
}

// 1 - |q|^2.
class LengthRelation : public LagrangianScleronomousR {
 public:
  explicit LengthRelation(unsigned size) { _jachq = std::make_shared<SimpleMatrix>(1, size); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override { y(0) = 1 - q(0) * q(0) - q(1) * q(1); }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    for (unsigned k = 0; k < 2; ++k) (*_jachq)(0, k) = -2 * q(k);
  }
  void computeDotJachq(const BlockVector&, BlockVector&, const BlockVector& v) override {
    for (unsigned k = 0; k < 2; ++k) (*_dotjachq)(0, k) = -2 * v(k);
  }
};

class CornerRelation : public LagrangianScleronomousR {
 public:
  explicit CornerRelation(double side) : a_(side * half_length) { _jachq = std::make_shared<SimpleMatrix>(1, 3); }
  void computeh(const BlockVector& q, BlockVector&, SiconosVector& y) override {
    y(0) = q(1) - a_ * std::sin(q(2)) - half_height * std::cos(q(2));
  }
  void computeJachq(const BlockVector& q, BlockVector&) override {
    (*_jachq)(0, 0) = 0;
    (*_jachq)(0, 1) = 1;
    (*_jachq)(0, 2) = -a_ * std::cos(q(2)) + half_height * std::sin(q(2));
  }
  void computeDotJachq(const BlockVector& q, BlockVector&, const BlockVector& v) override {
    (*_dotjachq)(0, 2) = (a_ * std::sin(q(2)) + half_height * std::cos(q(2))) * v(2);
  }

 private:
  double a_;
};

class EventSimulation {
 public:
  explicit EventSimulation(const EventScene& scene) : model_(std::make_shared<NonSmoothDynamicalSystem>(0.0, scene.duration)) {
    const auto size = static_cast<unsigned>(scene.mass.size());
    const auto mass = std::make_shared<SimpleMatrix>(size, size);
    for (unsigned k = 0; k < size; ++k) (*mass)(k, k) = scene.mass[k];
    const auto q = vectorOf(scene.position), v = vectorOf(std::vector<double>(size, 0.0));
    if (scene.gap == Gap::Height)
      body_ = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
    else
      body_ = std::make_shared<LagrangianDS>(q, v, mass);
    body_->setFExtPtr(vectorOf(scene.force));
    model_->insertDynamicalSystem(body_);
    std::shared_ptr<OneStepNSProblem> impact = std::make_shared<LCP>();
    if (scene.gap == Gap::Corners) {
      auto multiple = std::make_shared<MultipleImpact>("BiStiffness", impulse_step);
      multiple->SetNstepMax(10000000);  // its own limit ends the run at the first impact
      impact = multiple;
      const auto law = std::make_shared<MultipleImpactNSL>(scene.restitution, stiffness, 1.0);
      for (const double side : {1.0, -1.0}) link(law, std::make_shared<CornerRelation>(side));
    } else if (scene.gap == Gap::Length) {
      link(std::make_shared<NewtonImpactNSL>(scene.restitution), std::make_shared<LengthRelation>(size));
    } else {
      const auto row = std::make_shared<SimpleMatrix>(1, size);
      (*row)(0, 0) = 1;
      link(std::make_shared<NewtonImpactNSL>(scene.restitution), std::make_shared<LagrangianLinearTIR>(row));
    }
    simulation_ = std::make_shared<EventDriven>(model_, std::make_shared<TimeDiscretisation>(0.0, scene.h));
    simulation_->insertIntegrator(std::make_shared<LsodarOSI>());
    simulation_->insertNonSmoothProblem(impact, SICONOS_OSNSP_ED_IMPACT);
    simulation_->insertNonSmoothProblem(std::make_shared<LCP>(), SICONOS_OSNSP_ED_SMOOTH_ACC);
    simulation_->initialize();
  }

  void step(Measured&) {
    simulation_->advanceToEvent();
    simulation_->processEvents();
  }

  void record(std::vector<double>& values) {
    values.push_back(simulation_->startingTime());
    for (const auto& state : {body_->q(), body_->velocity()})
      for (unsigned k = 0; k < state->size(); ++k) values.push_back((*state)(k));
  }

 private:
  void link(const std::shared_ptr<NonSmoothLaw>& law, const std::shared_ptr<Relation>& relation) {
    model_->link(std::make_shared<Interaction>(law, relation), body_);
  }

  std::shared_ptr<NonSmoothDynamicalSystem> model_;
  std::shared_ptr<LagrangianDS> body_;
  std::shared_ptr<EventDriven> simulation_;
};

}  // namespace nonsmooth::scenes
