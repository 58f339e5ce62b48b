#include "problems/problem.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "linalg/least_eigenvalue.hpp"
#include "problems/checks.hpp"
#include "problems/jacobian.hpp"
#include "sets/set.hpp"

namespace nonsmooth {
namespace {

void require_finite(const Field& field, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (std::isfinite(values[k]) || (field.may_be_infinite && std::isinf(values[k]))) continue;
    fail(NSM_NOT_FINITE, "%s[%zu] is %g", field.name, k, values[k]);
  }
}

void require_finite(const Field& field, const Vector& values) { require_finite(field, std::span<const double>(values)); }

void require_finite(const Field& field, const Matrix& A) { require_finite_entries(A, field.name); }

void require_finite(const Field&, const IndexVector&) {}
void require_finite(const Field&, std::int32_t) {}

template <std::size_t... I>
Problem empty_problem_of(std::size_t index, std::index_sequence<I...>) {
  Problem problem;
  ((index == I ? static_cast<void>(problem.data.emplace<I>()) : static_cast<void>(0)), ...);
  return problem;
}

// |F| and the Jacobian at P_C(0); zeros where they cannot be evaluated.
void describe_function(const Inclusion& view, Jacobian& jacobian, nsm_description& description) {
  jacobian.setup(view);
  Vector w(at(view.size()));
  description.q_norm = data_norm(view, w);
  if (!jacobian.evaluate(view.reference, w)) std::ranges::fill(jacobian.matrix().own_values(), 0.0);
}

void describe_blocks(const std::vector<SetBlock>& blocks, nsm_description& description) {
  bool first = true;
  for (const SetBlock& block : blocks) {
    if (block.kind == SetKind::free_space) {
      description.equalities += block.size;
      continue;
    }
    ++description.blocks;
    if (!has_friction(block.kind)) continue;
    description.dimension = std::max(description.dimension, block.size);
    description.mu_min = first ? block.a : std::min(description.mu_min, block.a);
    description.mu_max = first ? block.a : std::max(description.mu_max, block.a);
    first = false;
  }
}

// Of a problem that may be const: what comes of it then is, too.
template <class AnyProblem>
auto find_global_data(AnyProblem& problem) {
  using Pointer = std::conditional_t<std::is_const_v<AnyProblem>, const GlobalContactData*, GlobalContactData*>;
  return std::visit(
      [](auto& p) -> Pointer {
        if constexpr (std::is_convertible_v<decltype(&p), Pointer>)
          return &p;
        else
          return nullptr;
      },
      problem.data);
}

template <class AnyProblem>
auto& find_main_matrix(AnyProblem& problem) {
  using Reference = decltype((std::get<Lcp>(problem.data).M));
  return std::visit(
      [](auto& p) -> Reference {
        if constexpr (requires { p.W; })
          return p.W;
        else if constexpr (requires { p.M; })
          return p.M;
        else
          return p.F.pattern;
      },
      problem.data);
}

}  // namespace

const GlobalContactData* global_data(const Problem& problem) { return find_global_data(problem); }
GlobalContactData* global_data(Problem& problem) { return find_global_data(problem); }

Inclusion local_inclusion(const Problem& problem) {
  return std::visit(
      [](const auto& p) {
        if constexpr (requires { p.inclusion(); })
          return p.inclusion();
        else
          return Inclusion{};
      },
      problem.data);
}

std::int64_t Problem::size() const {
  if (const GlobalContactData* global = global_data(*this)) return global->size();
  return main_matrix(*this).rows();
}

Problem empty_problem(nsm_class problem_class) {
  return empty_problem_of(static_cast<std::size_t>(problem_class), std::make_index_sequence<std::variant_size_v<ProblemData>>());
}

void validate(const Problem& problem) {
  visit_fields(problem, [](const Field& field, const auto& value) { require_finite(field, value); });
  std::visit([](const auto& p) { p.validate(); }, problem.data);
}

const Matrix& main_matrix(const Problem& problem) { return find_main_matrix(problem); }
Matrix& main_matrix(Problem& problem) { return find_main_matrix(problem); }

bool is_storable(nsm_class problem_class) {
  return problem_class != NSM_NCP && problem_class != NSM_MCP && problem_class != NSM_VI;
}

nsm_description describe(const Problem& problem) {
  nsm_description description{};
  description.struct_size = sizeof description;
  const Inclusion view = local_inclusion(problem);
  Jacobian jacobian;
  const bool nonlinear = view.F != nullptr;
  if (nonlinear) describe_function(view, jacobian, description);
  const Matrix& M = nonlinear ? jacobian.matrix() : main_matrix(problem);
  description.problem_class = problem.problem_class();
  description.size = problem.size();
  description.storage = M.storage();
  description.rows = M.rows();
  description.cols = M.cols();
  description.nonzeros = static_cast<std::int64_t>(M.values().size());
  description.symmetry_defect = symmetry_defect(M);
  EigenvalueRange range = symmetric_eigenvalue_range(M);
  find_least_eigenvalue(M, range);
  description.eigenvalue_min = range.min;
  description.eigenvalue_max = range.max;
  description.eigenvalue_min_estimated = range.estimated ? 1 : 0;
  const GlobalContactData* global = global_data(problem);
  if (!nonlinear) description.q_norm = norm2(global != nullptr ? global->f : *view.q);
  describe_blocks(global != nullptr ? global->blocks() : view.blocks, description);
  return description;
}

}  // namespace nonsmooth
