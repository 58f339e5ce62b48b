#include "problems/problem.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/error.hpp"
#include "problems/checks.hpp"
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

void require_finite(const Field& field, const Matrix& A) {
  if (find_not_finite(A.values()) < 0) return;
  for_each_entry(A, [&](std::int64_t i, std::int64_t j, double a) {
    if (!std::isfinite(a)) fail(NSM_NOT_FINITE, "%s(%lld, %lld) is %g", field.name, (long long)i, (long long)j, a);
  });
}

void require_finite(const Field&, const IndexVector&) {}
void require_finite(const Field&, std::int32_t) {}

template <std::size_t... I>
Problem empty_problem_of(std::size_t index, std::index_sequence<I...>) {
  Problem problem;
  ((index == I ? static_cast<void>(problem.data.emplace<I>()) : static_cast<void>(0)), ...);
  return problem;
}

const Vector& free_term(const Problem& problem) {
  return std::visit(
      [](const auto& p) -> const Vector& {
        if constexpr (std::is_base_of_v<GlobalContactData, std::decay_t<decltype(p)>>)
          return p.f;
        else
          return p.q;
      },
      problem.data);
}

std::vector<SetBlock> blocks_of(const Problem& problem) {
  return std::visit(
      [](const auto& p) {
        if constexpr (std::is_base_of_v<GlobalContactData, std::decay_t<decltype(p)>>)
          return p.blocks();
        else
          return p.inclusion().blocks;
      },
      problem.data);
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

}  // namespace

std::int64_t Problem::size() const {
  return std::visit(
      [](const auto& p) {
        if constexpr (std::is_base_of_v<GlobalContactData, std::decay_t<decltype(p)>>)
          return p.size();
        else
          return static_cast<std::int64_t>(p.q.size());
      },
      data);
}

Problem empty_problem(nsm_class problem_class) {
  return empty_problem_of(static_cast<std::size_t>(problem_class), std::make_index_sequence<std::variant_size_v<ProblemData>>());
}

void validate(const Problem& problem) {
  visit_fields(problem, [](const Field& field, const auto& value) { require_finite(field, value); });
  std::visit([](const auto& p) { p.validate(); }, problem.data);
}

const Matrix& main_matrix(const Problem& problem) {
  return std::visit(
      [](const auto& p) -> const Matrix& {
        if constexpr (requires { p.W; })
          return p.W;
        else
          return p.M;
      },
      problem.data);
}

nsm_description describe(const Problem& problem) {
  nsm_description description{};
  description.struct_size = sizeof description;
  const Matrix& M = main_matrix(problem);
  description.problem_class = problem.problem_class();
  description.size = problem.size();
  description.storage = M.storage();
  description.rows = M.rows();
  description.cols = M.cols();
  description.nonzeros = static_cast<std::int64_t>(M.values().size());
  description.symmetry_defect = symmetry_defect(M);
  const EigenvalueRange range = symmetric_eigenvalue_range(M);
  description.eigenvalue_min = range.min;
  description.eigenvalue_max = range.max;
  description.q_norm = norm2(free_term(problem));
  describe_blocks(blocks_of(problem), description);
  return description;
}

}  // namespace nonsmooth
