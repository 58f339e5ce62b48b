// Impact of a chain of steel balls with Hertz contacts: time of an impact, steps over impulses per second, steps per contact.
#include <benchmark/benchmark.h>
#include <nonsmooth/kernel/kernel.hpp>

#include <cmath>
#include <memory>
#include <vector>

namespace {

using namespace nonsmooth::kernel;

void collide(benchmark::State& state, OSNSMultipleImpact& problem) {
  NonSmoothDynamicalSystem model(0.0);
  const double mass = 4.0 / 3.0 * std::acos(-1.0) * 1e-6 * 7780, stiffness = 2.0 / 3.0 * 203e9 / 0.91 * std::sqrt(0.005);
  const auto law = std::make_shared<MultipleImpactNSL>(1.0, stiffness, 1.5);
  const auto relation = std::make_shared<LagrangianLinearTIR>(Eigen::RowVector2d(-1, 1));
  std::vector<std::shared_ptr<LagrangianLinearTIDS>> balls;
  for (long i = 0; i < state.range(0); ++i) {
    balls.push_back(std::make_shared<LagrangianLinearTIDS>(Vector::Zero(1), Vector::Zero(1), Matrix::Constant(1, 1, mass)));
    model.insertDynamicalSystem(balls.back());
    if (i > 0) model.link(std::make_shared<Interaction>(law, relation), balls[balls.size() - 2], balls.back());
  }
  problem.setMaxSteps(100000000);
  InstantImpact impact(model, problem);
  double steps = 0;
  for (auto unused : state) {
    (void)unused;
    for (const auto& ball : balls) ball->velocity()[0] = ball == balls.front() ? 1.0 : 0.0;
    impact.compute(0.0);
    steps += static_cast<double>(problem.impact().steps);
  }
  const double contacts = static_cast<double>(state.range(0) - 1);
  state.counters["steps"] = static_cast<double>(problem.impact().steps);
  state.counters["steps/s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["contact steps/s"] = benchmark::Counter(steps * contacts, benchmark::Counter::kIsRate);
  double energy = 0;
  for (const auto& ball : balls) energy += ball->velocity()[0] * ball->velocity()[0];
  state.counters["energy - 1"] = energy - 1;
}

void adaptiveSteps(benchmark::State& state) {
  OSNSMultipleImpact problem;
  collide(state, problem);
}

void constantSteps(benchmark::State& state) {
  OSNSMultipleImpact problem("BiStiffness", 1e-6);
  collide(state, problem);
}

BENCHMARK(adaptiveSteps)->Arg(3)->Arg(10)->Arg(100)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(constantSteps)->Arg(3)->Arg(10)->Unit(benchmark::kMillisecond);

}  // namespace
