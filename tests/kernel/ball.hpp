// A ball of one coordinate, its height, above a floor at 0.
#pragma once

#include <memory>

#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace nonsmooth::kernel::test {

constexpr double gravity = 9.81;

struct BallValues {
  double height = 1, velocity = 0, restitution = 0.5, mass = 1, acceleration = -gravity;
  double h = 0.01, T = 1;
};

struct Ball {
  explicit Ball(const BallValues& values = {})
      : ds(std::make_shared<LagrangianLinearTIDS>(one(values.height), one(values.velocity), square(values.mass))),
        floor(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(values.restitution),
                                            std::make_shared<LagrangianLinearTIR>(square(1)))),
        model(0.0, values.T),
        instants(0.0, values.h) {
    ds->setFExt(one(values.mass * values.acceleration));
    model.insertDynamicalSystem(ds);
    model.link(floor, ds);
  }
  // Of a unit of mass.
  double energy() const { return 0.5 * ds->velocity()[0] * ds->velocity()[0] + gravity * ds->q()[0]; }

  std::shared_ptr<LagrangianLinearTIDS> ds;
  std::shared_ptr<Interaction> floor;
  NonSmoothDynamicalSystem model;
  TimeDiscretisation instants;
};

}  // namespace nonsmooth::kernel::test
