// Model files: every class of the schema, and what is refused.
#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>

#include "message_of.hpp"
#include "model_files.hpp"
#include "nonsmooth/kernel/kernel.hpp"
#include "scratch.hpp"

namespace model_schema_test {

using namespace nonsmooth::kernel;
using kernel_tests::shipped;
using nonsmooth::kernel::test::contentsOf;
using nonsmooth::kernel::test::messageOf;

// A model around systems, interactions and the contents of a simulation.
std::string model(const std::string& nsds, const std::string& simulation, const std::string& kind = "TimeStepping") {
  return "<Model T='0.01'><NonSmoothDynamicalSystem>" + nsds + "</NonSmoothDynamicalSystem><" + kind +
         "><TimeDiscretisation h='0.001'/>" + simulation + "</" + kind.substr(0, kind.find(' ')) + "></Model>";
}

std::string interaction(const std::string& systems, const std::string& contents) {
  return "<Interaction id='i' systems='" + systems + "'>" + contents + "</Interaction>";
}

std::string function(const std::string& field, const std::string& name) {
  return "<" + field + " plugin='" NONSMOOTH_PLUGIN_FILE "' function='" + name + "'/>";
}

const std::string circuit = "<FirstOrderLinearTIDS id='a' x0='1 2' A='-1 0; 0 -1' b='0 1'/>";
const std::string particle = "<LagrangianLinearTIDS id='a' q0='1 1' velocity0='0 0' Mass='1 0; 0 1' FExt='-1 -1'/>";
const std::string body =
    "<NewtonEulerDS id='a' q0='0 0 1 1 0 0 0' twist0='0 0 0 0 0 0' mass='1' inertia='1 0 0; 0 1 0; 0 0 1' FExt='0 0 -1' MExt='0 "
    "0 0'/>";
const std::string second_body = "<NewtonEulerDS id='b' q0='0 0 3 1 0 0 0' twist0='0 0 0 0 0 0' mass='1' inertia='1 1 1'/>";
const std::string plate =
    "<LagrangianLinearDiagonalDS id='a' q0='0 1 0' velocity0='0 0 0' stiffness='0 0 0' damping='0 0 0' mass='1 1 1'/>";
const std::string complementarity = "<ComplementarityConditionNSL size='2'/>", euler = "<EulerMoreauOSI theta='1'/>";
const std::string moreau = "<MoreauJeanOSI activationGamma='0.5' constraintActivationThreshold='0'/>";
const std::string friction2 = "<NewtonImpactFrictionNSL en='0' mu='1' size='2'/>";
const std::string friction3 = "<NewtonImpactFrictionNSL en='0' mu='1' size='3'/>";
const std::string linear2 = "<LagrangianLinearTIR C='1 0; 0 1' F='1; 0' z='2' e='0 0'/>", impact = "<NewtonImpactNSL e='0.5'/>";
const std::string coupled = function("h", "spring") + function("g", "spring") + function("C", "spring") + function("B", "spring");
const std::string event_problems = "<LCP name='impact'/><LCP name='acceleration'/>";
const std::string linear_relation = "<FirstOrderLinearTIR C='1 0; 0 1' B='1 0; 0 1' D='1 0; 0 1' e='0 0'/>";

std::vector<std::string> samples() {
  return {
      model(circuit + interaction("a", complementarity + linear_relation),
            euler + "<LCP method='lemke'><Option name='max_iterations' value='50'/></LCP>"),
      model("<FirstOrderLinearDS id='a' x0='1 2' M='2 0; 0 2' A='-1 0; 0 -1'/>" +
                interaction("a", complementarity + "<FirstOrderLinearR C='1 0; 0 1' B='1 0; 0 1' F='1; 1' z='2'/>"),
            "<EulerMoreauOSI theta='0.5' gamma='1'/><MLCP/>"),
      model("<FirstOrderNonLinearDS id='a' x0='1 2'>" + function("f", "decay") + function("jacobianfx", "decay") +
                "</FirstOrderNonLinearDS>",
            euler),
      model(circuit + interaction("a", complementarity + "<FirstOrderNonLinearR z='1'>" + coupled + function("K", "spring") +
                                           "</FirstOrderNonLinearR>"),
            euler + "<LCP/>"),
      model(circuit + interaction("a", complementarity + "<FirstOrderType1R>" + coupled + "</FirstOrderType1R>"),
            euler + "<LCP/>"),
      model(circuit + interaction("a", complementarity + "<FirstOrderType2R>" + coupled + function("D", "spring") +
                                           "</FirstOrderType2R>"),
            euler + "<LCP/>"),
      model(circuit + interaction("a", "<RelayNSL size='2' lb='-inf' ub='inf'/>" + linear_relation),
            "<ZeroOrderHoldOSI systems='a'/><Relay/>"),
      model(circuit + interaction("a", "<EqualityConditionNSL size='2'/>" + linear_relation), euler + "<Equality/>"),
      model(circuit + interaction("a", "<MixedComplementarityConditionNSL size='2' equalities='1'/>" + linear_relation),
            euler + "<MLCP/>"),
      model(circuit + interaction("a", "<NormalConeNSL size='2' H='1 0; 0 1; -1 -1' K='-1 -1 -1'/>" + linear_relation),
            euler + "<AVI/>"),
      model("<LagrangianDS id='a' q0='1' velocity0='0' z='2'>" + function("Mass", "unit") + function("FInt", "spring") +
                function("FExt", "gravity") + "<JacobianFIntq>2</JacobianFIntq></LagrangianDS>" +
                interaction("a", impact + "<LagrangianScleronomousR>" + function("h", "height") + function("G", "unit") +
                                     function("Gdot", "spring") + "</LagrangianScleronomousR>"),
            moreau + "<LCP/>"),
      model("<LagrangianLinearTIDS id='a' q0='1' velocity0='0' Mass='1'/>" +
                interaction("a", impact + "<LagrangianRheonomousR>" + function("h", "decay") + function("G", "decay") +
                                     function("hdot", "decay") + function("curvature", "spring") + "</LagrangianRheonomousR>"),
            moreau + "<LCP/>"),
      model(particle +
                interaction("a", complementarity + "<LagrangianCompliantLinearTIR C='1 0; 0 1' D='1 0; 0 1' F='1; 0' z='2'/>"),
            moreau + "<LCP/>"),
      model(particle + interaction("a", complementarity + "<LagrangianCompliantR>" + function("h", "spring") +
                                            function("G", "spring") + function("D", "spring") + "</LagrangianCompliantR>"),
            moreau + "<LCP/>"),
      model(particle + interaction("a", friction2 + linear2), moreau + "<FrictionContact dimension='2'/>"),
      model("<LagrangianLinearTIDS id='a' q0='1 1' velocity0='0 0'><Mass triplets='0 0 1; 1 1 1; 0 1 0'/><K diagonal='1 1'/><C>0 "
            "0; 0 0</C>"
            "<FixedBC indices='1'/></LagrangianLinearTIDS>",
            moreau),
      model("<LagrangianLinearTIDS id='a' q0='1' velocity0='0' Mass='1'><HarmonicBC indices='0' a='0' b='1' omega='1' "
            "phi='0'/></LagrangianLinearTIDS>",
            moreau),
      model("<LagrangianLinearTIDS id='a' q0='1' velocity0='0' Mass='1'><BoundaryCondition indices='0'>" +
                function("prescribed", "gravity") + "</BoundaryCondition></LagrangianLinearTIDS>",
            moreau),
      model(particle + interaction("a", "<NewtonImpactNSL e='0.5' size='2'/>" + linear2), "<SchatzmanPaoliOSI/><LCP/>"),
      model(plate + interaction("a", impact + "<Lagrangian2d1DR><DiscOnLine normal='0 1'/></Lagrangian2d1DR>"),
            moreau + "<LCP/>"),
      model(
          plate + interaction(
                      "a", friction2 + "<Lagrangian2d2DR><DiscOnDisc radius1='1' centre2='0 -1' radius2='1'/></Lagrangian2d2DR>"),
          moreau + "<FrictionContact dimension='2'/>"),
      model(plate + interaction("a",
                                "<NewtonImpactRollingFrictionNSL en='0' mu='1' mu_r='1' size='3'/><Lagrangian2d3DR><DiscOnLine "
                                "normal='0 1' radius='1'/></Lagrangian2d3DR>"),
            moreau + "<RollingFrictionContact dimension='3'/>"),
      model(body + interaction("a", impact + "<NewtonEuler1DR><SphereOnPlane radius='1' normal='0 0 1'/></NewtonEuler1DR>"),
            moreau + "<LCP/>"),
      model(body + second_body +
                interaction("b a", friction3 + "<NewtonEuler3DR><SphereOnSphere radius1='1' radius2='1'/></NewtonEuler3DR>"),
            "<MoreauJeanOSI systems='a' theta='1'/><MoreauJeanOSI/><GlobalFrictionContact dimension='3'/>"),
      model(body + interaction("a",
                               "<NewtonImpactRollingFrictionNSL en='0' mu='1' mu_r='1' size='5'/><NewtonEuler5DR><SphereOnPlane "
                               "radius='1' normal='0 0 1'/></NewtonEuler5DR>"),
            moreau + "<RollingFrictionContact dimension='5'/>"),
      model(body + interaction("a", "<EqualityConditionNSL size='3'/><KneeJointR point='0 0 1'/>"), moreau + "<Equality/>"),
      model(body + second_body + interaction("a b", "<EqualityConditionNSL size='5'/><PivotJointR point='0 0 1' axis='1 0 0'/>"),
            moreau + "<Equality/>"),
      model(body + interaction("a", "<EqualityConditionNSL size='5'/><PrismaticJointR axis='0 0 1'/>"),
            "<MoreauJeanDirectProjectionOSI/><GenericMechanical/>", "TimeSteppingDirectProjection"),
      model(body + second_body + interaction("a b", "<EqualityConditionNSL size='6'/><FixedJointR/>"), moreau + "<Equality/>"),
      model(plate + interaction("a", impact + "<Lagrangian2d1DR><DiscOnLine normal='0 1'/></Lagrangian2d1DR>"),
            "<MoreauJeanCombinedProjectionOSI averageCompliance='true'/><LCP/>", "TimeSteppingCombinedProjection"),
      model(body + interaction("a",
                               "<NewtonImpactRollingFrictionNSL en='0' mu='1' mu_r='1' size='5'/><NewtonEuler5DR><SphereOnPlane "
                               "radius='1' normal='0 0 1'/></NewtonEuler5DR>"),
            moreau + "<GlobalRollingFrictionContact dimension='5'/>"),
      model(particle + interaction("a", impact + "<LagrangianLinearTIR C='1 0'/>"),
            "<D1MinusLinearOSI tolerance='1e-9'/><LCP name='acceleration'/><LCP/>", "TimeSteppingD1Minus"),
      model(particle + interaction("a", impact + "<LagrangianLinearTIR C='1 0' e='-1'/>"),
            "<LsodarOSI method='Adams' relativeTolerance='1e-9' maxStepSize='0.1' maxNstep='1000' maxOrderBdf='3' "
            "useJacobians='false'/>" +
                event_problems,
            "EventDriven toleranceED='1e-11' projectionTolerance='inf' accumulationTolerance='1e-6' failurePolicy='Record'"),
      model(particle +
                interaction("a", "<MultipleImpactNSL e='0.5' K='1e6' eta='1.5'/><LagrangianLinearTIR C='1 0' e='-0.99996'/>"),
            "<Hem5OSI absoluteTolerance='1e-11' minStepSize='1e-6' projection='10'/><OSNSMultipleImpact name='impact' "
            "compliance='MonoStiffness' deltaP='1e-5' zeroTolerance='1e-15' scaledZeroTolerance='true' maxSteps='100000'/><LCP "
            "name='acceleration'/>",
            "EventDriven"),
      model(particle + interaction("a", impact + "<LagrangianLinearTIR C='1 0' e='-1'/>"),
            "<NewMarkAlphaOSI rho_inf='0.9' maxStepSize='0.001' velocityLevel='true'/>" + event_problems, "EventDriven"),
      model(particle, "<NewMarkAlphaOSI beta='0.25' gamma='0.5' alpha_m='0' alpha_f='0'/>", "EventDriven"),
  };
}

TEST(ModelFile, EveryClassCanBeRead) {
  std::set<std::string> read;
  for (const std::string& text : samples()) {
    try {
      const LoadedModel loaded = readModelText(text, "sample.xml");
      loaded.simulation->setFailurePolicy(FailurePolicy::Record);
      loaded.simulation->run();
    } catch (const Error& error) {
      ADD_FAILURE() << error.what() << "\n" << text;
    }
    for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1))
      read.insert(text.substr(at + 1, text.find_first_of(" >/", at + 1) - at - 1));
  }
  // Outputs stand in the shipped files; operators and functions have no element of their own name.
  for (const char* other : {"Output", "Plot", "operator", "function"}) read.insert(other);
  std::istringstream schema(modelSchema());
  for (std::string line; std::getline(schema, line);) {
    const std::size_t start = line.find("\"class\":\"") + 9;
    const std::string name = line.substr(start, line.find('"', start) - start);
    EXPECT_TRUE(read.contains(name)) << name;
  }
}

