// Runs that are left and taken up again.
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "message_of.hpp"
#include "scratch.hpp"
#include "trajectory.hpp"

namespace resume_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::messageOf;
using test::scratch;

// A model and its simulation; parts live as long as it does.
struct Scenario {
  explicit Scenario(double h, double T = 10.0) : model(0.0, T), instants(0.0, h) {}
  virtual ~Scenario() = default;

  void assemble(std::shared_ptr<OneStepIntegrator> osi, std::shared_ptr<OneStepNSProblem> osnsp) {
    integrator = std::move(osi);
    problem = std::move(osnsp);
    simulation = std::make_unique<TimeStepping>(model, instants, integrator, problem);
  }
  // Everything that a step leaves.
  void append(std::vector<double>& out) const {
    for (const DynamicalSystem* system : model.systems()) {
      if (system == nullptr) continue;
      for (const double q : system->coordinates(Coordinate::q)) out.push_back(q);
      for (const double v : system->motion(Motion::v)) out.push_back(v);
    }
    for (const InteractionRecord& record : model.records()) {
      if (record.object == nullptr) continue;
      for (int level = 0; level < 2; ++level) {
        for (const double y : record.object->y(level)) out.push_back(y);
        for (const double lambda : record.object->lambda(level)) out.push_back(lambda);
      }
    }
  }

  NonSmoothDynamicalSystem model;
  TimeDiscretisation instants;
  std::shared_ptr<OneStepIntegrator> integrator;
  std::shared_ptr<OneStepNSProblem> problem;
  std::unique_ptr<TimeStepping> simulation;
  std::vector<std::shared_ptr<void>> kept;
};

using Maker = std::function<std::unique_ptr<Scenario>()>;

std::vector<double> continueTo(Scenario& scenario, long steps) {
  std::vector<double> result;
  while (scenario.simulation->getK() < steps) {
    scenario.simulation->nextStep();
    scenario.simulation->computeOneStep();
    scenario.append(result);
  }
  return result;
}

bool sameBits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

// A run that saves on its way, and one that goes on from there, give the same bits; so does a run that has never saved, where
// the solver keeps nothing from solve to solve.
void expectSameBits(const Maker& make, long saved_at, long steps, bool without_saving) {
  const std::string path = scratch("state");
  auto first = make(), second = make(), untouched = make();
  continueTo(*first, saved_at);
  saveState(path, *first->simulation);
  const std::vector<double> wanted = continueTo(*first, steps);
  restoreState(path, *second->simulation);
  EXPECT_EQ(second->simulation->getK(), saved_at);
  EXPECT_TRUE(sameBits(continueTo(*second, steps), wanted));
  continueTo(*untouched, saved_at);
  EXPECT_EQ(sameBits(continueTo(*untouched, steps), wanted), without_saving);
}

// Balls above each other, falling on a floor.
struct Column : Scenario {
  Column(int balls, std::shared_ptr<OneStepIntegrator> osi, std::shared_ptr<OneStepNSProblem> osnsp, double e = 0.5)
      : Scenario(2e-3) {
    std::vector<std::shared_ptr<LagrangianLinearTIDS>> systems;
    const auto law = std::make_shared<NewtonImpactNSL>(e);
    for (int k = 0; k < balls; ++k) {
      systems.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 0.1 + 0.3 * k), Vector::Zero(1),
                                                               Matrix::Identity(1, 1) * (1 + 0.1 * k)));
      systems.back()->setFExt(Vector::Constant(1, -9.81 * (1 + 0.1 * k)));
      model.insertDynamicalSystem(systems.back());
      if (k == 0)
        model.link(std::make_shared<Interaction>(law, std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1))), systems[0]);
      else
        model.link(std::make_shared<Interaction>(
                       law, std::make_shared<LagrangianLinearTIR>(Matrix{{-1.0, 1.0}}, Vector::Constant(1, -0.1))),
                   systems[static_cast<std::size_t>(k - 1)], systems.back());
    }
    assemble(std::move(osi), std::move(osnsp));
  }
};

