// Writes the text files of Siconos. Every real is the shortest one that reads back to the same bits.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "io/dat_matrix.hpp"
#include "io/generic_kinds.hpp"
#include "io/io.hpp"
#include "io/lexer.hpp"

namespace nonsmooth {
namespace {

void append_line(std::string& out, std::int64_t number) { out += std::to_string(number) + '\n'; }

void append_reals(std::string& out, std::span<const double> values, char separator = ' ') {
  for (double value : values) {
    append_real(out, value);
    out += separator;
  }
  if (separator != '\n') out += '\n';
}

void append_integers(std::string& out, const IndexVector& values) {
  for (std::int32_t value : values) out += std::to_string(value) + ' ';
  out += '\n';
}

void write_dense(std::string& out, const DenseMatrix& matrix) {
  out += std::to_string(matrix.rows) + ' ' + std::to_string(matrix.cols) + '\n';
  for (std::int64_t j = 0; j < matrix.cols; ++j)
    append_reals(out, std::span(matrix.values).subspan(at(j * matrix.rows), at(matrix.rows)));
}

void write_blocks(std::string& out, const BlockCsrMatrix& blocks) {
  append_line(out, static_cast<std::int64_t>(blocks.block_col.size()));
  append_line(out, blocks.block_rows());
  append_line(out, static_cast<std::int64_t>(blocks.col_end.size()));
  append_integers(out, blocks.row_end);
  append_integers(out, blocks.col_end);
  append_line(out, static_cast<std::int64_t>(blocks.row_start.size()));
  append_line(out, static_cast<std::int64_t>(blocks.block_col.size()));
  append_integers(out, blocks.row_start);
  append_integers(out, blocks.block_col);
  for (std::size_t k = 0; k < blocks.block_col.size(); ++k) {
    append_line(out, static_cast<std::int64_t>(k));
    const auto from = at(blocks.block_start[k]), to = at(blocks.block_start[k + 1]);
    append_reals(out, std::span(blocks.values).subspan(from, to - from), '\n');
  }
}

double norm1(const CscMatrix& matrix) {
  double largest = 0;
  for (std::size_t j = 0; j + 1 < matrix.col_start.size(); ++j) {
    double sum = 0;
    for (std::int32_t k = matrix.col_start[j]; k < matrix.col_start[j + 1]; ++k) sum += std::abs(matrix.values[at(k)]);
    largest = std::max(largest, sum);
  }
  return largest;
}

void write_columns(std::string& out, const CscMatrix& matrix) {
  append_line(out, static_cast<std::int64_t>(DatSparse::columns));
  const std::size_t count = matrix.values.size();
  out += "CSparse Version 3.1.9 layout\n";
  out += text("%lld-by-%lld, nzmax: %zu nnz: %zu, 1-norm: ", (long long)matrix.rows, (long long)matrix.cols, count, count);
  append_real(out, norm1(matrix));
  out += '\n';
  for (std::size_t j = 0; j + 1 < matrix.col_start.size(); ++j) {
    out += text("    col %zu : locations %d to %d\n", j, matrix.col_start[j], matrix.col_start[j + 1] - 1);
    for (std::int32_t k = matrix.col_start[j]; k < matrix.col_start[j + 1]; ++k) {
      out += "      " + std::to_string(matrix.row_index[at(k)]) + " : ";
      append_real(out, matrix.values[at(k)]);
      out += '\n';
    }
  }
}

template <class T>
void write_system(std::string& out, const T& problem) {
  append_line(out, static_cast<std::int64_t>(problem.q.size()));
  write_dat_matrix(out, problem.M);
  append_reals(out, problem.q);
}

void write(std::string& out, const Lcp& problem) { write_system(out, problem); }

void write(std::string& out, const Relay& problem) {
  write_system(out, problem);
  append_reals(out, problem.lo);
  append_reals(out, problem.hi);
}

void write(std::string& out, const Avi& problem) {
  write_system(out, problem);
  const Polyhedron& set = problem.set;
  append_reals(out, set.lo.empty() ? Vector(problem.q.size(), -HUGE_VAL) : set.lo);
  append_reals(out, set.hi.empty() ? Vector(problem.q.size(), HUGE_VAL) : set.hi);
  append_line(out, set.H.rows());
  if (set.H.rows() == 0) return;
  write_dat_matrix(out, set.H);
  append_reals(out, set.k);
}

void write(std::string& out, const Mlcp& problem) {
  const IndexVector& kinds = problem.is_complementarity;
  const auto equalities = std::count(kinds.begin(), kinds.end(), 0);
  out += "1\n0\n";
  append_line(out, equalities);
  append_line(out, static_cast<std::int64_t>(kinds.size()) - equalities);
  IndexVector starts, block_kinds;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (i > 0 && kinds[i] == kinds[i - 1]) continue;
    starts.push_back(static_cast<std::int32_t>(i));
    block_kinds.push_back(kinds[i]);
  }
  starts.push_back(static_cast<std::int32_t>(kinds.size()));
  append_integers(out, starts);
  append_integers(out, block_kinds);
  write_dat_matrix(out, problem.M);
  append_reals(out, problem.q);
}

template <class T>
void write_local(std::string& out, const T& problem) {
  append_line(out, problem.dimension);
  append_line(out, static_cast<std::int64_t>(problem.mu.size()));
  write_dat_matrix(out, problem.W);
  append_reals(out, problem.q);
  append_reals(out, problem.mu);
}

void write(std::string& out, const Friction& problem) { write_local(out, problem); }

void write(std::string& out, const Rolling& problem) {
  write_local(out, problem);
  append_reals(out, problem.mu_r);
}

void write_global(std::string& out, const GlobalContactData& problem) {
  if (problem.bilateral_rows() > 0)
    fail(NSM_UNKNOWN_FORMAT, "the problem has bilateral constraints (G, b); .dat cannot hold them");
  append_line(out, problem.dimension);
  append_line(out, problem.contacts());
  write_dat_matrix(out, problem.M);
  write_dat_matrix(out, problem.H);
  append_reals(out, problem.f);
  append_reals(out, problem.w);
  append_reals(out, problem.mu);
}

void write(std::string& out, const GlobalFriction& problem) { write_global(out, problem); }

void write(std::string& out, const GlobalRolling& problem) {
  write_global(out, problem);
  append_reals(out, problem.mu_r);
}

// Whether it is read from plasticity with the law of von Mises: for each point a free row, then a disk.
bool is_von_mises(const Generic& problem) {
  const IndexVector& kind = problem.block_kind;
  for (std::size_t k = 0; k < kind.size(); ++k)
    if (kind[k] != (k % 2 == 0 ? NSM_BLOCK_EQUALITY : NSM_BLOCK_DISK) || problem.block_size[k] != (k % 2 == 0 ? 1 : 2))
      return false;
  return !kind.empty() && kind.size() % 2 == 0;
}

void write_von_mises(std::string& out, const Generic& problem) {
  const std::size_t points = problem.block_kind.size() / 2;
  append_line(out, 3);
  append_line(out, static_cast<std::int64_t>(points));
  append_line(out, von_mises);
  write_dat_matrix(out, problem.M);
  append_reals(out, problem.q);
  Vector sigma_y;
  for (std::size_t k = 0; k < points; ++k) sigma_y.push_back(problem.mu[2 * k + 1]);
  append_reals(out, sigma_y);
}

// The layout of Siconos if M has the blocks of the problem; else the sizes stand beside the kinds.
void write(std::string& out, const Generic& problem) {
  if (is_von_mises(problem)) return write_von_mises(out, problem);
  if (std::ranges::count(problem.block_kind, NSM_BLOCK_DISK) > 0)
    fail(NSM_UNKNOWN_FORMAT, "the problem has disks other than one behind each equality of one row; .dat cannot hold them");
  IndexVector ends;
  for (std::int32_t size : problem.block_size) ends.push_back((ends.empty() ? 0 : ends.back()) + size);
  const BlockCsrMatrix* blocks = problem.M.block_csr();
  const bool same_blocks = blocks && blocks->row_end == ends && blocks->col_end == ends;
  write_dat_matrix(out, blocks && !same_blocks ? Matrix(to_csc(problem.M), "M") : problem.M);
  append_reals(out, problem.q, '\n');
  std::size_t start = 0;
  for (std::size_t k = 0; k < problem.block_kind.size(); ++k) {
    const std::int32_t kind = problem.block_kind[k];
    const auto size = at(problem.block_size[k]);
    append_line(out, generic_dat_numbers[static_cast<std::size_t>(kind)]);
    if (!same_blocks) append_line(out, problem.block_size[k]);
    if (is_friction(kind)) append_reals(out, std::span(problem.mu).subspan(k, 1));
    if (kind == NSM_BLOCK_RELAY) {
      append_reals(out, std::span(problem.lo).subspan(start, size));
      append_reals(out, std::span(problem.hi).subspan(start, size));
    }
    start += size;
  }
}

void write(std::string& out, const Soclcp& problem) {
  append_line(out, static_cast<std::int64_t>(problem.q.size()));
  append_line(out, static_cast<std::int64_t>(problem.tau.size()));
  write_dat_matrix(out, problem.M);
  append_reals(out, problem.q);
  append_integers(out, problem.cone_start);
  append_reals(out, problem.tau);
}

// 1: the model of Drucker and Prager.
void write(std::string& out, const Plasticity& problem) {
  append_line(out, 3);
  append_line(out, static_cast<std::int64_t>(problem.eta.size()));
  append_line(out, drucker_prager);
  write_dat_matrix(out, problem.W);
  append_reals(out, problem.q);
  append_reals(out, problem.eta);
  append_reals(out, problem.theta);
}

}  // namespace

void write_dat_matrix(std::string& out, const Matrix& matrix) {
  const BlockCsrMatrix* blocks = matrix.block_csr();
  const CscMatrix* columns = matrix.csc();
  append_line(out, static_cast<std::int64_t>(blocks ? DatStorage::blocks : columns ? DatStorage::sparse : DatStorage::dense));
  append_line(out, matrix.rows());
  append_line(out, matrix.cols());
  if (blocks)
    write_blocks(out, *blocks);
  else if (columns)
    write_columns(out, *columns);
  else
    write_dense(out, *matrix.dense());
}

std::string format_dat(const Problem& problem) {
  require_storable(problem.problem_class());
  std::string out;
  std::visit(
      [&](const auto& data) {
        if constexpr (requires { write(out, data); }) write(out, data);
      },
      problem.data);
  return out;
}

}  // namespace nonsmooth
