// NSGS of Siconos' numerics library. Its blocks are those of W, one after the other in memory in the order of the sweep, which is
// the best its format of pointers to blocks can be given.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>

#include "peer.hpp"

extern "C" {
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
}

namespace nonsmooth::sweeps {
namespace {

struct LocalSolver {
  const char* name;
  int id;  // 0: the default
  bool solves = true;
};
constexpr LocalSolver local_solvers[] = {{"Newton, hybrid", 0},
                                         {"quartic", SICONOS_FRICTION_3D_ONECONTACT_QUARTIC},
                                         {"projections", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration},
                                         {"one projection", SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnCone, false}};

// Takes standard output away: the quartic solver tells it every contact that it fails on.
class Silence {
 public:
  Silence() : output_(dup(STDOUT_FILENO)), nowhere_(open("/dev/null", O_WRONLY)) { turn(nowhere_); }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    turn(output_);
    close(output_);
    close(nowhere_);
  }

 private:
  static void turn(int descriptor) {
    std::fflush(stdout);
    dup2(descriptor, STDOUT_FILENO);
  }
  int output_, nowhere_;
};

// Lends them to a problem of Siconos.
class Lent {
 public:
  explicit Lent(const Blocks& given)
      : row_start_(given.row_start.begin(), given.row_start.end()), column_(given.column.begin(), given.column.end()) {
    for (std::size_t k = 0; k < column_.size(); ++k) block_.push_back(const_cast<double*>(given.values.data() + 9 * k));
    for (std::size_t row = 1; row < row_start_.size(); ++row) size_.push_back(static_cast<unsigned>(3 * row));
    blocks_.nbblocks = static_cast<unsigned>(block_.size());
    blocks_.block = block_.data();
    blocks_.blocknumber0 = blocks_.blocknumber1 = static_cast<unsigned>(size_.size());
    blocks_.blocksize0 = blocks_.blocksize1 = size_.data();
    blocks_.filled1 = row_start_.size();
    blocks_.filled2 = column_.size();
    blocks_.index1_data = row_start_.data();
    blocks_.index2_data = column_.data();
    M_ = NM_create(NM_SPARSE_BLOCK, 3 * static_cast<int>(size_.size()), 3 * static_cast<int>(size_.size()));
    M_->matrix1 = &blocks_;
    problem_.dimension = 3;
    problem_.numberOfContacts = static_cast<int>(size_.size());
    problem_.M = M_;
    problem_.q = const_cast<double*>(given.q.data());
    problem_.mu = const_cast<double*>(given.mu.data());
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;
  ~Lent() {
    M_->matrix1 = nullptr;
    NM_clear(M_);
    std::free(M_);
    std::free(blocks_.diagonal_blocks);  // which Siconos finds when it first wants them
  }

  void sweep(int local, int sweeps, std::vector<double>& r) {
    const Silence silence;
    SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
    if (local != 0) solver_options_update_internal(options, 0, local);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = sweeps;
    options->dparam[SICONOS_DPARAM_TOL] = std::numeric_limits<double>::min();  // never reached
    velocity_.resize(r.size());
    fc3d_driver(&problem_, r.data(), velocity_.data(), options);
    solver_options_delete(options);
  }

 private:
  std::vector<std::size_t> row_start_, column_;
  std::vector<double*> block_;
  std::vector<unsigned> size_;
  std::vector<double> velocity_;
  SparseBlockStructuredMatrix blocks_{};
  NumericsMatrix* M_ = nullptr;
  FrictionContactProblem problem_{};
};

}  // namespace

std::vector<PeerSweep> peer_sweeps(const Blocks& problem) {
  const auto lent = std::make_shared<Lent>(problem);
  std::vector<PeerSweep> sweeps;
  for (const LocalSolver& local : local_solvers)
    sweeps.push_back(
        {local.name, local.solves, [lent, id = local.id](int count, std::vector<double>& r) { lent->sweep(id, count, r); }});
  return sweeps;
}

}  // namespace nonsmooth::sweeps
