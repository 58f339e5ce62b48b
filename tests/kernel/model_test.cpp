// Building models: accessors, refusals, bad input, handles, plugins, memory.
#include <cmath>
#include <filesystem>
#include <memory>
#include <thread>

#include "message_of.hpp"
#include "scratch.hpp"
#include "trajectory.hpp"

namespace model_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::messageOf;

std::shared_ptr<LagrangianLinearTIDS> mass(double q = 0) {
  return std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, q), Vector::Zero(1), Matrix::Identity(1, 1));
}

std::shared_ptr<Interaction> floorContact(double e = 0.5) {
  return std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(e),
                                       std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
}

void expectMessage(const std::string& message, std::initializer_list<const char*> parts) {
  EXPECT_NE(message, "");
  for (const char* part : parts) EXPECT_NE(message.find(part), std::string::npos) << message << " lacks " << part;
}

TEST(Model, OutputsOfTheStartOfAStep) {
  const Interaction contact(std::make_shared<NewtonImpactNSL>(0), std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
  EXPECT_EQ(contact.yOld(1).size(), 1);
  EXPECT_EQ(messageOf([&] { contact.yOld(2); }), "y at the start of a step has levels 0 and 1, not 2");
}

// y = C q, until it is told not to be linear any more.
struct ChangingR : LagrangianR {
  const char* className() const override { return "ChangingR"; }
  bool isLinear() const override { return linear; }
  void evaluateh(const RelationPoint& at, VectorRef y) override { y = C * at.x; }
  void evaluateC(const RelationPoint&, MatrixRef out) override { out = C; }
  Matrix C = Matrix::Zero(2, 21);
  bool linear = true;
};

// A large body and a small one, of which a contact touches few coordinates: those columns alone, and no others once C has
// changed.
TEST(Model, ContactsOfALargeBody) {
  constexpr Index size = 20;
  const Vector values = Vector::LinSpaced(size + 1, 1, size + 1), lambda = Vector{{2, 4}};
  auto large = std::make_shared<LagrangianDS>(values.head(size), 2 * values.head(size), Matrix::Identity(size, size));
  auto small = std::make_shared<LagrangianDS>(values.tail(1), 2 * values.tail(1), Matrix::Identity(1, 1));
  NonSmoothDynamicalSystem model(0.0, 1.0);
  model.insertDynamicalSystem(large);
  model.insertDynamicalSystem(small);
  auto relation = std::make_shared<ChangingR>();
  auto contact = std::make_shared<Interaction>(std::make_shared<EqualityConditionNSL>(2), relation);
  model.link(contact, large, small);
  Matrix& C = relation->C;
  C(0, 3) = 2;
  C(1, 3) = C(0, size) = -1;
  C(1, 12) = 0.5;
  const auto expectC = [&](const Matrix& of_model) {
    InteractionRecord& record = model.recordAt(0);
    model.evaluateOutputs(record, model.point(record, 0, 1));
    record.fresh = true;
    EXPECT_EQ(contact->y(1), of_model * (2 * values));
    Vector output(2);
    model.outputOf(record, Motion::v, VectorView(output.data(), 2));
    EXPECT_EQ(output, contact->y(1));
    contact->lambda(1) = lambda;
    model.gatherInputs(1, {0});
    EXPECT_EQ(large->p(1), (of_model.transpose() * lambda).head(size));
    EXPECT_EQ(small->p(1), (of_model.transpose() * lambda).tail(1));
  };
  expectC(C);
  const Matrix before = C;
  C(1, 7) = 3;
  expectC(before);
  relation->touch();
  expectC(C);
  relation->linear = false;
  relation->touch();
  model.followRelations();
  expectC(C);
  C(0, 15) = 5;
  expectC(C);
  InteractionRecord& record = model.recordAt(0);
  Vector y(2);
  LagrangianLinearTIR(C, lambda).evaluateh(model.point(record, 0, 1), y);
  EXPECT_EQ(y, C * values + lambda);
}

TEST(Model, AccessorsCopyOrShare) {
  LagrangianDS ds(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3));
  auto shared = std::make_shared<Vector>(Eigen::Vector3d(1, 2, 3));
  ds.setFInt(*shared);
  (*shared)[0] = 10;
  EXPECT_EQ(ds.getFInt()[0], 1);
  ds.setFIntPtr(shared);
  (*shared)[0] = 20;
  EXPECT_EQ(ds.getFInt()[0], 20);
  EXPECT_EQ(ds.fInt().get(), shared.get());
  ds.setComputeFIntFunction([](double t, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[1] = t; });
  ds.computeFInt(0.25);
  EXPECT_EQ((*ds.fInt())[1], 0.25);
}