// A planar mass on a floor with friction, thrown.
struct Sliding : Scenario {
  explicit Sliding(std::shared_ptr<OneStepNSProblem> osnsp) : Scenario(5e-3) {
    auto mass = std::make_shared<LagrangianLinearTIDS>(Vector{{0.0, 0.05}}, Vector{{1.0, 0.0}}, Matrix::Identity(2, 2));
    mass->setFExt(Vector{{0.0, -9.81}});
    model.insertDynamicalSystem(mass);
    model.link(std::make_shared<Interaction>(std::make_shared<NewtonImpactFrictionNSL>(0.3, 0.0, 0.4, 2),
                                             std::make_shared<LagrangianLinearTIR>(Matrix{{0.0, 1.0}, {1.0, 0.0}})),
               mass);
    assemble(std::make_shared<MoreauJeanOSI>(0.5), std::move(osnsp));
  }
};

// x'' = -sign, driven; first order, by a relay.
struct Relayed : Scenario {
  explicit Relayed(std::shared_ptr<OneStepIntegrator> osi) : Scenario(1e-2) {
    auto system =
        std::make_shared<FirstOrderLinearTIDS>(Vector{{1.0, -0.4}}, Matrix{{0.0, 1.0}, {-1.0, -0.3}}, Vector{{0.0, 0.2}});
    model.insertDynamicalSystem(system);
    auto relation = std::make_shared<FirstOrderLinearTIR>(Matrix{{0.6, 1.0}}, Matrix{{0.0}, {1.0}});
    model.link(std::make_shared<Interaction>(std::make_shared<RelayNSL>(1), relation), system);
    assemble(std::move(osi), std::make_shared<Relay>());
  }
};

constexpr double radius = 0.1;

