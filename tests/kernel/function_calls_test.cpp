// How often a step asks the functions of users.
#include <gtest/gtest.h>

#include <memory>

#include "nonsmooth/kernel/kernel.hpp"
#include "one_entry.hpp"

namespace function_calls_test {

using namespace nonsmooth::kernel;
using test::one;

// A mass on a spring whose functions count their calls.
struct CountedOscillator {
  long masses = 0, forces = 0;
  NonSmoothDynamicalSystem model{0.0};
  std::shared_ptr<LagrangianDS> ds;
  TimeDiscretisation instants{0.0, 0.05};
  MoreauJeanOSI integrator{0.5};
  TimeStepping simulation{model, instants};
  CountedOscillator(double q, double v) {
    ds = std::make_shared<LagrangianDS>(one(q), one(v), [this](ConstVectorRef at, MatrixRef M, VectorRef) {
      ++masses;
      M(0, 0) = 1 + at[0] * at[0];
    });
    ds->setComputeFIntFunction([this](double, ConstVectorRef at, ConstVectorRef, VectorRef out, VectorRef) {
      ++forces;
      out[0] = 40 * at[0];
    });
    model.insertDynamicalSystem(ds);
    simulation.insertIntegrator(integrator);
  }
};

// At one state functions are asked once: at the first iterate, and at that each iteration leads to; forces at the start as well.
TEST(FunctionCalls, OncePerStateOfAnIteration) {
  CountedOscillator oscillator(0.3, -1);
  const StepStatus status = oscillator.simulation.computeOneStep();
  EXPECT_GE(status.newtonIterations, 3);
  EXPECT_EQ(oscillator.masses, status.newtonIterations + 1);
  EXPECT_EQ(oscillator.forces, status.newtonIterations + 2);
}

// What has been found out about the end of a step is not taken for the start of the next one, where the user has changed it.
TEST(FunctionCalls, AnewInEveryStep) {
  for (const auto newton : {TimeStepping::Newton::NonLinear, TimeStepping::Newton::Linear}) {
    CountedOscillator moved(0.3, -1), fresh(0.7, 2);
    moved.simulation.computeOneStep();
    moved.ds->setq(one(0.7));
    moved.ds->setVelocity(one(2));
    for (CountedOscillator* oscillator : {&moved, &fresh}) {
      oscillator->simulation.setNewtonOptions(newton);
      oscillator->simulation.computeOneStep();
    }
    EXPECT_EQ(moved.ds->q()[0], fresh.ds->q()[0]);
    EXPECT_EQ(moved.ds->velocity()[0], fresh.ds->velocity()[0]);
  }
}

}  // namespace function_calls_test
