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
// An index set, as Simulation::indexSet gives it: places in the model's table of interactions.
using UnitaryRelationsSet = std::vector<int>;
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
using FirstOrderNonLinearR = std::shared_ptr<kernel::FirstOrderNonLinearR>;
using FirstOrderType1R = std::shared_ptr<kernel::FirstOrderType1R>;
using FirstOrderType2R = std::shared_ptr<kernel::FirstOrderType2R>;
using FirstOrderLinearR = std::shared_ptr<kernel::FirstOrderLinearR>;
using FirstOrderLinearTIR = std::shared_ptr<kernel::FirstOrderLinearTIR>;
using LagrangianR = std::shared_ptr<kernel::LagrangianR>;
using LagrangianLinearTIR = std::shared_ptr<kernel::LagrangianLinearTIR>;
using LagrangianCompliantLinearTIR = std::shared_ptr<kernel::LagrangianCompliantLinearTIR>;
using LagrangianCompliantR = std::shared_ptr<kernel::LagrangianCompliantR>;
using LagrangianScleronomousR = std::shared_ptr<kernel::LagrangianScleronomousR>;
using LagrangianRheonomousR = std::shared_ptr<kernel::LagrangianRheonomousR>;
using NewtonEulerR = std::shared_ptr<kernel::NewtonEulerR>;
using NonSmoothLaw = std::shared_ptr<kernel::NonSmoothLaw>;
using ComplementarityConditionNSL = std::shared_ptr<kernel::ComplementarityConditionNSL>;
using NewtonImpactNSL = std::shared_ptr<kernel::NewtonImpactNSL>;
using NewtonImpactFrictionNSL = std::shared_ptr<kernel::NewtonImpactFrictionNSL>;
using NewtonImpactRollingFrictionNSL = std::shared_ptr<kernel::NewtonImpactRollingFrictionNSL>;
using RelayNSL = std::shared_ptr<kernel::RelayNSL>;
using EqualityConditionNSL = std::shared_ptr<kernel::EqualityConditionNSL>;
using MixedComplementarityConditionNSL = std::shared_ptr<kernel::MixedComplementarityConditionNSL>;
using NormalConeNSL = std::shared_ptr<kernel::NormalConeNSL>;
using MultipleImpactNSL = std::shared_ptr<kernel::MultipleImpactNSL>;
using Interaction = std::shared_ptr<kernel::Interaction>;
using TimeDiscretisation = std::shared_ptr<kernel::TimeDiscretisation>;
using Simulation = std::shared_ptr<kernel::Simulation>;
using TimeStepping = std::shared_ptr<kernel::TimeStepping>;
using EventDriven = std::shared_ptr<kernel::EventDriven>;
using EventsManager = std::shared_ptr<kernel::EventsManager>;
using Event = std::shared_ptr<kernel::Event>;
using OneStepIntegrator = std::shared_ptr<kernel::OneStepIntegrator>;
using EulerMoreauOSI = std::shared_ptr<kernel::EulerMoreauOSI>;
using MoreauJeanOSI = std::shared_ptr<kernel::MoreauJeanOSI>;
using SchatzmanPaoliOSI = std::shared_ptr<kernel::SchatzmanPaoliOSI>;
using ZeroOrderHoldOSI = std::shared_ptr<kernel::ZeroOrderHoldOSI>;
using LsodarOSI = std::shared_ptr<kernel::LsodarOSI>;
using Hem5OSI = std::shared_ptr<kernel::Hem5OSI>;
using NewMarkAlphaOSI = std::shared_ptr<kernel::NewMarkAlphaOSI>;
using NewmarkAlphaOSI = NewMarkAlphaOSI;
using OneStepNSProblem = std::shared_ptr<kernel::OneStepNSProblem>;
using LCP = std::shared_ptr<kernel::LCP>;
using MLCP = std::shared_ptr<kernel::MLCP>;
using Relay = std::shared_ptr<kernel::Relay>;
using Equality = std::shared_ptr<kernel::Equality>;
using AVI = std::shared_ptr<kernel::AVI>;
using FrictionContact = std::shared_ptr<kernel::FrictionContact>;
using GlobalFrictionContact = std::shared_ptr<kernel::GlobalFrictionContact>;
using OSNSMultipleImpact = std::shared_ptr<kernel::OSNSMultipleImpact>;
using GenericMechanical = std::shared_ptr<kernel::GenericMechanical>;
}  // namespace SP

}  // namespace nonsmooth::kernel
#endif