TEST(ModelFile, PrescribedVelocitiesBeginAtZero) {
  const LoadedModel loaded =
      readModelText(model("<LagrangianLinearTIDS id='a' q0='0' velocity0='0' Mass='1'><BoundaryCondition indices='0'>" +
                              function("prescribed", "one") + "</BoundaryCondition></LagrangianLinearTIDS>",
                          moreau),
                    "ball.xml");
  loaded.simulation->run();
  EXPECT_EQ(dynamic_cast<SecondOrderDS&>(*loaded.systems.at(0).object).velocity()[0], 1.0);
}

TEST(ModelFile, ObjectsByName) {
  const LoadedModel loaded = readModel(shipped("bouncing_ball.xml"));
  EXPECT_EQ(loaded.title, "Bouncing ball");
  EXPECT_STREQ(loaded.dynamicalSystem("ball").className(), "LagrangianLinearTIDS");
  EXPECT_EQ(loaded.interaction("floor").dimension(), 1);
  EXPECT_THROW(loaded.dynamicalSystem("floor"), Error);
  EXPECT_THROW(loaded.interaction("ball"), Error);
  EXPECT_EQ(findQuantities(loaded, "").size(), 8u);
  EXPECT_EQ(findQuantities(loaded, " v [1]  of ball ,kinetic_energy")[0].column, "ball_v1");
  EXPECT_EQ(findQuantities(loaded, "lambda of floor, lambda1 of floor")[1].column, "floor_lambda1_0");
  // At t0, before any step.
  EXPECT_EQ(findQuantities(loaded, "y of floor")[0].value(), 1.0);
  for (const char* wrong : {"q[3] of ball", "q[-1] of ball", "q[0 of ball", "q[] of ball", "x of ball", "q of box", "qq",
                            "violation[0]", "p of floor"})
    EXPECT_THROW(findQuantities(loaded, wrong), Error) << wrong;
}

