// Work in a process of its own: a hang or a crash of a solver costs one row of a table.
#pragma once

#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

namespace nonsmooth {

inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

struct ChildAnswer {
  enum class End { answered, crashed, out_of_time } end = End::crashed;
  std::string text;
};

namespace detail {

template <class Work>
[[noreturn]] void answer_and_exit(const Work& work, int out) {
  constexpr rlim_t largest_memory = 6'000'000'000;
  const rlimit memory{largest_memory, largest_memory};
  setrlimit(RLIMIT_AS, &memory);
  // What solvers print is no part of the answer.
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  try {
    const std::string text = work();
    for (std::size_t sent = 0; sent < text.size();) {
      const ssize_t count = write(out, text.data() + sent, text.size() - sent);
      if (count <= 0) _exit(1);
      sent += static_cast<std::size_t>(count);
    }
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace detail

// work() gives the text of the answer.
template <class Work>
ChildAnswer in_child(double seconds, const Work& work) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  const double deadline = now() + seconds;
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    alarm(static_cast<unsigned>(std::ceil(seconds)) + 1);  // should the parent be gone
    detail::answer_and_exit(work, ends[1]);
  }
  close(ends[1]);
  ChildAnswer answer;
  answer.end = ChildAnswer::End::out_of_time;
  char buffer[4096];
  for (double left = seconds; left > 0 && child > 0; left = deadline - now()) {
    pollfd waiting{ends[0], POLLIN, 0};
    if (poll(&waiting, 1, static_cast<int>(std::ceil(1000 * left))) <= 0) continue;
    const ssize_t count = read(ends[0], buffer, sizeof buffer);
    if (count > 0) {
      answer.text.append(buffer, static_cast<std::size_t>(count));
      continue;
    }
    answer.end = ChildAnswer::End::answered;
    break;
  }
  close(ends[0]);
  if (child <= 0) return {};
  if (answer.end == ChildAnswer::End::out_of_time) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (answer.end == ChildAnswer::End::answered && !well) answer.end = ChildAnswer::End::crashed;
  return answer;
}

}  // namespace nonsmooth
