#include "core/workers.hpp"

#include <unistd.h>

#include "core/held_termination.hpp"

namespace nonsmooth {
namespace {

constexpr int spins = 4000, spins_before_yield = 200;  // of a few nanoseconds each

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

Workers::Workers(int threads) : process_(::getpid()) {
  const HeldTermination inherited;  // SIGTERM is for threads of the program
  try {
    for (int k = 1; k < threads; ++k) threads_->threads.emplace_back([this] { work(); });
  } catch (...) {
    stop();
    throw;
  }
}

// What other threads held or slept on at a fork stays so in the child for good: left alone, since freeing it would wait for them.
Workers::~Workers() {
  if (are_here())
    stop();
  else
    static_cast<void>(threads_.release());
}

bool Workers::are_here() const { return process_ == ::getpid(); }

void Workers::stop() {
  {
    const std::lock_guard lock(threads_->mutex);
    stopped_ = true;
  }
  threads_->wake.notify_all();
  for (std::thread& thread : threads_->threads) thread.join();
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
  if (sleepers_.load(std::memory_order_seq_cst) > 0 && are_here()) {
    { const std::lock_guard lock(threads_->mutex); }  // none is between its last look and its sleep
    threads_->wake.notify_all();
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
    std::unique_lock lock(threads_->mutex);
    sleepers_.fetch_add(1, std::memory_order_seq_cst);
    threads_->wake.wait(lock, [this] { return stopped_ || waiting_.load(std::memory_order_seq_cst) > 0; });
    sleepers_.fetch_sub(1, std::memory_order_relaxed);
  }
}

}  // namespace nonsmooth
