// Names of the specification for things that have another name, or none, here. Included on request only.
#ifndef NONSMOOTH_KERNEL_NAMES_HPP
#define NONSMOOTH_KERNEL_NAMES_HPP

#include "nonsmooth/kernel/kernel.hpp"

namespace nonsmooth::kernel {

// The model is the nonsmooth dynamical system with its times.
using Model = NonSmoothDynamicalSystem;
// Vectors and matrices of the specification.
using SiconosVector = Vector;
using SimpleVector = Vector;
using SiconosMatrix = Matrix;
using SimpleMatrix = Matrix;
// One contact is one block: an interaction.
using UnitaryRelation = Interaction;
// Its spelling in the specification.
using NewmarkAlphaOSI = NewMarkAlphaOSI;
// The base of the problems.
using OSNSProblem = OneStepNSProblem;

namespace SP {
// Shared pointers by the names of the specification.
using SiconosVector = std::shared_ptr<kernel::Vector>;
using SimpleVector = std::shared_ptr<kernel::Vector>;
using SiconosMatrix = std::shared_ptr<kernel::Matrix>;
using SimpleMatrix = std::shared_ptr<kernel::Matrix>;
using Model = std::shared_ptr<kernel::NonSmoothDynamicalSystem>;
using NonSmoothDynamicalSystem = std::shared_ptr<kernel::NonSmoothDynamicalSystem>;
using DynamicalSystem = std::shared_ptr<kernel::DynamicalSystem>;
using LagrangianDS = std::shared_ptr<kernel::LagrangianDS>;
using LagrangianLinearTIDS = std::shared_ptr<kernel::LagrangianLinearTIDS>;
using NewtonEulerDS = std::shared_ptr<kernel::NewtonEulerDS>;
using FirstOrderNonLinearDS = std::shared_ptr<kernel::FirstOrderNonLinearDS>;
using FirstOrderLinearDS = std::shared_ptr<kernel::FirstOrderLinearDS>;
using FirstOrderLinearTIDS = std::shared_ptr<kernel::FirstOrderLinearTIDS>;
using Relation = std::shared_ptr<kernel::Relation>;
using NonSmoothLaw = std::shared_ptr<kernel::NonSmoothLaw>;
using Interaction = std::shared_ptr<kernel::Interaction>;
using TimeDiscretisation = std::shared_ptr<kernel::TimeDiscretisation>;
using Simulation = std::shared_ptr<kernel::Simulation>;
using TimeStepping = std::shared_ptr<kernel::TimeStepping>;
using EventDriven = std::shared_ptr<kernel::EventDriven>;
using EventsManager = std::shared_ptr<kernel::EventsManager>;
using Event = std::shared_ptr<kernel::Event>;
using OneStepIntegrator = std::shared_ptr<kernel::OneStepIntegrator>;
using OneStepNSProblem = std::shared_ptr<kernel::OneStepNSProblem>;
}  // namespace SP

}  // namespace nonsmooth::kernel
#endif
