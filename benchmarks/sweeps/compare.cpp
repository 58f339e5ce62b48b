// nonsmooth-compare-sweeps: what one sweep of block Gauss-Seidel costs, over W and over bodies, beside the time it takes to read
// as many blocks from memory and beside a sweep of Siconos; then with 1, 2 and 4 threads. All that is compared is measured by
// turns in one process; medians over the rounds. Writes one page of Markdown.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <thread>

#include <unistd.h>

#include "../../programs/checks.hpp"
#include "../../programs/command_line.hpp"
#include "../support/median.hpp"
#include "../support/page.hpp"
#include "../support/titled.hpp"
#include "../support/writable.hpp"
#include "core/workers.hpp"
#include "methods/sweeps/block_sweep.hpp"
#include "peer.hpp"
#include "problems.hpp"
#include "problems/condensation.hpp"
#include "towers.hpp"

namespace nonsmooth::sweeps {
namespace {

struct Scene {
  const char* title;
  std::function<collection::RigidBodies()> make;
  bool threads = false;  // also measured with several
};

const std::vector<Scene> scenes{
    {"spheres, 5^3", [] { return collection::sphere_pile(5, 0.3); }},
    {"spheres, 10^3", [] { return collection::sphere_pile(10, 0.3); }, true},
    {"spheres, 19^3", [] { return collection::sphere_pile(19, 0.3); }, true},
    {"spheres, 33^3", [] { return collection::sphere_pile(33, 0.3); }},
    {"stack of 100 boxes", [] { return collection::box_stack(100); }},
    {"stack of 10,000 boxes", [] { return collection::box_stack(10000); }},
    {"wall, 20 x 20 bricks", [] { return collection::wall(20, 20, collection::Event::impact); }},
    {"wall, 50 x 50 bricks", [] { return collection::wall(50, 50, collection::Event::impact); }, true},
    {"planks, 50 x 4", [] { return collection::plank_tower(50, 4); }},
    {"planks, 500 x 4", [] { return collection::plank_tower(500, 4); }},
    {"slabs, 90, 3 x 3 columns", [] { return collection::slab_tower(90, 3); }},
    {"slabs, 900, 3 x 3 columns", [] { return collection::slab_tower(900, 3); }},
    {"slabs, 250, 4 x 4 columns", [] { return collection::slab_tower(250, 4); }},
};

constexpr int warm_up = 50;  // sweeps before the state all begin with
// Sweeps in each round before the clock starts, and of those that are timed a multiple: velocities are computed anew once in so
// many.
constexpr int period = 64, peer_untimed = 2;
constexpr double bytes_of_block = 76, bytes_of_round = 6e7, bound_aim = 1.3;
constexpr int peer_aim = 6, bodies_aim = 5, thread_counts[] = {1, 2, 4};
const SweepOptions plain{.always_bodies = true};

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// The same problem, its reactions after some sweeps, and how many sweeps make a round.
struct Problem {
  GlobalFriction data;
  Condensation condensation;
  Inclusion bodies, matrix;
  Vector start;
  double blocks = 0;
  int sweeps = 0, peer_sweeps = 0;

  explicit Problem(const collection::RigidBodies& scene)
      : data(global_problem(scene)), condensation(data), bodies(condensation.inclusion()), matrix(condensation.inclusion()) {
    matrix.bodies = nullptr;
    const auto sweeper = make_sweeper(matrix, plain);
    start.resize(static_cast<std::size_t>(matrix.size()));
    sweeper->start(start.data());
    for (int k = 0; k < warm_up; ++k) sweeper->sweep(start.data(), false);
    blocks = static_cast<double>(matrix.M->block_csr()->block_col.size());
    peer_sweeps = std::clamp(static_cast<int>(bytes_of_round / (bytes_of_block * blocks)), 4, 400);
    sweeps = period * std::max(1, peer_sweeps / period);
  }
  double contacts() const { return static_cast<double>(matrix.blocks.size()); }
};

// Something whose time per sweep is measured in every round.
struct Contender {
  std::string name;
  std::function<double()> seconds;  // per sweep
  bool solves = true;               // the contacts exactly
  std::vector<double> times{};
  double time() const { return median(times); }
};

void measure(std::vector<Contender*> contenders, int rounds) {
  for (int round = 0; round < rounds; ++round)
    for (Contender* one : contenders) one->times.push_back(one->seconds());
}

// Ours, from the common start.
class OwnSweep {
 public:
  OwnSweep(const Problem& problem, const Inclusion& view)
      : problem_(problem), view_(view), sweeper_(make_sweeper(view_, plain)) {}
  double seconds(double (*clock)()) {
    z_ = problem_.start;
    sweeper_->start(z_.data());
    for (int k = 0; k < period; ++k) sweeper_->sweep(z_.data(), false);
    const double begin = clock();
    for (int k = 0; k < problem_.sweeps; ++k) sweeper_->sweep(z_.data(), false);
    return (clock() - begin) / problem_.sweeps;
  }
  const Vector& reactions() const { return z_; }

