// What our programs ask of OpenBLAS, whose settings belong to a whole process: the libraries leave them alone. Another BLAS is
// left as it is, and so is what the environment asks for.
#pragma once

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace nonsmooth::programs {

template <class Function>
Function* openblas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// The kernels of OpenBLAS for this processor, if it is younger than OpenBLAS, which takes kernels of 2004 for such a one: dense
// factorisations are two to four times as slow with these. nullptr: those it has taken are right.
inline const char* kernels_openblas_missed() {
#ifdef __x86_64__
  const auto name_of_kernels = openblas_function<char*()>("openblas_get_corename");
  if (name_of_kernels == nullptr || std::strcmp(name_of_kernels(), "Prescott") != 0) return nullptr;
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr) return nullptr;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

// Before the first call of BLAS. OpenBLAS reads OPENBLAS_CORETYPE when it is loaded, and anew if it is told to begin again.
inline void take_missed_kernels() {
  const char* kernels = kernels_openblas_missed();
  const auto forget = openblas_function<void()>("gotoblas_dynamic_quit");
  const auto begin = openblas_function<void()>("gotoblas_dynamic_init");
  if (kernels == nullptr || forget == nullptr || begin == nullptr) return;
  setenv("OPENBLAS_CORETYPE", kernels, 1);
  forget();
  begin();
}

// OpenBLAS takes one thread per core unless told otherwise, and on the small blocks of sparse factors they get in each other's
// way: one thread is up to five times faster. It also gives the same bits whatever the cores.
inline void take_one_blas_thread() {
  if (std::getenv("OPENBLAS_NUM_THREADS") != nullptr) return;
  if (const auto set_threads = openblas_function<void(int)>("openblas_set_num_threads"); set_threads != nullptr) set_threads(1);
}

// Before the first call of BLAS.
inline void set_openblas() {
  take_missed_kernels();
  take_one_blas_thread();
}

}  // namespace nonsmooth::programs
