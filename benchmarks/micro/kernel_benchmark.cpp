// Steps of the kernel, their phases per active contact, from 10^2 to 10^5 contacts: what grows faster than the contacts shows
// here. An iteration is the same 30 steps, which do not cost the same.
//   lattice/N   N^3 rigid spheres with friction, 20 sweeps of block Gauss-Seidel a step
//   beads/N     a column of N beads, the same
//   .../fixed   all contacts that touch stay active: the same contacts in every step
//   .../changes contacts open and close in every step: analysis of the pattern and setup in the numerics, every time
#include <benchmark/benchmark.h>

#include <array>

#include "models.hpp"

namespace nonsmooth {
namespace {

constexpr int sweeps = 20, warm_up = 3, steps_of_a_model = 30;  // later the lattice has fallen apart
constexpr double touching = 1e-2;                               // m; gaps below it keep a contact active

std::unique_ptr<scenes::Model> started(const scenes::Scene& scene, bool fixed) {
  auto model = std::make_unique<scenes::Model>(scene);
  model->problem().setSolver("block_gauss_seidel");
  model->problem().setTolerance(1e-8);
  model->problem().setOption("max_iterations", sweeps);
  model->simulation().setFailurePolicy(kernel::FailurePolicy::Record);
  if (fixed) model->integrator().setConstraintActivationThreshold(touching);
  for (int k = 0; k < warm_up; ++k) {
    model->simulation().computeOneStep();
    model->simulation().nextStep();
  }
  return model;
}

void steps(benchmark::State& state, const scenes::Scene& scene, bool fixed) {
  double contacts = 0;
  std::array<double, 5> seconds{};
  for (auto _ : state) {
    state.PauseTiming();
    const std::unique_ptr<scenes::Model> model = started(scene, fixed);
    state.ResumeTiming();
    for (int k = 0; k < steps_of_a_model; ++k) {
      const kernel::StepStatus status = model->simulation().computeOneStep();
      model->simulation().nextStep();
      const kernel::PhaseTimes& t = status.seconds;
      const std::array<double, 5> phases{t.freeState, t.detection, t.assembly, t.solver, t.update};
      for (std::size_t i = 0; i < seconds.size(); ++i) seconds[i] += phases[i];
      contacts += static_cast<double>(status.activeContacts);
    }
  }
  using benchmark::Counter;
  state.counters["contacts"] = Counter(contacts / steps_of_a_model, Counter::kAvgIterations);
  constexpr std::array<const char*, 5> names{"free", "detection", "assembly", "solver", "update"};
  for (std::size_t k = 0; k < seconds.size(); ++k) state.counters[names[k]] = seconds[k] / contacts;
  state.counters["per_contact"] = Counter(contacts, Counter::kIsRate | Counter::kInvert);
}

[[maybe_unused]] const bool registered = [] {
  const auto add = [](const char* name, int size, auto make) {
    for (const bool fixed : {true, false})
      benchmark::RegisterBenchmark((std::string(name) + "/" + std::to_string(size) + (fixed ? "/fixed" : "/changes")).c_str(),
                                   [=](benchmark::State& state) { steps(state, make(size), fixed); })
          ->Unit(benchmark::kMillisecond);
  };
  for (const int width : {4, 8, 16, 33}) add("lattice", width, [](int size) { return scenes::sphereLattice(size, size, 0.01); });
  for (const int beads : {100, 1000, 10000, 100000}) add("beads", beads, [](int size) { return scenes::beadColumn(size); });
  return true;
}();

}  // namespace
}  // namespace nonsmooth
