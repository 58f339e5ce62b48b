// The Python module `nonsmooth`: nonsmooth.hpp with arrays of numpy.
#include <optional>
#include <string>

#include "problem.hpp"
#include "solver.hpp"

namespace nonsmooth_python {
namespace {

using namespace py::literals;

// Python's nonsmooth.Error, with the name of the status.
void define_error(py::module_& module) {
  static py::handle error;  // lives as long as the interpreter
  error = py::exception<nsm::Error>(module, "Error").release();
  error.attr("__doc__") =
      "A call that did not work; `status` names why. What became of a problem is no error: see Result.outcome.";
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const nsm::Error& caught) {
      const py::object instance = error(to_text(caught.what()));
      instance.attr("status") = nsm::name(caught.status());
      PyErr_SetObject(error.ptr(), instance.ptr());
    }
  });
}

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
  using unlocked = py::call_guard<Unlocked>;
  module.doc() =
      "Solvers for complementarity and friction problems, with certified answers.\n\n"
      "    result = nonsmooth.solve(nonsmooth.Problem.lcp([[2, 1], [1, 2]], [-1, -1]))\n"
      "    result.converged, result.z, result.residual";
  module.attr("__version__") = nsm::version();
  define_error(module);
  define_problem(module);
  define_solver(module);
  module.def(
      "certify",
      [](const Problem& p, const nsm::Vector& z, const std::optional<nsm::Vector>& w, double tolerance) {
        if (w) nsm::detail::data(*w, p.size(), "w");
        return nsm::certify(p, z, w.value_or(nsm::Vector()), tolerance);
      },
      "problem"_a, "z"_a, "w"_a = py::none(), "tolerance"_a = 1e-8, unlocked(),
      "Certifies z, and w if it is given, against the problem's own data.");
  module.def(
      "certify_infeasible",
      [](const Problem& p, const nsm::Vector& y, double tolerance) { return nsm::certify_infeasible(p, y, tolerance); },
      "problem"_a, "y"_a, "tolerance"_a = NSM_PROOF_TOLERANCE, unlocked(), "Does y prove that the problem has no solution?");
  module.def("slater", &slater, "problem"_a, unlocked(),
             "(margin, z) of a friction problem: positive where all contacts can be opened, and then it has a solution.");
  module.def("methods", &methods, "The table of methods.");
  module.def("options", &options, "The table of options.");
}
