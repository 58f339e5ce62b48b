// Which vector instructions a processor has, of those that some functions are compiled for.
#pragma once

namespace nonsmooth {

enum class Instructions { all_have, avx2, avx512 };  // the last: F, DQ and VL

// Of the processor this runs on.
inline Instructions widest_instructions() {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Instructions::avx512;
  if (__builtin_cpu_supports("avx2")) return Instructions::avx2;
#endif
  return Instructions::all_have;
}

}  // namespace nonsmooth