TEST(ModelFile, Instants) {
  const std::string text = contentsOf(shipped("bouncing_ball.xml"));
  const auto steps = [&](const std::string& attributes, const std::string& final_time = "T='10'") {
    std::string changed = text;
    changed.replace(changed.find("T=\"10\""), 6, final_time);
    changed.replace(changed.find("h=\"0.005\""), 9, attributes);
    return readModelText(changed, "ball.xml").simulation->getNSteps();
  };
  EXPECT_EQ(steps("h='0.01'"), 1000);
  EXPECT_EQ(steps("h='0.01' nSteps='7'", ""), 7);
  EXPECT_EQ(steps("h='0.01' nSteps='7'", "T='0.07'"), 7);
  EXPECT_EQ(steps("nSteps='7'"), 7);
  EXPECT_EQ(steps("instants='0 0.5 0.75 20'"), 2);
  EXPECT_THROW(steps("h='0.01' instants='0 1'"), Error);
  EXPECT_THROW(steps("instants='1 2'"), Error);
  EXPECT_THROW(steps(""), Error);
  // They end where T says.
  EXPECT_EQ(messageOf([&] { steps("h='0.01' nSteps='7'"); }),
            "ball.xml:18: Model/TimeStepping/TimeDiscretisation: the last instant is 0.07, the final time T of the Model 10");
  EXPECT_THROW(steps("h='0.01' nSteps='7'", "T='0.03'"), Error);
  EXPECT_THROW(steps("instants='0 0.5 0.75'"), Error);
}

