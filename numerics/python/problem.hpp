// Problems, made from arrays and functions or read from files.
#ifndef NONSMOOTH_PYTHON_PROBLEM_HPP
#define NONSMOOTH_PYTHON_PROBLEM_HPP

#include <array>

#include "lock.hpp"

namespace nonsmooth_python {

// The functions are called by the library, but owned by the objects of Python, this one and those of its solvers.
struct Problem : nsm::Problem {
  explicit Problem(nsm::Problem problem, py::object called = {})
      : nsm::Problem(std::move(problem)), functions(std::move(called)) {}
  std::array<py::handle, 1> references() const { return {functions}; }
  void forget() {}

  py::object functions;  // none of linear problems
};

void define_problem(py::module_& module);

}  // namespace nonsmooth_python

template <>
struct pybind11::detail::type_caster<nonsmooth_python::Problem> : made_caster<nonsmooth_python::Problem> {};

#endif