 private:
  const Problem& problem_;
  Inclusion view_;
  std::unique_ptr<Sweeper> sweeper_;
  Vector z_;
};

// The peer's, whose call sets up more than the sweeps: the difference of two calls. No number if it gives none.
double seconds_of(const PeerSweep& peer, const Problem& problem) {
  const auto call = [&](int sweeps) {
    Vector z = problem.start;
    const double begin = cpu_seconds();
    peer.run(sweeps, z);
    const double time = cpu_seconds() - begin;
    return std::all_of(z.begin(), z.end(), [](double x) { return std::isfinite(x); }) ? time : NAN;
  };
  const double setup = call(peer_untimed);
  return (call(peer_untimed + problem.peer_sweeps) - setup) / problem.peer_sweeps;
}

// As many bytes as a sweep reads for its blocks, one after the other; as the processor fetches them by itself, or asked to fetch
// those that come later, whichever is faster.
class Stream {
 public:
  explicit Stream(const Problem& problem)
      : repetitions_(problem.sweeps),
        values_(9 * static_cast<std::size_t>(problem.blocks), 1.0),
        columns_(static_cast<std::size_t>(problem.blocks), 1) {}
  double seconds() { return std::min(seconds(&Stream::read<0>), seconds(&Stream::read<720>)); }