void betweenSpheres(double, const double* a, const double* b, Contact& contact) {
  const Vector3 d(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  contact.normal = d.normalized();
  contact.gap = d.norm() - 2 * radius;
  contact.point1 = Vector3(a[0], a[1], a[2]) - radius * contact.normal;
  contact.point2 = Vector3(b[0], b[1], b[2]) + radius * contact.normal;
}

void onFloor(double, const double* q, const double*, Contact& contact) {
  contact.normal = Vector3::UnitZ();
  contact.gap = q[2] - radius;
  contact.point1 = contact.point2 = Vector3(q[0], q[1], q[2] - radius);
}

// Spheres whose contacts come and go.
struct Spheres : Scenario, InteractionManager {
  using Pair = std::pair<int, int>;
  Spheres() : Scenario(5e-3) {
    for (int k = 0; k < 4; ++k) {
      Vector q(7);
      q << 0.03 * k, 0.02 * (k % 2), radius + 0.005 + 0.21 * k, 1, 0, 0, 0;
      spheres.push_back(std::make_shared<NewtonEulerDS>(q, Vector::Zero(6), 1.0, 0.004 * Matrix3::Identity()));
      spheres.back()->setFExt(Vector3(0, 0, -9.81));
      model.insertDynamicalSystem(spheres.back());
    }
    assemble(std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<FrictionContact>(3));
    simulation->insertInteractionManager(static_cast<InteractionManager&>(*this));
  }
  void updateInteractions(Simulation&) override {
    for (int i = 0; i < 4; ++i)
      for (int j = -1; j < i; ++j) {
        const VectorView q = spheres[static_cast<std::size_t>(i)]->q();
        const double gap = j < 0 ? q[2] - radius : (q - spheres[static_cast<std::size_t>(j)]->q()).head<3>().norm() - 2 * radius;
        const auto known = contacts.find({i, j});
        if (gap < 0.02 && known == contacts.end()) link({i, j});
        if (gap > 0.02 && known != contacts.end()) {
          model.removeInteraction(known->second);
          contacts.erase(known);
        }
      }
  }
  bool restoreInteraction(Simulation&, const SavedInteraction& saved) override {
    if (!restores) return false;
    link({saved.system[0], saved.system[1]});
    return true;
  }
  void link(const Pair& pair) {
    auto relation = std::make_shared<NewtonEuler3DR>(pair.second < 0 ? onFloor : betweenSpheres);
    auto contact = std::make_shared<Interaction>(law, relation);
    NewtonEulerDS& first = *spheres[static_cast<std::size_t>(pair.first)];
    contacts[pair] = pair.second < 0 ? model.link(contact, first)
                                     : model.link(contact, first, *spheres[static_cast<std::size_t>(pair.second)]);
  }
  bool restores = true;
  std::vector<std::shared_ptr<NewtonEulerDS>> spheres;
  std::shared_ptr<NewtonImpactFrictionNSL> law = std::make_shared<NewtonImpactFrictionNSL>(0.2, 0.0, 0.5, 3);
  std::map<Pair, InteractionHandle> contacts;
};

template <class S, class... Arguments>
Maker maker(Arguments... arguments) {
  return [=]() -> std::unique_ptr<Scenario> { return std::make_unique<S>(arguments()...); };
}

template <class T, class... Arguments>
auto fresh(Arguments... arguments) {
  return [=] { return std::make_shared<T>(arguments...); };
}

TEST(Resume, MoreauJean) {
  const auto five = [] { return 5; };
  expectSameBits(maker<Column>(five, fresh<MoreauJeanOSI>(0.5), fresh<LCP>()), 137, 400, true);
  expectSameBits(maker<Column>(five, fresh<MoreauJeanOSI>(0.5), fresh<LCP>("lemke")), 137, 400, true);
  expectSameBits(maker<Column>(five, fresh<MoreauJeanDirectProjectionOSI>(0.5), fresh<MLCP>()), 137, 400, true);
}

TEST(Resume, Friction) {
  expectSameBits(maker<Sliding>(fresh<FrictionContact>(2)), 30, 120, true);
  expectSameBits(maker<Sliding>(fresh<GlobalFrictionContact>(2)), 30, 120, true);
}

TEST(Resume, ThetaGamma) {
  expectSameBits(maker<Relayed>(fresh<EulerMoreauOSI>(0.6, 0.7)), 55, 300, true);
  const auto for_relation = [] {
    auto osi = std::make_shared<EulerMoreauOSI>(0.6, 0.7);
    osi->setUseGammaForRelation(true);
    return osi;
  };
  expectSameBits(maker<Relayed>(for_relation), 55, 300, true);
}

TEST(Resume, SchatzmanPaoli) {
  const auto three = [] { return 3; };
  expectSameBits(maker<Column>(three, fresh<SchatzmanPaoliOSI>(0.5), fresh<LCP>()), 1, 300, true);
  expectSameBits(maker<Column>(three, fresh<SchatzmanPaoliOSI>(0.5), fresh<LCP>()), 77, 300, true);
}

// The scheme goes on from a velocity that was set between steps, saved in between or not.
TEST(Resume, SchatzmanPaoliWithAVelocitySetBefore) {
  const Maker make = maker<Column>([] { return 3; }, fresh<SchatzmanPaoliOSI>(0.5), fresh<LCP>());
  auto first = make(), second = make(), undisturbed = make();
  for (Scenario* scenario : {first.get(), undisturbed.get()}) continueTo(*scenario, 20);
  auto& top = dynamic_cast<SecondOrderDS&>(*first->simulation->nonSmoothDynamicalSystem().systems().back());
  top.setVelocity(top.velocity() + Vector::Unit(top.dimension(), 0));
  saveState(scratch("set"), *first->simulation);
  restoreState(scratch("set"), *second->simulation);
  const std::vector<double> wanted = continueTo(*first, 40);
  EXPECT_TRUE(sameBits(continueTo(*second, 40), wanted));
  EXPECT_FALSE(sameBits(continueTo(*undisturbed, 40), wanted));
}

// A run that is set back to where it has been.
TEST(Resume, InTheSameSimulation) {
  const auto expect_same = [](const Maker& make, const char* scheme) {
    auto run = make();
    continueTo(*run, 30);
    saveState(scratch("back"), *run->simulation);
    const std::vector<double> wanted = continueTo(*run, 120);
    restoreState(scratch("back"), *run->simulation);
    EXPECT_TRUE(sameBits(continueTo(*run, 120), wanted)) << scheme;
  };
  const auto three = [] { return 3; };
  expect_same(maker<Column>(three, fresh<MoreauJeanOSI>(0.5), fresh<LCP>()), "MoreauJeanOSI");
  expect_same(maker<Column>(three, fresh<SchatzmanPaoliOSI>(0.5), fresh<LCP>()), "SchatzmanPaoliOSI");
  expect_same(maker<Relayed>(fresh<EulerMoreauOSI>(0.6, 0.7)), "EulerMoreauOSI");
  expect_same(maker<Relayed>(fresh<ZeroOrderHoldOSI>()), "ZeroOrderHoldOSI");
}

TEST(Resume, ZeroOrderHold) { expectSameBits(maker<Relayed>(fresh<ZeroOrderHoldOSI>()), 55, 300, true); }

TEST(Resume, ContactsThatComeAndGo) { expectSameBits(maker<Spheres>(), 60, 200, true); }

TEST(Resume, FromTheStartAndBetweenStepAndNextStep) {
  const Maker make = maker<Relayed>(fresh<EulerMoreauOSI>(0.6, 0.7));
  expectSameBits(make, 0, 50, true);
  auto first = make(), second = make();
  continueTo(*first, 10);
  first->simulation->nextStep();
  saveState(scratch("between"), *first->simulation);
  restoreState(scratch("between"), *second->simulation);
  EXPECT_EQ(second->simulation->getTk(), first->simulation->getTk());
  first->simulation->computeOneStep();
  second->simulation->computeOneStep();
  std::vector<double> a, b;
  first->append(a);
  second->append(b);
  EXPECT_TRUE(sameBits(a, b));
}

TEST(Resume, EverySoManySteps) {
  auto scenario = maker<Relayed>(fresh<ZeroOrderHoldOSI>())();
  const std::string path = scratch("every");
  std::filesystem::remove(path);
  Checkpoints checkpoints(*scenario->simulation, path, 4);
  long saved = 0;
  for (int k = 0; k < 10; ++k) {
    scenario->simulation->computeOneStep();
    saved += checkpoints.step();
  }
  EXPECT_EQ(saved, 2);
  auto resumed = maker<Relayed>(fresh<ZeroOrderHoldOSI>())();
  restoreState(path, *resumed->simulation);
  EXPECT_EQ(resumed->simulation->getK(), 8);
}

#define EXPECT_REFUSED(action, text) \
  EXPECT_NE(messageOf([&] { action; }).find(text), std::string::npos) << messageOf([&] { action; })

TEST(Resume, TheOriginIsKept) {
  auto scenario = maker<Relayed>(fresh<ZeroOrderHoldOSI>())();
  const std::string path = scratch("origin");
  saveState(path, *scenario->simulation);
  EXPECT_EQ(restoreState(path, *scenario->simulation), "");
  Checkpoints(*scenario->simulation, path, 1, "a model").step();
  EXPECT_EQ(restoreState(path, *scenario->simulation), "a model");
}

TEST(Resume, DamagedFilesAreRefused) {
  auto scenario = maker<Relayed>(fresh<ZeroOrderHoldOSI>())();
  continueTo(*scenario, 5);
  const std::string path = scratch("whole"), damaged = scratch("damaged");
  saveState(path, *scenario->simulation);
  const std::string content = test::contentsOf(path);
  for (std::size_t k = 0; k < content.size(); k += 7) {
    std::string wrong = content;
    wrong[k] = static_cast<char>(wrong[k] ^ 0x10);
    std::ofstream(damaged, std::ios::binary) << wrong;
    auto other = maker<Relayed>(fresh<ZeroOrderHoldOSI>())();
    EXPECT_REFUSED(restoreState(damaged, *other->simulation), damaged);
  }
  std::ofstream(damaged, std::ios::binary) << content.substr(0, content.size() / 2);
  EXPECT_REFUSED(restoreState(damaged, *scenario->simulation), "bytes of the state are there");
  std::ofstream(damaged, std::ios::binary) << content << "more";
  EXPECT_REFUSED(restoreState(damaged, *scenario->simulation), "bytes of the state are there");
  // Of what never ends no more than the start is read.
  if (std::filesystem::exists("/dev/zero")) {
    EXPECT_REFUSED(restoreState("/dev/zero", *scenario->simulation), "/dev/zero: no saved state of a simulation");
  }
  EXPECT_REFUSED(restoreState(scratch("absent"), *scenario->simulation), "absent");
  EXPECT_REFUSED(saveState("/no/such/folder/state", *scenario->simulation), "/no/such/folder/state");
}

// The state with a number replaced at a place, read back; "" where it is taken. Only an Error is a refusal.
std::string restoredWith(std::string bytes, std::size_t place, std::int64_t number,
                         const std::function<void(StateReader&)>& restore) {
  std::memcpy(bytes.data() + place, &number, sizeof number);
  StateReader in(bytes, "state");
  try {
    restore(in);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

constexpr std::int64_t enormous = std::int64_t{1} << 60;

// Any number of a state may be wrong where its checksum is right (another program has written it): then it is refused, or the run
// goes on. What is refused in the model's own part has changed nothing.
TEST(Resume, WrongNumbersAreRefused) {
  const Maker make = maker<Column>([] { return 2; }, fresh<MoreauJeanOSI>(0.5), fresh<LCP>());
  auto whole = make();
  continueTo(*whole, 5);
  StateWriter state, of_model;
  whole->simulation->save(state);
  whole->model.save(of_model);
  const std::size_t start = state.bytes().find(of_model.bytes());
  ASSERT_NE(start, std::string::npos);
  for (std::size_t place = 0; place + sizeof(std::int64_t) <= start + of_model.bytes().size(); ++place)
    for (const std::int64_t wrong : {std::int64_t{-1}, enormous, std::int64_t{1}}) {
      const auto scenario = make();
      std::vector<double> before, after;
      scenario->append(before);
      const std::string message =
          restoredWith(state.bytes(), place, wrong, [&](StateReader& in) { scenario->simulation->restore(in); });
      scenario->append(after);
      if (message.empty()) continue;
      ASSERT_EQ(after, before) << message;
      ASSERT_EQ(scenario->simulation->getTk(), 0.0) << message;
    }
}

// Counts, and places said to be free, at the end of the state of a model whose first place is free.
TEST(Resume, PlacesAreChecked) {
  const auto make = [] {
    auto model = std::make_unique<NonSmoothDynamicalSystem>(0.0);
    const auto first = std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(1), Matrix::Zero(1, 1));
    model->insertDynamicalSystem(first);
    model->insertDynamicalSystem(std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(1), Matrix::Zero(1, 1)));
    model->removeDynamicalSystem(*first);
    return model;
  };
  StateWriter state;
  make()->save(state);
  const auto refused = [&](std::size_t from_end, std::int64_t wrong, const char* text) {
    const auto model = make();
    const std::string message = restoredWith(state.bytes(), state.bytes().size() - 8 * from_end, wrong,
                                             [&](StateReader& in) { model->restore(in, nullptr); });
    EXPECT_NE(message.find(text), std::string::npos) << from_end << ", " << wrong << ": \"" << message << "\"";
    EXPECT_EQ(model->insertDynamicalSystem(std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(1), Matrix::Zero(1, 1))), 0);
  };
  for (const std::int64_t wrong : {std::int64_t{-1}, enormous}) {
    refused(1, wrong, "free places of interactions");
    refused(2, wrong, "places of interactions");
    refused(4, wrong, "free places of systems");
    refused(3, wrong, ", said to be free, is not there");
  }
  refused(3, 1, "systems: place 1, said to be free, is taken");
  refused(3, 2, "systems: place 2, said to be free, is not there");
  const std::string whole = state.bytes();
  const auto model = make();
  EXPECT_EQ(restoredWith(whole, whole.size() - 8, 0, [&](StateReader& in) { model->restore(in, nullptr); }), "");
}

