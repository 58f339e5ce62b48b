// The code samples of the specification compile and run.
#include <cmath>
#include <nonsmooth/kernel/names.hpp>

#include "event_verbs.hpp"
#include "message_of.hpp"
#include "trajectory.hpp"

namespace specification_test {

using namespace nonsmooth::kernel;
using test::messageOf;

SP::LagrangianLinearTIDS ballIn(Model& model) {
  SP::LagrangianLinearTIDS ds(new LagrangianLinearTIDS(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1)));
  ds->setFExt(Vector::Constant(1, -9.81));
  model.insertDynamicalSystem(ds);
  SP::Relation relation(new LagrangianLinearTIR(Matrix::Identity(1, 1)));
  SP::NonSmoothLaw law(new NewtonImpactNSL(0.9));
  SP::Interaction contact(new Interaction(law, relation));
  model.link(contact, ds);
  return ds;
}

static_assert(std::is_base_of_v<OneStepIntegrator, NewmarkAlphaOSI>);
static_assert(std::is_constructible_v<SP::DynamicalSystem, SP::FirstOrderLinearDS>);
static_assert(std::is_constructible_v<SP::OneStepIntegrator, SP::NewmarkAlphaOSI>);
static_assert(std::is_constructible_v<SP::OneStepNSProblem, SP::GenericMechanical>);
static_assert(std::is_constructible_v<SP::Relation, SP::LagrangianRheonomousR>);
static_assert(std::is_constructible_v<SP::NonSmoothLaw, SP::NormalConeNSL>);

TEST(Specification, InternalForces) {
  SP::LagrangianDS ds(new LagrangianDS(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3)));
  SP::SiconosVector myF(new SimpleVector(3));
  myF->setOnes();
  ds->setFInt(*myF);
  ds->setFIntPtr(myF);
  EXPECT_EQ(ds->fInt(), myF);
}

// setName copies, setNamePtr shares, for all members.
TEST(Specification, MatricesOfASystemAreCopiedOrShared) {
  Model model(0.0, 2.0);
  SP::LagrangianLinearTIDS ds(new LagrangianLinearTIDS(Vector::Ones(1), Vector::Zero(1), Matrix::Identity(1, 1)));
  SP::SiconosMatrix M(new SimpleMatrix(1, 1)), K(new SimpleMatrix(1, 1)), C(new SimpleMatrix(1, 1));
  *M << 2, *K << 8, *C << 0;
  ds->setMassPtr(M);
  ds->setKPtr(K);
  ds->setCPtr(C);
  EXPECT_EQ(ds->mass().dense(), M.get());
  const LinearOperator copy = ds->K();
  *K << 2;
  EXPECT_EQ(ds->getK()(0, 0), 2);
  EXPECT_EQ(copy.toDense(1)(0, 0), 8);
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 1e-3);
  MoreauJeanOSI integrator;
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(integrator);
  simulation.run([&](const Simulation& s, const StepStatus&) {
    if (s.getK() != 1000) return;
    *M << 4;  // half the square of the frequency
    *K << 1;
    ds->touch();
  });
  EXPECT_NEAR(ds->q()[0], std::cos(1.0) * std::cos(0.5) - 2 * std::sin(1.0) * std::sin(0.5), 1e-6);
  EXPECT_EQ(messageOf([&] { ds->setKPtr(nullptr); }), "K: a null pointer was given");
  EXPECT_EQ(messageOf([&] { ds->setMassPtr(std::make_shared<Matrix>(Matrix::Identity(2, 2))); }),
            "mass has 2 entries, 1 expected");
}

TEST(Specification, ParametersOfTwoSystemsAreShared) {
  SP::SiconosVector z(new SimpleVector(1));
  *z << 3;
  LagrangianDS first(Vector::Zero(1), Vector::Zero(1)), second(Vector::Zero(1), Vector::Zero(1));
  for (LagrangianDS* ds : {&first, &second}) {
    ds->setComputeFExtFunction([](double, VectorRef out, VectorRef parameters) { out[0] = parameters[0]; });
    ds->setzPtr(z);
  }
  *z << 5;
  first.computeForces(0);
  second.computeForces(0);
  EXPECT_EQ(first.forces()[0] + second.forces()[0], 10);
  LagrangianLinearTIR relation(Matrix::Identity(1, 1));
  relation.setzPtr(z);
  EXPECT_EQ(relation.getz()[0], 5);
}