TEST(Model, RightHandSides) {
  Matrix M = 2 * Matrix::Identity(1, 1), A = 3 * Matrix::Identity(1, 1);
  FirstOrderLinearDS first(Vector::Constant(1, 4), A, Vector::Constant(1, 1));
  first.setM(M);
  first.initRhs(0.0);
  EXPECT_DOUBLE_EQ(first.rhs()[0], 6.5);
  EXPECT_DOUBLE_EQ(first.jacobianRhsx()(0, 0), 1.5);
  LagrangianLinearTIDS second(Vector::Constant(1, 1), Vector::Constant(1, 2), M, A, LinearOperator());
  second.initRhs(0.0);
  EXPECT_EQ(second.n(), 2);
  EXPECT_DOUBLE_EQ(second.x(1)[0], 2);
  EXPECT_DOUBLE_EQ(second.x(1)[1], -1.5);
  EXPECT_DOUBLE_EQ(second.jacobianRhsx()(1, 0), -1.5);
  EXPECT_NE(second.display().find("velocity"), std::string::npos);
}

// Factors of this mass exchange rows.
TEST(Model, RightHandSideOfCoupledMasses) {
  Matrix mass(2, 2), stiffness(2, 2), damping(2, 2);
  mass << 1, 1.5, 1.5, 4;
  stiffness << 3, -1, -1, 2;
  damping << 0.5, 0.25, 0.25, 1;
  LagrangianLinearTIDS ds(Eigen::Vector2d(1, -2), Eigen::Vector2d(3, 4), mass, stiffness, damping);
  ds.initRhs(0.0);
  Matrix expected = Matrix::Zero(4, 4);
  expected.topRightCorner(2, 2).setIdentity();
  expected.bottomLeftCorner(2, 2) = -mass.inverse() * stiffness;
  expected.bottomRightCorner(2, 2) = -mass.inverse() * damping;
  EXPECT_LE((ds.jacobianRhsx() - expected).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((ds.x(1) - expected * ds.x(0)).cwiseAbs().maxCoeff(), 1e-14);
}

// With respect to increments of the motion: of order 12, though the state has 13 numbers. The moment is -Omega x I Omega.
TEST(Model, JacobianOfTheRightHandSideOfABody) {
  Vector q = Vector::Zero(7), twist = Vector::Zero(6);
  q[3] = 1;
  twist.tail(3) << 1, 2, 3;
  NewtonEulerDS body(q, twist, 2.0, Eigen::Vector3d(1, 2, 4).asDiagonal().toDenseMatrix());
  body.initRhs(0.0);
  Matrix expected = Matrix::Zero(12, 12);
  expected.topRightCorner(6, 6).setIdentity();
  // The derivative of (I2 - I3) w2 w3 / I1, and so on.
  expected.bottomRightCorner(3, 3) << 0, -6, -4, 4.5, 0, 1.5, -0.5, -0.25, 0;
  EXPECT_LE((body.jacobianRhsx() - expected).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Model, PluginsAreCheckedAndCalled) {
  LagrangianDS ds(Vector::Constant(2, 3.0), Vector::Zero(2), Matrix::Identity(2, 2));
  ds.setComputeFInt(NONSMOOTH_PLUGIN_FILE, "spring");
  ds.setz(Vector::Constant(1, 7.0));
  ds.computeFInt(0.0);
  EXPECT_DOUBLE_EQ(ds.getFInt()[1], 21.0);
  ds.setComputeFExt(NONSMOOTH_PLUGIN_FILE, "gravity");
  ds.computeFExt(0.0);
  EXPECT_DOUBLE_EQ(ds.getFExt()[0], -9.81);
  expectMessage(messageOf([&] { ds.setComputeFInt(NONSMOOTH_PLUGIN_FILE, "gravity"); }),
                {"gravity", "TimeFunction", "MotionFunction"});
  expectMessage(messageOf([&] { ds.setComputeFInt(NONSMOOTH_PLUGIN_FILE, "nothing"); }), {"nothing"});
  expectMessage(messageOf([&] { ds.setComputeFInt("no_such_plugin", "f"); }), {"no_such_plugin"});
}

// y = q0, y'' = G v' + Gdot v, by names.
TEST(Model, LagrangianRelationsOfAPlugin) {
  const auto named = [](const char* function) { return std::string(NONSMOOTH_PLUGIN_FILE) + ":" + function; };
  const Vector q = Vector::Constant(1, 3.0), v = Vector::Constant(1, 2.0), lambda = Vector::Constant(1, 5.0);
  const auto view = [](const Vector& values) { return ConstVectorView(values.data(), values.size()); };
  const RelationPoint at{0.0, view(q), view(v), view(lambda)};
  Vector y(1);
  LagrangianScleronomousR scleronomous(named("height"), named("unit"), named("spring"));
  scleronomous.setz(Vector::Constant(1, 7.0));
  scleronomous.evaluateh(at, y);
  EXPECT_EQ(y[0], 3.0);
  scleronomous.evaluateCurvature(at, y);
  EXPECT_EQ(y[0], 7.0 * 3.0 * 2.0);
  LagrangianScleronomousR without(named("height"), named("unit"));
  EXPECT_EQ(messageOf([&] { without.evaluateCurvature(at, y); }), "accelerations of a LagrangianScleronomousR need Gdot");
  LagrangianRheonomousR rheonomous(named("decay"), named("decay"), named("decay"), named("spring"));
  rheonomous.evaluateTimeDerivative(at, y);
  EXPECT_EQ(y[0], -3.0);
  LagrangianCompliantR compliant(named("spring"), named("spring"), named("spring"));
  compliant.evaluateh(at, y);
  EXPECT_EQ(y[0], 3.0);
  EXPECT_EQ(messageOf([&] { LagrangianScleronomousR(named("height"), "G0"); }),
            "\"G0\" names no function of a plugin: \"plugin:function\" does");
  expectMessage(messageOf([&] { LagrangianScleronomousR(named("height"), named("height"), named("unit")); }),
                {"unit", "ConfigurationFunction", "MotionFunction"});
}

TEST(Model, PluginsMayHaveAVersion) {
  const std::string versioned = test::scratch("plugin.so.1");
  std::filesystem::copy_file(NONSMOOTH_PLUGIN_FILE, versioned, std::filesystem::copy_options::overwrite_existing);
  auto ds = mass();
  ds->setComputeFExt(versioned, "gravity");
  ds->computeFExt(0.0);
  EXPECT_DOUBLE_EQ(ds->getFExt()[0], -9.81);
}

TEST(Model, RefusesWrongSizes) {
  expectMessage(messageOf([] { LagrangianDS(Vector::Zero(2), Vector::Zero(3)); }), {"velocity0", "3", "2"});
  expectMessage(messageOf([] { LagrangianLinearTIDS(Vector::Zero(2), Vector::Zero(2), Matrix::Identity(3, 3)); }), {"mass"});
  expectMessage(messageOf([] { mass()->setFExt(Vector::Zero(2)); }), {"FExt", "2", "1"});
  NonSmoothDynamicalSystem model;
  auto ds = mass();
  model.insertDynamicalSystem(ds);
  auto wrong = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5),
                                             std::make_shared<LagrangianLinearTIR>(Matrix::Identity(2, 2)));
  expectMessage(messageOf([&] { model.link(wrong, ds); }), {"C of a LagrangianLinearTIR"});
  auto planar = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<Lagrangian2d2DR>());
  expectMessage(messageOf([&] { model.link(planar, ds); }), {"a Lagrangian2d2DR has 2 rows, its law has 1"});
  EXPECT_FALSE(wrong->isLinked());
  expectMessage(messageOf([&] { NewtonImpactNSL(1.5); }), {"1.5"});
  expectMessage(messageOf([&] { TimeDiscretisation(0.0, -0.1); }), {"-0.1"});
  expectMessage(messageOf([&] { TimeDiscretisation(0.0, "0.1s"); }), {"0.1s"});
  expectMessage(messageOf([&] { NonSmoothDynamicalSystem(1.0, 0.0); }), {"final time"});
}

