// Arrays of numpy and sparse matrices of scipy as the vectors and matrices of nonsmooth.hpp, and back: arguments stand in a
// signature as Given, results as nsm::Vector. Every source of the module includes this header, so that all see the same
// conversions.
#ifndef NONSMOOTH_PYTHON_ARRAYS_HPP
#define NONSMOOTH_PYTHON_ARRAYS_HPP

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <nonsmooth/nonsmooth.hpp>
#include <string>
#include <type_traits>

namespace nonsmooth_python {

namespace py = pybind11;

// They copy, and raise what Python shows its user: TypeError for what is not numbers, ValueError for another number of
// dimensions. None is an empty vector or matrix.
nsm::Vector to_vector(py::handle values);
nsm::Indices to_indices(py::handle values);
nsm::Matrix to_matrix(py::handle values);
// Rows of `cols` numbers, one behind the other.
nsm::Vector to_rows(py::handle values, std::int64_t cols);
// An array or a sparse matrix of this shape, column by column.
nsm::Vector to_columns(py::handle values, std::int64_t rows, std::int64_t cols);
py::array_t<double> to_array(const nsm::Vector& values);
// Does the work, and puts a name before what it raises about a type or value.
template <class Work>
auto named(const std::string& name, Work&& work) {
  try {
    return work();
  } catch (const py::type_error& error) {
    throw py::type_error(name + ": " + error.what());
  } catch (const py::value_error& error) {
    throw py::value_error(name + ": " + error.what());
  } catch (const py::error_already_set& error) {  // by numpy
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    const std::string message = name + ": " + py::str(error.value()).cast<std::string>();
    if (error.matches(PyExc_TypeError)) throw py::type_error(message);
    throw py::value_error(message);
  }
}

// An argument as it was given: only the function knows the name that a message is to tell.
template <class Data>
struct Given {
  py::object values;

  Data as(const char* name) const {
    return named(name, [this]() -> Data {
      if constexpr (std::is_same_v<Data, nsm::Matrix>)
        return to_matrix(values);
      else if constexpr (std::is_same_v<Data, nsm::Indices>)
        return to_indices(values);
      else
        return to_vector(values);
    });
  }
  // As there is none of without a value.
  Data required(const char* name) const {
    if (values.is_none()) throw py::type_error(std::string(name) + ": expected an array, got None");
    return as(name);
  }
};

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

// Of a class of the module. Where __new__ was called without __init__ there is no value yet, and pybind11 would hand over memory
// that nobody has written to.
template <class Type>
struct made_caster : type_caster_base<Type> {
  bool load(handle source, bool convert) {
    if (this->typeinfo != nullptr && isinstance(source, reinterpret_cast<PyObject*>(this->typeinfo->type)) &&
        reinterpret_cast<instance*>(source.ptr())->get_value_and_holder(this->typeinfo).value_ptr() == nullptr)
      throw type_error("this " + std::string(str(type::handle_of(source).attr("__name__"))) +
                       " was never made: __new__ alone makes none");
    return type_caster_base<Type>::load(source, convert);
  }
};

template <>
struct type_caster<nsm::Certificate> : made_caster<nsm::Certificate> {};

template <>
struct type_caster<nsm::Vector> {
  PYBIND11_TYPE_CASTER(nsm::Vector, const_name("numpy.ndarray"));
  static handle cast(const nsm::Vector& values, return_value_policy, handle) {
    return nonsmooth_python::to_array(values).release();
  }
};

template <class Data>
struct type_caster<nonsmooth_python::Given<Data>> {
  static constexpr bool is_matrix = std::is_same_v<Data, nsm::Matrix>;
  static constexpr auto shown = const_name<is_matrix>("numpy.ndarray or scipy.sparse matrix", "numpy.ndarray");
  PYBIND11_TYPE_CASTER(nonsmooth_python::Given<Data>, shown);
  bool load(handle source, bool) {
    value.values = reinterpret_borrow<object>(source);
    return true;
  }
};

}  // namespace pybind11::detail

#endif
