// A simulation of 1000 steps: LC oscillators behind bridges of ideal diodes, coupled by resistors, implicit Euler; one mixed LCP
// per step, whose q follows the state and whose active set changes now and then. Warm: one solver, update_q and solve. Cold:
// setup and solve from nothing at every step, by the default method.
#include <benchmark/benchmark.h>

#include "nonsmooth/nonsmooth.hpp"

namespace {

constexpr double inductance = 1e-2, capacitance = 1e-6, resistance = 1e3, coupling = 1e5, h = 1e-6;
constexpr int steps = 1000;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Per cell k: states 2k (voltage), 2k + 1 (current); diodes 4k .. 4k + 3 behind all states. Rows as in the shipped diode bridge.
struct Circuit {
  explicit Circuit(int cells) : cells_(cells), size(6 * cells), M(at(size) * at(size), 0.0), q(at(size), 0.0), kind(at(size), 1) {
    constexpr double g = 1 / resistance;
    constexpr double D[4][4] = {{g, g, -1, 0}, {g, g, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}};
    for (int k = 0; k < cells; ++k) {
      const int voltage = 2 * k, current = 2 * k + 1, diode = 2 * cells + 4 * k;
      const double own_inductance = inductance * (1 + 0.3 * k);  // so that the cells drift apart
      kind[at(voltage)] = kind[at(current)] = 0;
      entry(voltage, voltage) = entry(current, current) = 1;
      entry(voltage, current) = h / capacitance;
      entry(current, voltage) = -h / own_inductance;
      entry(voltage, diode + 2) = h / capacitance;
      entry(voltage, diode + 3) = -h / capacitance;
      entry(diode + 2, voltage) = -1;
      entry(diode + 3, voltage) = 1;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) entry(diode + i, diode + j) = D[i][j];
      const int next = 2 * ((k + 1) % cells);
      if (next == voltage) continue;
      const double leak = h / (capacitance * coupling);
      for (int side : {voltage, next}) entry(side, side) += leak;
      entry(voltage, next) -= leak;
      entry(next, voltage) -= leak;
    }
    restart();
  }
  void restart() {
    for (int k = 0; k < cells_; ++k) {
      q[at(2 * k)] = -10.0 * (1 + 0.1 * k);
      q[at(2 * k + 1)] = 0;
    }
  }
  void advance(const nsm::Vector& z) {
    for (int i = 0; i < 2 * cells_; ++i) q[at(i)] = -z[at(i)];
  }
  nsm::Problem problem() const { return nsm::Problem::mlcp(nsm::Matrix::dense(size, size, M), q, kind); }

 private:
  double& entry(int i, int j) { return M[at(i) + at(j) * at(size)]; }
  int cells_;

 public:
  int size;
  nsm::Vector M, q;
  nsm::Indices kind;
};

void report(benchmark::State& state, std::int64_t failed) {
  state.SetItemsProcessed(state.iterations() * steps);
  if (failed > 0) state.SkipWithError((std::to_string(failed) + " steps not converged").c_str());
}

void circuit_warm(benchmark::State& state) {
  Circuit circuit(static_cast<int>(state.range(0)));
  nsm::Solver solver(circuit.problem());
  nsm::Vector z(at(circuit.size));
  std::int64_t failed = 0;
  for (auto _ : state) {
    circuit.restart();
    for (int step = 0; step < steps; ++step) {
      solver.update_q(circuit.q);
      failed += !solver.solve().converged();
      nsm_solution(solver.handle(), z.data(), nullptr, circuit.size);
      circuit.advance(z);
    }
  }
  report(state, failed);
}

void circuit_cold(benchmark::State& state) {
  Circuit circuit(static_cast<int>(state.range(0)));
  std::int64_t failed = 0;
  for (auto _ : state) {
    circuit.restart();
    for (int step = 0; step < steps; ++step) {
      nsm::Solver solver(circuit.problem());
      failed += !solver.solve().converged();
      circuit.advance(solver.solution().z);
    }
  }
  report(state, failed);
}

// One solver, but no memory of the last step: Lemke from 0.
void circuit_lemke(benchmark::State& state) {
  Circuit circuit(static_cast<int>(state.range(0)));
  nsm::Solver solver(circuit.problem(), "lemke");
  const nsm::Vector zero(at(circuit.size), 0.0);
  std::int64_t failed = 0;
  for (auto _ : state) {
    circuit.restart();
    for (int step = 0; step < steps; ++step) {
      solver.update_q(circuit.q);
      solver.warm_start(zero);
      failed += !solver.solve().converged();
      circuit.advance(solver.solution().z);
    }
  }
  report(state, failed);
}

BENCHMARK(circuit_warm)->Arg(1)->Arg(5)->Arg(15)->Unit(benchmark::kMillisecond);
BENCHMARK(circuit_lemke)->Arg(1)->Arg(5)->Arg(15)->Unit(benchmark::kMillisecond);
BENCHMARK(circuit_cold)->Arg(1)->Arg(5)->Arg(15)->Unit(benchmark::kMillisecond);

}  // namespace
