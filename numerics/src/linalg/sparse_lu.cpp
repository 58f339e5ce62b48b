#include "linalg/sparse_lu.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#ifdef NONSMOOTH_WITH_UMFPACK
#include <umfpack.h>
#else
#include <klu.h>

#include "core/index.hpp"
#endif

namespace nonsmooth {
namespace {

// Pivots by threshold keep the factors sparse. What they let grow multiplies along a closed chain of joints: by 1e72 for 200
// links, where the matrix is well-conditioned and partial pivoting grows by 2. So the factors have to show that they solve.
constexpr double partial_pivoting = 1;
constexpr double largest_defect = 1e-11;  // of a solve with refinement, relative to |A| |x| + |b|; good factors leave 1e-15

// b of mixed signs and sizes, so that no growth goes unseen.
void fill_probe(std::span<double> b) {
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.1 * static_cast<double>(i * i % 7));
}

double largest_or_infinite(std::span<const double> x) {
  double largest = 0;
  for (const double value : x) largest = std::isfinite(value) ? std::max(largest, std::abs(value)) : HUGE_VAL;
  return largest;
}

}  // namespace

SparseLu::SparseLu() = default;
SparseLu::~SparseLu() = default;
SparseLu::SparseLu(SparseLu&&) noexcept = default;
SparseLu& SparseLu::operator=(SparseLu&&) noexcept = default;

#ifdef NONSMOOTH_WITH_UMFPACK

struct SparseLu::Factors {
  CscMatrix A;
  void *symbolic = nullptr, *numeric = nullptr;
  double control[UMFPACK_CONTROL];
  std::vector<int> integers;  // workspace of umfpack_di_wsolve
  std::vector<double> reals;
  ~Factors() {
    umfpack_di_free_numeric(&numeric);
    umfpack_di_free_symbolic(&symbolic);
  }
  int analyse();
  void solve(int system, std::span<double> x, std::span<double> workspace);
};

int SparseLu::Factors::analyse() {
  const auto n = static_cast<int>(A.rows);
  integers.resize(at(n));
  reals.resize(5 * at(n));  // with iterative refinement
  return umfpack_di_symbolic(n, n, A.col_start.data(), A.row_index.data(), A.values.data(), &symbolic, nullptr, nullptr);
}

void SparseLu::take(CscMatrix A) {
  if (factors_ == nullptr || !factors_->A.has_pattern_of(A)) factors_ = std::make_unique<Factors>();
  factors_->A = std::move(A);
}

const CscMatrix& SparseLu::matrix() const { return factors_->A; }

bool SparseLu::factorise_by(double threshold) {
  Factors& f = *factors_;
  umfpack_di_defaults(f.control);
  if (threshold > 0) f.control[UMFPACK_PIVOT_TOLERANCE] = f.control[UMFPACK_SYM_PIVOT_TOLERANCE] = threshold;
  umfpack_di_free_numeric(&f.numeric);
  int status = f.symbolic != nullptr ? UMFPACK_OK : f.analyse();
  if (status == UMFPACK_OK)
    status = umfpack_di_numeric(f.A.col_start.data(), f.A.row_index.data(), f.A.values.data(), f.symbolic, &f.numeric, f.control,
                                nullptr);
  if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
  return status == UMFPACK_OK;
}

void SparseLu::Factors::solve(int system, std::span<double> x, std::span<double> workspace) {
  std::copy(x.begin(), x.end(), workspace.begin());
  umfpack_di_wsolve(system, A.col_start.data(), A.row_index.data(), A.values.data(), x.data(), workspace.data(), numeric, control,
                    nullptr, integers.data(), reals.data());
}

void SparseLu::solve(std::span<double> x, std::span<double> workspace) const { factors_->solve(UMFPACK_A, x, workspace); }

void SparseLu::solve_transposed(std::span<double> x, std::span<double> workspace) const {
  factors_->solve(UMFPACK_At, x, workspace);
}

