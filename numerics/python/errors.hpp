// nsm::Error as exceptions of Python.
#ifndef NONSMOOTH_PYTHON_ERRORS_HPP
#define NONSMOOTH_PYTHON_ERRORS_HPP

#include "arrays.hpp"

namespace nonsmooth_python {

void define_errors(py::module_& module);

}  // namespace nonsmooth_python

#endif
