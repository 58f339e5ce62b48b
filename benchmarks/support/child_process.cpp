#include "child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace nonsmooth {
namespace {

constexpr char clock_mark = '\x06';  // not in any text
constexpr std::size_t longest_answer = std::size_t{1} << 24;
constexpr int most_reads = 256;  // at a time: more than a pipe holds

// Bytes of this process.
[[maybe_unused]] std::int64_t address_space() {
  long long pages = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lld", &pages) != 1) pages = 0;
    std::fclose(file);
  }
  return pages * sysconf(_SC_PAGESIZE);
}

[[noreturn]] void run([[maybe_unused]] const ChildLimits& limits, const Child::Work& work, int out, int parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);  // it died before the line above
#ifndef __SANITIZE_ADDRESS__          // whose shadow needs more address space than any limit
  if (limits.memory > 0) {
    const auto bytes = static_cast<rlim_t>(address_space() + limits.memory);
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
#endif
  // What solvers print is no part of the answer.
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  try {
    work(Parent(out));
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void Parent::send(const std::string& text) const {
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = write(descriptor_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) _exit(1);
    sent += static_cast<std::size_t>(count);
  }
}

void Parent::restart_clock() const { send(std::string(1, clock_mark)); }

Child::Child(const ChildLimits& limits, const Work& work)
    : limits_(limits),
      deadline_(now() + (limits.preparation > 0 ? limits.preparation : limits.seconds)),
      preparing_(limits.preparation > 0) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("cannot make a pipe");
  const int parent = getpid();
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    run(limits, work, ends[1], parent);
  }
  close(ends[1]);
  pipe_ = ends[0];
  if (process_ < 0) {
    close(pipe_);
    throw std::runtime_error("cannot start a process");
  }
  setpgid(process_, process_);  // here too: whoever comes first
  fcntl(pipe_, F_SETFL, O_NONBLOCK);
}

Child::~Child() {
  if (!reaped_) {
    kill(-process_, SIGKILL);
    reap(0);
  }
}

// The clock is restarted once: what another program writes may have marks in it.
void Child::take(const char* bytes, std::size_t count) {
  for (const char* c = bytes; c != bytes + count; ++c)
    if (*c == clock_mark && preparing_) {
      deadline_ = now() + limits_.seconds;
      preparing_ = false;
    } else {
      answer_.text += *c;
    }
}

// Where there is always more, the clock has its turn.
void Child::read() {
  char buffer[4096];
  for (int reads = 0; pipe_ >= 0 && reads < most_reads; ++reads) {
    const ssize_t count = ::read(pipe_, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count <= 0) {
      close(pipe_);
      pipe_ = -1;
      return;
    }
    take(buffer, static_cast<std::size_t>(count));
  }
}

void Child::reap(int options) {
  int status = 0;
  rusage usage{};
  if (wait4(process_, &status, options, &usage) != process_) return;
  reaped_ = true;
  kill(-process_, SIGKILL);  // what it has left behind
  read();
  if (pipe_ >= 0) close(pipe_);
  pipe_ = -1;
  answer_.peak_memory = std::int64_t{1024} * usage.ru_maxrss;
  if (WIFSIGNALED(status)) answer_.signal = WTERMSIG(status);
  if (WIFEXITED(status)) answer_.exit_code = WEXITSTATUS(status);
  if (answer_.end != ChildAnswer::End::out_of_time && WIFEXITED(status) && answer_.exit_code == 0)
    answer_.end = ChildAnswer::End::answered;
}

bool Child::ended() {
  if (reaped_) return true;
  read();
  if (answer_.text.size() > longest_answer) kill(-process_, SIGKILL);
  reap(WNOHANG);
  if (!reaped_ && now() > deadline_) {
    answer_.end = ChildAnswer::End::out_of_time;
    kill(-process_, SIGKILL);
    reap(0);
  }
  return reaped_;
}

void Child::wait(const std::vector<Child*>& children) {
  std::vector<pollfd> waiting;
  double timeout = 0.1;  // for a child that is gone although something it has started holds the pipe
  for (const Child* child : children) {
    if (child->pipe_ >= 0) waiting.push_back({child->pipe_, POLLIN, 0});
    timeout = std::min(timeout, child->pipe_ < 0 ? 1e-3 : child->deadline_ - now());
  }
  poll(waiting.data(), waiting.size(), std::max(0, static_cast<int>(std::ceil(1000 * timeout))));
}

ChildAnswer in_child(double seconds, const std::function<std::string()>& work) {
  ChildLimits limits;
  limits.seconds = seconds;
  Child child(limits, [&](const Parent& parent) { parent.send(work()); });
  while (!child.ended()) Child::wait({&child});
  return child.answer();
}

}  // namespace nonsmooth
