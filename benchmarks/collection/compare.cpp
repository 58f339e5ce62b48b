// nonsmooth-compare: the default method, and every other one if asked, on the families of problems of one subject and on the
// files of a collection; beside them the solvers of a peer. Every answer, the peer's too, is judged by nsm_certify. Writes one
// page of Markdown.
//
// Times are wall clock, of one thread: setup + solve + free for a method, the driver's call for a peer; the shortest of several
// runs where they are short.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "../support/child_process.hpp"
#include "report.hpp"

namespace {

using namespace nonsmooth::collection;

constexpr double peer_seconds_per_unknown = 0.002, least_peer_seconds = 0.3;  // a hundred times what auto takes

struct Settings {
  std::string subject, peer, output, only, collection, records;
  double seconds = 0, peer_seconds = 5, peer_minutes = HUGE_VAL, method_seconds = 0;  // 0: the subject's
  bool all_methods = false, large = false;
};

struct Subject {
  std::string title;
  std::vector<double> tolerances;
  double seconds, method_seconds;
  std::int64_t largest_for_methods;  // unknowns
  std::int64_t smallest_compared;
};

Subject subject_of(const std::string& name) {
  if (name == "friction") return {"Families of friction problems", {1e-4, 1e-8}, 20, 0.5, 200, 0};
  return {"Families of complementarity problems", {1e-8}, 10, 10, INT64_MAX, 50};
}

std::vector<FamilyProblem> problems_of(const Settings& settings) {
  const bool friction = settings.subject == "friction";
  std::vector<FamilyProblem> all = friction ? friction_families(settings.large) : complementarity_families();
  for (FamilyProblem& file : friction ? friction_files(settings.collection) : complementarity_files(settings.collection))
    all.push_back(std::move(file));
  std::erase_if(all, [&](const FamilyProblem& problem) {
    return (problem.family + " " + problem.name).find(settings.only) == std::string::npos;
  });
  return all;
}

// A method that failed at a looser tolerance is not asked for more.
void run_methods(const nsm::Problem& problem, const Report& report, const Settings& settings, const Subject& subject, Row& row,
                 Records& records) {
  std::vector<std::string> names = {"auto"};
  for (const nsm_method_info& info : nsm::methods())
    if (report.all_methods && row.size <= subject.largest_for_methods && (info.classes >> problem.problem_class() & 1u) != 0 &&
        std::string(info.name) != "auto")
      names.emplace_back(info.name);
  for (const std::string& name : names)
    for (std::size_t k = 0; k < report.tolerances.size(); ++k) {
      const double seconds = name == "auto" ? report.seconds : settings.method_seconds;
      const bool failed = k > 0 && !row.at[k - 1].own.back().certified && row.problem.answer == Answer::solvable;
      row.at[k].own.push_back(failed ? row.at[k - 1].own.back()
                                     : run_method(problem, row.problem.name, name, {report.tolerances[k], seconds}, records));
    }
}

std::vector<Row> run_all(const Settings& settings, const Subject& subject, const Report& report) {
  Records records(settings.records);
  std::vector<Row> rows;
  double peer_time = 0;
  for (FamilyProblem& entry : problems_of(settings)) {
    const nsm::Problem problem = entry.make();
    const nsm_description facts = problem.describe();
    Row row{std::move(entry), problem.size(), facts.dimension > 0 ? facts.blocks : 0, facts.dimension,
            std::vector<Outcome>(report.tolerances.size())};
    run_methods(problem, report, settings, subject, row, records);
    if (report.peer) {
      const double seconds =
          std::min(settings.peer_seconds, std::max(least_peer_seconds, peer_seconds_per_unknown * static_cast<double>(row.size)));
      const double begin = nonsmooth::now();
      auto runs = run_peer(problem, settings.peer, report.tolerances, seconds, peer_time < 60 * settings.peer_minutes, records);
      peer_time += nonsmooth::now() - begin;
      row.compared = runs.has_value();
      for (std::size_t k = 0; row.compared && k < runs->size(); ++k) row.at[k].peer = std::move((*runs)[k]);
    }
    std::fprintf(stderr, "%-32s %6lld", row.problem.name.c_str(), static_cast<long long>(row.size));
    for (const Outcome& outcome : row.at)
      std::fprintf(stderr, "  %-12s %8.1e %8.2e s ratio %-8.3g", outcome.own.front().outcome.c_str(),
                   outcome.own.front().residual, outcome.own.front().seconds, outcome.ratio());
    std::fputc('\n', stderr);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app{"Methods, and a peer's solvers, on families of problems and on files"};
  app.add_option("SUBJECT", settings.subject)->required()->check(CLI::IsMember({"complementarity", "friction"}));
  app.add_flag("--all-methods", settings.all_methods, "every method that treats a problem, not only auto");
  app.add_flag("--large", settings.large, "also the problems of 10,000 to 30,000 contacts");
  app.add_option("--peer", settings.peer, "program that runs the peer's solvers (siconos-complementarity, siconos-friction)");
  app.add_option("--only", settings.only, "problems whose family or name contains this");
  app.add_option("--seconds", settings.seconds, "time limit of one solve of auto");
  app.add_option("--method-seconds", settings.method_seconds, "time limit of one solve of another method");
  app.add_option("--peer-seconds", settings.peer_seconds,
                 "longest time limit of one solve of a peer: 0.002 s per unknown, at least 0.3 s");
  app.add_option("--peer-minutes", settings.peer_minutes,
                 "after so many minutes of the peer, problems are shown without it unless there are records");
  app.add_option("--collection", settings.collection, "folder with further problem files, in folders named after their classes")
      ->envname("NONSMOOTH_COLLECTION");
  app.add_option("--records", settings.records, "file of results; those it has already are not measured again");
  app.add_option("--output", settings.output, "Markdown file; standard output without it");
  CLI11_PARSE(app, argc, argv);
  try {
    const Subject subject = subject_of(settings.subject);
    if (settings.method_seconds <= 0) settings.method_seconds = subject.method_seconds;
    const Report report{subject.title,
                        "./dev compare" + std::string(settings.subject == "friction" ? " friction" : ""),
                        subject.tolerances,
                        settings.seconds > 0 ? settings.seconds : subject.seconds,
                        subject.smallest_compared,
                        !settings.peer.empty(),
                        settings.all_methods};
    const std::vector<Row> rows = run_all(settings, subject, report);
    std::ofstream file;
    if (!settings.output.empty()) file.open(settings.output);
    std::ostream& out = settings.output.empty() ? std::cout : file;
    write(out, report, rows);
    if (!out.flush()) throw std::runtime_error("cannot write " + settings.output);
  } catch (const std::exception& error) {
    std::cerr << "nonsmooth-compare: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
