// Shipped model files against the references.
#include <cmath>

#include "message_of.hpp"
#include "model_files.hpp"
#include "scratch.hpp"
#include "trajectory.hpp"

namespace model_file_test {

using namespace nonsmooth::kernel;
using kernel_tests::difference;
using kernel_tests::shipped;
using nonsmooth::kernel::test::contentsOf;

// Time and the quantities of the file's own Output, or of `list`; the first row is that of t0.
Matrix run(const LoadedModel& loaded, const std::string& list = "") {
  const auto quantities = findQuantities(loaded, list.empty() && !loaded.outputs.empty() ? loaded.outputs[0].quantities : list);
  Matrix rows(loaded.simulation->getNSteps() + 1, static_cast<Index>(quantities.size()) + 1);
  Index row = 0;
  const auto record = [&](double time) {
    rows(row, 0) = time;
    for (std::size_t k = 0; k < quantities.size(); ++k) rows(row, static_cast<Index>(k) + 1) = quantities[k].value();
    ++row;
  };
  record(loaded.model->t0());
  loaded.simulation->run([&](const Simulation& simulation, const StepStatus& status) {
    EXPECT_TRUE(status.solve.certified) << row;
    record(simulation.nextTime());
  });
  EXPECT_EQ(row, rows.rows());
  return rows;
}

TEST(ModelFile, T1InBothSyntaxes) {
  READ_OR_SKIP(reference, "BouncingBallTS.ref");
  const Matrix xml = run(readModel(shipped("bouncing_ball.xml"))), json = run(readModel(shipped("bouncing_ball.json")));
  EXPECT_EQ(xml, json);
  EXPECT_LE(difference(xml, reference, 0, 2001, 5), 1e-11);
}

TEST(ModelFile, T6DissipationEquality) {
  READ_OR_SKIP(reference, "CircuitRLCD-ThetaGamma.ref");
  EXPECT_LE(difference(run(readModel(shipped("rlc_dissipation.xml"))), reference, 0, 100, 3), 1e-11);
}

// The law of the diode is one of t + gamma h: at the ends of steps y falls to -5.8.
TEST(ModelFile, LawsWithinAStepAreNotViolated) {
  const LoadedModel loaded = readModel(shipped("rlc_dissipation.xml"));
  double lowest = 0;
  loaded.simulation->run([&](const Simulation&, const StepStatus& status) {
    EXPECT_LE(status.violation, 1e-9) << status.time;
    lowest = std::min(lowest, loaded.interaction("diode").y(0)[0]);
  });
  EXPECT_LT(lowest, -5);
}

TEST(ModelFile, T7CircuitWithDiode) {
  READ_OR_SKIP(reference, "CircuitRLCD.ref");
  const Matrix rows = run(readModel(shipped("rlc_diode.xml")));
  EXPECT_LE(difference(rows, reference, 0, 500, 3), 1e-11);
  EXPECT_LE((rows.col(3).segment(1, 499) + reference.col(3).segment(1, 499)).cwiseAbs().maxCoeff(), 1e-11);
  EXPECT_LE((rows.col(4).segment(1, 499) - reference.col(4).segment(1, 499)).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(ModelFile, T8DiodeBridge) {
  READ_OR_SKIP(reference, "DiodeBridge.ref");
  EXPECT_LE(difference(run(readModel(shipped("diode_bridge.json"))), reference, 0, 5000, 3), 1e-11);
}

TEST(ModelFile, T10Relay) {
  READ_OR_SKIP(reference, "SimpleExampleRelay.ref");
  EXPECT_LE(difference(run(readModel(shipped("sliding_relay.xml"))), reference, 1, 800, 7), 1e-12);
}

TEST(ModelFile, T14Twisting) {
  READ_OR_SKIP(reference, "Twisting.ref");
  EXPECT_LE(difference(run(readModel(shipped("twisting_controller.json"))), reference, 0, 200, 3), 1e-11);
}

TEST(ModelFile, T25Woodpecker) {
  READ_OR_SKIP(reference, "Woodpecker.ref.gz");
  EXPECT_LE(difference(run(readModel(shipped("woodpecker.xml"))), reference, 0, 15000, 7), 1e-11);
}

// The contacts of the reference are made when beads come near; here they are always there.
TEST(ModelFile, T26ColumnOfBeads) {
  READ_OR_SKIP(reference, "ColumnOfBeadsTS.ref.gz");
  EXPECT_LE(difference(run(readModel(shipped("bead_column.json"))), reference, 0, 4001, 21), 1e-11);
}

TEST(ModelFile, T29RigidBallWithProjection) {
  READ_OR_SKIP(reference, "BouncingBallNETS-WITHPROJ.ref");
  EXPECT_LE(difference(run(readModel(shipped("rigid_ball.xml"))), reference, 0, 2001, 3), 1e-9);
}

// Rows at the start, at instants, and before and after each nonsmooth event, as nonsmooth simulate writes them.
Matrix runEvents(const LoadedModel& loaded) {
  const auto quantities = findQuantities(loaded, loaded.outputs[0].quantities);
  const auto columns = static_cast<Index>(quantities.size()) + 1;
  std::vector<double> numbers;
  const auto record = [&](double time) {
    numbers.push_back(time);
    for (const Quantity& quantity : quantities) numbers.push_back(quantity.value());
  };
  record(loaded.model->t0());
  auto& simulation = dynamic_cast<EventDriven&>(*loaded.simulation);
  simulation.setTrajectoryCallback([&](const EventDriven& events, bool) { record(events.startingTime()); });
  simulation.run([&](const Simulation&, const StepStatus& status) {
    EXPECT_TRUE(status.solve.certified) << status.time;
    EXPECT_LE(status.violation, 1e-9) << status.time;
  });
  const auto rows = static_cast<Index>(numbers.size()) / columns;
  return Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(numbers.data(), rows, columns);
}

TEST(ModelFile, T22BlockWithMultipleImpacts) {
  READ_OR_SKIP(reference, "RockingBlockED_Lsodar_LZBimpact.ref");
  const Matrix rows = runEvents(readModel(shipped("rocking_block_impacts.xml")));
  // Then the file has zeros.
  EXPECT_EQ(rows.rows(), 215);
  EXPECT_LE(difference(rows, reference, 0, 215, 7), 1e-9);
}

TEST(ModelFile, EventDrivenBallComesToRest) {
  const LoadedModel loaded = readModel(shipped("event_bouncing_ball.xml"));
  const Matrix rows = runEvents(loaded);
  auto& simulation = dynamic_cast<EventDriven&>(*loaded.simulation);
  const double first = std::sqrt(2 / 9.81), e = 0.8;
  int impacts = 0;
  for (const ContactRecord& record : simulation.eventLog()) {
    if (record.kind == ContactEvent::Impact) {
      EXPECT_NEAR(record.time, first * (1 + 2 * e * (1 - std::pow(e, impacts++)) / (1 - e)), 1e-10);
    } else if (record.kind == ContactEvent::Accumulation) {
      EXPECT_NEAR(record.until, first * (1 + e) / (1 - e), 1e-8);
    }
  }
  EXPECT_EQ(simulation.count(ContactEvent::Accumulation), 1);
  // Height, velocity, impulse and force at the end.
  EXPECT_LE((rows.row(rows.rows() - 1) - Eigen::RowVectorXd{{5, 0, 0, 0, 9.81}}).cwiseAbs().maxCoeff(), 1e-12);
}

// The bouncing ball with parts of its file replaced.
LoadedModel otherBall(std::initializer_list<std::pair<std::string, std::string>> changes) {
  std::string text = contentsOf(shipped("bouncing_ball.xml"));
  for (const auto& [what, with] : changes) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), with);
  }
  return readModelText(text, "ball.xml");
}

