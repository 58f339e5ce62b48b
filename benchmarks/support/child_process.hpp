// Work in processes of its own: a crash, a hang or a leak of a solver costs one row of a table.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace nonsmooth {

double now();  // s, monotonic

struct ChildLimits {
  double seconds = 10;
  std::int64_t memory = 6'000'000'000;  // bytes of address space, beside what the parent has; 0: no limit
  double preparation = 0;               // s, before the clock is restarted; 0: it is not
};

struct ChildAnswer {
  enum class End { answered, crashed, out_of_time } end = End::crashed;
  std::string text;  // as far as it came; one that writes without end is killed
  int signal = 0;    // that ended it; 0: none
  int exit_code = 0;
  std::int64_t peak_memory = 0;  // bytes, of the largest of its processes
};

// The way from the child to its parent.
class Parent {
 public:
  explicit Parent(int descriptor) : descriptor_(descriptor) {}
  void send(const std::string& text) const;
  void restart_clock() const;  // after the preparation: the limit of time counts from here
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

// A running child, whose answer takes some MB at most. It leads a process group of its own and dies with its parent; when it
// ends, so does what it has started.
class Child {
 public:
  using Work = std::function<void(const Parent&)>;  // may throw, exit or run another program

  Child(const ChildLimits& limits, const Work& work);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool ended();                                          // takes what has come; does not wait
  const ChildAnswer& answer() const { return answer_; }  // once ended

  // Until one of them may have ended.
  static void wait(const std::vector<Child*>& children);

 private:
  void read();
  void take(const char* bytes, std::size_t count);
  void reap(int options);

  ChildLimits limits_;
  double deadline_;
  int process_ = -1, pipe_ = -1;
  bool preparing_, reaped_ = false;
  ChildAnswer answer_;
};

// work() gives the text of the answer.
ChildAnswer in_child(double seconds, const std::function<std::string()>& work);

}  // namespace nonsmooth