 private:
  double seconds(void (Stream::*pass)()) {
    (this->*pass)();
    const double begin = cpu_seconds();
    for (int k = 0; k < repetitions_; ++k) (this->*pass)();
    return (cpu_seconds() - begin) / repetitions_;
  }
  template <std::size_t AHEAD>  // doubles
  void read() {
    double sum[8]{};
    for (std::size_t k = 0; k + 8 <= values_.size(); k += 8) {
      if constexpr (AHEAD > 0) __builtin_prefetch(values_.data() + k + AHEAD);
      for (std::size_t i = 0; i < 8; ++i) sum[i] += values_[k + i];
    }
    sum_ = sum_ + std::accumulate(sum, sum + 8, 0.0) + std::accumulate(columns_.begin(), columns_.end(), 0);
  }
  int repetitions_;
  Vector values_;
  IndexVector columns_;
  volatile double sum_ = 0;
};

struct Row {
  const char* title;
  double contacts, blocks;
  Contender stream, matrix, bodies;
  std::vector<Contender> peers;
};

Row measure_scene(const Scene& scene, int rounds, bool alone) {
  const Problem problem(scene.make());
  Stream stream(problem);
  OwnSweep matrix(problem, problem.matrix), bodies(problem, problem.bodies);
  const BlockCsrMatrix& W = *problem.matrix.M->block_csr();
  const std::vector<PeerSweep> peers = peer_sweeps({W.row_start, W.block_col, W.values, *problem.matrix.q, problem.data.mu});
  Row row{scene.title,
          problem.contacts(),
          problem.blocks,
          {"reading", [&] { return stream.seconds(); }},
          {"W", [&] { return matrix.seconds(cpu_seconds); }},
          {"bodies", [&] { return bodies.seconds(cpu_seconds); }},
          {}};
  if (!alone)
    for (const PeerSweep& peer : peers) row.peers.push_back({peer.name, [&] { return seconds_of(peer, problem); }, peer.solves});
  std::vector<Contender*> all{&row.stream, &row.matrix, &row.bodies};
  for (Contender& peer : row.peers) all.push_back(&peer);
  measure(all, rounds);
  for (const Contender* one : all)
    std::fprintf(stderr, "%-26s %-16s %9.1f ns a contact\n", scene.title, one->name.c_str(), 1e9 * one->time() / row.contacts);
  return row;
}

struct ThreadRow {
  const char *title, *rows;
  double contacts;
  std::vector<double> seconds;  // for each of thread_counts
  bool same_bits = true;
};

ThreadRow measure_threads(const Scene& scene, const Problem& problem, bool over_bodies, int rounds) {
  std::vector<std::unique_ptr<Workers>> workers;
  std::vector<std::unique_ptr<OwnSweep>> sweeps;
  std::vector<Contender> contenders;
  for (const int threads : thread_counts) {
    Inclusion view = over_bodies ? problem.bodies : problem.matrix;
    if (threads > 1) view.workers = workers.emplace_back(std::make_unique<Workers>(threads)).get();
    OwnSweep* sweep = sweeps.emplace_back(std::make_unique<OwnSweep>(problem, view)).get();
    contenders.push_back({std::to_string(threads), [sweep] { return sweep->seconds(wall_seconds); }});
  }
  std::vector<Contender*> all;
  for (Contender& one : contenders) all.push_back(&one);
  measure(all, rounds);
  ThreadRow row{scene.title, over_bodies ? "bodies" : "W", problem.contacts(), {}};
  for (std::size_t k = 0; k < sweeps.size(); ++k) {
    row.seconds.push_back(contenders[k].time());
    const Vector &first = sweeps.front()->reactions(), &other = sweeps[k]->reactions();
    row.same_bits = row.same_bits && std::memcmp(first.data(), other.data(), first.size() * sizeof(double)) == 0;
  }
  return row;
}

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

std::string thousands(double value) {
  std::string digits = number("%.0f", value);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

// Of data, of the processor this runs on, as the system tells it.
std::string cache_size(int name) {
  const long bytes = sysconf(name);
  return bytes > 0 ? std::to_string(bytes / 1024) + " kB" : "unknown size";
}

void write_bound(std::ostream& out, const std::vector<Row>& rows, int rounds) {
  out << "# One sweep of Gauss-Seidel\n\n"
         "Written by `./dev compare sweeps` (benchmarks/sweeps) on a machine of "
      << std::thread::hardware_concurrency() << " processors with caches of " << cache_size(_SC_LEVEL1_DCACHE_SIZE) << ", "
      << cache_size(_SC_LEVEL2_CACHE_SIZE) << " and " << cache_size(_SC_LEVEL3_CACHE_SIZE)
      << " (levels 1 to 3 as the\nsystem tells them). One thread, CPU time, exact one-contact solutions; medians of " << rounds
      << " rounds in which all that a row compares takes its turn.\nEach sweeps on from the same reactions, those after "
      << warm_up + period << " sweeps from zero.\n\n## Beside the memory\n\n"
      << "Bound: reading 76 bytes, nine numbers and an index, for every block of W (the diagonal ones included) from an array of "
         "that size, as fast as a loop that\n"
         "only adds them up does it, with or without fetching ahead. A sweep also reads and writes the reactions and reads q and "
         "the "
         "solvers of the contacts,\nbut of W in single precision 40 bytes a block: so it may stay below the bound.\nAims: at "
         "most "
      << bound_aim << " times the bound; over bodies " << bodies_aim
      << " times as fast as over W where bodies have many contacts.\n\n"
         "| scene | contacts | blocks per contact | W, MB | read, GB/s | bound, ns a block | over W, ns a block | ratio | over "
         "W, ns "
         "a contact | over bodies, ns a contact | W : bodies |\n"
         "|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const Row& row : rows) {
    const double bytes = bytes_of_block * row.blocks, block = 1e9 / row.blocks, contact = 1e9 / row.contacts;
    out << "| " << row.title << " | " << thousands(row.contacts) << " | " << number("%.1f", row.blocks / row.contacts) << " | "
        << number("%.2g", 1e-6 * bytes) << " | " << number("%.0f", 1e-9 * bytes / row.stream.time()) << " | "
        << number("%.2f", block * row.stream.time()) << " | " << number("%.2f", block * row.matrix.time()) << " | "
        << number("%.2f", row.matrix.time() / row.stream.time()) << " | " << number("%.1f", contact * row.matrix.time()) << " | "
        << number("%.1f", contact * row.bodies.time()) << " | " << number("%.1f", row.matrix.time() / row.bodies.time())
        << " |\n";
  }
}

void write_peer(std::ostream& out, const std::vector<Row>& rows) {
  if (rows.empty() || rows.front().peers.empty()) return;
  out << "\n## Beside Siconos\n\n"
         "NSGS of Siconos' numerics library as Debian builds it, with the blocks of W one after the other in memory: nanoseconds "
         "per "
         "contact of a sweep with each of its\n"
         "solvers of one contact, the first being its default. *One projection* does not solve the contact; *fails*: reactions "
         "that "
         "are no numbers. The time of a sweep\n"
         "is the difference of two calls with different numbers of them, so that what a call sets up drops out. Here: over W or "
         "over "
         "bodies, whichever is faster.\nAim: 1/"
      << peer_aim << ".\n\n| scene | here";
  for (const Contender& peer : rows.front().peers) out << " | " << peer.name;
  out << " | ratio, default | ratio, fastest that solves |\n|---|---";
  for (std::size_t k = 0; k < rows.front().peers.size() + 2; ++k) out << "|---";
  out << "|\n";
  for (const Row& row : rows) {
    const double ours = std::min(row.matrix.time(), row.bodies.time());
    out << "| " << row.title << " | " << number("%.1f", 1e9 * ours / row.contacts);
    double fastest = HUGE_VAL;
    for (const Contender& peer : row.peers) {
      out << " | " << (std::isnan(peer.time()) ? "fails" : number("%.0f", 1e9 * peer.time() / row.contacts));
      if (peer.solves && peer.time() < fastest) fastest = peer.time();
    }
    out << " | 1/" << number("%.1f", row.peers.front().time() / ours) << " | 1/" << number("%.1f", fastest / ours) << " |\n";
  }
}

void write_threads(std::ostream& out, const std::vector<ThreadRow>& rows) {
  if (rows.empty()) return;
  out << "\n## Threads\n\nWall-clock nanoseconds per contact and sweep with 1, 2 and 4 threads by turns, and whether the "
         "reactions "
         "after all sweeps are the same to the last bit.\n\n"
         "| scene | contacts | rows | 1 | 2 | 4 | speed-up of 2 | same bits |\n|---|---|---|---|---|---|---|---|\n";
  for (const ThreadRow& row : rows) {
    out << "| " << row.title << " | " << thousands(row.contacts) << " | " << row.rows;
    for (const double seconds : row.seconds) out << " | " << number("%.1f", 1e9 * seconds / row.contacts);
    out << " | " << number("%.2f", row.seconds[0] / row.seconds[1]) << " | " << (row.same_bits ? "yes" : "NO") << " |\n";
  }
}

}  // namespace
}  // namespace nonsmooth::sweeps

