// Counters the programs share.
#pragma once

#include <benchmark/benchmark.h>

namespace nonsmooth {

// Time per item, as a counter in seconds ("25.1n" is 25.1 ns).
inline void count_time_per(benchmark::State& state, const char* item, double items_per_iteration) {
  using benchmark::Counter;
  state.counters[item] = Counter(items_per_iteration, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

// bytes_per_second and items_per_second.
inline void count_traffic(benchmark::State& state, double items, double bytes) {
  state.SetItemsProcessed(static_cast<int64_t>(static_cast<double>(state.iterations()) * items));
  state.SetBytesProcessed(static_cast<int64_t>(static_cast<double>(state.iterations()) * bytes));
}

}  // namespace nonsmooth
