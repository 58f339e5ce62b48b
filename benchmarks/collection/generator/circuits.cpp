// Circuits with ideal diodes, steps of implicit Euler captured from their simulation, and mixed problems with known solutions.
//   x+ = x + h (A x+ + B v + e),   w = C x+ + D v,   0 <= w _|_ v >= 0,   x the state, unknowns (x+, v)
#include <functional>
#include <stdexcept>

#include "collection.hpp"
#include "constructions.hpp"

namespace nonsmooth::collection {
namespace {

struct Circuit {
  std::string name, title, source;
  Dense A, B, C, D;
  double h;
  nsm::Vector x;                             // state at the beginning
  std::function<nsm::Vector(double)> drive;  // e(t)
  std::vector<int> capture;                  // steps
};

// Unknowns (x+, v): the rows of the state are equalities.
struct Step {
  Dense M;
  nsm::Vector q;
};

Step step_of(const Circuit& circuit, const nsm::Vector& x, double t) {
  const int n = circuit.A.rows(), m = circuit.D.rows();
  Step step{Dense(n + m, n + m), nsm::Vector(static_cast<std::size_t>(n + m), 0.0)};
  const nsm::Vector e = circuit.drive(t);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) step.M(i, j) = (i == j ? 1.0 : 0.0) - circuit.h * circuit.A(i, j);
    for (int j = 0; j < m; ++j) step.M(i, n + j) = 0.0 - circuit.h * circuit.B(i, j);
    step.q[static_cast<std::size_t>(i)] = 0.0 - x[static_cast<std::size_t>(i)] - circuit.h * e[static_cast<std::size_t>(i)];
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) step.M(n + i, j) = circuit.C(i, j);
    for (int j = 0; j < m; ++j) step.M(n + i, n + j) = circuit.D(i, j);
  }
  return step;
}

// By trial of all states of the diodes, elimination for each. The first that fits.
nsm::Vector solve(const Step& step, int states) {
  const int size = step.M.rows(), diodes = size - states;
  for (int conducting = 0; conducting < 1 << diodes; ++conducting) {
    const auto open = [&](int i) { return i >= states && (conducting >> (i - states) & 1) == 0; };
    generate::Values A(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)), b(static_cast<std::size_t>(size)), x;
    for (int j = 0; j < size; ++j) {
      b[static_cast<std::size_t>(j)] = -step.q[static_cast<std::size_t>(j)];
      for (int i = 0; i < size; ++i)  // column j: of z, or of -w where z = 0
        A[static_cast<std::size_t>(i + j * size)] = open(j) ? (i == j ? -1.0 : 0.0) : step.M(i, j);
    }
    if (!generate::solve(A, b, x)) continue;
    bool fits = true;
    for (int i = states; i < size; ++i) fits = fits && x[static_cast<std::size_t>(i)] >= -1e-12;
    if (!fits) continue;
    for (int i = states; i < size; ++i)
      if (open(i)) x[static_cast<std::size_t>(i)] = 0;
    return x;
  }
  throw std::runtime_error("a circuit without a state");
}

void add(Collection& collection, const Circuit& circuit) {
  const int states = circuit.A.rows(), last = circuit.capture.back();
  nsm::Vector x = circuit.x;
  for (int k = 0; k <= last; ++k) {
    const Step step = step_of(circuit, x, (k + 1) * circuit.h);
    const nsm::Vector z = solve(step, states);
    for (int captured : circuit.capture)
      if (captured == k) {
        nsm::Indices kind(z.size(), 1);
        std::fill(kind.begin(), kind.begin() + states, 0);
        collection.add({.file = "mlcp_" + circuit.name + "_step_" + std::to_string(k) + ".json",
                        .family = "circuits",
                        .title = circuit.title + ", step " + std::to_string(k),
                        .source = circuit.source,
                        .problem = nsm::Problem::mlcp(step.M.matrix(), step.q, kind),
                        .solution = {z, {}}});
      }
    x.assign(z.begin(), z.begin() + states);
  }
}

Dense matrix(int rows, int cols, std::initializer_list<double> row_by_row) {
  Dense M(rows, cols);
  int k = 0;
  for (double value : row_by_row) {
    M(k / cols, k % cols) = value;
    ++k;
  }
  return M;
}