// "This corresponds to x value when simulation is starting."
TEST(Specification, InitialStatesOfARun) {
  const SP::FirstOrderLinearTIDS first(new FirstOrderLinearTIDS(Vector::Zero(1), Matrix::Zero(1, 1)));
  first->setx0(Vector::Constant(1, 3.0));
  EXPECT_EQ(first->x()[0], 3);
  Model model(0.0, 1.0);
  const SP::LagrangianLinearTIDS ds(new LagrangianLinearTIDS(Vector::Zero(1), Vector::Zero(1), Matrix::Identity(1, 1)));
  ds->setq0(Vector::Constant(1, 2.0));
  ds->setVelocity0(Vector::Constant(1, 1.0));
  model.insertDynamicalSystem(ds);
  TimeDiscretisation instants(0.0, 0.25);
  MoreauJeanOSI integrator;
  TimeStepping simulation(model, instants);
  simulation.insertIntegrator(integrator);
  simulation.run();
  EXPECT_DOUBLE_EQ(ds->q()[0], 3);
  ds->setq0(Vector::Constant(1, 7.0));  // of the next run
  EXPECT_DOUBLE_EQ(ds->q()[0], 3);
  ds->resetToInitialState();
  EXPECT_EQ(ds->q()[0], 7);
  EXPECT_EQ(ds->getq0()[0] + ds->getVelocity0()[0], 8);
}

TEST(Specification, TimeDiscretisationOfASimulation) {
  Model m(1.0);
  TimeStepping s(&m);
  unsigned int nSteps = 10;
  TimeDiscretisation td(0.1, nSteps, &s);
  EXPECT_DOUBLE_EQ(m.finalT(), 2.0);
  EXPECT_EQ(td.getNSteps(), 10);
  EXPECT_EQ(s.getTk(), 1.0);
}

TEST(Specification, TimeDiscretisationOfAModel) {
  double t0 = 0.0;
  SP::Model m(new Model(t0));
  double h = 0.1;
  unsigned int nSteps = 10;
  SP::TimeDiscretisation td(new TimeDiscretisation(h, nSteps, m));
  SP::Simulation s(new TimeStepping(td));
  EXPECT_DOUBLE_EQ(m->finalT(), 1.0);
  EXPECT_EQ(s->getNSteps(), 10);
}

// "tk and final time will be automatically computed."
TEST(Specification, TimeDiscretisationOfANumberOfSteps) {
  double t0 = 1.0;
  Model* m = new Model(t0);
  Simulation* s = new TimeStepping(m);
  double h = 0.1;
  unsigned int nSteps = 10;
  TimeDiscretisation* td = new TimeDiscretisation(h, nSteps);
  EXPECT_TRUE(std::isnan(td->getTk(0)));
  s->setTimeDiscretisation(td);
  EXPECT_DOUBLE_EQ(m->finalT(), 2.0);
  EXPECT_EQ(td->getNSteps(), 10);
  EXPECT_EQ(td->getTk(0), 1.0);
  delete s;
  delete td;
  delete m;
  EXPECT_EQ(messageOf([] { TimeDiscretisation(0.1, 0U); }), "a time discretisation of 0 steps");
  EXPECT_EQ(messageOf([] { TimeDiscretisation(0, 1000U); }), "the time step is 0");
}

// They belong to the first model that they meet.
TEST(Specification, ANumberOfStepsForASecondModel) {
  Model first(0.0), second(1.0), third(0.0, 5.0);
  TimeDiscretisation td(0.1, std::size_t{10});
  TimeStepping one(first, td), two(second, td), three(third, td);
  EXPECT_DOUBLE_EQ(first.finalT(), 1.0);
  EXPECT_EQ(third.finalT(), 5.0);
  MoreauJeanOSI integrator;
  two.insertIntegrator(integrator);
  EXPECT_EQ(messageOf([&] { two.initialize(); }), "the first instant 0 is not the initial time 1 of the model");
}

