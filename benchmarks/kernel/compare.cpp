// nonsmooth-compare-kernel: time per step of this kernel and of the kernel of Siconos on the same models, every run in a process
// of its own. Siconos as its package is built, and with the checks of its graphs taken away (siconos_without_checks.cpp). Rounds
// of all runs, one after the other; medians over the rounds, and ratios of medians. Writes one page of Markdown.
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <vector>

#include "../../programs/checks.hpp"
#include "../../programs/command_line.hpp"
#include "../support/median.hpp"
#include "../support/page.hpp"
#include "../support/titled.hpp"
#include "../support/writable.hpp"

namespace {

namespace fs = std::filesystem;
namespace programs = nonsmooth::programs;
using nonsmooth::median;

struct Case {
  const char *title, *scene;
  int size, steps;
  double tolerance;
  int iterations;                     // of the peer, and of the same method here
  const char* method;                 // here, the same as the peer's
  double as_shipped, without_checks;  // ratios aimed at
  int values = 0;                     // event-driven: instant, coordinates and velocities of each step, from event to event
};

constexpr Case cases[] = {
    {"bouncing ball", "ball", 1, 2000, 1e-12, 1000, "-", 1.0 / 8, 1.0 / 8},
    {"column of 200 beads", "beads", 200, 300, 1e-8, 20, "block_gauss_seidel,check_interval=20", 1.0 / 20, 1.0 / 15},
    {"lattice of 1000 spheres, 1 cm/s", "lattice", 10, 10, 1e-4, 100, "block_gauss_seidel,check_interval=50", 1.0 / 100, 1.0 / 8},
    {"lattice of 1000 spheres, 1 mm/s", "slow_lattice", 10, 10, 1e-4, 100, "block_gauss_seidel,check_interval=50", 1.0 / 100,
     1.0 / 8},
    {"bouncing ball, 8.5 s, 44 impacts", "event_ball", 1, 1744, 1e-12, 1000, "-", 0.2, 0.2, 7},
    {"pendulum, 10 s, contact closed", "event_pendulum", 1, 1001, 1e-12, 1000, "-", 0.2, 0.2, 5},
    {"block on its corners, 2 s, 7 impacts", "event_block", 1, 207, 1e-12, 1000, "-", 0.2, 0.2, 7},
};

struct Settings {
  std::string own, peer, without_checks, output;
  int rounds = 5;
};

struct Run {
  double microseconds = NAN, contacts = 0, iterations = 0;
  int certified = 0;
  std::array<double, 5> phases{};
  std::vector<double> positions;
};

std::vector<double> doublesIn(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<double> values(fs::file_size(path) / sizeof(double));
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
  return values;
}

// One process. Throws if it fails.
Run run(const std::string& program, const std::string& preload, const Case& one, const std::string& method, double tolerance,
        int iterations, double threshold = 0) {
  const fs::path file = fs::temp_directory_path() / ("positions-" + std::to_string(getpid()));
  std::ostringstream command;
  command << "OPENBLAS_NUM_THREADS=1 ";
  if (!preload.empty()) command << "LD_PRELOAD='" << preload << "' ";
  command << "'" << program << "' " << one.scene << ' ' << one.size << ' ' << one.steps << ' ' << method << ' ' << tolerance
          << ' ' << iterations << ' ' << threshold << " '" << file.string() << "' 2>/dev/null";
  std::FILE* pipe = popen(command.str().c_str(), "r");
  if (pipe == nullptr) throw programs::Failure{programs::internal, "cannot run " + program};
  Run result;
  const int read = std::fscanf(pipe, "%lf %lf %lf %d %lf %lf %lf %lf %lf", &result.microseconds, &result.contacts,
                               &result.iterations, &result.certified, &result.phases[0], &result.phases[1], &result.phases[2],
                               &result.phases[3], &result.phases[4]);
  if (pclose(pipe) != 0 || read != 9) throw programs::Failure{programs::internal, "failed: " + command.str()};
  result.positions = doublesIn(file);
  fs::remove(file);
  std::fprintf(stderr, "%-16s %-32s %12.3f us a step\n", one.scene, fs::path(program).filename().c_str(), result.microseconds);
  return result;
}

// The runs of one variant: medians of times, the rest of the last run.
struct Variant {
  std::string program, preload, method;
  double tolerance;
  int iterations;
  std::vector<double> times;
  std::array<std::vector<double>, 5> phases;
  Run last;
  void measure(const Case& one) {
    last = run(program, preload, one, method, tolerance, iterations);
    times.push_back(last.microseconds);
    for (std::size_t k = 0; k < phases.size(); ++k) phases[k].push_back(last.phases[k]);
  }
  double time() const { return median(times); }
};

double difference(const std::vector<double>& a, const std::vector<double>& b, std::size_t count) {
  double worst = a.size() == b.size() ? 0 : NAN;
  for (std::size_t k = 0; k < std::min(count, a.size()) && a.size() == b.size(); ++k)
    worst = std::max(worst, std::abs(a[k] - b[k]));
  return worst;
}

struct Row {
  const Case* one;
  Variant same, phases, loose, tight;
  std::optional<Variant> shipped, neutral;
  double first_step = NAN, last_step = NAN;
};

Row measure(const Settings& settings, const Case& one) {
  const auto own = [&](const std::string& method, double tolerance, int iterations) {
    return Variant{settings.own, "", method, tolerance, iterations, {}, {}, {}};
  };
  Row row{&one,
          own(one.method, one.tolerance, one.iterations),
          own(std::string(one.method) + "+", one.tolerance, one.iterations),
          own("-", one.tolerance, 0),
          own("-", std::min(one.tolerance, 1e-8), 0),
          {},
          {}};
  if (!settings.peer.empty()) {
    row.shipped = Variant{settings.peer, "", "-", one.tolerance, one.iterations, {}, {}, {}};
    row.neutral = *row.shipped;
    row.neutral->preload = settings.without_checks;
  }
  for (int round = 0; round < settings.rounds; ++round) {
    row.same.measure(one);
    if (one.values == 0)
      for (Variant* variant : {&row.phases, &row.loose, &row.tight}) variant->measure(one);
    if (row.neutral) row.neutral->measure(one);
    if (row.shipped) row.shipped->measure(one);
  }
  if (row.shipped) {
    const auto& positions = row.same.last.positions;
    row.first_step = difference(positions, row.shipped->last.positions, positions.size() / static_cast<std::size_t>(one.steps));
    row.last_step = difference(positions, row.shipped->last.positions, positions.size());
  }
  return row;
}

std::string time(double microseconds) {
  char text[32];
  std::snprintf(text, sizeof text, microseconds < 10 ? "%.2f" : "%.0f", microseconds);
  return text;
}

std::string ratio(double ours, const std::optional<Variant>& peer) {
  if (!peer) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "1/%.1f", peer->time() / ours);
  return text;
}

