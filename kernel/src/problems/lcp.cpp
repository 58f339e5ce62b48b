#include "nonsmooth/kernel/simulation.hpp"
#include "problems/problem_data.hpp"

namespace nonsmooth::kernel {

bool LCP::accepts(LawKind kind) const {
  return kind == LawKind::ComplementarityCondition || kind == LawKind::NewtonImpact || kind == LawKind::MultipleImpact;
}

void LCP::formulate(ProblemData&) {}  // q and M are all of it

LCP::LCP(Simulation* simulation, const std::string& problem_name, const std::string& method, int max_iterations, double tolerance,
         const std::string&, double)
    : LCP(method) {
  setOption("max_iterations", max_iterations);
  setTolerance(tolerance);
  Link<Simulation>(simulation)->insertNonSmoothProblem(*this, problem_name);
}

}  // namespace nonsmooth::kernel