nsm::Vector nothing(double) { return {0, 0}; }

// An LC oscillator with a resistor behind four ideal diodes; x = (voltage, current).
constexpr double bridge_inductance = 1e-2, bridge_capacitance = 1e-6, bridge_resistance = 1e3;
Dense bridge_load() {
  constexpr double g = 1 / bridge_resistance;
  return matrix(4, 4, {g, g, -1, 0, g, g, 0, -1, 1, 0, 0, 0, 0, 1, 0, 0});
}

void add_diode_bridge(Collection& collection) {
  constexpr double h = 1e-6, voltage = 10, current = 0, g = 1 / bridge_resistance;
  const nsm::Matrix A = nsm::Matrix::dense(2, 2, {1, -h / bridge_inductance, h / bridge_capacitance, 1});               // I - h A
  const nsm::Matrix C = nsm::Matrix::dense(2, 4, {0, 0, 0, 0, h / bridge_capacitance, 0, -h / bridge_capacitance, 0});  // -h B
  const nsm::Matrix D = nsm::Matrix::dense(4, 2, {0, 0, -1, 1, 0, 0, 0, 0});
  const nsm::Matrix B = nsm::Matrix::dense(4, 4, {g, g, 1, 0, g, g, 0, 1, -1, 0, 0, 0, 0, -1, 0, 0});
  const std::string source =
      "oscillator L = 10 mH, C = 1 uF and R = 1 kOhm behind a bridge of ideal diodes, 10 V at the start, implicit Euler, h = 1 "
      "us";
  collection.add({.file = "mlcp_diode_bridge.json",
                  .family = "circuits",
                  .title = "Four-diode bridge rectifier, one time step",
                  .source = source,
                  .problem = nsm::Problem::mlcp_blocks(A, B, C, D, {-voltage, -current}, {0, 0, 0, 0}),
                  .basic = true});
  constexpr double a = 1 / bridge_capacitance;
  add(collection, {"diode_bridge",
                   "Four-diode bridge rectifier",
                   source,
                   matrix(2, 2, {0, -a, 1 / bridge_inductance, 0}),
                   matrix(2, 4, {0, 0, -a, a, 0, 0, 0, 0}),
                   matrix(4, 2, {0, 0, 0, 0, -1, 0, 1, 0}),
                   bridge_load(),
                   h,
                   {voltage, current},
                   nothing,
                   {150, 1000}});
}

// x = (charge of the capacitor, current); the diode keeps the current from turning.
void add_rlc(Collection& collection) {
  constexpr double L = 1, C = 1, R = 0.1;
  add(collection, {"rlc_diode",
                   "RLC circuit with a diode in series",
                   "L = 1 H, C = 1 F, R = 0.1 Ohm, the current cannot turn; implicit Euler, h = 0.01 s",
                   matrix(2, 2, {0, 1, -1 / (L * C), -R / L}),
                   matrix(2, 1, {0, 1 / L}),
                   matrix(1, 2, {0, 1}),
                   Dense(1, 1),
                   0.01,
                   {-1, 0},
                   nothing,
                   {0, 200}});
}

// x = (current of the inductor, voltage of the capacitor); the switch is closed for 0.4 of each period.
void add_buck(Collection& collection) {
  constexpr double L = 1e-4, C = 1e-5, R = 200, period = 1e-5;
  add(collection,
      {"buck",
       "Buck converter",
       "24 V, duty 0.4, 100 kHz, L = 0.1 mH, C = 10 uF, R = 200 Ohm: the current ends in each period; implicit Euler, "
       "40 steps per period",
       matrix(2, 2, {0, -1 / L, 1 / C, -1 / (R * C)}),
       matrix(2, 1, {1 / L, 0}),
       matrix(1, 2, {1, 0}),
       Dense(1, 1),
       period / 40,
       {0, 0},
       [](double t) {
         const double periods = t / period + 1e-9, part = periods - std::floor(periods);
         return nsm::Vector{part < 0.4 ? 24 / L : 0.0, 0};
       },
       {4, 2030}});
}

