// Problems, made from arrays and functions or read from files.
#ifndef NONSMOOTH_PYTHON_PROBLEM_HPP
#define NONSMOOTH_PYTHON_PROBLEM_HPP

#include "lock.hpp"

namespace nonsmooth_python {

void define_problem(py::module_& module);

}  // namespace nonsmooth_python

#endif