TEST(Model, RefusesWrongPairs) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = mass();
  auto first = std::make_shared<FirstOrderLinearTIDS>(Vector::Zero(1), Matrix::Zero(1, 1));
  model.insertDynamicalSystem(ds);
  model.insertDynamicalSystem(first);
  const Matrix one = Matrix::Identity(1, 1);
  auto electrical = std::make_shared<FirstOrderLinearTIR>(one, one);
  auto law = std::make_shared<NewtonImpactNSL>(0.5);
  expectMessage(messageOf([&] { model.link(std::make_shared<Interaction>(law, electrical), ds); }),
                {"FirstOrderLinearTIR", "LagrangianLinearTIDS"});
  expectMessage(messageOf([&] { model.link(std::make_shared<Interaction>(law, electrical), first); }),
                {"NewtonImpactNSL", "FirstOrderLinearTIDS"});
  auto mechanical = std::make_shared<LagrangianLinearTIR>(Matrix::Ones(1, 2));
  expectMessage(messageOf([&] { model.link(std::make_shared<Interaction>(law, mechanical), ds, first); }),
                {"FirstOrderLinearTIDS"});
  auto outside = mass();
  expectMessage(messageOf([&] { model.link(floorContact(), outside); }), {"not in this model"});

  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI moreau(0.5);
  EulerMoreauOSI euler(0.5);
  LCP lcp;
  FrictionContact friction(3);
  expectMessage(messageOf([&] { TimeStepping(model, instants, moreau, lcp); }), {"MoreauJeanOSI", "FirstOrderLinearTIDS"});
  NonSmoothDynamicalSystem contact_model(0.0, 1.0);
  auto other = mass();
  contact_model.insertDynamicalSystem(other);
  contact_model.link(floorContact(), other);
  expectMessage(messageOf([&] { TimeStepping(contact_model, instants, euler, lcp); }),
                {"EulerMoreauOSI", "LagrangianLinearTIDS"});
  expectMessage(messageOf([&] { TimeStepping(contact_model, instants, moreau, friction); }),
                {"FrictionContact", "NewtonImpactNSL"});
}

