#include "core/workers.hpp"

namespace nonsmooth {
namespace {

constexpr int spins = 4000, spins_before_yield = 200;  // of a few nanoseconds each

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Workers::Workers(int threads) {
  try {
    for (int k = 1; k < threads; ++k) threads_.emplace_back([this] { work(); });
  } catch (...) {
    stop();
    throw;
  }
}

Workers::~Workers() { stop(); }

void Workers::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

// Takes a task if one is waiting. What `run` has written is seen by whoever takes one: its store to waiting_ comes before all
// exchanges that lower it.
bool Workers::run_one() {
  std::int64_t waiting = waiting_.load(std::memory_order_acquire);
  while (waiting > 0 && !waiting_.compare_exchange_weak(waiting, waiting - 1, std::memory_order_acq_rel)) continue;
  if (waiting <= 0) return false;
  task_(target_, count_ - waiting);
  unfinished_.fetch_sub(1, std::memory_order_acq_rel);
  return true;
}

void Workers::start(std::int64_t count) {
  count_ = count;
  unfinished_.store(count, std::memory_order_relaxed);
  waiting_.store(count, std::memory_order_seq_cst);
  if (sleepers_.load(std::memory_order_seq_cst) > 0) {
    { const std::lock_guard lock(mutex_); }  // none is between its last look and its sleep
    wake_.notify_all();
  }
  while (run_one()) continue;
  for (int k = 0; unfinished_.load(std::memory_order_acquire) > 0; ++k)
    k < spins_before_yield ? pause() : std::this_thread::yield();
}

void Workers::work() {
  while (!stopped_.load(std::memory_order_relaxed)) {
    bool worked = false;
    for (int k = 0; k < spins && !worked; ++k) {
      worked = run_one();
      if (!worked) pause();
    }
    if (worked) continue;
    std::unique_lock lock(mutex_);
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    wake_.wait(lock, [this] { return stopped_ || waiting_.load(std::memory_order_seq_cst) > 0; });
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace nonsmooth
