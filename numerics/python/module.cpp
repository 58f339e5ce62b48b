// The Python module `nonsmooth`: nonsmooth.hpp with arrays of numpy.

#include "errors.hpp"
#include "problem.hpp"
#include "solver.hpp"

namespace nonsmooth_python {
namespace {

using namespace py::literals;

py::list methods() {
  py::list rows;
  for (const nsm_method_info& method : nsm::methods()) {
    py::list classes;
    for (int k = 0; k < NSM_CLASS_COUNT; ++k)
      if ((method.classes >> k & 1u) != 0) classes.append(nsm::name(static_cast<nsm_class>(k)));
    rows.append(py::dict("name"_a = method.name, "summary"_a = method.summary, "source"_a = method.source,
                         "safe_for"_a = method.safe_for, "classes"_a = classes,
                         "default_iterations"_a = method.default_iterations, "use_for"_a = method.use_for));
  }
  return rows;
}

py::list options() {
  py::list rows;
  for (const nsm_option_info& option : nsm::options())
    rows.append(
        py::dict("name"_a = option.name, "default"_a = option.default_value, "lower"_a = option.lower, "upper"_a = option.upper,
                 "unit"_a = option.unit, "methods"_a = option.methods, "help"_a = option.help,
                 "choices"_a = option.choices == nullptr ? py::object(py::none()) : py::str(option.choices).attr("split")()));
  return rows;
}

std::pair<double, nsm::Vector> slater(const Problem& problem) {
  double margin = 0;
  nsm::Vector z(static_cast<std::size_t>(problem.size()));
  nsm::detail::check(nsm_slater(problem.handle(), &margin, z.data(), problem.size()));
  return {margin, z};
}

}  // namespace
}  // namespace nonsmooth_python

PYBIND11_MODULE(nonsmooth, module) {
  using namespace nonsmooth_python;
  module.doc() =
      "Solvers for complementarity and friction problems, with certified answers.\n\n"
      "    result = nonsmooth.solve(nonsmooth.Problem.lcp([[2, 1], [1, 2]], [-1, -1]))\n"
      "    result.converged, result.z, result.residual";
  module.attr("__version__") = nsm::version();
  define_errors(module);
  define_problem(module);
  define_solver(module);
  module.def(
      "certify",
      [](const Problem& p, const Given<nsm::Vector>& z, const Given<nsm::Vector>& w, double tolerance) {
        const nsm::Vector point = z.required("z"), value = w.as("w");
        if (!w.values.is_none()) nsm::detail::data(value, p.size(), "w");
        const Unlocked unlocked;
        return nsm::certify(p, point, value, tolerance);
      },
      "problem"_a, "z"_a, "w"_a = py::none(), "tolerance"_a = 1e-8,
      "Certifies z, and w if it is given, against the problem's own data.");
  module.def(
      "certify_infeasible",
      [](const Problem& p, const Given<nsm::Vector>& y, double tolerance) {
        const nsm::Vector proof = y.required("y");
        const Unlocked unlocked;
        return nsm::certify_infeasible(p, proof, tolerance);
      },
      "problem"_a, "y"_a, "tolerance"_a = NSM_PROOF_TOLERANCE, "Does y prove that the problem has no solution?");
  module.def("slater", &slater, "problem"_a, py::call_guard<Unlocked>(),
             "(margin, z) of a friction problem: positive where all contacts can be opened, and then it has a solution.");
  module.def("methods", &methods, "The table of methods.");
  module.def("options", &options, "The table of options.");
}