// Two numbers are t0 and h, whatever they are meant to be.
TEST(Specification, ANumberOfStepsThatIsNotUnsigned) {
  Model model(0.0);
  TimeStepping simulation(model);
  simulation.setTimeDiscretisation(std::make_shared<TimeDiscretisation>(0.01, 1000));
  MoreauJeanOSI integrator;
  simulation.insertIntegrator(integrator);
  EXPECT_EQ(
      messageOf([&] { simulation.initialize(); }),
      "the first instant 0.01 is not the initial time 0 of the model; 1000 steps of 0.01 are TimeDiscretisation(0.01, 1000u)");
}

TEST(Specification, StepsOfAMoreauSimulation) {
  Model model(0.0, 2.0);
  const SP::LagrangianLinearTIDS ds1 = ballIn(model);
  Model* myModel = &model;
  double timeStep = 0.01;
  unsigned level = 1;

  TimeStepping* s = new TimeStepping(myModel);
  TimeDiscretisation* t = new TimeDiscretisation(timeStep, s);
  DynamicalSystemsSet allDS = {ds1.get()};
  Moreau* integrator = new Moreau(allDS, 0.5, s);
  LCP* lcp = new LCP(s, "timeStepping", "lemke", 101, 0.0001, "max", 0.6);
  s->initialize();
  int k = static_cast<int>(t->getK());
  int N = static_cast<int>(t->getNSteps());
  while (k < N) {
    s->nextStep();
    k = static_cast<int>(t->getK());
    s->computeFreeStep();
    s->updateIndexSets();
    s->computeOneStepNSProblem("timeStepping");
    s->update(static_cast<int>(level));
  }
  EXPECT_EQ(k, 200);
  double theta = integrator->getTheta(ds1.get());
  SiconosMatrix W = integrator->getW(ds1.get());
  EXPECT_EQ(theta, 0.5);
  EXPECT_EQ(W(0, 0), 1.0);
  EXPECT_GT(ds1->q()[0], -0.1);
  const UnitaryRelationsSet I0 = s->indexSet(0);
  EXPECT_EQ(I0.size(), 1U);
  delete s;
  delete lcp;
  delete integrator;
  delete t;
}

TEST(Specification, EventDrivenSimulation) {
  Model ball(0.0, 2.0);
  const SP::LagrangianLinearTIDS ds = ballIn(ball);
  double timeStep = 0.01;
  const char* solverName = "lemke";
  DynamicalSystemsSet setOfDS = {ds.get()};

  SP::EventDriven s(new EventDriven(&ball));
  TimeDiscretisation* t = new TimeDiscretisation(timeStep, s.get());
  OneStepIntegrator* OSI = new Lsodar(setOfDS, s.get());
  OneStepNSProblem* impact = new LCP(s.get(), "impact", solverName, 101, 0.0001, "max", 0.6);
  OneStepNSProblem* acceleration = new LCP(s.get(), "acceleration", solverName, 101, 0.0001, "max", 0.6);
  s->initialize();
  SP::EventsManager eventsManager = s->eventsManager();
  while (eventsManager->hasNextEvent()) {
    s->advanceToEvent();
    eventsManager->processEvents();
  }
  EXPECT_EQ(s->count(ContactEvent::Impact), 3);
  EXPECT_DOUBLE_EQ(eventsManager->startingTime(), 2.0);
  s.reset();
  delete acceleration;
  delete impact;
  delete OSI;
  delete t;
}