void SparseLu::solve_once(std::span<double> x, std::span<double> workspace) const {
  double& steps = factors_->control[UMFPACK_IRSTEP];
  const double usual_steps = std::exchange(steps, 0);
  factors_->solve(UMFPACK_A, x, workspace);
  steps = usual_steps;
}

#else

struct SparseLu::Factors {
  Matrix A;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double usual_threshold;
  Factors() {
    klu_defaults(&common);
    usual_threshold = common.tol;
  }
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
};

void SparseLu::take(CscMatrix A) {
  const CscMatrix* known = factors_ != nullptr ? factors_->A.csc() : nullptr;
  if (known == nullptr || !known->has_pattern_of(A)) factors_ = std::make_unique<Factors>();
  factors_->A = Matrix(std::move(A), "sparse LU");
}

const CscMatrix& SparseLu::matrix() const { return *factors_->A.csc(); }

bool SparseLu::factorise_by(double threshold) {
  Factors& f = *factors_;
  const CscMatrix& M = matrix();
  klu_free_numeric(&f.numeric, &f.common);
  f.common.tol = threshold > 0 ? threshold : f.usual_threshold;
  if (f.symbolic == nullptr)
    f.symbolic = klu_analyze(static_cast<int>(M.rows), const_cast<int*>(M.col_start.data()), const_cast<int*>(M.row_index.data()),
                             &f.common);
  if (f.symbolic != nullptr)
    f.numeric = klu_factor(const_cast<int*>(M.col_start.data()), const_cast<int*>(M.row_index.data()),
                           const_cast<double*>(M.values.data()), f.symbolic, &f.common);
  if (f.common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  return f.numeric != nullptr && f.common.status == KLU_OK;
}

// With one step of refinement: KLU pivots by threshold only.
template <class Apply, class Multiply>
void solve_refined(Apply&& apply, Multiply&& multiply_add, std::span<double> x, std::span<double> workspace) {
  std::copy(x.begin(), x.end(), workspace.begin());
  apply(x.data());
  multiply_add(x, workspace);
  apply(workspace.data());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

void SparseLu::solve(std::span<double> x, std::span<double> workspace) const {
  Factors& f = *factors_;
  solve_refined([&](double* b) { klu_solve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, b, &f.common); },
                [&](std::span<const double> v, std::span<double> r) { multiply_add(f.A, -1.0, v, r); }, x, workspace);
}

void SparseLu::solve_once(std::span<double> x, std::span<double>) const {
  Factors& f = *factors_;
  klu_solve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, x.data(), &f.common);
}

void SparseLu::solve_transposed(std::span<double> x, std::span<double> workspace) const {
  Factors& f = *factors_;
  solve_refined([&](double* b) { klu_tsolve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, b, &f.common); },
                [&](std::span<const double> v, std::span<double> r) { multiply_transposed_add(f.A, -1.0, v, r); }, x, workspace);
}

#endif

bool SparseLu::factorise(CscMatrix A) {
  take(std::move(A));
  if (factorise_by(0) && solves()) return true;
  return factorise_by(partial_pivoting);
}

// Whether A x = b holds to rounding for one b.
bool SparseLu::solves() const {
  const CscMatrix& A = matrix();
  const auto n = at(A.rows);
  Vector x(n), workspace(n), defect(n), terms(n);
  fill_probe(x);
  defect = x;
  for (std::size_t i = 0; i < n; ++i) terms[i] = std::abs(x[i]);
  solve(x, workspace);
  for (std::size_t j = 0; j < n; ++j)
    for (std::int32_t k = A.col_start[j]; k < A.col_start[j + 1]; ++k) {
      const auto i = at(A.row_index[at(k)]);
      const double term = A.values[at(k)] * x[j];
      defect[i] -= term;
      terms[i] += std::abs(term);
    }
  return largest_or_infinite(defect) <= largest_defect * largest_or_infinite(terms);
}

}  // namespace nonsmooth