// Capacitors to ground in a ladder of resistors, the first fed by 50 Hz; a diode with 1 Ohm leads from each to the next, the
// first one from ground. v: current of the diode, w = v - (x_k-1 - x_k).
void add_ladder(Collection& collection, int rungs) {
  constexpr double R = 10, C = 1e-4, h = 1e-4;
  Dense A(rungs, rungs), B(rungs, rungs), voltages(rungs, rungs), D(rungs, rungs);
  for (int k = 0; k < rungs; ++k) {
    A(k, k) = -2 / (R * C);
    B(k, k) = 1 / C;
    voltages(k, k) = D(k, k) = 1;
    if (k == 0) continue;
    A(k, k - 1) = A(k - 1, k) = 1 / (R * C);
    B(k - 1, k) = -1 / C;
    voltages(k, k - 1) = -1;
  }
  add(collection, {"ladder_" + std::to_string(rungs),
                   "Ladder of " + std::to_string(rungs) + " capacitors and diodes",
                   "0.1 mF to ground at each rung, 10 Ohm and a diode with 1 Ohm from one to the next, 325 V at 50 Hz before the "
                   "first; implicit Euler, h = 0.1 ms",
                   A,
                   B,
                   voltages,
                   D,
                   h,
                   nsm::Vector(static_cast<std::size_t>(rungs), 0.0),
                   [rungs](double t) {
                     nsm::Vector e(static_cast<std::size_t>(rungs), 0.0);
                     e[0] = 325 * generate::sine(314.159265358979 * t) / (R * C);
                     return e;
                   },
                   {30, 130}});
}

// Equalities in every third row, or in the first half; rank deficient by `deficiency`.
void add_mixed(Collection& collection, const std::string& file, const Dense& M, Random& random, const std::string& source,
               int equality_of, Uniqueness unique, bool basic = false) {
  const int n = M.rows();
  nsm::Vector z(static_cast<std::size_t>(n)), w(static_cast<std::size_t>(n));
  nsm::Indices kind(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < z.size(); ++i) {
    kind[i] = i % static_cast<std::size_t>(equality_of) == 0 ? 0 : 1;
    if (kind[i] == 0)
      z[i] = random.uniform(-1, 1);
    else
      ((equality_of == 3 ? i % 2 == 0 : random.uniform() < 0.5) ? z : w)[i] = random.uniform(0.1, 1);
  }
  collection.add({.file = file,
                  .family = "mixed",
                  .title = "Mixed problem with a known solution, n = " + std::to_string(n),
                  .source = source,
                  .problem = nsm::Problem::mlcp(M.matrix(), M.right_hand_side(z, w), kind),
                  .solution = {z, w},
                  .unique = unique,
                  .basic = basic});
}

void add_constructed_mixed(Collection& collection) {
  Random first(1968);
  Dense dominant(12, 12);
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) dominant(i, j) = first.uniform(-1, 1) + (i == j ? 4.0 : 0.0);
  add_mixed(collection, "mlcp_constructed_12.dat", dominant, first,
            "random M with dominant diagonal, every third row an equality; q from the solution; seed 1968", 3, {}, true);
  for (int n : {20, 60}) {
    const auto seed = static_cast<unsigned>(500 + n);
    Random random(seed);
    const Dense M = positive_definite(random, n, 0.1, 1);
    add_mixed(collection, "mlcp_passive_" + std::to_string(n) + ".json", M, random,
              "passive network: M = G G' / n + I / 10 + skew part, every second row an equality; seed " + std::to_string(seed), 2,
              positive_definite_matrix);
  }
  for (int n : {20, 50}) {
    const auto seed = static_cast<unsigned>(550 + n);
    Random random(seed);
    const Dense M = gram_matrix(random, n, n / 2, 0, 1);
    add_mixed(
        collection, "mlcp_lossless_" + std::to_string(n) + ".json", M, random,
        "M = G G' / n + skew part, G of n / 2 columns: definite in half of the directions; every second row an equality; seed " +
            std::to_string(seed),
        2, {});
  }
}

}  // namespace

void add_circuits(Collection& collection) {
  add_diode_bridge(collection);
  add_rlc(collection);
  add_buck(collection);
  for (int rungs : {3, 8}) add_ladder(collection, rungs);
  add_constructed_mixed(collection);
}

}  // namespace nonsmooth::collection
