#include "problems/mlcp.hpp"

#include "core/checked.hpp"
#include "core/index.hpp"
#include "problems/checks.hpp"
#include "problems/free_blocks.hpp"
#include "problems/problem_values.hpp"

namespace nonsmooth {

void Mlcp::validate() const {
  require_square(M, "M");
  require_length(q, M.rows(), "q");
  require_length(is_complementarity, M.rows(), "is_complementarity");
  for (std::size_t k = 0; k < is_complementarity.size(); ++k)
    if (is_complementarity[k] != 0 && is_complementarity[k] != 1)
      fail(NSM_INVALID_VALUE, "is_complementarity[%zu] = %d is neither 0 nor 1", k, is_complementarity[k]);
}

Inclusion Mlcp::inclusion() const {
  Inclusion view{&M, &q, {}, residual_scale(q)};
  view.blocks.reserve(q.size());
  for (std::int32_t i = 0; i < M.rows(); ++i) {
    const bool bounded = is_complementarity[at(i)] != 0;
    // Neighbouring equality rows are one block: sweeps then solve those together that M couples.
    if (!bounded && !view.blocks.empty() && view.blocks.back().kind == SetKind::free_space)
      ++view.blocks.back().size;
    else
      view.blocks.push_back({bounded ? SetKind::orthant : SetKind::free_space, i, 1});
  }
  view.blocks = with_free_blocks_cut(std::move(view.blocks), M);
  return view;
}

Mlcp Mlcp::from_blocks(const Matrix& A, const Matrix& B, const Matrix& C, const Matrix& D, const Vector& a, const Vector& b) {
  const std::int64_t n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  struct Part {
    const Matrix* block;
    const char* name;
    std::int64_t row, col, rows, cols;
  };
  const Part parts[] = {{&A, "A", 0, 0, n, n}, {&B, "B", n, n, m, m}, {&C, "C", 0, n, n, m}, {&D, "D", n, 0, m, n}};
  // What M and q hold would be named by its place in these.
  require_finite_values(a, "a");
  require_finite_values(b, "b");
  bool all_dense = true;
  for (const Part& part : parts) {
    require_rows(*part.block, part.rows, part.name);
    require_cols(*part.block, part.cols, part.name);
    require_finite_entries(*part.block, part.name);
    all_dense = all_dense && part.block->dense() != nullptr;
  }
  const std::int64_t order = checked_add(n, m, "M");
  Mlcp problem;
  IndexVector row, col;
  Vector value;
  DenseMatrix dense{order, order, Vector(all_dense ? at(checked_mul(order, order, "M")) : 0)};
  for (const Part& part : parts)
    for_each_entry(*part.block, [&](std::int64_t i, std::int64_t j, double x) {
      if (all_dense) {
        dense.values[at(part.row + i + (part.col + j) * order)] = x;
      } else {
        row.push_back(static_cast<std::int32_t>(part.row + i));
        col.push_back(static_cast<std::int32_t>(part.col + j));
        value.push_back(x);
      }
    });
  problem.M = all_dense ? Matrix(std::move(dense), "M") : Matrix::from_triplets(order, order, row, col, value, "M");
  problem.q = a;
  problem.q.insert(problem.q.end(), b.begin(), b.end());
  problem.is_complementarity.assign(at(n), 0);
  problem.is_complementarity.resize(at(order), 1);
  return problem;
}

}  // namespace nonsmooth