TEST(ModelFile, AnotherTextHasAnotherFingerprint) {
  std::string text = contentsOf(shipped("bouncing_ball.xml"));
  const std::string one = readModelText(text, "ball.xml").fingerprint;
  EXPECT_EQ(readModel(shipped("bouncing_ball.xml")).fingerprint, one);
  text.replace(text.find("e=\"0.9\""), 7, "e=\"0.8\"");
  EXPECT_NE(readModelText(text, "ball.xml").fingerprint, one);
}

// --- what is refused

struct Refusal {
  const char* file;
  const char* what;
  const char* with;
  const char* message;  // part of it
};

const Refusal refusals[] = {
    {"bouncing_ball.xml", "theta=", "thetta=",
     "ball:19: Model/TimeStepping/MoreauJeanOSI/thetta: unknown field of MoreauJeanOSI; did you mean \"theta\"?"},
    {"rocking_block_impacts.xml", "deltaP=\"5e-5\"", "zeroTolerance=\"1e-20\"", "zeroTolerance: it needs \"deltaP\""},
    {"bouncing_ball.xml", "theta=\"0.5\"", "theta=\"half\"", "Model/TimeStepping/MoreauJeanOSI/theta: \"half\" is not a number"},
    {"bouncing_ball.xml", "theta=\"0.5\"", "theta=\"0.5 1\"", "theta: 2 numbers, 1 expected"},
    {"bouncing_ball.xml", "theta=\"0.5\"", "theta=\"+-0.5\"", "theta: \"+-0.5\" is not a number"},
    {"bouncing_ball.xml", "<FExt>-9.81 0 0</FExt>", "<FExt>-9.81 0<!-- a --> <!-- b -->0<!-- c -->0</FExt>",
     "has 4 entries, 3 expected"},
    {"bouncing_ball.xml", "T=\"10\"", "T=\"10\" title='\xe9'", "ball:4: not UTF-8: byte 0xe9"},
    {"bouncing_ball.json", "\"ball\"", "\"\xc0\xaf\"", "not UTF-8: byte 0xc0"},
    {"bouncing_ball.xml", "encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"", "ball:1: encoding ISO-8859-1: model files are UTF-8"},
    {"bouncing_ball.xml", "id=\"ball\"", "id=\"a/b\"", "id: a name has no blanks, commas, brackets, slashes"},
    {"bouncing_ball.xml", "tolerance=\"1e-15\"", "captureEnding=\"exe\"",
     "Model/TimeStepping/LCP: captured problems end in json, hdf5 or dat, not \"exe\""},
    {"bouncing_ball.xml", "tolerance=\"1e-15\"", "capture=\"Failed\" capturePrefix=\"no/such/bad\"",
     "there is no folder no/such"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": 0.5, \"thetta\": []",
     "MoreauJeanOSI/thetta: unknown field of MoreauJeanOSI; did you mean \"theta\"?"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": []", "MoreauJeanOSI/theta: the value is missing: the array is empty"},
    {"bouncing_ball.xml", "theta=\"0.5\"", "theta=\"nan\"", "theta: nan is not a value"},
    {"bouncing_ball.xml", "theta=\"0.5\"", "theta=\"0.5\" theta=\"0.5\"", "theta[2]: given twice"},
    {"bouncing_ball.xml", "1 0 0</q0>", "1 0 0 0</q0>", "velocity0 has 3 entries, 4 expected"},
    {"bouncing_ball.xml", "1 0 0</q0>", "1e999 0 0</q0>",
     "ball:7: Model/NonSmoothDynamicalSystem/LagrangianLinearTIDS[ball]/q0: \"1e999\" is not a number"},
    {"bouncing_ball.xml", "<velocity0>0 0 0</velocity0>", "", "LagrangianLinearTIDS[ball]: field \"velocity0\" is missing"},
    {"bouncing_ball.xml", "1 1 0.004", "1 1", "LagrangianLinearTIDS[ball]: mass has 2 entries, 3 expected"},
    {"bouncing_ball.xml", "diagonal=\"1 1 0.004\"", "triplets=\"0 0 1; 0 3 1\"", "Mass/triplets: row 2: indices go from 0 to 2"},
    {"bouncing_ball.xml", "diagonal=\"1 1 0.004\"", "triplets=\"0 0\"", "Mass/triplets: rows of 3 numbers are needed"},
    {"bouncing_ball.xml", "C=\"1 0 0\"", "C=\"1 0; 0\"", "LagrangianLinearTIR/C: row 2 has 1 numbers, the first 2"},
    {"bouncing_ball.xml", "C=\"1 0 0\"", "C=\"1 0\"",
     "ball:12: Model/NonSmoothDynamicalSystem/Interaction[floor]: C of a LagrangianLinearTIR is 1 x 2, 1 x 3 expected"},
    {"bouncing_ball.xml", "C=\"1 0 0\"", "C=\"\"", "LagrangianLinearTIR/C: the value is missing"},
    {"bouncing_ball.xml", "e=\"0.9\"", "e=\"1.9\"", "NewtonImpactNSL: restitution e = 1.9 is outside [0, 1]"},
    {"bouncing_ball.xml", "e=\"0.9\"", "e=\"0.9\" size=\"1000000000\"", "NewtonImpactNSL: more than 10000 rows"},
    {"bouncing_ball.xml", "e=\"0.9\"", "e=\"0.9\" size=\"1.5\"", "size: 1.5 is not a whole number"},
    {"bouncing_ball.xml", "systems=\"ball\"", "systems=\"bal\"", "systems: no system is named \"bal\"; did you mean \"ball\"?"},
    {"bouncing_ball.xml", "systems=\"ball\"", "systems=\"ball ball\"", "links two different systems"},
    {"bouncing_ball.xml", "<NewtonImpactNSL e=\"0.9\"/>", "", "Interaction[floor]: the law is missing"},
    {"bouncing_ball.xml", "<LagrangianLinearTIR C=\"1 0 0\"/>", "", "Interaction[floor]: the relation is missing"},
    {"bouncing_ball.xml", "<NewtonImpactNSL e=\"0.9\"/>", "<NewtonImpactNSL e=\"0\"/><NewtonImpactNSL e=\"0\"/>",
     "an interaction has one law"},
    {"bouncing_ball.xml", "<LagrangianLinearTIR", "<LagrangianLinearTIR C=\"1 0 0\"/><LagrangianLinearTIR",
     "an interaction has one relation"},
    {"bouncing_ball.xml", "systems=\"ball\"", "systems=\"ball ball ball\"", "3 systems, 1 or 2 expected"},
    {"bouncing_ball.xml", "<Interaction",
     "<LagrangianLinearTIDS id=\"ball\"><q0>1</q0><velocity0>0</velocity0><Mass "
     "diagonal=\"1\"/></LagrangianLinearTIDS><Interaction",
     "\"ball\" is the name of another system"},
    {"bouncing_ball.xml", "</Interaction>",
     "</Interaction><Interaction id=\"floor\" systems=\"ball\"><NewtonImpactNSL e=\"0\"/><LagrangianLinearTIR C=\"1 0 "
     "0\"/></Interaction>",
     "\"floor\" is the name of another interaction"},
    {"bouncing_ball.xml", "h=\"0.005\"", "instants=\"1 10\"", "the first instant is not t0"},
    {"bouncing_ball.xml", "h=\"0.005\"", "h=\"0.005\" instants=\"0 10\"", "one of \"h\", \"nSteps\" and \"instants\" is needed"},
    {"bouncing_ball.xml", "</TimeStepping>", "</TimeStepping><EventDriven/>", "a model has one simulation"},
    {"bouncing_ball.xml", "<LagrangianLinearTIR C=\"1 0 0\"/>", "<FirstOrderLinearTIR C=\"1 0 0\" B=\"1; 0; 0\"/>",
     "relation FirstOrderLinearTIR does not apply to system LagrangianLinearTIDS"},
    {"bouncing_ball.xml", "<LagrangianLinearTIR C=\"1 0 0\"/>", "<KneeJointR point=\"0 0 0\"/>", "a joint links rigid bodies"},
    {"bouncing_ball.xml", "<LCP", "<AVI", "Model/TimeStepping: problem AVI does not take law NewtonImpactNSL"},
    {"bouncing_ball.xml", "<MoreauJeanOSI", "<EulerMoreauOSI", "EulerMoreauOSI"},
    {"bouncing_ball.xml", "<MoreauJeanOSI theta=\"0.5\"/>", "", "Model/TimeStepping: an integrator is missing"},
    {"bouncing_ball.xml", "<TimeDiscretisation h=\"0.005\"/>", "", "Model/TimeStepping: field \"TimeDiscretisation\" is missing"},
    {"bouncing_ball.xml", "<TimeDiscretisation h=\"0.005\"/>", "<TimeDiscretisation h=\"0.005\"/><TimeDiscretisation h=\"1\"/>",
     "Model/TimeStepping/TimeDiscretisation[2]: given twice"},
    {"bouncing_ball.xml", "<MoreauJeanOSI theta=\"0.5\"/>", "<MoreauJeanOSI theta=\"0.5\"/><MoreauJeanOSI theta=\"1\"/>",
     "Model/TimeStepping: integrators MoreauJeanOSI and MoreauJeanOSI are both without systems of their own"},
    {"bouncing_ball.xml", "<FExt>-9.81 0 0</FExt>",
     "<FExt>-9.81 0 0</FExt><FixedBC indices=\"1\"/><HarmonicBC indices=\"2\" a=\"0\" b=\"0\" omega=\"1\" phi=\"0\"/>",
     "HarmonicBC: a system has one boundary condition"},
    {"bouncing_ball.xml", "<FExt>-9.81 0 0</FExt>", "<FExt>-9.81 0 0</FExt><FixedBC indices=\"3\"/>",
     "FixedBC: boundary condition on velocity 3 of a LagrangianLinearTIDS that has 3, counted from 0"},
    {"bouncing_ball.xml", "1 1 0.004", "1 1 -0.004", "LagrangianLinearTIDS[ball]: mass(2, 2) is -0.004: negative"},
    {"bouncing_ball.xml", "h=\"0.005\"", "h=\"-0.005\"",
     "ball:18: Model/TimeStepping/TimeDiscretisation: the time step is -0.005"},
    {"bouncing_ball.xml", "T=\"10\"", "T=\"-1\"", "the final time -1 is not after the initial time 0"},
    {"bouncing_ball.xml", "T=\"10\"", "T=\"10\" version=\"2\"", "version: this program reads version 1"},
    {"bouncing_ball.xml", "tolerance=\"1e-15\"", "method=\"lemkee\"", "no method \"lemkee\""},
    {"rigid_ball.xml", "tolerance=\"1e-14\"", "method=\"block_principal_pivoting\"",
     "GenericMechanical: method block_principal_pivoting does not treat problems of class generic"},
    {"rocking_block_impacts.xml", "deltaP=\"5e-5\"", "method=\"friction_interior_point\"",
     "OSNSMultipleImpact: method friction_interior_point does not treat problems of class lcp"},
    {"bouncing_ball.xml", "tolerance=\"1e-15\"", "tolerance=\"-1\"", "Model/TimeStepping/LCP: "},
    {"bouncing_ball.xml", "<TimeStepping>", "<TimeStepping failurePolicy=\"Ignore\">",
     "failurePolicy: \"Ignore\" is none of: Halve, Record, Throw"},
    {"bouncing_ball.xml", "<FExt>-9.81 0 0</FExt>", "<FExt plugin=\"none\" function=\"f\"/>",
     "FExt: plugin none cannot be loaded"},
    {"bouncing_ball.xml", "<FExt>-9.81 0 0</FExt>", "<FExt plugin=\"none\"/>", "FExt: field \"function\" is missing"},
    {"bouncing_ball.xml", "quantities=\"q[0] of ball", "quantities=\"q[9] of ball",
     "quantity \"q[9] of ball\": it has 3 components"},
    {"bouncing_ball.xml", "</Model>", "</Model><Model/>", "a second root element"},
    {"bouncing_ball.xml", "<NewtonImpactNSL", "text<NewtonImpactNSL",
     "Interaction[floor]: an element has attributes or text, not both"},
    {"bouncing_ball.xml", "</TimeStepping>", "</TimeStep>", "not well-formed XML"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": null",
     "ball:24: Model/TimeStepping/MoreauJeanOSI/theta: null is not a value"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": 1e999", "not well-formed JSON"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": 0.5,", "not well-formed JSON"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": 0.5, \"theta\": 1", "MoreauJeanOSI/theta[2]: given twice"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": {\"a\": 1}", "theta: a value is needed, not an object"},
    {"bouncing_ball.json", "[[1, 0, 0]]", "[[1, 0, 0], 1]", "numbers and other values in one array"},
    {"bouncing_ball.json", "[[1, 0, 0]]", "[[1, 0, 0], []]", "C: a row of numbers is needed at line"},
    {"bouncing_ball.json", "[[1, 0, 0]]", "[[[1, 0, 0]]]", "C: a row of numbers is needed at line"},
    {"bouncing_ball.json", "{\"h\": 0.005}", "0.005",
     "TimeDiscretisation: an object with the fields of TimeDiscretisation is needed, not a value"},
    {"bouncing_ball.json", "[\"ball\"]", "[\"ball\", 1]", "numbers and other values in one array"},
    {"bouncing_ball.json", "[\"ball\"]", "3", "systems: a text is needed, not a number"},
    {"bouncing_ball.json", "[\"ball\"]", "[\"\", \"ball\"]", "systems: an empty text in an array"},
    {"bouncing_ball.json", "\"theta\": 0.5", "\"theta\": 0.5, \"averageCompliance\": 1",
     "averageCompliance: true or false is needed, not a number"},
    {"bouncing_ball.json", "\"id\": \"ball\"", "\"id\": \"ball\\u0000\"", "id: a text with a character of value 0"},
    {"bouncing_ball.xml", "id=\"ball\"", "id=\"ball&#0;s\"", "ball:6: a text with a character of value 0"},
    {"bouncing_ball.xml", "id=\"ball\"", "id=\"ball&#x00;s\"", "ball:6: a text with a character of value 0"},
    {"bouncing_ball.xml", "</Model>", "</Model> more", "ball:24: text outside the root element"},
    {"bouncing_ball.xml", "?>", "?> text", "ball:1: text outside the root element"},
};

// Of a model of that text.
std::string refusalOf(const std::string& text) {
  return messageOf([&] { readModelText(text, "ball"); });
}

TEST(ModelFile, RefusalsNameThePlace) {
  for (const Refusal& refusal : refusals) {
    std::string text = contentsOf(shipped(refusal.file));
    const std::size_t at = text.find(refusal.what);
    ASSERT_NE(at, std::string::npos) << refusal.what;
    text.replace(at, std::string(refusal.what).size(), refusal.with);
    const std::string message = refusalOf(text);
    EXPECT_NE(message.find(refusal.message), std::string::npos) << "got: " << message << "\nnot: " << refusal.message;
    EXPECT_EQ(message.rfind("ball", 0), 0u) << message;
  }
}

TEST(ModelFile, ProblemsHaveTheNamesTheirSimulationAsksFor) {
  const std::string nsds = particle + interaction("a", impact + "<LagrangianLinearTIR C='1 0'/>");
  const auto message = [&](const std::string& contents, const char* kind) { return refusalOf(model(nsds, contents, kind)); };
  EXPECT_EQ(message("<LsodarOSI/><LCP/>", "EventDriven"),
            "ball:1: Model/EventDriven: problems of EventDriven are named \"impact\" and \"acceleration\", not \"timeStepping\"");
  EXPECT_EQ(message("<D1MinusLinearOSI/><LCP/>", "TimeSteppingD1Minus"),
            "ball:1: Model/TimeSteppingD1Minus: TimeSteppingD1Minus needs one-step problems named \"timeStepping\" and "
            "\"acceleration\"");
  EXPECT_NE(message(moreau + "<LCP name='impact'/>", "TimeStepping").find("are named \"timeStepping\""), std::string::npos);
  EXPECT_NE(message(moreau + "<LCP/><MLCP/>", "TimeStepping").find("two problems are named"), std::string::npos);
  EXPECT_NE(message(moreau + event_problems, "EventDriven").find("integrator MoreauJeanOSI"), std::string::npos);
  EXPECT_NE(message("<NewMarkAlphaOSI beta='0.25'/>" + event_problems, "EventDriven").find("\"rho_inf\", or all of"),
            std::string::npos);
  EXPECT_NE(message("<LsodarOSI/><LCP/>", "TimeStepping").find("needs a simulation"), std::string::npos);
}

TEST(ModelFile, DiagonalsOfAnotherSize) {
  const auto message = [](const std::string& field) {
    std::string text = model(plate, moreau);
    text.replace(text.find(field) + field.size(), 8, "='1 1'");
    return refusalOf(text);
  };
  EXPECT_EQ(message("damping"),
            "ball:1: Model/NonSmoothDynamicalSystem/LagrangianLinearDiagonalDS[a]/damping: 2 numbers, 3 expected");
  EXPECT_NE(message("stiffness").find("[a]/stiffness: 2 numbers, 3 expected"), std::string::npos);
  EXPECT_NE(message(" mass").find("[a]/mass: 2 numbers, 3 expected"), std::string::npos);
}

TEST(ModelFile, WhatIsNoModel) {
  EXPECT_EQ(refusalOf(""), "ball: the file is empty");
  EXPECT_EQ(refusalOf("t0 = 0"), "ball:1: neither XML nor JSON: it starts with neither < nor {");
  EXPECT_EQ(refusalOf(std::string("<Model>\0</Model>", 16)), "ball: not a text: it has bytes of value 0");
  EXPECT_EQ(refusalOf("{}"), "ball:1: one object {\"Model\": {...}} is needed");
  EXPECT_EQ(refusalOf("{\"Model\": 1}"), "ball:1: one object {\"Model\": {...}} is needed");
  EXPECT_EQ(refusalOf("<Modell/>"), "ball:1: Modell: the root is Model; did you mean \"Model\"?");
  EXPECT_NE(refusalOf("<Model/>").find("field \"NonSmoothDynamicalSystem\" is missing"), std::string::npos);
  EXPECT_THROW(readModel(shipped("no_such_file.xml")), Error);
  EXPECT_THROW(readModel(NONSMOOTH_DATA_DIR), Error);
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int k = 0; k < times; ++k) result += text;
  return result;
}

