// A method that crashes or hangs in its solve is a row; those before and after it are measured. Doubles: a nonlinear problem
// whose function brings the process down, or never returns, once the solve has begun.
#include "queue.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <map>

namespace queue_test {

using namespace nonsmooth::bench;

// 0 <= z - 1 _|_ z >= 0; from the `last` evaluation on, `end`.
Source source(const std::string& name, int last, void (*end)()) {
  Source source{"made", name, "family", Answer::solvable, {"ncp"}, {}, {}};
  source.make = [=](const std::string&) {
    return nsm::Problem::ncp(1, [=, evaluations = 0](const double* z, double* F) mutable {
      if (++evaluations > last) end();
      F[0] = z[0] - 1;
      return true;
    });
  };
  return source;
}

TEST(Queue, ACrashOrAHangOfAMethodIsARow) {
  const Source sources[] = {source("healthy", 1000000, [] {}),
                            source("crashes", 2,
                                   [] {
                                     std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's report takes seconds
                                     raise(SIGSEGV);
                                   }),
                            source("hangs", 2,
                                   [] {
                                     for (;;) pause();
                                   }),
                            source("healthy too", 1000000, [] {})};
  std::vector<Item> items;
  for (const Source& one : sources) {
    Item item{&one, {}};
    item.asked.collection = one.collection;
    item.asked.problem = one.name;
    item.asked.facts = {"ncp", one.name, 1, 0, 0};
    item.asked.method = "semismooth_newton";
    item.asked.limits = {0, 0.1, 0};
    items.push_back(item);
  }
  const std::string path =
      (std::filesystem::temp_directory_path() / ("queue_test_" + std::to_string(getpid()) + ".jsonl")).string();
  {
    RunFile file(path);
    Progress progress(false);
    Queue queue(items, {1e-4, 1e-8}, file, progress);
    queue.run(2);
    EXPECT_EQ(queue.missing(), 0u);
  }
  std::map<std::string, std::vector<std::string>> outcomes;
  for (const Solve& solve : read_run(path))
    outcomes[solve.problem].push_back(solve.outcome + (solve.inferred_from > 0 ? " inferred" : ""));
  std::filesystem::remove(path);
  const std::vector<std::string> converged{"converged", "converged"};
  EXPECT_EQ(outcomes["healthy"], converged);
  EXPECT_EQ(outcomes["healthy too"], converged);
  EXPECT_EQ(outcomes["crashes"], (std::vector<std::string>{"crashed", "crashed inferred"}));
  EXPECT_EQ(outcomes["hangs"], (std::vector<std::string>{"hung", "hung inferred"}));
}

}  // namespace queue_test
