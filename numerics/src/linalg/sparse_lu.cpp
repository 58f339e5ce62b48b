#include "linalg/sparse_lu.hpp"

#include <algorithm>
#include <new>

#ifdef NONSMOOTH_WITH_UMFPACK
#include <umfpack.h>
#else
#include <klu.h>
#endif

namespace nonsmooth {

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
  Factors() { umfpack_di_defaults(control); }
  ~Factors() {
    umfpack_di_free_numeric(&numeric);
    umfpack_di_free_symbolic(&symbolic);
  }
  int analyse();
  void solve(int system, std::span<double> x, std::span<double> workspace);
};

int SparseLu::Factors::analyse() {
  const auto n = static_cast<int>(A.rows);
  integers.resize(static_cast<std::size_t>(n));
  reals.resize(5 * static_cast<std::size_t>(n));  // with iterative refinement
  return umfpack_di_symbolic(n, n, A.col_start.data(), A.row_index.data(), A.values.data(), &symbolic, nullptr, nullptr);
}

bool SparseLu::factorise(CscMatrix A) {
  if (factors_ == nullptr || !factors_->A.has_pattern_of(A)) factors_ = std::make_unique<Factors>();
  Factors& f = *factors_;
  f.A = std::move(A);
  umfpack_di_free_numeric(&f.numeric);
  int status = f.symbolic != nullptr ? UMFPACK_OK : f.analyse();
  if (status == UMFPACK_OK)
    status = umfpack_di_numeric(f.A.col_start.data(), f.A.row_index.data(), f.A.values.data(), f.symbolic, &f.numeric, nullptr,
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

#else

struct SparseLu::Factors {
  Matrix A;
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  Factors() { klu_defaults(&common); }
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
};

bool SparseLu::factorise(CscMatrix A) {
  const CscMatrix* known = factors_ != nullptr ? factors_->A.csc() : nullptr;
  if (known == nullptr || !known->has_pattern_of(A)) factors_ = std::make_unique<Factors>();
  Factors& f = *factors_;
  f.A = Matrix(std::move(A), "sparse LU");
  const CscMatrix& M = *f.A.csc();
  klu_free_numeric(&f.numeric, &f.common);
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

void SparseLu::solve_transposed(std::span<double> x, std::span<double> workspace) const {
  Factors& f = *factors_;
  solve_refined([&](double* b) { klu_tsolve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, b, &f.common); },
                [&](std::span<const double> v, std::span<double> r) { multiply_transposed_add(f.A, -1.0, v, r); }, x, workspace);
}

#endif

}  // namespace nonsmooth