std::string small(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", value);
  return std::isnan(value) ? "-" : text;
}

// Both solve to their best, and contacts that touch are active in both, whatever the last bits of their gaps.
constexpr Case agreement{"", "lattice", 4, 20, 1e-12, 10000, "", 0, 0};
constexpr double agreement_threshold = 1e-4;

double measureAgreement(const Settings& settings) {
  if (settings.peer.empty()) return NAN;
  const Run peer = run(settings.peer, "", agreement, "-", 1e-12, 10000, agreement_threshold);
  const Run own = run(settings.own, "", agreement, "-", 1e-12, 0, agreement_threshold);
  return difference(peer.positions, own.positions, peer.positions.size());
}

void writeStepping(std::ostream& out, const std::vector<Row>& rows, double agreement_reached, const Settings& settings) {
  out << "# The kernel's speed beside another's\n\n"
         "Written by `./dev compare kernel` (benchmarks/kernel). CPU microseconds per step of a process, one BLAS thread, "
         "medians of "
      << settings.rounds
      << " rounds;\nratios are those of medians of this run. The peer is the kernel of Siconos as Debian builds it (4.4.0): "
         "*shipped*, "
         "and *without\nchecks*: the checks of its graphs, which that build runs in asserts, taken away by a preloaded "
         "library.\n\n"
         "Both use the scheme of Moreau and Jean, theta = 1/2, and the same method: at most 20 Gauss-Seidel sweeps a step for "
         "the beads\n"
         "(tolerance 1e-8), at most 100 sweeps of NSGS for the spheres (tolerance 1e-4, mu = 0.5); for the one row of the ball "
         "each its own,\n"
         "`auto` here and Lemke there.\n\n"
         "| model | active contacts | this kernel | shipped | without checks | ratio, shipped | aim | ratio, without checks | "
         "aim |\n"
         "|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    const double ours = row.same.time();
    char aims[2][16];
    std::snprintf(aims[0], sizeof aims[0], "1/%.0f", 1 / row.one->as_shipped);
    std::snprintf(aims[1], sizeof aims[1], "1/%.0f", 1 / row.one->without_checks);
    out << "| " << row.one->title << " | " << time(row.same.last.contacts) << " | " << time(ours) << " | "
        << (row.shipped ? time(row.shipped->time()) : "-") << " | " << (row.neutral ? time(row.neutral->time()) : "-") << " | "
        << ratio(ours, row.shipped) << " | " << aims[0] << " | " << ratio(ours, row.neutral) << " | " << aims[1] << " |\n";
  }
  out << "\n## Phases of a step here, and the default method\n\n"
         "Phases by the wall clock, microseconds; reading it costs 0.2 us a step. `auto`, the default method, certifies every "
         "step at the tolerance "
         "given, which the\nfixed number of sweeps above does not: the last columns say how many steps of how many are "
         "certified.\n\n"
         "| model | free state | detection | assembly | solver | update | sweeps: certified | `auto` | certified | `auto` at "
         "1e-8 | "
         "certified |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    out << "| " << row.one->title;
    for (const auto& phase : row.phases.phases) out << " | " << time(median(phase));
    const auto certified = [&](const Variant& variant) {
      return std::to_string(variant.last.certified) + "/" + std::to_string(row.one->steps);
    };
    out << " | " << certified(row.same) << " | " << time(row.loose.time()) << " | " << certified(row.loose) << " | "
        << time(row.tight.time()) << " | " << certified(row.tight) << " |\n";
  }
  out << "\n## The same trajectories?\n\nLargest difference of a coordinate [m] between this kernel and the peer, same "
         "method.\n\n"
         "| model | after the first step | over all steps | steps |\n|---|---|---|---|\n";
  for (const Row& row : rows)
    out << "| " << row.one->title << " | " << small(row.first_step) << " | " << small(row.last_step) << " | " << row.one->steps
        << " |\n";
  out << "\nSpheres and beads that touch have gaps of the order of rounding, and a contact is active where the predicted gap is "
         "not\n"
         "positive: after some steps the last bits decide whether a contact takes part in a step, in both kernels, and one that "
         "does not "
         "lets its bodies\nfall by g h^2. Where contacts closer than 1e-4 m are active in both and both solve to 1e-12 (lattice "
         "of 64 "
         "spheres, 20 steps), the\nlargest difference is "
      << small(agreement_reached) << " m.\n";
}

