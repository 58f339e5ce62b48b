// Runs the complementarity solvers of Siconos (its installed numerics library) on one problem file:
//   siconos-complementarity CLASS FILE TOLERANCE SECONDS FOLDER
// The file is read once; each solver runs in a process of its own, which may crash or take too long. For each that ended a line
// "SOLVER TIME INFO" is printed, TIME the shortest of several runs, and z stands in FOLDER/SOLVER.z as binary doubles.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" {
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/MLCP_Solvers.h>
#include <siconos/numerics/MixedLinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/RelayProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>
#include <siconos/numerics/mlcp_cst.h>
#include <siconos/numerics/relay_cst.h>
}

namespace {

struct Entry {
  const char* name;
  int id;
};

constexpr Entry lcp_solvers[] = {{"LEMKE", SICONOS_LCP_LEMKE},
                                 {"PGS", SICONOS_LCP_PGS},
                                 {"CPG", SICONOS_LCP_CPG},
                                 {"LATIN", SICONOS_LCP_LATIN},
                                 {"LATIN_W", SICONOS_LCP_LATIN_W},
                                 {"QP", SICONOS_LCP_QP},
                                 {"NSQP", SICONOS_LCP_NSQP},
                                 {"NEWTONMIN", SICONOS_LCP_NEWTONMIN},
                                 {"NEWTON_FB_FBLSA", SICONOS_LCP_NEWTON_FB_FBLSA},
                                 {"PSOR", SICONOS_LCP_PSOR},
                                 {"RPGS", SICONOS_LCP_RPGS},
                                 {"ENUM", SICONOS_LCP_ENUM},
                                 {"AVI_CAOFERRIS", SICONOS_LCP_AVI_CAOFERRIS},
                                 {"PIVOT", SICONOS_LCP_PIVOT},
                                 {"BARD", SICONOS_LCP_BARD},
                                 {"MURTY", SICONOS_LCP_MURTY},
                                 {"NEWTON_MIN_FBLSA", SICONOS_LCP_NEWTON_MIN_FBLSA},
                                 {"PATHSEARCH", SICONOS_LCP_PATHSEARCH},
                                 {"PIVOT_LUMOD", SICONOS_LCP_PIVOT_LUMOD},
                                 {"CONVEXQP_PG", SICONOS_LCP_CONVEXQP_PG}};
constexpr Entry mlcp_solvers[] = {
    {"PGS", SICONOS_MLCP_PGS},     {"RPGS", SICONOS_MLCP_RPGS},           {"PSOR", SICONOS_MLCP_PSOR},
    {"RPSOR", SICONOS_MLCP_RPSOR}, {"ENUM", SICONOS_MLCP_ENUM},           {"DIRECT_ENUM", SICONOS_MLCP_DIRECT_ENUM},
    {"FB", SICONOS_MLCP_FB},       {"DIRECT_FB", SICONOS_MLCP_DIRECT_FB}, {"LCP_LEMKE", SICONOS_MLCP_LCP_LEMKE}};
constexpr Entry relay_solvers[] = {{"PGS", SICONOS_RELAY_PGS},
                                   {"ENUM", SICONOS_RELAY_ENUM},
                                   {"LEMKE", SICONOS_RELAY_LEMKE},
                                   {"AVI_CAOFERRIS", SICONOS_RELAY_AVI_CAOFERRIS}};

constexpr int largest_enumeration = 20, iterations = 1000000, repeats = 7;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// A problem of any of the three classes: its size and how a solver is called on it.
struct Case {
  LinearComplementarityProblem* lcp = nullptr;
  MixedLinearComplementarityProblem* mlcp = nullptr;
  RelayProblem* relay = nullptr;
  int size = 0;

  int run(SolverOptions* options, double* z, double* w) const {
    if (lcp != nullptr) return linearComplementarity_driver(lcp, z, w, options);
    if (relay != nullptr) return relay_driver(relay, z, w, options);
    mlcp_driver_init(mlcp, options);
    const int info = mlcp_driver(mlcp, z, w, options);
    mlcp_driver_reset(mlcp, options);
    return info;
  }
};

bool read(const std::string& type, const char* file, Case& problem) {
  if (type == "lcp") {
    problem.lcp = newLCP();
    linearComplementarity_newFromFilename(problem.lcp, file);  // what it returns differs between versions
    if (problem.lcp->M == nullptr) return false;
    problem.size = problem.lcp->size;
  } else if (type == "mlcp") {
    problem.mlcp = mixedLinearComplementarity_new();
    mixedLinearComplementarity_newFromFilename(problem.mlcp, file);
    if (problem.mlcp->M == nullptr && problem.mlcp->A == nullptr) return false;
    problem.size = problem.mlcp->n + problem.mlcp->m;
  } else {
    problem.relay = relay_new_from_filename(file);
    if (problem.relay == nullptr) return false;
    problem.size = problem.relay->size;
  }
  return true;
}

// In the child. Exit status 0 if the solver came to an end.
void run_solver(const Case& problem, const Entry& solver, double tolerance, double seconds, const std::string& folder, int out) {
  const auto n = static_cast<std::size_t>(problem.size);
  std::vector<double> z(n), w(n);
  double shortest = 1e99, total = 0;
  int info = -1;
  for (int k = 0; k < repeats && total < 0.2 * seconds; ++k) {
    SolverOptions* options = solver_options_create(solver.id);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    options->dparam[SICONOS_DPARAM_TOL] = tolerance;
    std::fill(z.begin(), z.end(), 0.0);
    std::fill(w.begin(), w.end(), 0.0);
    const double start = now();
    info = problem.run(options, z.data(), w.data());
    const double time = now() - start;
    shortest = time < shortest ? time : shortest;
    total += time;
    solver_options_delete(options);
  }
  std::FILE* file = std::fopen((folder + "/" + solver.name + ".z").c_str(), "wb");
  if (file == nullptr) _exit(1);
  std::fwrite(z.data(), sizeof(double), n, file);
  std::fclose(file);
  char line[128];
  const int length = std::snprintf(line, sizeof line, "%s %.9g %d\n", solver.name, shortest, info);
  if (write(out, line, static_cast<std::size_t>(length)) != length) _exit(1);
  _exit(0);
}

template <std::size_t N>
void run_all(const Case& problem, const Entry (&solvers)[N], double tolerance, double seconds, const std::string& folder) {
  const int out = dup(1);
  for (const Entry& solver : solvers) {
    if (std::strstr(solver.name, "ENUM") != nullptr && problem.size > largest_enumeration) continue;
    const pid_t child = fork();
    if (child == 0) {
      // Its solvers print; what they say is no part of the answer.
      if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
      alarm(static_cast<unsigned>(seconds) + 1);
      run_solver(problem, solver, tolerance, seconds, folder, out);
    }
    int status = 0;
    waitpid(child, &status, 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fprintf(stderr, "usage: %s lcp|mlcp|relay FILE TOLERANCE SECONDS FOLDER\n", argv[0]);
    return 2;
  }
  const std::string type = argv[1], folder = argv[5];
  const double tolerance = std::atof(argv[3]), seconds = std::atof(argv[4]);
  Case problem;
  if (!read(type, argv[2], problem)) {
    std::fprintf(stderr, "%s: cannot read %s\n", argv[0], argv[2]);
    return 1;
  }
  if (problem.lcp != nullptr) run_all(problem, lcp_solvers, tolerance, seconds, folder);
  if (problem.mlcp != nullptr) run_all(problem, mlcp_solvers, tolerance, seconds, folder);
  if (problem.relay != nullptr) run_all(problem, relay_solvers, tolerance, seconds, folder);
  return 0;
}
