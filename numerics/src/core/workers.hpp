// Threads that share the tasks of one caller. Which thread runs a task is left open: results must not depend on it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace nonsmooth {

// Between two calls of `run` the threads spin for some microseconds, then sleep. A child by fork() has a copy of this object but
// none of its threads: the caller works alone there.
class Workers {
 public:
  // Starts threads - 1 of them: the caller is one.
  explicit Workers(int threads);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // task(0) ... task(count - 1), each once, and returns when all are done. Tasks do not throw. Allocates nothing. One call at a
  // time.
  template <class Task>
  void run(std::int64_t count, Task&& task) {
    task_ = [](void* target, std::int64_t index) { (*static_cast<std::remove_reference_t<Task>*>(target))(index); };
    target_ = const_cast<void*>(static_cast<const void*>(&task));
    start(count);
  }

 private:
  struct Threads {
    std::mutex mutex;
    std::condition_variable wake;
    std::vector<std::thread> threads;
  };

  void start(std::int64_t count);
  bool run_one();
  void work();
  void stop();
  bool are_here() const;

  void (*task_)(void*, std::int64_t) = nullptr;  // this and the next two are written only while nothing is waiting or unfinished
  void* target_ = nullptr;
  std::int64_t count_ = 0;
  alignas(64) std::atomic<std::int64_t> waiting_{0};  // tasks that no thread has taken
  alignas(64) std::atomic<std::int64_t> unfinished_{0};
  alignas(64) std::atomic<int> sleepers_{0};
  std::atomic<bool> stopped_{false};
  const std::int64_t process_;
  std::unique_ptr<Threads> threads_ = std::make_unique<Threads>();
};

// All tasks in order on this thread where there are no workers.
template <class Task>
void run_tasks(Workers* workers, std::int64_t count, Task&& task) {
  if (workers != nullptr && count > 1) return workers->run(count, task);
  for (std::int64_t index = 0; index < count; ++index) task(index);
}

// visit(0) ... visit(count - 1), in shares for the workers.
template <class Visit>
void for_each_share(Workers* workers, std::size_t count, Visit&& visit) {
  constexpr std::size_t share = 256;
  run_tasks(workers, static_cast<std::int64_t>((count + share - 1) / share), [&](std::int64_t k) {
    const std::size_t begin = static_cast<std::size_t>(k) * share, end = begin + share < count ? begin + share : count;
    for (std::size_t i = begin; i < end; ++i) visit(i);
  });
}

}  // namespace nonsmooth
