// Whole solves of one problem.
#pragma once

#include "counters.hpp"
#include "methods/solver/solver.hpp"

namespace nonsmooth {

// Solves from z = 0 every time: a solver that starts from its last solution has nothing to do. Steps are what the method counts.
inline void solve_again_and_again(benchmark::State& state, const Problem& problem, const char* method, const char* steps) {
  Solver solver(problem, method, Options{});
  const Vector zero(static_cast<std::size_t>(problem.size()), 0.0);
  nsm_result result = NSM_RESULT_INIT;
  for (auto _ : state) {
    solver.warm_start(zero);
    result = solver.solve();
  }
  if (result.outcome != NSM_CONVERGED) state.SkipWithError("not converged");
  state.counters[steps] = static_cast<double>(result.iterations);
  count_time_per(state, "per_step", static_cast<double>(result.iterations));
}

}  // namespace nonsmooth
