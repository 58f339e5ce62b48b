// Runs the LCP solver of the Open Dynamics Engine (Dantzig's method, after Baraff 1994) on one problem file; peer.hpp has the
// arguments. No header of ODE declares it, and through a world only matrices of bodies and joints reach it. Its library does
// export it: the declarations here are those of version 0.16. It takes the matrix for symmetric: others are not given to it.
#include <ode/ode.h>

#include <memory>

#include "box_problem.hpp"
#include "peer.hpp"

static_assert(sizeof(dReal) == sizeof(double), "ODE is built in single precision");

class dxWorldProcessMemArena {
 public:
  void start() { next_ = first_; }

 private:
  void *next_, *first_;
};
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;

size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool w_is_given);
dxWorldProcessMemArena* dxAllocateTemporaryWorldProcessMemArena(size_t bytes, const dxWorldProcessMemoryManager* manager,
                                                                const dxWorldProcessMemoryReserveInfo* reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena* arena);
// Pairs: (b, x) and (lo, hi) of each row. Overwrites A and the pairs.
void dxSolveLCP(dxWorldProcessMemArena* arena, unsigned n, dReal* A, dReal* b_and_x, dReal* w, unsigned unbounded,
                dReal* lo_and_hi, int* friction_index);

namespace {

using nonsmooth::peers::BoxProblem;
using nonsmooth::peers::PeerSolver;

struct OdeProblem {
  explicit OdeProblem(BoxProblem problem) : box(std::move(problem)), stride(dPAD(box.size)), A(box.size * stride, 0.0) {
    for (std::size_t i = 0; i < box.size; ++i) {
      for (std::size_t j = 0; j < box.size; ++j) A[i * stride + j] = box.A[i * box.size + j];
      lo_and_hi.insert(lo_and_hi.end(), {box.lo[i], box.hi[i]});
      b_and_x.insert(b_and_x.end(), {box.b[i], 0.0});
    }
  }

  // The copies are within the time, as Bullet's own are: the solver overwrites its matrix.
  // Where it gives up it says so on standard error and returns what it has.
  int run(std::vector<double>& z) const {
    std::vector<dReal> matrix(A), bounds(lo_and_hi), pairs(b_and_x), w(box.size), x(box.size);
    const auto n = static_cast<unsigned>(box.size);
    dxWorldProcessMemArena* arena =
        dxAllocateTemporaryWorldProcessMemArena(dxEstimateSolveLCPMemoryReq(n, true), nullptr, nullptr);
    if (arena == nullptr) return 1;
    arena->start();
    dxSolveLCP(arena, n, matrix.data(), pairs.data(), w.data(), 0, bounds.data(), nullptr);
    dxFreeTemporaryWorldProcessMemArena(arena);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = pairs[2 * i + 1];
    z = box.z_of(x.data());
    return 0;
  }

  BoxProblem box;
  std::size_t stride;
  std::vector<dReal> A, lo_and_hi, b_and_x;
};

std::vector<PeerSolver> solvers_for(const std::string& problem_class, const char* file) {
  std::optional<BoxProblem> box = nonsmooth::peers::read_box_problem(problem_class, file);
  if (!box || !box->symmetric) return {};
  dInitODE();
  const auto problem = std::make_shared<const OdeProblem>(std::move(*box));
  return {{"Dantzig", [problem](double, std::vector<double>& z) { return problem->run(z); }}};
}

}  // namespace

int main(int argc, char** argv) { return nonsmooth::peers::peer_main(argc, argv, {}, solvers_for); }
