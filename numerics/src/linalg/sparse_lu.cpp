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
  void* numeric = nullptr;
  double control[UMFPACK_CONTROL];
  std::vector<int> integers;  // workspace of umfpack_di_wsolve
  std::vector<double> reals;
  ~Factors() { umfpack_di_free_numeric(&numeric); }
};

bool SparseLu::factorise(CscMatrix A) {
  factors_ = std::make_unique<Factors>();
  factors_->A = std::move(A);
  const CscMatrix& M = factors_->A;
  const auto n = static_cast<int>(M.rows);
  void* symbolic = nullptr;
  int status = umfpack_di_symbolic(n, n, M.col_start.data(), M.row_index.data(), M.values.data(), &symbolic, nullptr, nullptr);
  if (status == UMFPACK_OK)
    status = umfpack_di_numeric(M.col_start.data(), M.row_index.data(), M.values.data(), symbolic, &factors_->numeric, nullptr,
                                nullptr);
  umfpack_di_free_symbolic(&symbolic);
  umfpack_di_defaults(factors_->control);
  factors_->integers.resize(static_cast<std::size_t>(n));
  factors_->reals.resize(5 * static_cast<std::size_t>(n));  // with iterative refinement
  if (status == UMFPACK_ERROR_out_of_memory) throw std::bad_alloc();
  return status == UMFPACK_OK;
}

void SparseLu::solve(std::span<double> x, std::span<double> workspace) const {
  const CscMatrix& M = factors_->A;
  std::copy(x.begin(), x.end(), workspace.begin());
  umfpack_di_wsolve(UMFPACK_A, M.col_start.data(), M.row_index.data(), M.values.data(), x.data(), workspace.data(),
                    factors_->numeric, factors_->control, nullptr, factors_->integers.data(), factors_->reals.data());
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
  factors_ = std::make_unique<Factors>();
  Factors& f = *factors_;
  f.A = Matrix(std::move(A), "sparse LU");
  const CscMatrix& M = *f.A.csc();
  f.symbolic = klu_analyze(static_cast<int>(M.rows), const_cast<int*>(M.col_start.data()), const_cast<int*>(M.row_index.data()),
                           &f.common);
  if (f.symbolic != nullptr)
    f.numeric = klu_factor(const_cast<int*>(M.col_start.data()), const_cast<int*>(M.row_index.data()),
                           const_cast<double*>(M.values.data()), f.symbolic, &f.common);
  if (f.common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  return f.numeric != nullptr && f.common.status == KLU_OK;
}

void SparseLu::solve(std::span<double> x, std::span<double> workspace) const {
  Factors& f = *factors_;
  std::copy(x.begin(), x.end(), workspace.begin());
  klu_solve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, x.data(), &f.common);
  // One step of refinement: KLU pivots by threshold only.
  multiply_add(f.A, -1.0, x, workspace);
  klu_solve(f.symbolic, f.numeric, static_cast<int>(f.A.rows()), 1, workspace.data(), &f.common);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += workspace[i];
}

#endif

}  // namespace nonsmooth