// A file with fewer places than the model has.
TEST(Resume, FewerPlacesAreRead) {
  const auto make = [](int systems) {
    auto model = std::make_unique<NonSmoothDynamicalSystem>(0.0);
    std::vector<std::shared_ptr<DynamicalSystem>> made;
    for (int k = 0; k < systems; ++k)
      model->insertDynamicalSystem(
          made.emplace_back(std::make_shared<FirstOrderLinearTIDS>(Vector::Constant(1, 1.0 + k), Matrix::Zero(1, 1))));
    while (made.size() > 1) {
      model->removeDynamicalSystem(*made.back());
      made.pop_back();
    }
    return model;
  };
  StateWriter state;
  make(1)->save(state);
  const auto model = make(3);
  StateReader in(state.bytes(), "state");
  model->restore(in, nullptr);
  EXPECT_TRUE(in.atEnd());
  const auto insert = [&] {
    return model->insertDynamicalSystem(std::make_shared<FirstOrderLinearTIDS>(Vector::Ones(1), Matrix::Zero(1, 1)));
  };
  EXPECT_EQ(insert() + insert(), 3);
  EXPECT_EQ(insert(), 3);
}

TEST(Resume, WhatDoesNotFitIsNamed) {
  const auto three = [] { return 3; };
  auto column = maker<Column>(three, fresh<MoreauJeanOSI>(0.5), fresh<LCP>())();
  continueTo(*column, 5);
  const std::string path = scratch("column");
  saveState(path, *column->simulation);
  const auto refused = [&](const Maker& make, const char* text) {
    auto other = make();
    const std::string message = messageOf([&] { restoreState(path, *other->simulation); });
    EXPECT_NE(message.find(path), std::string::npos);
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  refused(maker<Column>([] { return 2; }, fresh<MoreauJeanOSI>(0.5), fresh<LCP>()), "system 2 is in the file, not in this model");
  refused(maker<Column>([] { return 4; }, fresh<MoreauJeanOSI>(0.5), fresh<LCP>()), "system 3 is in this model, not in the file");
  refused(maker<Column>(three, fresh<SchatzmanPaoliOSI>(0.5), fresh<LCP>()),
          "an integrator is MoreauJeanOSI in the file, SchatzmanPaoliOSI here");
  refused(maker<Column>(three, fresh<MoreauJeanOSI>(0.5), fresh<MLCP>()), "is LCP in the file, MLCP here");
  refused(maker<Relayed>(fresh<ZeroOrderHoldOSI>()), "the instant of step 4 is");
  refused(maker<Sliding>(fresh<FrictionContact>(2)), "the instant of step 4 is");
  auto spheres = std::make_unique<Spheres>();
  continueTo(*spheres, 60);
  saveState(scratch("spheres"), *spheres->simulation);
  auto other = std::make_unique<Spheres>();
  other->restores = false;
  EXPECT_REFUSED(restoreState(scratch("spheres"), *other->simulation), "(NewtonImpactFrictionNSL, NewtonEuler3DR, tag 0, system");
}

// Two masses, one of them linked.
struct Linked : Scenario {
  Linked(std::shared_ptr<NonSmoothLaw> law, std::shared_ptr<Relation> relation, int linked = 0, double h = 0.1) : Scenario(h) {
    for (int k = 0; k < 2; ++k) {
      masses.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(2), Vector{{-1.0, 0.0}}, Matrix::Identity(2, 2)));
      masses.back()->setz(Vector::Constant(1, 0.0));
      model.insertDynamicalSystem(masses.back());
    }
    model.link(std::make_shared<Interaction>(std::move(law), std::move(relation)), masses[static_cast<std::size_t>(linked)]);
    assemble(std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<MLCP>());
  }
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> masses;
};