TEST(Model, NamesFunctionsThatGiveNaN) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = mass(1.0);
  ds->setComputeFExtFunction([](double t, VectorRef out, VectorRef) { out[0] = t > 0.35 ? std::nan("") : 0.0; });
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  expectMessage(messageOf([&] { simulation.run(); }), {"FExt", "system 0", "nan", "0.4"});
  EXPECT_NEAR(simulation.startingTime(), 0.3, 1e-15);
}

TEST(Model, JacobiansOfRelationsAreCompared) {
  const auto messageFor = [](std::shared_ptr<Relation> relation) {
    NonSmoothDynamicalSystem model;
    auto ds = mass(0.5);
    model.insertDynamicalSystem(ds);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation), ds);
    return messageOf([&] { model.checkJacobians(0.25); });
  };
  // y = q^2 + lambda / 100, y = q - t^2
  const auto compliant = [&](double D) {
    return messageFor(std::make_shared<LagrangianCompliantR>(
        [](double, ConstVectorRef q, ConstVectorRef lambda, VectorRef y, VectorRef) { y[0] = q[0] * q[0] + 0.01 * lambda[0]; },
        [](double, ConstVectorRef q, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 2 * q[0]; },
        [D](double, ConstVectorRef, ConstVectorRef, MatrixRef out, VectorRef) { out(0, 0) = D; }));
  };
  const auto moving = [&](double factor) {
    return messageFor(std::make_shared<LagrangianRheonomousR>(
        [](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] - t * t; },
        [](double, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
        [factor](double t, ConstVectorRef, VectorRef hdot, VectorRef) { hdot[0] = factor * t; }));
  };
  EXPECT_EQ(compliant(0.01), "");
  expectMessage(compliant(0.02), {"D of a LagrangianCompliantR is off by 0.5"});
  EXPECT_EQ(moving(-2), "");
  expectMessage(moving(2), {"hdot of a LagrangianRheonomousR is off by 2"});
}

// Newton's iteration does without, as it does for mechanical systems.
TEST(Model, JacobiansThatAreNotGivenAreNotCompared) {
  FirstOrderNonLinearDS ds(
      Vector::Constant(1, 0.5), [](double, ConstVectorRef x, VectorRef f, VectorRef) { f[0] = -x[0]; }, nullptr);
  EXPECT_NO_THROW(ds.checkJacobians(0.0, 1e-6));
  ds.setJacobianfx(Matrix::Identity(1, 1));
  expectMessage(messageOf([&] { ds.checkJacobians(0.0, 1e-6); }), {"Jacobianfx of FirstOrderNonLinearDS"});
}