// Greatest difference of the values from `first` to `last` of all events.
double differenceOf(const Row& row, int first, int last) {
  const auto &a = row.same.last.positions, &b = row.shipped->last.positions;
  double worst = a.size() == b.size() ? 0 : NAN;
  for (std::size_t k = 0; k < a.size() && a.size() == b.size(); ++k) {
    const int place = static_cast<int>(k) % row.one->values;
    if (place >= first && place < last) worst = std::max(worst, std::abs(a[k] - b[k]));
  }
  return worst;
}

void writeEvents(std::ostream& out, const std::vector<Row>& rows) {
  out << "\n## Event-driven simulation\n\n"
         "CPU milliseconds per run, of the same models by `EventDriven` and `LsodarOSI`, each with the tolerances it has by "
         "itself: "
         "1e-12 of what has\n"
         "been moved since the last event here, 10 roundings there. Instants of the time discretisation and impacts are the "
         "events. "
         "The impacts of the block\nare those of Liu, Zhao and Brogliato with the same constant step in both. Differences are "
         "the "
         "greatest over all events.\n\n"
         "| model | events | this kernel | shipped | without checks | ratio, shipped | ratio, without checks | aim | instants "
         "[s] | "
         "coordinates | velocities |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    const double ours = row.same.time(), runs = 1e-3 * row.one->steps;
    const int coordinates = 1 + row.one->values / 2;
    char aim[16];
    std::snprintf(aim, sizeof aim, "1/%.0f", 1 / row.one->as_shipped);
    out << "| " << row.one->title << " | " << row.one->steps << " | " << time(runs * ours) << " | "
        << (row.shipped ? time(runs * row.shipped->time()) : "-") << " | "
        << (row.neutral ? time(runs * row.neutral->time()) : "-") << " | " << ratio(ours, row.shipped) << " | "
        << ratio(ours, row.neutral) << " | " << aim;
    for (const auto& [first, last] : {std::pair(0, 1), std::pair(1, coordinates), std::pair(coordinates, row.one->values)})
      out << " | " << (row.shipped ? small(differenceOf(row, first, last)) : "-");
    out << " |\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  const fs::path here = fs::read_symlink("/proc/self/exe").parent_path();
  settings.own = (here / "nonsmooth-kernel-steps").string();
  if (fs::exists(here / "siconos-kernel")) settings.peer = (here / "siconos-kernel").string();
  settings.without_checks = (here / "siconos-without-checks.so").string();
  std::string only;
  CLI::App app{"Time per step of this kernel and of Siconos' on the same models", "nonsmooth-compare-kernel"};
  app.option_defaults()->always_capture_default();
  app.add_option("--rounds", settings.rounds, "how often each is run")->check(programs::positive_number());
  app.add_option("--only", only, "models whose name contains this");
  app.add_option("--output", settings.output, "Markdown file; standard output without it")->check(programs::file_name());
  const auto run = [&] {
    if (!programs::parse(app, argc, argv)) return 0;
    const std::vector<Case> asked = nonsmooth::with_title(cases, only, "model");
    nonsmooth::require_writable(settings.output);
    if (settings.peer.empty())
      std::cerr << "Siconos' kernel is not compared: siconos-kernel was not built (libsiconos-kernel-dev)\n";
    std::vector<Row> rows;
    for (const Case& one : asked) rows.push_back(measure(settings, one));
    const double agreement_reached = measureAgreement(settings);
    const auto events = std::stable_partition(rows.begin(), rows.end(), [](const Row& row) { return row.one->values == 0; });
    const std::vector<Row> event_driven(events, rows.end());
    rows.erase(events, rows.end());
    nonsmooth::write_page(settings.output, [&](std::ostream& out) {
      writeStepping(out, rows, agreement_reached, settings);
      writeEvents(out, event_driven);
    });
    return 0;
  };
  return programs::run_program(app.get_name(), run, programs::bad_file);
}