int main(int argc, char** argv) {
  using namespace nonsmooth::sweeps;
  namespace programs = nonsmooth::programs;
  int rounds = 7;
  bool alone = false;
  std::string only, output;
  CLI::App app{"Time of one sweep of Gauss-Seidel, beside reading its blocks and beside Siconos", "nonsmooth-compare-sweeps"};
  app.option_defaults()->always_capture_default();
  app.add_option("--rounds", rounds, "how often each is measured")->check(programs::positive_number());
  app.add_option("--only", only, "scenes whose name contains this");
  app.add_flag("--alone", alone, "without Siconos, and without threads");
  app.add_option("--output", output, "Markdown file; standard output without it")->check(programs::file_name());
  const auto run = [&] {
    if (!programs::parse(app, argc, argv)) return 0;
    const std::vector<Scene> asked = nonsmooth::with_title(scenes, only, "scene");
    nonsmooth::require_writable(output);
    std::vector<Row> rows;
    std::vector<ThreadRow> thread_rows;
    for (const Scene& scene : asked) {
      rows.push_back(measure_scene(scene, rounds, alone));
      if (!scene.threads || alone) continue;
      const Problem problem(scene.make());
      for (const bool over_bodies : {false, true}) thread_rows.push_back(measure_threads(scene, problem, over_bodies, rounds));
    }
    nonsmooth::write_page(output, [&](std::ostream& out) {
      write_bound(out, rows, rounds);
      write_peer(out, rows);
      write_threads(out, thread_rows);
    });
    return 0;
  };
  return programs::run_program(app.get_name(), run, programs::bad_file);
}
