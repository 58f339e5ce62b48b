// Every pair of integrator, problem and law: it runs with certified steps, or it is refused with a message that names what does
// not fit.
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "nonsmooth/kernel/kernel.hpp"

namespace pairs_test {

using namespace nonsmooth::kernel;
using Law = std::shared_ptr<NonSmoothLaw>;

struct NamedProblem {
  const char* name;
  std::function<std::unique_ptr<OneStepNSProblem>()> make;
};

const std::vector<NamedProblem>& problems() {
  static const std::vector<NamedProblem> all = {
      {"LCP", [] { return std::make_unique<LCP>(); }},
      {"MLCP", [] { return std::make_unique<MLCP>(); }},
      {"Relay", [] { return std::make_unique<Relay>(); }},
      {"Equality", [] { return std::make_unique<Equality>(); }},
      {"AVI", [] { return std::make_unique<AVI>(); }},
      {"FrictionContact(2)", [] { return std::make_unique<FrictionContact>(2); }},
      {"FrictionContact(3)", [] { return std::make_unique<FrictionContact>(3); }},
      {"RollingFrictionContact(3)", [] { return std::make_unique<RollingFrictionContact>(3); }},
      {"RollingFrictionContact(5)", [] { return std::make_unique<RollingFrictionContact>(5); }},
      {"GlobalFrictionContact(2)", [] { return std::make_unique<GlobalFrictionContact>(2); }},
      {"GlobalFrictionContact(3)", [] { return std::make_unique<GlobalFrictionContact>(3); }},
      {"GlobalRollingFrictionContact(3)", [] { return std::make_unique<GlobalRollingFrictionContact>(3); }},
      {"GlobalRollingFrictionContact(5)", [] { return std::make_unique<GlobalRollingFrictionContact>(5); }},
      {"GenericMechanical", [] { return std::make_unique<GenericMechanical>(); }},
  };
  return all;
}

std::vector<Law> laws() {
  return {std::make_shared<ComplementarityConditionNSL>(1),
          std::make_shared<ComplementarityConditionNSL>(2),
          std::make_shared<NewtonImpactNSL>(0.5),
          std::make_shared<NewtonImpactNSL>(2, 0.5),
          std::make_shared<NewtonImpactFrictionNSL>(0.5, 0, 0.3, 2),
          std::make_shared<NewtonImpactFrictionNSL>(0.5, 0, 0.3, 3),
          std::make_shared<NewtonImpactRollingFrictionNSL>(0.5, 0, 0.3, 0.1, 3),
          std::make_shared<NewtonImpactRollingFrictionNSL>(0.5, 0, 0.3, 0.1, 5),
          std::make_shared<RelayNSL>(2),
          std::make_shared<EqualityConditionNSL>(2),
          std::make_shared<MixedComplementarityConditionNSL>(3, 1),
          std::make_shared<NormalConeNSL>(2, Matrix::Identity(2, 2), Vector::Constant(2, -1))};
}

enum class Kind { Plain, Direct, Combined, D1Minus };

struct Scheme {
  const char* name;
  bool mechanical;
  Kind kind;
  std::function<std::unique_ptr<OneStepIntegrator>()> make;
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"MoreauJeanOSI", true, Kind::Plain, [] { return std::make_unique<MoreauJeanOSI>(0.5); }},
      {"MoreauJeanDirectProjectionOSI", true, Kind::Direct, [] { return std::make_unique<MoreauJeanDirectProjectionOSI>(0.5); }},
      {"MoreauJeanCombinedProjectionOSI", true, Kind::Combined,
       [] { return std::make_unique<MoreauJeanCombinedProjectionOSI>(0.5); }},
      {"D1MinusLinearOSI", true, Kind::D1Minus, [] { return std::make_unique<D1MinusLinearOSI>(); }},
      {"SchatzmanPaoliOSI", true, Kind::Plain, [] { return std::make_unique<SchatzmanPaoliOSI>(0.5); }},
      {"EulerMoreauOSI", false, Kind::Plain, [] { return std::make_unique<EulerMoreauOSI>(0.5); }},
      {"ZeroOrderHoldOSI", false, Kind::Plain, [] { return std::make_unique<ZeroOrderHoldOSI>(); }},
  };
  return all;
}

std::unique_ptr<TimeStepping> simulationOf(Kind kind, NonSmoothDynamicalSystem& model, TimeDiscretisation& instants,
                                           OneStepIntegrator& integrator, OneStepNSProblem& problem, OneStepNSProblem& second) {
  switch (kind) {
    case Kind::Direct: return std::make_unique<TimeSteppingDirectProjection>(model, instants, integrator, problem);
    case Kind::Combined: return std::make_unique<TimeSteppingCombinedProjection>(model, instants, integrator, problem);
    case Kind::D1Minus: return std::make_unique<TimeSteppingD1Minus>(model, instants, integrator, problem, second);
    case Kind::Plain: break;
  }
  return std::make_unique<TimeStepping>(model, instants, integrator, problem);
}

