#include "functions.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

namespace nonsmooth_python {
namespace {

void copy_values(const nsm::Vector& from, std::int64_t expected, double* to) {
  if (static_cast<std::int64_t>(from.size()) != expected)
    throw py::value_error(std::to_string(from.size()) + " numbers returned, " + std::to_string(expected) + " expected");
  std::copy(from.begin(), from.end(), to);
}

// Puts what Python has returned where the library wants its numbers.
using Write = std::function<void(const py::object& returned, double* values)>;

nsm::Problem::Function calling(const py::object& callable, std::int64_t n, const char* what, Write write) {
  require_function(callable, what);
  if (callable.is_none()) return {};
  return [function = callable.ptr(), n, what, write = std::move(write)](const double* z, double* values) {
    const Locked lock;
    const py::object returned = call(py::reinterpret_borrow<py::object>(function), py::array_t<double>(n, z));
    if (returned.is_none()) return false;
    named(what, [&] { write(returned, values); });
    return true;
  };
}

// Where the entries of the pattern stand.
struct Pattern {
  nsm::Indices start, row;

  void write(const py::object& returned, double* values) const {
    if (!is_sparse(returned)) return copy_values(to_vector(returned), static_cast<std::int64_t>(row.size()), values);
    const py::object columns = to_csc(returned);
    const nsm::Indices own_start = to_indices(columns.attr("indptr")), own_row = to_indices(columns.attr("indices"));
    const nsm::Vector own = to_vector(columns.attr("data"));
    if (own_start.size() != start.size()) throw py::value_error("another size than that of the pattern");
    std::fill(values, values + row.size(), 0.0);
    for (std::size_t j = 0; j + 1 < start.size(); ++j)
      for (std::int32_t k = own_start[j]; k < own_start[j + 1]; ++k) {
        const auto end = row.begin() + start[j + 1];
        const auto place = std::lower_bound(row.begin() + start[j], end, own_row[static_cast<std::size_t>(k)]);
        if (place == end || *place != own_row[static_cast<std::size_t>(k)])
          throw py::value_error("an entry at (" + std::to_string(own_row[static_cast<std::size_t>(k)]) + ", " +
                                std::to_string(j) + "), the pattern has none");
        values[place - row.begin()] = own[static_cast<std::size_t>(k)];
      }
  }
};

}  // namespace

void require_function(const py::object& callable, const char* what) {
  if (!callable.is_none() && !PyCallable_Check(callable.ptr()))
    throw py::type_error(std::string(what) + ": expected a function, got " + py::repr(callable).cast<std::string>());
}

nsm::Problem::Function to_function(const py::object& callable, std::int64_t n, const char* what) {
  return calling(callable, n, what,
                 [n](const py::object& returned, double* values) { copy_values(to_vector(returned), n, values); });
}

nsm::Problem::Function to_jacobian(const py::object& callable, std::int64_t n, const py::object& pattern) {
  if (pattern.is_none() || !is_sparse(pattern))
    return calling(callable, n, "jacobian",
                   [n](const py::object& returned, double* values) { copy_values(to_columns(returned, n, n), n * n, values); });
  const py::object columns = to_csc(pattern);
  const auto entries =
      std::make_shared<Pattern>(Pattern{to_indices(columns.attr("indptr")), to_indices(columns.attr("indices"))});
  return calling(callable, n, "jacobian",
                 [entries](const py::object& returned, double* values) { entries->write(returned, values); });
}

}  // namespace nonsmooth_python
