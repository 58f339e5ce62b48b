// The one exception of the kernel. Its message names the object, the field and the value.
#ifndef NONSMOOTH_KERNEL_ERROR_HPP
#define NONSMOOTH_KERNEL_ERROR_HPP

#include <memory>
#include <stdexcept>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// printf-like; never returns.
[[noreturn]] void fail(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Throws unless got == wanted: "mass: 2 rows, 3 expected".
void requireSize(Index got, Index wanted, const char* what);
void requireShape(const Matrix& matrix, Index rows, Index cols, const char* what);
// Throws unless every entry is finite, naming what and the instant: "FInt of system 3 gave nan (entry 0) at t = 0.5".
void requireFinite(const double* values, Index size, const char* what, int system, double time);
// The same for what a user gives as a constant: "FExt[1] is nan", "K(0, 2) is inf".
void requireFinite(ConstMatrixRef values, const char* what);
// Throws where it is null.
template <class T>
std::shared_ptr<T> requirePointer(std::shared_ptr<T> pointer, const char* what) {
  if (!pointer) fail("%s: a null pointer was given", what);
  return pointer;
}

}  // namespace nonsmooth::kernel
#endif
