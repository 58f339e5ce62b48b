#include "problem.hpp"

#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>

#include "collected.hpp"
#include "functions.hpp"

namespace nonsmooth_python {
namespace {

using namespace py::literals;
using nsm::Indices;
using nsm::Matrix;
using nsm::Vector;

constexpr const char* block_kinds[] = {"equality",    "complementarity", "relay",
                                       "friction_2d", "friction_3d",     "disk"};  // by nsm_block_kind

Indices to_kinds(const py::object& names) {
  if (PySequence_Check(names.ptr()) == 0 || py::isinstance<py::str>(names))  // a word is a sequence of letters
    throw py::type_error("expected a sequence of kinds of blocks, got " + py::repr(names).cast<std::string>());
  Indices kinds;
  kinds.reserve(py::len(names));  // raises where an array has no dimension
  const auto sequence = py::reinterpret_borrow<py::sequence>(names);
  for (const auto& given : sequence) {  // a sequence may make its items when it is asked for them
    const std::string name = py::str(py::object(given));
    const auto kind = std::find(std::begin(block_kinds), std::end(block_kinds), name);
    if (kind == std::end(block_kinds))
      throw py::value_error("no kind of block is called '" + name +
                            "'; there are equality, complementarity, relay, friction_2d, friction_3d, disk");
    kinds.push_back(static_cast<std::int32_t>(kind - std::begin(block_kinds)));
  }
  return kinds;
}

py::dict describe(const Problem& problem) {
  nsm_description d;
  {
    const Unlocked unlocked;
    d = problem.describe();
  }
  constexpr const char* storages[] = {"dense", "csc", "block_csr"};
  return py::dict("problem_class"_a = nsm::name(static_cast<nsm_class>(d.problem_class)), "size"_a = d.size,
                  "equalities"_a = d.equalities, "blocks"_a = d.blocks, "dimension"_a = d.dimension,
                  "storage"_a = storages[d.storage], "rows"_a = d.rows, "cols"_a = d.cols, "nonzeros"_a = d.nonzeros,
                  "symmetry_defect"_a = d.symmetry_defect, "eigenvalue_min"_a = d.eigenvalue_min,
                  "eigenvalue_max"_a = d.eigenvalue_max, "q_norm"_a = d.q_norm, "mu_min"_a = d.mu_min, "mu_max"_a = d.mu_max,
                  "eigenvalue_min_estimated"_a = d.eigenvalue_min_estimated != 0);
}

template <class Data>
constexpr bool is_array = std::is_same_v<Data, Vector> || std::is_same_v<Data, Indices> || std::is_same_v<Data, Matrix>;
template <class Data>
using Taken = std::conditional_t<is_array<Data>, Given<Data>, Data>;

template <class Data>
Data value(const Taken<Data>& given, const py::arg& argument) {
  if constexpr (is_array<Data>)
    return given.required(argument.name);
  else
    return given;
}

template <class Data>
Data value(const Given<Data>& given, const py::arg_v& argument) {
  return given.as(argument.name);
}

template <class... Data, class... Arguments>
void define_creator(py::class_<Problem>& type, const char* name, nsm::Problem (*create)(Data...), const char* text,
                    const Arguments&... arguments) {
  type.def_static(
      name,
      [create, arguments...](const Taken<std::decay_t<Data>>&... given) {
        // In braces the first argument is looked at first.
        const std::tuple<std::decay_t<Data>...> values{value<std::decay_t<Data>>(given, arguments)...};
        return Problem(std::apply(create, values));
      },
      arguments..., text);
}

void define_linear(py::class_<Problem>& type) {
  using Made = nsm::Problem;
  const auto none = py::none();
  define_creator(type, "lcp", &Made::lcp, "w = M z + q, 0 <= w _|_ z >= 0.", "M"_a, "q"_a);
  define_creator(type, "mlcp", &Made::mlcp, "Rows marked 0: w = 0, z free; 1: complementarity.", "M"_a, "q"_a,
                 "is_complementarity"_a);
  define_creator(type, "mlcp_blocks", &Made::mlcp_blocks, "A u + C v + a = 0, w = D u + B v + b, 0 <= w _|_ v >= 0; z = (u, v).",
                 "A"_a, "B"_a, "C"_a, "D"_a, "a"_a, "b"_a);
  define_creator(type, "relay", &Made::relay, "lo <= z <= hi; bounds may be infinite.", "M"_a, "q"_a, "lo"_a, "hi"_a);
  define_creator(type, "avi", &Made::avi, "-(M z + q) in the normal cone of {H z >= k, lo <= z <= hi}.", "M"_a, "q"_a,
                 "H"_a = none, "k"_a = none, "lo"_a = none, "hi"_a = none);
  define_creator(type, "qp", &Made::qp,
                 "Minimise z'M z / 2 + q'z over {H z >= k, lo <= z <= hi}; M symmetric, positive semidefinite.", "M"_a, "q"_a,
                 "H"_a = none, "k"_a = none, "lo"_a = none, "hi"_a = none);
  define_creator(type, "friction", &Made::friction,
                 "Coulomb friction: u = W r + q, per contact normal, then tangents; dimension 2 or 3, mu: one per contact.",
                 "dimension"_a, "W"_a, "q"_a, "mu"_a);
  define_creator(type, "global_friction", &Made::global_friction, "M v = H r + G l + f, u = H'v + w, G'v + b = 0; z = (v, l, r).",
                 "dimension"_a, "M"_a, "H"_a, "f"_a, "w"_a, "mu"_a, "G"_a = none, "b"_a = none);
  define_creator(type, "rolling", &Made::rolling, "With rolling resistance: dimension 5, or 3 in the plane.", "dimension"_a,
                 "W"_a, "q"_a, "mu"_a, "mu_r"_a);
  define_creator(type, "global_rolling", &Made::global_rolling, "As global_friction, with rolling resistance.", "dimension"_a,
                 "M"_a, "H"_a, "f"_a, "w"_a, "mu"_a, "mu_r"_a, "G"_a = none, "b"_a = none);
  define_creator(type, "soclcp", &Made::soclcp, "Second-order cones |z_T| <= tau z_N; cone_start: where each begins, and n.",
                 "M"_a, "q"_a, "cone_start"_a, "tau"_a);
  define_creator(type, "plasticity", &Made::plasticity,
                 "Cones of three rows |r_T| <= eta r_N that dilate by eta - theta as they yield.", "W"_a, "q"_a, "eta"_a,
                 "theta"_a);
  type.def_static(
      "generic",
      [](const Given<Matrix>& M, const Given<Vector>& q, const py::object& kind, const Given<Indices>& size,
         const Given<Vector>& mu, const Given<Vector>& lo, const Given<Vector>& hi) {
        return Problem(Made::generic(M.required("M"), q.required("q"), named("kind", [&] { return to_kinds(kind); }),
                                     size.required("size"), mu.as("mu"), lo.as("lo"), hi.as("hi")));
      },
      "M"_a, "q"_a, "kind"_a, "size"_a, "mu"_a = none, "lo"_a = none, "hi"_a = none,
      "Blocks of 'equality', 'complementarity', 'relay', 'friction_2d', 'friction_3d', 'disk'; mu: one per block, of disks the "
      "radius.");
}

Matrix to_pattern(const py::object& pattern) { return Given<Matrix>{pattern}.as("pattern"); }

// jacobian None: finite differences. pattern None: dense.
void define_nonlinear(py::class_<Problem>& type) {
  const auto none = py::none();
  type.def_static(
          "ncp",
          [](std::int64_t n, const py::object& F, const py::object& jacobian, const py::object& pattern) {
            return Problem(nsm::Problem::ncp(n, to_function(F, n, "F"), to_jacobian(jacobian, n, pattern), to_pattern(pattern)),
                           py::make_tuple(F, jacobian));
          },
          "n"_a, "F"_a, "jacobian"_a = none, "pattern"_a = none, "0 <= F(z) _|_ z >= 0.")
      .def_static(
          "mcp",
          [](std::int64_t n, const py::object& F, const Given<Vector>& lo, const Given<Vector>& hi, const py::object& jacobian,
             const py::object& pattern) {
            return Problem(nsm::Problem::mcp(n, to_function(F, n, "F"), lo.as("lo"), hi.as("hi"),
                                             to_jacobian(jacobian, n, pattern), to_pattern(pattern)),
                           py::make_tuple(F, jacobian));
          },
          "n"_a, "F"_a, "lo"_a = none, "hi"_a = none, "jacobian"_a = none, "pattern"_a = none,
          "lo <= z <= hi; F(z) = 0 inside, >= 0 at lo, <= 0 at hi.")
      .def_static(
          "vi",
          [](std::int64_t n, const py::object& F, const Given<Matrix>& H, const Given<Vector>& k, const Given<Vector>& lo,
             const Given<Vector>& hi, const py::object& jacobian, const py::object& pattern) {
            return Problem(nsm::Problem::vi(n, to_function(F, n, "F"), H.as("H"), k.as("k"), lo.as("lo"), hi.as("hi"),
                                            to_jacobian(jacobian, n, pattern), to_pattern(pattern)),
                           py::make_tuple(F, jacobian));
          },
          "n"_a, "F"_a, "H"_a = none, "k"_a = none, "lo"_a = none, "hi"_a = none, "jacobian"_a = none, "pattern"_a = none,
          "-F(z) in the normal cone of {H z >= k, lo <= z <= hi}.")
      .def_static(
          "vi_projection",
          [](std::int64_t n, const py::object& F, const py::object& projection, const py::object& jacobian,
             const py::object& pattern) {
            return Problem(nsm::Problem::vi_projection(n, to_function(F, n, "F"), to_function(projection, n, "projection"),
                                                       to_jacobian(jacobian, n, pattern), to_pattern(pattern)),
                           py::make_tuple(F, projection, jacobian));
          },
          "n"_a, "F"_a, "projection"_a, "jacobian"_a = none, "pattern"_a = none,
          "On a closed convex set, given by its projection.");
}

void define_files(py::class_<Problem>& type) {
  using Path = std::filesystem::path;
  using unlocked = py::call_guard<Unlocked>;
  type.def_static(
          "read",
          [](const Path& path, const std::string& problem_class) { return Problem(nsm::Problem::read(path, problem_class)); },
          "path"_a, "problem_class"_a = "", unlocked(), "problem_class '': found by content.")
      .def(
          "write", [](const Problem& problem, const Path& path, const std::string& format) { problem.write(path, format); },
          "path"_a, "format"_a = "", unlocked(), "format '': by the ending of the path.")
      .def("guess", &Problem::guess, "The starting point that came with the file, or None.")
      .def(
          "read_solution",
          [](const Problem& problem, const Path& path) {
            const nsm::Solution solution = problem.read_solution(path);
            return std::pair(solution.z, solution.w.empty() ? std::nullopt : std::optional(solution.w));
          },
          "path"_a, "(z, w); w is None where the file has none.")
      .def(
          "write_solution",
          [](const Problem& problem, const Path& path, const Given<Vector>& z, const Given<Vector>& w) {
            nsm::write_solution(problem, path, {z.required("z"), w.as("w")});
          },
          "path"_a, "z"_a, "w"_a = py::none(), "Writes a solution file.");
}

}  // namespace

void define_problem(py::module_& module) {
  py::class_<Problem> type(
      module, "Problem",
      "A problem: w = M z + q, -w in the normal cone of a product of simple sets. Validated, never changed.\n\n"
      "Matrices are arrays of two dimensions or sparse matrices of scipy; data are copied.",
      collected<Problem>());
  refuse_pickling(type);
  define_linear(type);
  define_nonlinear(type);
  define_files(type);
  type.def_property_readonly(
          "problem_class", [](const Problem& p) { return nsm::name(p.problem_class()); },
          "'lcp', 'friction' ...: the function that makes it.")
      .def_property_readonly(
          "size", [](const Problem& p) { return p.size(); }, "Length of z and of w.")
      .def_property_readonly(
          "title", [](const Problem& p) { return to_text(p.title()); }, "That of the file; '': none.")
      .def_property_readonly("default_method", &Problem::default_method, "What a Solver takes where no method is named.")
      .def("describe", &describe, "Sizes, symmetry, eigenvalues, friction coefficients.")
      .def("__repr__", [](const Problem& p) {
        return std::string("<Problem: ") + nsm::name(p.problem_class()) + ", " + std::to_string(p.size()) + " unknowns>";
      });
}

}  // namespace nonsmooth_python
