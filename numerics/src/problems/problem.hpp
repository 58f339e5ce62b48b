// A problem of any class, with what else its file held.
#pragma once

#include <string>
#include <variant>

#include "problems/avi.hpp"
#include "problems/friction.hpp"
#include "problems/generic.hpp"
#include "problems/global_friction.hpp"
#include "problems/lcp.hpp"
#include "problems/mlcp.hpp"
#include "problems/nonlinear.hpp"
#include "problems/plasticity.hpp"
#include "problems/qp.hpp"
#include "problems/relay.hpp"
#include "problems/rolling.hpp"
#include "problems/soclcp.hpp"

namespace nonsmooth {

// In the order of nsm_class.
using ProblemData = std::variant<Lcp, Mlcp, Relay, Avi, Friction, GlobalFriction, Rolling, GlobalRolling, Generic, Soclcp, Ncp,
                                 Mcp, Vi, Qp, Plasticity>;

struct Problem {
  ProblemData data;
  std::string title, description, math_info;
  Vector guess;                   // starting z that came with the file, or empty
  Vector solution_z, solution_w;  // solution that came with the file, or empty

  nsm_class problem_class() const { return static_cast<nsm_class>(data.index()); }
  // Length of z and of w.
  std::int64_t size() const;
};

// visit(field, member) over the members of the problem's class (problems/field.hpp).
template <class Visit>
void visit_fields(const Problem& problem, Visit&& visit) {
  std::visit([&](const auto& p) { std::decay_t<decltype(p)>::visit_fields(p, visit); }, problem.data);
}
template <class Visit>
void visit_fields(Problem& problem, Visit&& visit) {
  std::visit([&](auto& p) { std::decay_t<decltype(p)>::visit_fields(p, visit); }, problem.data);
}

// An empty problem of a class, to be filled through visit_fields.
Problem empty_problem(nsm_class problem_class);

// All checks: finite values first (array, place and value named), then sizes and definitions. Throws Error.
void validate(const Problem& problem);

// The data of a global contact problem; nullptr for all other classes.
const GlobalContactData* global_data(const Problem& problem);
GlobalContactData* global_data(Problem& problem);
// The view of a problem that is not global; empty for a global one (problems/condensation.hpp).
Inclusion local_inclusion(const Problem& problem);

// Whether problems of the class can stand in a file: those with callbacks cannot.
bool is_storable(nsm_class problem_class);

// The matrix that stands for the problem in a description: M or W, with callbacks the structure of the Jacobian.
const Matrix& main_matrix(const Problem& problem);
Matrix& main_matrix(Problem& problem);

nsm_description describe(const Problem& problem);

}  // namespace nonsmooth