// A ball event by event, not initialized yet.
struct EventDrivenBall {
  SP::NonSmoothDynamicalSystem nsds{new NonSmoothDynamicalSystem(1.0, 3.0)};
  SP::LagrangianLinearTIDS ds = ballIn(*nsds);
  SP::TimeDiscretisation td{new TimeDiscretisation(1.0, 0.01)};
  SP::OneStepIntegrator osi{new LsodarOSI};
  SP::OneStepNSProblem impact{new LCP}, acceleration{new LCP};
  SP::EventDriven s{new EventDriven(nsds, td)};
  EventDrivenBall() {
    s->insertIntegrator(osi);
    s->insertNonSmoothProblem(impact, "impact");
    s->insertNonSmoothProblem(acceleration, "acceleration");
  }
};

// The later form of the loop: nothing calls initialize().
TEST(Specification, EventDrivenLoopThatDoesNotInitialize) {
  EventDrivenBall ball;
  SP::EventsManager eventsManager = ball.s->eventsManager();
  EXPECT_EQ(eventsManager->startingTime(), 1.0);
  EXPECT_DOUBLE_EQ(eventsManager->nextTime(), 1.01);
  while (eventsManager->hasNextEvent()) {
    ball.s->advanceToEvent();
    eventsManager->processEvents();
  }
  EXPECT_EQ(ball.s->count(ContactEvent::Impact), 3);
  EXPECT_DOUBLE_EQ(eventsManager->startingTime(), 3.0);

  EventDrivenBall other;
  while (other.s->eventsManager()->hasNextEvent()) other.s->computeOneStep();
  EXPECT_EQ(other.s->count(ContactEvent::Impact), 3);
  EXPECT_DOUBLE_EQ(other.s->nonSmoothDynamicalSystem().finalT(), other.s->startingTime());
}

TEST(Specification, EventsOutliveTheirSimulation) {
  EventDrivenBall ball;
  SP::EventsManager eventsManager = ball.s->eventsManager();
  ball.s->computeOneStep();
  ball.s.reset();
  EXPECT_FALSE(eventsManager->hasNextEvent());
  EXPECT_EQ(messageOf([&] { eventsManager->processEvents(); }), "the simulation of these events is gone");
}

// The parts of a nonsmooth event one by one, at the instant the search has stopped at.
TEST(Specification, VerbsOfAnEvent) {
  EventDrivenBall ball;
  EventDriven& simulation = *ball.s;
  const double fall = std::sqrt(2 / 9.81);
  double tinit = 1, tend = 2, tout = 0;
  int iout = 1;
  simulation.integrate(tinit, tend, tout, iout);
  EXPECT_EQ(iout, 3);
  EXPECT_NEAR(tout, 1 + fall, 1e-12);
  simulation.updateOutput(0, 1);
  simulation.updateIndexSets();
  EXPECT_EQ(simulation.indexSet(1).size(), 1U);
  EXPECT_EQ(simulation.indexSet(2).size(), 0U);
  simulation.computeOneStepNSProblem("impact");
  simulation.update(1);
  EXPECT_NEAR(ball.ds->velocity()[0], 0.9 * 9.81 * fall, 1e-10);
  simulation.updateIndexSets();
  simulation.computeOneStepNSProblem("acceleration");
  simulation.updateIndexSetsWithDoubleCondition();  // no contact is at rest
  simulation.nextStep();
  tinit = tout;
  iout = 1;
  simulation.integrate(tinit, tend = tinit + 0.1, tout, iout);
  EXPECT_EQ(iout, 2);
  EXPECT_NEAR(ball.ds->q()[0], 0.1 * 0.9 * 9.81 * fall - 0.5 * 9.81 * 0.01, 1e-10);
}

// One loop for both kinds of simulation.
TEST(Specification, LoopOfEventsOfAnySimulation) {
  const auto end = [](const SP::Simulation& s) {
    while (s->hasNextEvent()) {
      s->advanceToEvent();
      s->processEvents();
    }
    return s->startingTime();
  };
  EventDrivenBall events, expected;
  EXPECT_DOUBLE_EQ(end(events.s), 3.0);
  expected.s->run();
  EXPECT_EQ(events.ds->q(), expected.ds->q());
  const auto stepped = [&](bool verbs) {
    Model model(1.0, 3.0);
    const SP::LagrangianLinearTIDS ds = ballIn(model);
    const SP::TimeDiscretisation td(new TimeDiscretisation(1.0, 0.01));
    MoreauJeanOSI osi;
    LCP lcp;
    const SP::Simulation s(new TimeStepping(model, td, osi, lcp));
    if (!verbs) s->run();
    EXPECT_DOUBLE_EQ(end(s), 3.0);
    return ds->getq();
  };
  EXPECT_EQ(stepped(true), stepped(false));
}

