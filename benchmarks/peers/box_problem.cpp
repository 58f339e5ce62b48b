#include "box_problem.hpp"

#include <algorithm>

#include "io/io.hpp"
#include "problems/bounds.hpp"

namespace nonsmooth::peers {

std::vector<double> BoxProblem::z_of(const double* x) const {
  std::vector<double> z(origin);
  for (std::size_t i = 0; i < size; ++i) z[i] += x[i];
  return z;
}

std::optional<BoxProblem> read_box_problem(const std::string& problem_class, const char* file, std::size_t largest) {
  const Problem problem = read_problem(file, nsm_class_from_name(problem_class.c_str()));
  if (global_data(problem) != nullptr) return std::nullopt;
  const Inclusion view = local_inclusion(problem);
  const auto n = static_cast<std::size_t>(view.size());
  if (view.F != nullptr || !has_bounds_only(view) || n > largest) return std::nullopt;
  const DenseMatrix M = to_dense(*view.M);
  BoxProblem box{n, Vector(n * n), Vector(n), Vector(n), Vector(n), Vector(n, 0.0), is_symmetric(M)};
  read_bounds(view.blocks, box.lo, box.hi);
  for (std::size_t i = 0; i < n; ++i) {
    box.orthant = box.orthant && box.lo[i] == 0 && std::isinf(box.hi[i]);
    box.bounded = box.bounded && std::isfinite(box.lo[i]) && std::isfinite(box.hi[i]);
    box.origin[i] = std::clamp(0.0, box.lo[i], box.hi[i]);
    box.lo[i] -= box.origin[i];
    box.hi[i] -= box.origin[i];
    for (std::size_t j = 0; j < n; ++j) box.A[i * n + j] = M.values[i + j * n];
  }
  Vector w = *view.q;
  multiply_add(*view.M, 1.0, box.origin, w);
  std::transform(w.begin(), w.end(), box.b.begin(), [](double x) { return -x; });
  return box;
}

}  // namespace nonsmooth::peers
