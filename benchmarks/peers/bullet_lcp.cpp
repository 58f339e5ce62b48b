// Runs the solvers of Bullet for mixed LCPs, in double precision, on one problem file; peer.hpp has the arguments. Dantzig's
// takes the matrix for symmetric: others are not given to it. Lemke's has a form for LCPs and one for finite bounds, no free
// rows. Projected Gauss-Seidel ends when the squares of the changes in a sweep add up to less than a threshold.
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btLemkeSolver.h>
#include <BulletDynamics/MLCPSolvers/btSolveProjectedGaussSeidel.h>

#include <memory>

#include "box_problem.hpp"
#include "peer.hpp"

namespace {

using nonsmooth::peers::BoxProblem;
using nonsmooth::peers::PeerSolver;

constexpr int iterations = 1000000;

struct BulletProblem {
  explicit BulletProblem(BoxProblem problem) : box(std::move(problem)) {
    const int n = static_cast<int>(box.size);
    A.resize(n, n);
    for (btVectorXu* vector : {&b, &lo, &hi}) vector->resize(n);
    for (int i = 0; i < n; ++i) {
      const auto row = static_cast<std::size_t>(i);
      b[i] = box.b[row];
      lo[i] = box.lo[row];
      hi[i] = box.hi[row];
      no_limits.push_back(-1);
      for (int j = 0; j < n; ++j) A.setElem(i, j, box.A[row * box.size + static_cast<std::size_t>(j)]);
    }
  }

  int run(btMLCPSolverInterface& solver, std::vector<double>& z) const {
    btVectorXu x(static_cast<int>(box.size));
    x.setZero();
    const bool solved = solver.solveMLCP(A, b, x, lo, hi, no_limits, iterations);
    z = box.z_of(&x[0]);
    return solved ? 0 : 1;
  }

  BoxProblem box;
  btMatrixXu A;
  btVectorXu b, lo, hi;
  btAlignedObjectArray<int> no_limits;  // that depend on another row's x
};

std::vector<PeerSolver> solvers_for(const std::string& problem_class, const char* file) {
  std::optional<BoxProblem> box = nonsmooth::peers::read_box_problem(problem_class, file);
  if (!box) return {};
  const auto problem = std::make_shared<const BulletProblem>(std::move(*box));
  std::vector<PeerSolver> solvers;
  if (problem->box.symmetric)
    solvers.push_back({"Dantzig", [problem](double, std::vector<double>& z) {
                         btDantzigSolver solver;
                         return problem->run(solver, z);
                       }});
  if (problem->box.orthant || problem->box.bounded)
    solvers.push_back({"Lemke", [problem](double, std::vector<double>& z) {
                         btLemkeSolver solver;
                         solver.m_useLoHighBounds = !problem->box.orthant;
                         solver.m_maxValue = 1e30;
                         solver.m_maxLoops = iterations;
                         return problem->run(solver, z);
                       }});
  solvers.push_back({"ProjectedGaussSeidel", [problem](double tolerance, std::vector<double>& z) {
                       btSolveProjectedGaussSeidel solver;
                       solver.m_leastSquaresResidualThreshold = tolerance * tolerance;
                       return problem->run(solver, z);
                     }});
  return solvers;
}

}  // namespace

int main(int argc, char** argv) { return nonsmooth::peers::peer_main(argc, argv, {}, solvers_for); }