// The parts of an impact, of a simulation whose kind is not known.
TEST(Specification, VerbsOfAnySimulation) {
  EventDrivenBall ball;
  const double fall = std::sqrt(2 / 9.81);
  while (ball.s->nextTime() < 1 + fall - 1e-9) ball.s->computeOneStep();
  Simulation& simulation = *ball.s;
  simulation.advanceToEvent();
  simulation.updateOutput(0, 1);
  simulation.updateIndexSets();
  EXPECT_EQ(simulation.indexSet(1).size(), 1U);
  simulation.computeOneStepNSProblem("impact");
  simulation.update(1);
  EXPECT_NEAR(ball.ds->velocity()[0], 0.9 * 9.81 * fall, 1e-10);
  simulation.updateOutput(1);
}

// Outputs between advanceToEvent and processEvents are those of the event, whatever depends on time.
TEST(Specification, OutputsOfARheonomousRelationBeforeTheEventIsProcessed) {
  NonSmoothDynamicalSystem model(0.0, 1.0);
  auto mass = std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 5.0), Vector::Zero(1), Matrix::Identity(1, 1));
  model.insertDynamicalSystem(mass);
  auto relation = std::make_shared<LagrangianRheonomousR>(
      [](double t, ConstVectorRef q, VectorRef y, VectorRef) { y[0] = q[0] - t; },
      [](double, ConstVectorRef, MatrixRef G, VectorRef) { G(0, 0) = 1; },
      [](double, ConstVectorRef, VectorRef hdot, VectorRef) { hdot[0] = -1; },
      [](double, ConstVectorRef, ConstVectorRef, VectorRef out, VectorRef) { out[0] = 0; });
  auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), relation);
  model.link(contact, mass);
  TimeDiscretisation instants(0.0, 0.25);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(model, instants, integrator, impact, acceleration);
  simulation.advanceToEvent();
  simulation.updateOutput(0, 1);
  EXPECT_DOUBLE_EQ(contact->y(0)[0], 4.75);
}

// None of them is called too early.
TEST(Specification, VerbsInitialize) {
  std::vector<test::EventVerb> verbs = test::event_verbs;
  verbs.emplace_back([](EventDriven& s) { s.processInstant(); });
  verbs.emplace_back([](EventDriven& s) { s.processNonSmoothEvent(); });
  for (const test::EventVerb& verb : verbs) {
    EventDrivenBall ball;
    verb(*ball.s);
    ball.s->run();
    EXPECT_EQ(ball.s->count(ContactEvent::Impact), 3);
  }
}

TEST(Specification, EventsAreProcessedWhereMotionHasReachedThem) {
  EventDrivenBall ball;
  EXPECT_EQ(messageOf([&] { ball.s->processEvents(); }),
            "the event at t = 1.01 is to be processed, the state is that of t = 1: advanceToEvent comes first");
  ball.s->run();
  EXPECT_EQ(ball.s->count(ContactEvent::Impact), 3);
}

TEST(Specification, ProblemsThatDoNotExistAreNamed) {
  EventDrivenBall ball;
  const char* message = "no nonsmooth problem is named \"imapct\"";
  EXPECT_EQ(messageOf([&] { ball.s->computeOneStepNSProblem("imapct"); }), message);
  const SP::OneStepIntegrator moreau(new MoreauJeanOSI);
  TimeStepping stepping(ball.nsds, ball.td, moreau, ball.impact);
  EXPECT_EQ(messageOf([&] { stepping.computeOneStepNSProblem("imapct"); }), message);
}

}  // namespace specification_test
