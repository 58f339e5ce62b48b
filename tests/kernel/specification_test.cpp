// The code samples of the specification compile and run.
#include <nonsmooth/kernel/names.hpp>

#include "trajectory.hpp"

namespace specification_test {

using namespace nonsmooth::kernel;

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

TEST(Specification, InternalForces) {
  SP::LagrangianDS ds(new LagrangianDS(Vector::Zero(3), Vector::Zero(3), Matrix::Identity(3, 3)));
  SP::SiconosVector myF(new SimpleVector(3));
  myF->setOnes();
  ds->setFInt(*myF);
  ds->setFIntPtr(myF);
  EXPECT_EQ(ds->fInt(), myF);
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

}  // namespace specification_test
