// A ball that bounces, by time-stepping with h = 1e-2, 1e-3 and 1e-4 s and event by event: with h -> 0 both strategies give one
// trajectory, of order 1, since a step knows of an impact only that it has happened. `--plot FILE` draws heights and
// differences; without, two_strategies.svg.
#include <string>
#include <vector>

#include "example.hpp"

using namespace nonsmooth::kernel;

namespace {

constexpr double gravity = 9.81, restitution = 0.8, duration = 1.0;
constexpr int samples = 100;  // instants at which the strategies are compared
constexpr double interval = duration / samples;

struct Ball {
  NonSmoothDynamicalSystem model{0.0, duration};
  std::shared_ptr<LagrangianLinearTIDS> ds =
      std::make_shared<LagrangianLinearTIDS>(Vector::Constant(1, 1.0), Vector::Zero(1), Matrix::Identity(1, 1));
  Ball() {
    ds->setFExt(Vector::Constant(1, -gravity));
    model.insertDynamicalSystem(ds);
    const auto contact = std::make_shared<Interaction>(std::make_shared<NewtonImpactNSL>(restitution),
                                                       std::make_shared<LagrangianLinearTIR>(Matrix::Identity(1, 1)));
    model.link(contact, ds);
  }
};

// Heights at the instants of comparison.
std::vector<double> byEvents(Report& report) {
  Ball ball;
  TimeDiscretisation instants(0.0, interval);
  LsodarOSI integrator;
  LCP impact, acceleration;
  EventDriven simulation(ball.model, instants, integrator, impact, acceleration);
  std::vector<double> heights;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    report.step(status);
    if (simulation.eventsManager()->currentEvent().type == EventType::TimeDiscretisation) heights.push_back(ball.ds->q()[0]);
  });
  return heights;
}

std::vector<double> bySteps(int steps_per_interval, Report& report) {
  Ball ball;
  TimeDiscretisation instants(0.0, interval / steps_per_interval);
  MoreauJeanOSI integrator(0.5);
  LCP problem;
  TimeStepping simulation(ball.model, instants, integrator, problem);
  std::vector<double> heights;
  long step = 0;
  simulation.run([&](const Simulation&, const StepStatus& status) {
    report.step(status);
    if (++step % steps_per_interval == 0) heights.push_back(ball.ds->q()[0]);
  });
  return heights;
}

}  // namespace

int main(int argc, char** argv) try {
  const Options options({{"--plot", "two_strategies.svg"}}, argc, argv);
  Report report;
  TimePlot plot("A bouncing ball by two strategies");
  const std::vector<double> exact = byEvents(report);
  const auto draw = [&](const char* panel, const std::string& name, const auto& value) {
    Curve& curve = plot.curve(panel, name);
    for (std::size_t k = 0; k < exact.size(); ++k) curve.add(interval * static_cast<double>(k + 1), value(k));
  };
  double last = INFINITY;
  for (const int steps : {1, 10, 100}) {
    const std::vector<double> heights = bySteps(steps, report);
    const auto difference = [&](std::size_t k) { return std::abs(heights[k] - exact[k]); };
    char name[32];
    std::snprintf(name, sizeof name, "h = %.0e s", interval / steps);
    draw("height [m]", name, [&](std::size_t k) { return heights[k]; });
    // Before the impact the scheme is exact up to rounding: nothing to draw.
    draw("log10 of difference", name, [&](std::size_t k) { return difference(k) > 1e-8 ? std::log10(difference(k)) : NAN; });
    double greatest = 0;
    for (std::size_t k = 0; k < exact.size(); ++k) greatest = std::max(greatest, difference(k));
    std::printf("%s: greatest difference %.2e m, at the end %.2e m\n", name, greatest, difference(exact.size() - 1));
    report.figure("  difference at the end, in steps [m/s]", difference(exact.size() - 1) * steps / interval, 0, 3);
    report.figure("  greatest difference, of the one before", greatest / last, 0, 0.5);
    last = greatest;
  }
  draw("height [m]", "event-driven", [&](std::size_t k) { return exact[k]; });
  plot.write(options.text("--plot"));
  return report.exitCode();
} catch (const std::exception& error) {
  return told(error);
}