TEST(Model, NamesSingularMass) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector::Zero(2), Matrix::Ones(2, 2));
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  expectMessage(messageOf([&] { simulation.computeOneStep(); }), {"singular", "LagrangianLinearTIDS number 0"});
}

TEST(Model, HandlesKnowRemovedInteractions) {
  NonSmoothDynamicalSystem model;
  auto ds = mass();
  model.insertDynamicalSystem(ds);
  auto contact = floorContact();
  const InteractionHandle first = model.link(contact, ds);
  EXPECT_EQ(&model.interaction(first), contact.get());
  expectMessage(messageOf([&] { model.removeDynamicalSystem(*ds); }), {"interactions"});
  contact->lambda(1)[0] = 3;
  model.removeInteraction(first);
  EXPECT_EQ(contact->lambda(1)[0], 3);
  const InteractionHandle second = model.link(floorContact(), ds);
  EXPECT_EQ(second.index, first.index);
  EXPECT_FALSE(model.isLinked(first));
  EXPECT_THROW(model.interaction(first), Error);
  model.removeInteraction(second);
  model.removeDynamicalSystem(*ds);
  EXPECT_EQ(ds->number(), -1);
  EXPECT_EQ(model.numberOfDynamicalSystems(), 0);
}

// Link and unlink reuse their places: the arrays of the model do not grow.
// Their handles are the same.
TEST(Model, InteractionsOfAnotherModelStay) {
  NonSmoothDynamicalSystem model, other;
  auto ds = mass(), other_ds = mass();
  model.insertDynamicalSystem(ds);
  other.insertDynamicalSystem(other_ds);
  auto contact = floorContact(), other_contact = floorContact();
  model.link(contact, ds);
  other.link(other_contact, other_ds);
  ASSERT_EQ(contact->handle(), other_contact->handle());
  expectMessage(messageOf([&] { model.removeInteraction(*other_contact); }), {"interaction 0", "of another model"});
  EXPECT_TRUE(contact->isLinked());
  EXPECT_EQ(model.numberOfInteractions(), 1);
  EXPECT_EQ(other.numberOfInteractions(), 1);
}

TEST(Model, IterationMatricesOfAnotherModel) {
  NonSmoothDynamicalSystem model(0.0, 1.0), other;
  auto ds = mass(), other_ds = mass();
  model.insertDynamicalSystem(ds);
  other.insertDynamicalSystem(other_ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator;
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  EXPECT_EQ(integrator.getW(*ds)(0, 0), 1.0);
  expectMessage(messageOf([&] { integrator.getW(*other_ds); }), {"system 0", "of another model", "MoreauJeanOSI"});
}

TEST(Model, MemoryIsUsedAgain) {
  NonSmoothDynamicalSystem model;
  auto ds = mass();
  model.insertDynamicalSystem(ds);
  for (int k = 0; k < 100000; ++k) model.removeInteraction(model.link(floorContact(), ds));
  EXPECT_EQ(model.records().size(), 1u);
}

TEST(Model, LoopOfVerbsIsThatOfComputeOneStep) {
  const auto run = [](bool verbs) {
    NonSmoothDynamicalSystem model(0.0, 2.0);
    auto ds = mass(1.0);
    ds->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(ds);
    model.link(floorContact(0.8), ds);
    TimeDiscretisation instants(0.0, 0.01);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    if (!verbs) {
      simulation.run();
      return ds->q()[0];
    }
    const long N = simulation.getNSteps();
    long k = simulation.getK();
    while (k < N) {
      simulation.nextStep();
      k = simulation.getK();
      simulation.computeFreeStep();
      simulation.updateIndexSets();
      simulation.computeOneStepNSProblem("timeStepping");
      simulation.update(1);
    }
    return ds->q()[0];
  };
  EXPECT_EQ(run(true), run(false));
}

// Callbacks and loops of one's own see the number of the step that has been done.
// They read what was no more.
TEST(Model, VerbsOfAModelThatHasChanged) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = mass();
  model.insertDynamicalSystem(ds);
  auto contact = floorContact();
  model.link(contact, ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator;
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.nextStep();
  simulation.computeFreeStep();
  model.removeInteraction(*contact);
  const auto expectRefusal = [](const auto& verb) {
    expectMessage(messageOf(verb), {"the model has changed", "computeFreeStep"});
  };
  expectRefusal([&] { simulation.updateIndexSets(); });
  expectRefusal([&] { simulation.computeOneStepNSProblem(); });
  expectRefusal([&] { simulation.update(); });
  expectRefusal([&] { simulation.updateOutput(); });
  model.removeDynamicalSystem(*ds);
  ds.reset();
  expectRefusal([&] { simulation.updateState(); });
  model.insertDynamicalSystem(mass(2.0));
  simulation.computeFreeStep();
  simulation.updateIndexSets();
  simulation.computeOneStepNSProblem();
  simulation.update();
}

TEST(Model, StepsAreCountedFromOne) {
  NonSmoothDynamicalSystem model(0.0, 0.05);
  auto ds = mass(0.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(0.5), again(0.5);
  LCP problem, other;
  std::vector<long> in_run, in_loop;
  TimeStepping run(model, instants, integrator, problem);
  run.run([&](const Simulation& s, const StepStatus&) { in_run.push_back(s.getK()); });
  TimeStepping loop(model, instants, again, other);
  EXPECT_EQ(loop.getK(), 0);
  while (loop.hasNextEvent()) {
    loop.computeOneStep();
    in_loop.push_back(loop.getK());
  }
  EXPECT_EQ(in_run, (std::vector<long>{1, 2, 3, 4, 5}));
  EXPECT_EQ(in_loop, in_run);
}

// A state changed by the user between two steps is what the next step starts from.
TEST(Model, StatesMayBeChangedBetweenSteps) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto ds = mass(0.0);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.1);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.computeOneStep();
  simulation.nextStep();
  ds->q()[0] = 3;
  ds->velocity()[0] = 2;
  simulation.computeOneStep();
  EXPECT_NEAR(ds->q()[0], 3.2, 1e-15);
}

