// A mass falls on a floor without restitution.
#include <cmath>
#include <cstdio>
#include <memory>
#include <nonsmooth/kernel/kernel.hpp>

int main() {
  using namespace nonsmooth::kernel;
  try {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto mass = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1));
    mass->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(mass);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.0),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))),
               mass);
    TimeDiscretisation instants(0.0, 1e-3);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run();
    std::printf("rests at %.0f\n", std::abs(mass->q()[0]));
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