TEST(ModelFile, TextsAreRead) {
  const std::string xml = contentsOf(shipped("bouncing_ball.xml")), json = contentsOf(shipped("bouncing_ball.json"));
  const auto read = [](std::string text, const std::string& what, const std::string& with) {
    text.replace(text.find(what), what.size(), with);
    return readModelText(text, "ball");
  };
  // Characters of one to four bytes.
  const std::string title = "b\xc3\xa4lle \xe2\x8a\xa5 \xf0\x9d\x9c\x86";
  EXPECT_EQ(read(xml, "Bouncing ball", title).title, title);
  EXPECT_EQ(read(xml, "encoding=\"UTF-8\"", "encoding='us-ascii'").systems.size(), 1u);
  // Numbers below the least there is are zero in both syntaxes.
  EXPECT_EQ(read(xml, "1 0 0</q0>", "1 1e-400 -1e-400</q0>").dynamicalSystem("ball").coordinates(Coordinate::q)[1], 0.0);
  EXPECT_EQ(read(json, "[1, 0, 0]", "[1, 1e-400, 0]").dynamicalSystem("ball").coordinates(Coordinate::q)[1], 0.0);
  // No elements of a class are none.
  EXPECT_EQ(read(json, "\"Model\": {", "\"Model\": {\"Plot\": [],").systems.size(), 1u);
}