TEST(Model, InstantsOfDecimalText) {
  const TimeDiscretisation tenths(0.0, "0.1"), same(0.0, "100e-3"), tiny(0.0, "1e-40"), large(0.0, "2.5e+3");
  EXPECT_EQ(tenths.getTk(3), 0.3);
  EXPECT_EQ(same.getTk(3), 0.3);
  EXPECT_EQ(tenths.timeStep(3), 0.1);
  for (long k = 0; k < 100000; ++k) EXPECT_EQ(tenths.getTk(k), static_cast<double>(k) / 10) << k;
  EXPECT_EQ(TimeDiscretisation(0.0, "0.005").numberOfSteps(10.0), 2000);
  EXPECT_EQ(tiny.getTk(3), 3 * 1e-40);
  EXPECT_EQ(large.getTk(3), 7500);
}

TEST(Model, InstantsAreNotAccumulated) {
  const TimeDiscretisation instants(0.0, 0.1);
  EXPECT_EQ(instants.getTk(3), 3 * 0.1);
  EXPECT_EQ(TimeDiscretisation(0.0, 0.005).numberOfSteps(10.0), 2000);
  EXPECT_EQ(TimeDiscretisation(7, 0.0, 1.0).numberOfSteps(1.0), 7);
  EXPECT_EQ(TimeDiscretisation(std::vector<double>{0, 0.5, 2}).numberOfSteps(1.0), 1);
  // Far from zero the final time itself is rounded by more than 1e-9 of a step.
  for (const double t0 : {1e3, 1e5, 1e6, 1e8, 1.7e9}) {
    EXPECT_EQ(TimeDiscretisation(t0, 1e-3).numberOfSteps(t0 + 0.3), 300) << t0;
    EXPECT_EQ(TimeDiscretisation(t0, 1e-3).numberOfSteps(t0 + 0.7), 700) << t0;
    EXPECT_EQ(TimeDiscretisation(t0, 1e-5).numberOfSteps(t0 + 1.1), 110000) << t0;
    EXPECT_EQ(TimeDiscretisation(t0, 1e-3).numberOfSteps(t0 + 0.3005), 300) << t0;
  }
}

