// Trajectories and captured problems.
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

#include "ball.hpp"
#include "message_of.hpp"
#include "scratch.hpp"
#include "trajectory.hpp"

namespace output_test {

using namespace nonsmooth::kernel;
using nonsmooth::kernel::test::expectRefusal;
using nonsmooth::kernel::test::messageOf;
using test::scratchFolder;

struct Ball : test::Ball {
  MoreauJeanOSI integrator{0.5};
  LCP problem;
  Ball() : test::Ball({.T = 0.6}) {}
};

TEST(Output, CsvReadsBackExactly) {
  Ball ball;
  const auto path = scratchFolder("csv") / "ball.csv";
  Vector last(3);
  {
    CsvTrajectory output(path.string());
    output.addSystem("ball", *ball.ds);
    output.addInteraction("floor", *ball.floor, 1);
    output.addKineticEnergy(ball.model);
    TimeStepping simulation(ball.model, ball.instants, ball.integrator, ball.problem);
    simulation.run([&](const Simulation& s, const StepStatus&) {
      output.record(s.nextTime());
      last << s.nextTime(), ball.ds->q()[0], ball.ds->velocity()[0];
    });
  }
  std::ifstream file(path);
  std::string line, final_line;
  std::getline(file, line);
  EXPECT_EQ(line, "t,ball_q0,ball_v0,floor_y0,floor_lambda0,kinetic_energy");
  long rows = 0;
  while (std::getline(file, line)) final_line = line, ++rows;
  EXPECT_EQ(rows, 60);
  std::istringstream numbers(final_line);
  for (Index k = 0; k < 3; ++k) {
    std::string number;
    std::getline(numbers, number, ',');
    EXPECT_EQ(std::stod(number), last[k]);
  }
}

TEST(Output, ColumnsThatCannotBe) {
  const auto path = scratchFolder("columns") / "ball.csv";
  CsvTrajectory output(path.string());
  const auto value = [] { return 1.0; };
  expectRefusal("two columns named \"t\"", [&] { output.addColumn("t", value); });
  expectRefusal("no column can be named", [&] { output.addColumn("a\rb", value); });
  expectRefusal("\"height\" has no function", [&] { output.addColumn("height", nullptr); });
  output.addColumn("height", value);
  output.record(0.0);
}

TEST(Output, FullDiskIsReported) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  CsvTrajectory output("/dev/full");
  output.addColumn("one", [] { return 1.0; });
  EXPECT_THROW(output.record(0.0), Error);
  EXPECT_THROW(CsvTrajectory("/no/such/folder/file.csv"), Error);
}

TEST(Output, ProblemsAreCaptured) {
  Ball ball;
  const auto folder = scratchFolder("capture");
  ball.problem.setCapture(OneStepNSProblem::Capture::All, (folder / "lcp").string(), "json");
  TimeStepping simulation(ball.model, ball.instants, ball.integrator, ball.problem);
  simulation.run();
  long files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files += entry.path().extension() == ".json";
  EXPECT_GT(files, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "lcp-000001.json"));
}

// A body between two walls of which one throws it back faster than the other lets it come: no solution, whatever the iterate. The
// last problem of the step is left, with its number.
TEST(Output, OneProblemOfAStepThatFailsIsCaptured) {
  NonSmoothDynamicalSystem model(0.0, 0.03);
  const Vector origin = Vector::Zero(1), offset = Vector::Constant(1, -0.1);
  const Matrix one = Matrix::Identity(1, 1);
  auto ds = std::make_shared<LagrangianDS>(origin, Vector::Constant(1, -1), one);
  ds->setComputeFIntFunction([](double, ConstVectorRef q, ConstVectorRef, VectorRef out, VectorRef) { out = 1e4 * q; });
  model.insertDynamicalSystem(ds);
  model.link(
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.5), std::make_shared<LagrangianLinearTIR>(one, offset)),
      ds);
  model.link(
      std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(0.2), std::make_shared<LagrangianLinearTIR>(-one, offset)),
      ds);
  TimeDiscretisation instants(0.0, 0.01);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  const auto folder = scratchFolder("capture_failed");
  problem.setCapture(OneStepNSProblem::Capture::Failed, (folder / "lcp").string());
  TimeStepping simulation(model, instants, integrator, problem);
  simulation.setNewtonMaxIteration(4);
  simulation.setNewtonTolerance(1e-300);
  const auto files = [&] {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().filename());
    return names;
  };
  expectRefusal("no certified solution", [&] { simulation.computeOneStep(); });
  EXPECT_EQ(problem.solved(), 4);
  EXPECT_EQ(files(), std::vector<std::string>{"lcp-000004.json"});
  // Steps have one each.
  simulation.setFailurePolicy(FailurePolicy::Record);
  EXPECT_FALSE(simulation.computeOneStep().solve.certified);
  EXPECT_EQ(files().size(), 2U);
  EXPECT_TRUE(std::filesystem::exists(folder / "lcp-000008.json"));
}

// Not when a step is to be captured.
TEST(Output, CapturesThatCannotBeWrittenAreRefused) {
  using Capture = OneStepNSProblem::Capture;
  LCP problem;
  EXPECT_EQ(messageOf([&] { problem.setCapture(Capture::Failed, "bad", "exe"); }),
            "captured problems end in json, hdf5 or dat, not \"exe\"");
  EXPECT_EQ(messageOf([&] { problem.setCapture(Capture::All, "no/such/folder/bad"); }),
            "problems cannot be captured as \"no/such/folder/bad\": there is no folder no/such/folder");
  problem.setCapture(Capture::None, "no/such/folder/bad");
}

}  // namespace output_test
