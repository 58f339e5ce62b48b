// A child that crashes, hangs or leaks is one answer, and its parent goes on.
#include "../../benchmarks/support/child_process.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <vector>

namespace child_process_test {

using namespace nonsmooth;
using End = ChildAnswer::End;

ChildAnswer run(const ChildLimits& limits, const Child::Work& work) {
  Child child(limits, work);
  while (!child.ended()) Child::wait({&child});
  return child.answer();
}

void hang() {
  for (;;) pause();
}

TEST(ChildProcess, Answers) {
  const std::string text(100'000, 'x');  // more than a pipe holds
  const ChildAnswer answer = in_child(60, [&] { return text; });
  EXPECT_EQ(answer.end, End::answered);
  EXPECT_EQ(answer.text, text);
  EXPECT_GT(answer.peak_memory, 1'000'000);
}

TEST(ChildProcess, CrashIsTold) {
  const ChildAnswer answer = in_child(60, []() -> std::string {
    raise(SIGKILL);
    return "";
  });
  EXPECT_EQ(answer.end, End::crashed);
  EXPECT_EQ(answer.signal, SIGKILL);
}

TEST(ChildProcess, ExceptionIsACrash) {
  const ChildAnswer answer = in_child(60, []() -> std::string { throw 1; });
  EXPECT_EQ(answer.end, End::crashed);
  EXPECT_EQ(answer.exit_code, 1);
}

TEST(ChildProcess, HangIsKilled) {
  const ChildAnswer answer = in_child(0.2, []() -> std::string {
    hang();
    return "";
  });
  EXPECT_EQ(answer.end, End::out_of_time);
}

TEST(ChildProcess, ClockStartsAfterThePreparation) {
  const ChildAnswer answer = run({0.2, 0, 60}, [](const Parent& parent) {
    usleep(400'000);
    parent.restart_clock();
    parent.send("prepared");
    hang();
  });
  EXPECT_EQ(answer.end, End::out_of_time);
  EXPECT_EQ(answer.text, "prepared");
}

// What a child has started holds the pipe: neither waited for nor left behind.
// Neither what is written without end nor marks in it keep the parent from its clock and its memory.
TEST(ChildProcess, OneThatWritesWithoutEndIsKilled) {
  const auto write = [](const std::string& text) {
    return [text](const Parent& parent) {
      parent.restart_clock();
      for (;;) parent.send(text);
    };
  };
  const ChildAnswer flood = run({60, 0, 60}, write(std::string(4096, 'x')));
  EXPECT_EQ(flood.end, End::crashed);
  EXPECT_EQ(flood.signal, SIGKILL);
  EXPECT_LT(flood.text.size(), std::size_t{1} << 26);
  const ChildAnswer marks = run({0.2, 0, 60}, write("\x06"));
  EXPECT_NE(marks.end, End::answered);
}

TEST(ChildProcess, GrandchildEndsWithTheChild) {
  const ChildAnswer answer = run({60, 0, 0}, [](const Parent& parent) {
    const int grandchild = fork();
    if (grandchild == 0) hang();
    parent.send(std::to_string(grandchild));
  });
  EXPECT_EQ(answer.end, End::answered);
  const int grandchild = std::stoi(answer.text);
  int waited = 0;
  while (kill(grandchild, 0) == 0 && waited < 1000) usleep(10'000), ++waited;  // init buries it in its own time
  EXPECT_LT(waited, 1000);
}

#ifndef __SANITIZE_ADDRESS__  // there is no limit then
TEST(ChildProcess, MemoryHasALimit) {
  const ChildAnswer answer = run({60, 500'000'000, 0}, [](const Parent& parent) {
    std::vector<char> much(1'000'000'000);
    parent.send(std::to_string(much.size()));
  });
  EXPECT_EQ(answer.end, End::crashed);
  EXPECT_EQ(answer.text, "");
}
#endif

}  // namespace child_process_test
