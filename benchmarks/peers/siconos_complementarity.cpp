// Runs the complementarity solvers of Siconos (its installed numerics library) on one problem file; peer.hpp has the arguments.
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "peer.hpp"

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

constexpr int largest_enumeration = 20, iterations = 1000000;

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

Case read(const std::string& type, const char* file) {
  Case problem;
  if (type == "lcp") {
    problem.lcp = newLCP();
    linearComplementarity_newFromFilename(problem.lcp, file);  // what it returns differs between versions
    if (problem.lcp->M == nullptr) throw std::runtime_error(std::string("cannot read ") + file);
    problem.size = problem.lcp->size;
  } else if (type == "mlcp") {
    problem.mlcp = mixedLinearComplementarity_new();
    mixedLinearComplementarity_newFromFilename(problem.mlcp, file);
    if (problem.mlcp->M == nullptr && problem.mlcp->A == nullptr) throw std::runtime_error(std::string("cannot read ") + file);
    problem.size = problem.mlcp->n + problem.mlcp->m;
  } else {
    problem.relay = relay_new_from_filename(file);
    if (problem.relay == nullptr) throw std::runtime_error(std::string("cannot read ") + file);
    problem.size = problem.relay->size;
  }
  return problem;
}

template <std::size_t N>
std::vector<nonsmooth::peers::PeerSolver> bind(const Case& problem, const Entry (&entries)[N]) {
  std::vector<nonsmooth::peers::PeerSolver> solvers;
  for (const Entry& entry : entries) {
    if (std::strstr(entry.name, "ENUM") != nullptr && problem.size > largest_enumeration) continue;
    solvers.push_back({entry.name, [problem, id = entry.id](double tolerance, std::vector<double>& z) {
                         SolverOptions* options = solver_options_create(id);
                         options->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
                         options->dparam[SICONOS_DPARAM_TOL] = tolerance;
                         std::vector<double> w(z.size());
                         const int info = problem.run(options, z.data(), w.data());
                         solver_options_delete(options);
                         return info;
                       }});
  }
  return solvers;
}

}  // namespace

int main(int argc, char** argv) {
  // A tenth of the tolerance, whatever the solver says about its answer; all are counted.
  return nonsmooth::peers::peer_main(argc, argv, {{0.1}, false, HUGE_VAL}, [](const std::string& type, const char* file) {
    if (type != "lcp" && type != "mlcp" && type != "relay") return std::vector<nonsmooth::peers::PeerSolver>();
    const Case problem = read(type, file);
    if (problem.lcp != nullptr) return bind(problem, lcp_solvers);
    return problem.mlcp != nullptr ? bind(problem, mlcp_solvers) : bind(problem, relay_solvers);
  });
}