TEST(ModelFile, T15SchatzmanPaoli) {
  READ_OR_SKIP(reference, "BouncingBallTS-SchatzmanPaoliOSI.ref");
  const Matrix rows = run(otherBall({{"MoreauJeanOSI", "SchatzmanPaoliOSI"}, {"<LCP ", "<LCP keepLambdaAndYState=\"false\" "}}));
  for (const Index column : {0, 1, 3, 4})
    EXPECT_LE((rows.col(column) - reference.col(column)).head(1315).cwiseAbs().maxCoeff(), 1e-11) << column;
}

TEST(ModelFile, T18GlobalFriction) {
  READ_OR_SKIP(reference, "BouncingBallTS-MoreauJeanGOSI.ref");
  const Matrix rows =
      run(otherBall({{"<NewtonImpactNSL e=\"0.9\"/>", "<NewtonImpactFrictionNSL en='0.9' et='0.9' mu='0.6' size='3'/>"},
                     {"C=\"1 0 0\"", "C='1 0 0; 0 1 0; 0 0 1'"},
                     {"<LCP tolerance=\"1e-15\"", "<GlobalFrictionContact dimension='3' tolerance='1e-14'"},
                     {"lambda of floor", "lambda[0] of floor"}}));
  EXPECT_LE(difference(rows, reference, 0, 2001, 5), 1e-11);
}

