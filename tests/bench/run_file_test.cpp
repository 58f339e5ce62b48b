// RUN.jsonl: lines survive whatever ends a process, and a claim ends with the process that has it.
#include "run_file.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "lines.hpp"

namespace run_file_test {

using namespace nonsmooth::bench;

class RunFileTest : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("run_file_test_" + std::to_string(getpid()) + ".jsonl")).string();
};

TEST_F(RunFileTest, LineKeepsEverything) {
  Solve solve = line("p", "auto", 0.25);
  solve.answer = Answer::unsolvable;
  solve.facts = {"friction", "ff", 30, 10, 3};
  solve.detail = "detail";
  solve.peer = true;
  solve.solver_of = "peer";
  solve.finished_by = "lemke";
  solve.iterations = 12;
  solve.peak_memory = 1 << 20;
  solve.inferred_from = 1e-4;
  const Solve again = solve_from(nlohmann::json::parse(to_json(solve).dump()));
  EXPECT_EQ(to_json(again), to_json(solve));
  EXPECT_EQ(key_of(again), key_of(solve));
  EXPECT_DOUBLE_EQ(again.seconds(), 0.25);
}

TEST_F(RunFileTest, KeyNamesBuildMachineLimitsAndData) {
  const Solve one = line("p", "auto", 1);
  for (const auto change : {+[](Solve& s) { s.build = "b2"; }, +[](Solve& s) { s.machine = "another"; },
                            +[](Solve& s) { s.facts.hash = "1"; }, +[](Solve& s) { s.limits.seconds = 1; },
                            +[](Solve& s) { s.limits.tolerance = 1e-4; }, +[](Solve& s) { s.limits.tolerance = 1.0000001e-8; },
                            +[](Solve& s) { s.method = "lemke"; }, +[](Solve& s) { s.facts.problem_class = "relay"; }}) {
    Solve other = one;
    change(other);
    EXPECT_NE(key_of(other), key_of(one));
  }
}

TEST_F(RunFileTest, WhatIsCertifiedCountsThenTime) {
  EXPECT_TRUE(better(line("p", "auto", 2), line("p", "auto", 3)));
  EXPECT_FALSE(better(line("p", "auto", 3), line("p", "auto", 2)));
  Solve fast = line("p", "auto", 1);
  fast.certified = false;
  EXPECT_TRUE(better(line("p", "auto", 2), fast));
  EXPECT_FALSE(better(fast, line("p", "auto", 2)));
}

TEST_F(RunFileTest, HalfALineIsPassedOver) {
  const std::string whole = to_json(line("first", "auto", 1)).dump(), half = whole.substr(0, whole.size() / 2);
  std::ofstream(path_) << whole << '\n' << half;
  RunFile file(path_);
  ASSERT_EQ(file.news().size(), 1u);
  file.append({line("second", "auto", 1), line("third", "auto", 1)});
  const std::vector<Solve> news = file.news();
  ASSERT_EQ(news.size(), 2u);
  EXPECT_EQ(news[0].problem, "second");
  int halves = 0;
  EXPECT_EQ(read_run(path_, &halves).size(), 3u);
  EXPECT_EQ(halves, 1);
}

// They would be columns, times and means of their own in a report.
TEST_F(RunFileTest, NumbersThatNoSolveHasArePassedOver) {
  const nlohmann::json whole = to_json(line("first", "auto", 1));
  std::ofstream file(path_);
  file << whole << '\n';
  const std::vector<std::pair<const char*, double>> wrong = {
      {"/tolerance", -1},      {"/tolerance", 0}, {"/time_limit", -10}, {"/phases/solve", -5}, {"/phases/setup", -1e-3},
      {"/calibration", -1e-3}, {"/size", -3},     {"/iterations", -1},  {"/peak_memory", -1}};
  for (const auto& [place, value] : wrong) {
    nlohmann::json other = whole;
    other[nlohmann::json::json_pointer(place)] = value;
    file << other << '\n';
  }
  file.close();
  int others = 0;
  EXPECT_EQ(read_run(path_, &others).size(), 1u);
  EXPECT_EQ(others, static_cast<int>(wrong.size()));
}

TEST_F(RunFileTest, OtherFilesAreLeftAlone) {
  for (const char* content :
       {"precious notes\n", "{\n  \"format\": \"nonsmooth\"\n}\n", "{\"class\": \"lcp\"}", "{\"class\": \"lcp\"}\n", "[]"}) {
    std::ofstream(path_) << content;
    EXPECT_THROW(RunFile{path_}, std::runtime_error) << content;
  }
}

TEST_F(RunFileTest, OwnFilesAreKnown) {
  const std::string whole = to_json(line("p", "auto", 1)).dump();
  for (const std::string& content : {std::string(), whole + '\n', whole.substr(0, 5), whole.substr(0, 90),
                                     whole.substr(0, 90) + '\n', "{ \"extra\": 1, " + whole.substr(1) + '\n'}) {
    std::ofstream(path_) << content;
    EXPECT_NO_THROW(RunFile{path_}) << content;
  }
}

TEST_F(RunFileTest, ClaimEndsWithItsProcess) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const int other = fork();
  if (other == 0) {
    RunFile file(path_);
    const char answer = file.claim("task") ? 'y' : 'n';
    _exit(write(ready[1], &answer, 1) == 1 ? pause() : 1);
  }
  char answer = 0;
  ASSERT_EQ(read(ready[0], &answer, 1), 1);
  EXPECT_EQ(answer, 'y');
  RunFile file(path_);
  EXPECT_FALSE(file.claim("task"));
  EXPECT_TRUE(file.claim("another task"));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  EXPECT_TRUE(file.claim("task"));
}

}  // namespace run_file_test
