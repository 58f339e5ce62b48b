// The few LAPACK and BLAS routines used (Fortran interface, 32-bit integers).
#pragma once

extern "C" {
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* ipiv, int* info);
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda, const int* ipiv, double* b,
             const int* ldb, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dpotrs_(const char* uplo, const int* n, const int* nrhs, const double* a, const int* lda, double* b, const int* ldb,
             int* info);
void dgels_(const char* trans, const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b, const int* ldb,
            double* work, const int* lwork, int* info);
void dgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c, const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a, const int* lda,
            const double* beta, double* c, const int* ldc);
void dgemv_(const char* trans, const int* m, const int* n, const double* alpha, const double* a, const int* lda, const double* x,
            const int* incx, const double* beta, double* y, const int* incy);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* ipiv, int* info);
void spotrf_(const char* uplo, const int* n, float* a, const int* lda, int* info);
void sgemm_(const char* transa, const char* transb, const int* m, const int* n, const int* k, const float* alpha, const float* a,
            const int* lda, const float* b, const int* ldb, const float* beta, float* c, const int* ldc);
void strsm_(const char* side, const char* uplo, const char* trans, const char* diag, const int* m, const int* n,
            const float* alpha, const float* a, const int* lda, float* b, const int* ldb);
}

namespace nonsmooth {

// Of either precision, arguments by value; false if a pivot is 0 (not positive).
template <class Real>
bool getrf(int m, int n, Real* a, int lda, int* pivot) {
  int info = 0;
  if constexpr (sizeof(Real) == sizeof(double))
    dgetrf_(&m, &n, a, &lda, pivot, &info);
  else
    sgetrf_(&m, &n, a, &lda, pivot, &info);
  return info == 0;
}

template <class Real>
bool potrf(const char* uplo, int n, Real* a, int lda) {
  int info = 0;
  if constexpr (sizeof(Real) == sizeof(double))
    dpotrf_(uplo, &n, a, &lda, &info);
  else
    spotrf_(uplo, &n, a, &lda, &info);
  return info == 0;
}

template <class Real>
void gemm(const char* transa, const char* transb, int m, int n, int k, Real alpha, const Real* a, int lda, const Real* b, int ldb,
          Real beta, Real* c, int ldc) {
  if constexpr (sizeof(Real) == sizeof(double))
    dgemm_(transa, transb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
  else
    sgemm_(transa, transb, &m, &n, &k, &alpha, a, &lda, b, &ldb, &beta, c, &ldc);
}

// y = alpha A x + beta y.
inline void gemv(const char* trans, int m, int n, double alpha, const double* a, int lda, const double* x, double beta,
                 double* y) {
  const int one = 1;
  dgemv_(trans, &m, &n, &alpha, a, &lda, x, &one, &beta, y, &one);
}

template <class Real>
void trsm(const char* side, const char* uplo, const char* trans, const char* diag, int m, int n, const Real* a, int lda, Real* b,
          int ldb) {
  const Real one = 1;
  if constexpr (sizeof(Real) == sizeof(double))
    dtrsm_(side, uplo, trans, diag, &m, &n, &one, a, &lda, b, &ldb);
  else
    strsm_(side, uplo, trans, diag, &m, &n, &one, a, &lda, b, &ldb);
}

}  // namespace nonsmooth