// Figures of the examples of the same names.
TEST(ModelFile, RelayOscillator) {
  const Matrix rows = run(readModel(shipped("relay_oscillator.xml")), "y of relay");
  double last = 0, half = 0;
  for (Index k = 2; k < rows.rows(); ++k)
    if (rows(k, 1) * rows(k - 1, 1) < 0) {
      const double crossing = rows(k, 0) - 1e-3 * rows(k, 1) / (rows(k, 1) - rows(k - 1, 1));
      half = crossing - last, last = crossing;
    }
  const auto tsypkin = [](double T) { return 3 * std::tanh(.5 * T) - 3 * std::tanh(T) + std::tanh(1.5 * T); };
  double low = .1, high = 10;
  for (int k = 0; k < 60; ++k) (tsypkin(.5 * (low + high)) < 0 ? low : high) = .5 * (low + high);
  EXPECT_NEAR(half, low, 2e-3);
}

TEST(ModelFile, StackedBoxes) {
  const LoadedModel loaded = readModel(shipped("stacked_boxes.json"));
  run(loaded);
  const double g = 9.81, weights[] = {6 * g, 3 * g, g}, x[] = {0, .125, .25}, widths[] = {1, .75, .5}, own[] = {3, 2, 1};
  for (int k = 0; k < 3; ++k) {
    double moment = 0;
    for (int i = k; i < 3; ++i) moment += own[i] * g * x[i];
    const double share = .5 + (moment / weights[k] - x[k]) / widths[k];
    const std::string number = std::to_string(k + 1);
    EXPECT_NEAR(loaded.interaction("right" + number).lambda(1)[0] / 1e-3, weights[k] * share, 1e-5);
    EXPECT_NEAR(loaded.interaction("left" + number).lambda(1)[0] / 1e-3, weights[k] * (1 - share), 1e-5);
  }
}

TEST(ModelFile, RockingBlock) {
  const Matrix rows = run(readModel(shipped("rocking_block.xml")), "q[2] of block, v[2] of block");
  Index impact = 1;
  while (impact < rows.rows() && rows(impact, 1) < 0) ++impact;
  ASSERT_LT(impact + 6, rows.rows());
  const double r = .5 * std::hypot(.2, 1), a = std::atan2(.2, 1);
  const double time = std::acosh(1 / .8) / std::sqrt(.75 * 9.81 / r);
  EXPECT_NEAR(rows(impact, 0), time, a * a / 6 * time);
  EXPECT_NEAR(rows(impact + 6, 2) / rows(impact - 1, 2), 1 - 1.5 * std::pow(std::sin(a), 2), 5e-3);
}

TEST(ModelFile, HingedRod) {
  const Matrix rows = run(readModel(shipped("hinged_rod.xml")), "q[0] of rod");
  Index best = 1000;
  for (Index k = 1000; k < rows.rows(); ++k)
    if (rows(k, 1) > rows(best, 1)) best = k;
  EXPECT_NEAR(rows(best, 0), 7.416298709205487 * std::sqrt(2 / (3 * 9.81)), 6e-3);
  EXPECT_NEAR(rows(best, 1), .5, 2e-4);
}

// As nonsmooth options lists them; what is a number stays the place in the list.
TEST(ModelFile, OptionsAreWordsOrNumbers) {
  const auto problemWith = [](const std::string& name, const std::string& value) {
    const LoadedModel loaded = otherBall({{"<LCP tolerance=\"1e-15\"/>", "<LCP method='block_gauss_seidel'><Option name='" +
                                                                             name + "' value='" + value + "'/></LCP>"}});
    return loaded.simulation->oneStepNSProblem().hasOption(name);
  };
  for (const char* value : {"over_relaxation", "2"}) EXPECT_TRUE(problemWith("acceleration", value));
  for (const char* value : {"true", "1"}) EXPECT_TRUE(problemWith("symmetric_sweeps", value));
  const auto message = [&](const char* value) { return test::messageOf([&] { problemWith("acceleration", value); }); };
  EXPECT_NE(message("sideways").find("ball.xml:"), std::string::npos);
  EXPECT_NE(message("sideways").find("sideways"), std::string::npos);
  EXPECT_NE(message("1 2").find("1 expected"), std::string::npos);
}

TEST(Options, TheLastOneCounts) {
  LCP problem("block_gauss_seidel");
  problem.setOption("acceleration", "sideways");
  test::expectRefusal("sideways", [&] { problem.checkSolver(); });
  problem.setOption("acceleration", "over_relaxation");
  EXPECT_EQ(test::messageOf([&] { problem.checkSolver(); }), "");
  problem.setOption("acceleration", 3);
  EXPECT_NE(test::messageOf([&] { problem.checkSolver(); }), "");
  problem.setOption("acceleration", 2);
  EXPECT_EQ(test::messageOf([&] { problem.checkSolver(); }), "");
}

}  // namespace model_file_test
