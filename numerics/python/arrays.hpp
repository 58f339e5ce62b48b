// Arrays of numpy and sparse matrices of scipy as the vectors and matrices of nonsmooth.hpp, and back: what stands in a signature
// as nsm::Vector, nsm::Indices or nsm::Matrix is converted by these functions. None is an empty vector or matrix. Every source of
// the module includes this header, so that all see the same conversions.
#ifndef NONSMOOTH_PYTHON_ARRAYS_HPP
#define NONSMOOTH_PYTHON_ARRAYS_HPP

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nonsmooth/nonsmooth.hpp>
#include <string>

namespace nonsmooth_python {

namespace py = pybind11;

// They copy, and raise what Python shows its user: TypeError for what is not numbers, ValueError for another number of
// dimensions.
nsm::Vector to_vector(py::handle values);
nsm::Indices to_indices(py::handle values);
nsm::Matrix to_matrix(py::handle values);
// Rows of `cols` numbers, one behind the other.
nsm::Vector to_rows(py::handle values, std::int64_t cols);
// An array or a sparse matrix of this shape, column by column.
nsm::Vector to_columns(py::handle values, std::int64_t rows, std::int64_t cols);
py::array_t<double> to_array(const nsm::Vector& values);
// In compressed columns, sorted, each entry once; the caller's matrix stays as it is.
py::object to_csc(py::handle matrix);
bool is_sparse(py::handle values);
// Refuses to be pickled or copied; by its oldest protocols pickle makes an object of no class, which ends the process.
template <class Type>
void refuse_pickling(Type& type) {
  type.def("__reduce__", [](const py::object& self) -> py::object {
    throw py::type_error("cannot pickle " + py::repr(py::type::of(self)).template cast<std::string>());
  });
}
// What the library says: it may hold a name that is no UTF-8, or be cut within a character.
py::str to_text(const std::string& text);

}  // namespace nonsmooth_python

namespace pybind11::detail {

template <>
struct type_caster<nsm::Vector> {
  PYBIND11_TYPE_CASTER(nsm::Vector, const_name("numpy.ndarray"));
  bool load(handle source, bool) {
    value = nonsmooth_python::to_vector(source);
    return true;
  }
  static handle cast(const nsm::Vector& values, return_value_policy, handle) {
    return nonsmooth_python::to_array(values).release();
  }
};

template <>
struct type_caster<nsm::Indices> {
  PYBIND11_TYPE_CASTER(nsm::Indices, const_name("numpy.ndarray"));
  bool load(handle source, bool) {
    value = nonsmooth_python::to_indices(source);
    return true;
  }
};

template <>
struct type_caster<nsm::Matrix> {
  PYBIND11_TYPE_CASTER(nsm::Matrix, const_name("numpy.ndarray or scipy.sparse matrix"));
  bool load(handle source, bool) {
    value = nonsmooth_python::to_matrix(source);
    return true;
  }
};

}  // namespace pybind11::detail

#endif