// Before there is a tree of them.
TEST(ModelFile, ElementsAreBounded) {
  EXPECT_EQ(refusalOf("<Model>" + repeated("<a/>", 4000001)), "ball: more than 4000000 elements, attributes and comments");
  EXPECT_EQ(refusalOf("<Model>" + repeated("a=''", 4000001)), "ball: more than 4000000 elements, attributes and comments");
}

TEST(ModelFile, DepthIsBounded) {
  EXPECT_NE(refusalOf(repeated("<Model>", 100000)).find("ball"), std::string::npos);
  EXPECT_NE(refusalOf(repeated("<Model>", 1000) + repeated("</Model>", 1000)).find("nested deeper than"), std::string::npos);
  EXPECT_NE(refusalOf(repeated("{\"Model\":", 100000)).find("nested deeper than"), std::string::npos);
  EXPECT_NE(refusalOf("{\"Model\":" + repeated("[", 100000)).find("nested deeper than"), std::string::npos);
}

// Whatever the bytes: a model, or an Error that names the file.
void expectModelOrError(const std::string& text) {
  try {
    readModelText(text, "mutant");
  } catch (const Error& error) {
    ASSERT_EQ(std::string(error.what()).rfind("mutant", 0), 0u) << error.what() << "\n" << text;
  }
}

TEST(ModelFile, CutAndChangedFiles) {
  std::mt19937 bits(1);
  const auto random = [&](std::size_t below) { return bits() % below; };
  const std::string bytes = "<>/=\"'{}[]:,;.-+0123456789eE xTn\\&#!?\n\xff";
  for (const char* name :
       {"bouncing_ball.xml", "bouncing_ball.json", "rocking_block.xml", "stacked_boxes.json", "rigid_ball.xml"}) {
    const std::string text = contentsOf(shipped(name));
    ASSERT_FALSE(text.empty());
    for (std::size_t length = 0; length < text.size(); length += 1 + text.size() / 400)
      expectModelOrError(text.substr(0, length));
    for (int k = 0; k < 600; ++k) {
      std::string mutant = text;
      for (std::size_t changes = 1 + random(3); changes > 0; --changes) {
        const std::size_t at = random(mutant.size());
        switch (random(3)) {
          case 0: mutant[at] = bytes[random(bytes.size())]; break;
          case 1: mutant.erase(at, 1 + random(20)); break;
          default: mutant.insert(at, mutant.substr(random(mutant.size()), random(30)));
        }
      }
      expectModelOrError(mutant);
    }
  }
}

}  // namespace model_schema_test