// The form of the specification needs the simulation first, so that the instants end first.
TEST(Model, InstantsAndSimulationsEndInAnyOrder) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto simulation = std::make_unique<TimeStepping>(model);
  auto instants = std::make_unique<TimeDiscretisation>(0.01, simulation.get());
  const TimeDiscretisation copy = *instants;
  EXPECT_EQ(instants->getNSteps(), 100);
  instants.reset();
  simulation.reset();
  EXPECT_EQ(copy.getK(), 0);
  expectMessage(messageOf([&] { copy.getNSteps(); }), {"no simulation has these instants"});
}

TEST(Model, TheLastInstant) {
  EXPECT_EQ(TimeDiscretisation(0.0, 0.1).lastInstant(), INFINITY);
  EXPECT_TRUE(TimeDiscretisation(0.0, 0.1).reaches(1e300));
  const TimeDiscretisation seven(7, 0.0, 1.0), given(std::vector<double>{0, 0.5, 2});
  EXPECT_NEAR(seven.lastInstant(), 1.0, 1e-15);
  EXPECT_TRUE(seven.reaches(1.0));
  EXPECT_FALSE(seven.reaches(1.1));
  EXPECT_EQ(given.lastInstant(), 2.0);
  EXPECT_TRUE(given.reaches(2.0));
  EXPECT_FALSE(given.reaches(2.1));
}

// Two simulations in two threads give what they give one after the other.
TEST(Model, SimulationsInThreadsAreIndependent) {
  const auto run = [](double e) {
    NonSmoothDynamicalSystem model(0.0, 5.0);
    auto ds = mass(1.0);
    ds->setFExt(Vector::Constant(1, -9.81));
    model.insertDynamicalSystem(ds);
    model.link(floorContact(e), ds);
    TimeDiscretisation instants(0.0, 1e-3);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.run();
    return ds->q()[0];
  };
  double a = 0, b = 0;
  std::thread one([&] { a = run(0.5); }), two([&] { b = run(0.9); });
  one.join();
  two.join();
  EXPECT_EQ(a, run(0.5));
  EXPECT_EQ(b, run(0.9));
}

TEST(Model, FailurePolicies) {
  // y = -1 whatever lambda is: no solution.
  const auto simulate = [](FailurePolicy policy, StepStatus& status) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = std::make_shared<FirstOrderLinearTIDS>(Vector::Zero(1), Matrix::Zero(1, 1));
    model.insertDynamicalSystem(ds);
    const Matrix zero = Matrix::Zero(1, 1);
    model.link(
        std::make_shared<Interaction>(std::make_shared<ComplementarityConditionNSL>(1),
                                      std::make_shared<FirstOrderLinearTIR>(zero, zero, Matrix(), Vector::Constant(1, -1), zero)),
        ds);
    TimeDiscretisation instants(0.0, 0.1);
    EulerMoreauOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setFailurePolicy(policy);
    status = simulation.computeOneStep();
  };
  StepStatus status;
  expectMessage(messageOf([&] { simulate(FailurePolicy::Throw, status); }), {"no certified solution", "t = 0.1", "infeasible"});
  simulate(FailurePolicy::Record, status);
  EXPECT_FALSE(status.solve.certified);
  expectMessage(messageOf([&] { simulate(FailurePolicy::Halve, status); }), {"no certified solution"});
}

// A force that no Newton iteration of one step meets, but those of halved steps do.
TEST(Model, HalvedStepsMeetWhatOneDoesNot) {
  const auto parts = [](FailurePolicy policy) {
    NonSmoothDynamicalSystem model(0.0, 1.0);
    auto ds = std::make_shared<LagrangianDS>(Vector::Constant(1, 1), Vector::Zero(1), Matrix::Identity(1, 1));
    // Fixed-point iterations without Jacobian: they contract if h^2 k / 4 < 1.
    ds->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out = 1000 * q; });
    model.insertDynamicalSystem(ds);
    TimeDiscretisation instants(0.0, 0.1);
    MoreauJeanOSI integrator(0.5);
    LCP problem;
    TimeStepping simulation(model, instants, integrator, problem);
    simulation.setFailurePolicy(policy);
    const StepStatus status = simulation.computeOneStep();
    EXPECT_TRUE(status.newtonConverged);
    EXPECT_NEAR(ds->kineticEnergy() + 500 * ds->q()[0] * ds->q()[0], 500, 1e-3);
    return status.parts;
  };
  expectMessage(messageOf([&] { parts(FailurePolicy::Throw); }), {"Newton", "0.1"});
  EXPECT_GT(parts(FailurePolicy::Halve), 1);
}

}  // namespace model_test
