// Solves w = M z + q, 0 <= w _|_ z >= 0 with M = [2 1; 1 2], q = (-1, -1), with the C++ wrapper.
#include <cstdio>
#include <nonsmooth/nonsmooth.hpp>

int main() {
  try {
    const nsm::Problem problem = nsm::Problem::lcp(nsm::Matrix::dense(2, 2, {2, 1, 1, 2}), {-1, -1});
    nsm::Solver solver(problem);
    const nsm::Result result = solver.solve();
    const nsm::Solution solution = solver.solution();
    std::printf("%s z = %g %g\n", nsm::name(result.outcome()), solution.z[0], solution.z[1]);
    return result.converged() ? 0 : 1;
  } catch (const nsm::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
