// Functions of Python as those of nonlinear problems. They are called with a copy of the point, take the interpreter's lock for
// that, and may return None where they cannot be evaluated. What they raise comes out of the call that has asked for the value.
// They are borrowed: the problem of Python holds them (problem.hpp).
#ifndef NONSMOOTH_PYTHON_FUNCTIONS_HPP
#define NONSMOOTH_PYTHON_FUNCTIONS_HPP

#include "lock.hpp"

namespace nonsmooth_python {

// TypeError for what can be neither called nor is None.
void require_function(const py::object& callable, const char* what);
// Of a vector, `what` in messages; None: no function.
nsm::Problem::Function to_function(const py::object& callable, std::int64_t n, const char* what);
// Of a matrix, dense without a pattern; else sparse, of entries of the pattern alone, or the values of these in its order.
nsm::Problem::Function to_jacobian(const py::object& callable, std::int64_t n, const py::object& pattern);

}  // namespace nonsmooth_python

#endif
