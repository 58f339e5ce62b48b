#include "arrays.hpp"

#include <limits>
#include <string>

namespace nonsmooth_python {
namespace {

// numpy's own message where it makes no array of it.
py::array to_numbers(py::handle values, const char* kinds, const char* what) {
  const py::array array(py::reinterpret_borrow<py::object>(values));
  // Of no elements numpy makes real numbers.
  if (array.size() > 0 && std::string(kinds).find(array.dtype().kind()) == std::string::npos)
    throw py::type_error(std::string("expected ") + what + ", got an array of " + py::str(array.dtype()).cast<std::string>());
  return array;
}

void require_dimensions(const py::array& array, py::ssize_t dimensions) {
  if (array.ndim() != dimensions)
    throw py::value_error("expected an array of " + std::to_string(dimensions) +
                          (dimensions == 1 ? " dimension" : " dimensions") + ", got one of shape " +
                          py::str(array.attr("shape")).cast<std::string>());
}

template <int flags>
py::array_t<double, flags> to_reals(py::handle values, py::ssize_t dimensions) {
  const py::array array = to_numbers(values, "biuf", "real numbers");
  require_dimensions(array, dimensions);
  return array;
}

}  // namespace

nsm::Vector to_vector(py::handle values) {
  if (values.is_none()) return {};
  const auto array = to_reals<py::array::c_style | py::array::forcecast>(values, 1);
  return nsm::Vector(array.data(), array.data() + array.size());
}

nsm::Indices to_indices(py::handle values) {
  if (values.is_none()) return {};
  const py::array array = to_numbers(values, "biu", "whole numbers");
  require_dimensions(array, 1);
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> wide = array;
  // What is too large for 64 bits with a sign has become negative.
  const std::int64_t least = array.dtype().kind() == 'u' ? 0 : std::numeric_limits<std::int32_t>::min();
  nsm::Indices result;
  for (py::ssize_t k = 0; k < wide.size(); ++k) {
    const std::int64_t value = wide.data()[k];
    if (value < least || value > std::numeric_limits<std::int32_t>::max())
      throw py::value_error("the whole number " + py::str(array.attr("item")(k)).cast<std::string>() +
                            " does not fit into 32 bits");
    result.push_back(static_cast<std::int32_t>(value));
  }
  return result;
}

bool is_sparse(py::handle values) { return py::hasattr(values, "tocsc"); }

py::object to_csc(py::handle matrix) {
  py::object columns = matrix.attr("tocsc")(py::arg("copy") = true);
  columns.attr("sum_duplicates")();
  return columns;
}

nsm::Matrix to_matrix(py::handle values) {
  if (values.is_none()) return {};
  if (is_sparse(values)) {
    const py::object columns = to_csc(values);
    const auto [rows, cols] = columns.attr("shape").cast<std::pair<std::int64_t, std::int64_t>>();
    return nsm::Matrix::csc(rows, cols, to_indices(columns.attr("indptr")), to_indices(columns.attr("indices")),
                            to_vector(columns.attr("data")));
  }
  const auto array = to_reals<py::array::f_style | py::array::forcecast>(values, 2);
  return nsm::Matrix::dense(array.shape(0), array.shape(1), nsm::Vector(array.data(), array.data() + array.size()));
}

nsm::Vector to_columns(py::handle values, std::int64_t rows, std::int64_t cols) {
  const auto array = to_reals<py::array::f_style | py::array::forcecast>(
      is_sparse(values) ? values.attr("toarray")() : py::reinterpret_borrow<py::object>(values), 2);
  if (array.shape(0) != rows || array.shape(1) != cols)
    throw py::value_error("expected a matrix of shape (" + std::to_string(rows) + ", " + std::to_string(cols) +
                          "), got one of shape " + py::str(array.attr("shape")).cast<std::string>());
  return nsm::Vector(array.data(), array.data() + array.size());
}

nsm::Vector to_rows(py::handle values, std::int64_t cols) {
  const auto array = to_reals<py::array::c_style | py::array::forcecast>(values, 2);
  if (array.shape(1) != cols)
    throw py::value_error("rows of " + std::to_string(array.shape(1)) + " numbers, " + std::to_string(cols) + " expected");
  return nsm::Vector(array.data(), array.data() + array.size());
}

py::str to_text(const std::string& text) {
  PyObject* decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<py::ssize_t>(text.size()), "replace");
  if (decoded == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::str>(decoded);
}

py::array_t<double> to_array(const nsm::Vector& values) {
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace nonsmooth_python