const auto gap_of_one = fresh<LagrangianLinearTIR>(Matrix{{1.0, 0.0}});
const auto equality = fresh<EqualityConditionNSL>(1);

TEST(Resume, OtherInteractionsAreNamed) {
  Linked saved(equality(), gap_of_one());
  const std::string path = scratch("linked");
  saveState(path, *saved.simulation);
  const auto refused = [&](Linked&& other, const char* text) {
    const std::string message = messageOf([&] { restoreState(path, *other.simulation); });
    EXPECT_NE(message.find(text), std::string::npos) << message;
  };
  refused(
      Linked(fresh<NewtonImpactNSL>(0.5)(), gap_of_one()),
      "(EqualityConditionNSL, LagrangianLinearTIR, tag 0, system 0) of 1 rows in the file is interaction 0 (NewtonImpactNSL,");
  refused(Linked(equality(), fresh<LagrangianCompliantLinearTIR>(Matrix{{1.0, 0.0}}, Matrix{{1.0}})()),
          "is interaction 0 (EqualityConditionNSL, LagrangianCompliantLinearTIR,");
  refused(Linked(equality(), gap_of_one(), 1), "is interaction 0 (EqualityConditionNSL, LagrangianLinearTIR, tag 0, system 1)");
  refused(Linked(fresh<EqualityConditionNSL>(2)(), fresh<LagrangianLinearTIR>(Matrix(Matrix::Identity(2, 2)))()),
          "of 2 rows here");
  refused(Linked(equality(), gap_of_one(), 0, 0.2), "the time step is 0.1");
}

TEST(Resume, ParametersContactsAndCountsComeBack) {
  Linked saved(equality(), gap_of_one()), resumed(equality(), gap_of_one());
  saved.simulation->computeOneStep();
  saved.masses[1]->z()[0] = 7;
  const std::string path = scratch("linked");
  saveState(path, *saved.simulation);
  restoreState(path, *resumed.simulation);
  EXPECT_EQ(resumed.masses[1]->z()[0], 7);
  EXPECT_EQ(resumed.simulation->indexSet(1), std::vector<int>{0});
  EXPECT_EQ(resumed.problem->solved(), 1);
}

}  // namespace resume_test