// y = x or q, driven against the law by a constant force.
void run(const Scheme& scheme, OneStepNSProblem& problem, OneStepNSProblem& second, const Law& law) {
  const Index size = law->size();
  const Matrix one = Matrix::Identity(size, size);
  const Vector start = Vector::Constant(size, 0.01), push = -Vector::Unit(size, 0);
  NonSmoothDynamicalSystem model(0.0, 0.5);
  std::shared_ptr<DynamicalSystem> ds;
  std::shared_ptr<Relation> relation;
  if (scheme.mechanical) {
    auto system = std::make_shared<LagrangianLinearTIDS>(start, Vector::Zero(size), one);
    system->setFExt(push);
    ds = system;
    relation = std::make_shared<LagrangianLinearTIR>(one);
  } else {
    ds = std::make_shared<FirstOrderLinearTIDS>(start, Matrix(-one), push);
    relation = std::make_shared<FirstOrderLinearTIR>(one, one);
  }
  model.insertDynamicalSystem(ds);
  model.link(std::make_shared<Interaction>(law, relation), ds);
  TimeDiscretisation instants(0.0, 0.05);
  const auto integrator = scheme.make();
  simulationOf(scheme.kind, model, instants, *integrator, problem, second)->run();  // throws where a step is not certified
}

bool allowed(const std::string& scheme, const std::string& problem, LawKind law, Index size) {
  const bool moreau = scheme.starts_with("MoreauJean");
  const bool mechanical = moreau || scheme == "D1MinusLinearOSI" || scheme == "SchatzmanPaoliOSI";
  const bool impact =
      law == LawKind::NewtonImpact || law == LawKind::NewtonImpactFriction || law == LawKind::NewtonImpactRollingFriction;
  if (!mechanical && impact) return false;
  if (moreau && law == LawKind::NormalCone) return false;
  if (problem.starts_with("Global") && !moreau) return false;
  if ((scheme == "SchatzmanPaoliOSI" || scheme == "D1MinusLinearOSI") && law != LawKind::NewtonImpact &&
      law != LawKind::ComplementarityCondition && law != LawKind::EqualityCondition)
    return false;
  const bool basic = law == LawKind::ComplementarityCondition || law == LawKind::NewtonImpact;
  const bool by_velocities = moreau || scheme == "D1MinusLinearOSI";
  if (by_velocities && ((basic && size > 1) || law == LawKind::MixedComplementarityCondition)) return false;
  if (problem == "LCP") return basic;
  if (problem == "MLCP") return basic || law == LawKind::EqualityCondition || law == LawKind::MixedComplementarityCondition;
  if (problem == "Relay") return basic || law == LawKind::Relay || law == LawKind::EqualityCondition;
  if (problem == "Equality") return law == LawKind::EqualityCondition;
  if (problem == "AVI") return law == LawKind::NormalCone;
  if (problem == "FrictionContact(2)" || problem == "GlobalFrictionContact(2)")
    return law == LawKind::NewtonImpactFriction && size == 2;
  if (problem == "FrictionContact(3)" || problem == "GlobalFrictionContact(3)")
    return law == LawKind::NewtonImpactFriction && size == 3;
  if (problem == "RollingFrictionContact(3)" || problem == "GlobalRollingFrictionContact(3)")
    return law == LawKind::NewtonImpactRollingFriction && size == 3;
  if (problem == "RollingFrictionContact(5)" || problem == "GlobalRollingFrictionContact(5)")
    return law == LawKind::NewtonImpactRollingFriction && size == 5;
  return basic || law == LawKind::Relay || law == LawKind::EqualityCondition || law == LawKind::NewtonImpactFriction;
}

TEST(Pairs, RunOrAreRefused) {
  int ran = 0, refused = 0;
  for (const Scheme& scheme : schemes())
    for (const NamedProblem& named : problems())
      for (const Law& law : laws()) {
        const auto problem = named.make(), second = named.make();
        std::string message;
        try {
          run(scheme, *problem, *second, law);
        } catch (const Error& error) {
          message = error.what();
        }
        const std::string pair =
            std::string(scheme.name) + ", " + named.name + ", " + name(law->kind()) + " " + std::to_string(law->size());
        if (allowed(scheme.name, named.name, law->kind(), law->size())) {
          EXPECT_EQ(message, "") << pair;
          ++ran;
        } else {
          EXPECT_NE(message, "") << pair;
          const bool names =
              message.find(name(law->kind())) != std::string::npos || message.find(problem->className()) != std::string::npos;
          EXPECT_TRUE(names) << pair << ": " << message;
          ++refused;
        }
      }
  EXPECT_GT(ran, 30);
  EXPECT_GT(refused, 100);
}

}  // namespace pairs_test
