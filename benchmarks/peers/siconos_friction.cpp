// Runs the friction solvers of Siconos (its installed numerics library) on one problem file; peer.hpp has the arguments.
#include <stdexcept>

#include "peer.hpp"

extern "C" {
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/GlobalFrictionContactProblem.h>
#include <siconos/numerics/GlobalRollingFrictionContactProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/RollingFrictionContactProblem.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
}

namespace {

using nonsmooth::peers::PeerSolver;

struct Entry {
  const char* name;
  int id;
  int iterations;
  int local = 0;       // solver of one contact; 0: the default
  bool dense = false;  // takes dense matrices only
};

constexpr int sweeps = 1000000, newton_steps = 2000;
constexpr int largest_dense = 1500, largest_enumeration = 12;

// The fastest first: later ones get less time.
constexpr Entry space[] = {{"NSGS", SICONOS_FRICTION_3D_NSGS, sweeps},
                           {"NSGS_QUARTIC", SICONOS_FRICTION_3D_NSGS, sweeps, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC},
                           {"NSN_AC", SICONOS_FRICTION_3D_NSN_AC, newton_steps},
                           {"NSN_FB", SICONOS_FRICTION_3D_NSN_FB, newton_steps},
                           {"ADMM", SICONOS_FRICTION_3D_ADMM, sweeps},
                           {"PROX", SICONOS_FRICTION_3D_PROX, newton_steps},
                           {"ACLMFP", SICONOS_FRICTION_3D_ACLMFP, newton_steps},
                           {"VI_EG", SICONOS_FRICTION_3D_VI_EG, sweeps}};
constexpr Entry plane[] = {{"NSGS", SICONOS_FRICTION_2D_NSGS, sweeps},
                           {"LEMKE", SICONOS_FRICTION_2D_LEMKE, sweeps, 0, true},
                           {"CPG", SICONOS_FRICTION_2D_CPG, sweeps, 0, true},
                           {"ENUM", SICONOS_FRICTION_2D_ENUM, sweeps, 0, true}};
constexpr Entry global_space[] = {
    {"NSGS_WR", SICONOS_GLOBAL_FRICTION_3D_NSGS_WR, sweeps}, {"NSN_AC_WR", SICONOS_GLOBAL_FRICTION_3D_NSN_AC_WR, newton_steps},
    {"ADMM", SICONOS_GLOBAL_FRICTION_3D_ADMM, sweeps},       {"NSN_AC", SICONOS_GLOBAL_FRICTION_3D_NSN_AC, newton_steps},
    {"IPM", SICONOS_GLOBAL_FRICTION_3D_IPM, newton_steps},   {"NSGS", SICONOS_GLOBAL_FRICTION_3D_NSGS, sweeps}};
constexpr Entry rolling_space[] = {{"NSGS", SICONOS_ROLLING_FRICTION_3D_NSGS, sweeps},
                                   {"ADMM", SICONOS_ROLLING_FRICTION_3D_ADMM, sweeps}};
constexpr Entry rolling_plane[] = {{"NSGS", SICONOS_ROLLING_FRICTION_2D_NSGS, sweeps}};
constexpr Entry global_rolling[] = {{"NSGS_WR", SICONOS_GLOBAL_ROLLING_FRICTION_3D_NSGS_WR, sweeps}};

struct Options {
  SolverOptions* handle;
  Options(const Entry& entry, double tolerance) : handle(solver_options_create(entry.id)) {
    if (entry.local != 0) solver_options_update_internal(handle, 0, entry.local);
    handle->iparam[SICONOS_IPARAM_MAX_ITER] = entry.iterations;
    handle->dparam[SICONOS_DPARAM_TOL] = tolerance;
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;
  ~Options() { solver_options_delete(handle); }
};

// The copy of a sparse matrix divides by this size, which reading from a file leaves at zero (Siconos 4.4.0).
void set_work_size(NumericsMatrix* M) { NM_iWork(M, 1, sizeof(int)); }

template <class T>
T* required(T* problem, const char* file) {
  if (problem == nullptr || problem->M == nullptr) throw std::runtime_error(std::string("cannot read ") + file);
  return problem;
}

// Gauss-Seidel wants blocks: compressed columns, as FCLIB has them, would make it slower than it is.
NumericsMatrix* blocks_of(NumericsMatrix* M, int size) {
  if (M->storageType != NM_SPARSE) return M;
  NumericsMatrix* blocks = NM_create(NM_SPARSE_BLOCK, M->size0, M->size1);
  blocks->matrix1 = SBM_new();
  return SBM_from_csparse(size, NM_csc(M), blocks->matrix1) == 0 ? blocks : M;
}

NumericsMatrix* dense_of(NumericsMatrix* M) {
  NumericsMatrix* dense = NM_create(NM_DENSE, M->size0, M->size1);
  NM_to_dense(M, dense);
  return dense;
}

template <class Problem, std::size_t N, class Driver>
std::vector<PeerSolver> local_solvers(const Problem& problem, const Entry (&entries)[N], Driver driver) {
  std::vector<PeerSolver> solvers;
  for (const Entry& entry : entries) {
    if (entry.dense && problem.M->size0 > largest_dense) continue;
    if (entry.id == SICONOS_FRICTION_2D_ENUM && problem.numberOfContacts > largest_enumeration) continue;
    Problem own = problem;
    if (entry.dense && problem.M->storageType != NM_DENSE) own.M = dense_of(problem.M);
    solvers.push_back({entry.name, [own, entry, driver](double tolerance, std::vector<double>& z) {
                         const Options options(entry, tolerance);
                         std::vector<double> u(z.size());
                         Problem copy = own;
                         return driver(&copy, z.data(), u.data(), options.handle);
                       }});
  }
  return solvers;
}

// z = (v, r).
template <class Problem, std::size_t N, class Driver>
std::vector<PeerSolver> global_solvers(Problem* problem, const Entry (&entries)[N], Driver driver) {
  std::vector<PeerSolver> solvers;
  for (const Entry& entry : entries)
    solvers.push_back({entry.name, [problem, entry, driver](double tolerance, std::vector<double>& z) {
                         const Options options(entry, tolerance);
                         const auto bodies = static_cast<std::ptrdiff_t>(problem->M->size0);
                         std::vector<double> u(z.size() - static_cast<std::size_t>(bodies));
                         return driver(problem, z.data() + bodies, u.data(), z.data(), options.handle);
                       }});
  return solvers;
}

// Siconos has no solver for the global form in the plane: it eliminates the velocities.
std::vector<PeerSolver> global_plane_solvers(GlobalFrictionContactProblem* problem) {
  std::vector<PeerSolver> solvers;
  for (const Entry& entry : plane)
    if (!entry.dense || problem->H->size1 <= largest_dense)
      solvers.push_back({std::string(entry.name) + "_WR", [problem, entry](double tolerance, std::vector<double>& z) {
                           const Options options(entry, tolerance);
                           FrictionContactProblem* local = globalFrictionContact_reformulation_FrictionContact(problem);
                           local->M = entry.dense ? dense_of(local->M) : blocks_of(local->M, local->dimension);
                           double* r = z.data() + problem->M->size0;
                           std::vector<double> u(static_cast<std::size_t>(problem->H->size1));
                           const int info = fc2d_driver(local, r, u.data(), options.handle);
                           globalFrictionContact_computeGlobalVelocity(problem, r, z.data());
                           return info;
                         }});
  return solvers;
}

std::vector<PeerSolver> solvers_for(const std::string& type, const char* file) {
  if (type == "friction") {
    FrictionContactProblem* problem = required(frictionContact_new_from_filename(file), file);
    problem->M = blocks_of(problem->M, problem->dimension);
    return problem->dimension == 2 ? local_solvers(*problem, plane, fc2d_driver) : local_solvers(*problem, space, fc3d_driver);
  }
  if (type == "global_friction") {
    GlobalFrictionContactProblem* problem = required(globalFrictionContact_new_from_filename(file), file);
    set_work_size(problem->M);
    set_work_size(problem->H);
    return problem->dimension == 2 ? global_plane_solvers(problem) : global_solvers(problem, global_space, gfc3d_driver);
  }
  if (type == "rolling") {
    RollingFrictionContactProblem* problem = required(rollingFrictionContact_new_from_filename(file), file);
    problem->M = blocks_of(problem->M, problem->dimension);
    return problem->dimension == 3 ? local_solvers(*problem, rolling_plane, rolling_fc2d_driver)
                                   : local_solvers(*problem, rolling_space, rolling_fc3d_driver);
  }
  if (type == "global_rolling") {
    GlobalRollingFrictionContactProblem* problem = required(globalRollingFrictionContact_new_from_filename(file), file);
    set_work_size(problem->M);
    set_work_size(problem->H);
    if (problem->dimension == 5) return global_solvers(problem, global_rolling, g_rolling_fc3d_driver);
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) { return nonsmooth::peers::peer_main(argc, argv, {}, solvers_for); }
