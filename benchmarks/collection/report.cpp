#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace nonsmooth::collection {
namespace {

std::string number(const char* format, double value) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return std::isfinite(value) ? text : "";
}

std::string tolerance_text(double tolerance) { return number("%.0e", tolerance); }

std::string count_text(std::int64_t value) { return value > 0 ? std::to_string(value) : ""; }

bool answered(const Row& row, const Run& run) {
  switch (row.problem.answer) {
    case Answer::infeasible: return run.outcome == "infeasible";
    case Answer::unsolvable: return !run.certified && run.outcome != "crashed" && run.outcome != "hung";
    default: return run.outcome == "converged";
  }
}

struct Ratios {
  double log_sum = 0;
  int count = 0, above = 0;
  void add(double ratio) {
    if (std::isnan(ratio)) return;
    log_sum += std::log(ratio);
    above += ratio > 1.5;
    ++count;
  }
  std::string mean() const { return count > 0 ? number("%.3f", std::exp(log_sum / count)) : "-"; }
};

// Kept in the order of their first appearance.
class Names {
 public:
  std::size_t place(const std::string& name) {
    const auto place = static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    if (place == names_.size()) names_.push_back(name);
    return place;
  }
  const std::vector<std::string>& all() const { return names_; }

 private:
  std::vector<std::string> names_;
};

void write_summary(std::ostream& out, const std::vector<Row>& rows, const Report& report, std::size_t k) {
  std::size_t right = 0, solvable = 0, peer_solved = 0, nobody = 0, compared = 0;
  Ratios ratios;
  for (const Row& row : rows) {
    const Outcome& outcome = row.at[k];
    right += answered(row, outcome.own.front());
    if (row.size >= report.smallest_compared) ratios.add(outcome.ratio());
    const bool has_solution = row.problem.answer == Answer::solvable, by_peer = best_certified(outcome.peer) != nullptr;
    compared += row.compared;
    solvable += has_solution && row.compared == report.peer;
    peer_solved += by_peer;
    nobody += has_solution && row.compared == report.peer && !by_peer && best_certified(outcome.own) == nullptr;
  }
  out << "- Tolerance " << tolerance_text(report.tolerances[k]) << ": `auto` answers " << right << " of " << rows.size()
      << " problems as it should: a certified solution, a verified proof that there is none, or - for those without a solution "
         "and "
         "without such a proof - no claim. ";
  if (report.peer)
    out << "The peer was run on " << compared << " of them; the best of its solvers reaches a certified solution of "
        << peer_solved << ". On the " << ratios.count << " problems"
        << (report.smallest_compared > 0 ? " of " + std::to_string(report.smallest_compared) + " unknowns or more" : "")
        << " that both solve, the time of `auto` over that of the peer's best has the geometric mean " << ratios.mean() << "; "
        << ratios.above << " of the ratios are above 1.5. ";
  out << "Nobody solves " << nobody << " of the " << solvable << (report.peer ? " of these" : "")
      << " that should have a solution.\n";
}

void write_families(std::ostream& out, const std::vector<Row>& rows, const Report& report) {
  struct Count {
    int problems = 0, compared = 0;
    std::vector<int> right, peer;
    std::vector<Ratios> ratios;
  };
  Names families;
  std::vector<Count> counts;
  const std::size_t tolerances = report.tolerances.size();
  for (const Row& row : rows) {
    const std::size_t place = families.place(row.problem.family);
    if (place == counts.size())
      counts.push_back({0, 0, std::vector<int>(tolerances), std::vector<int>(tolerances), std::vector<Ratios>(tolerances)});
    Count& count = counts[place];
    ++count.problems;
    count.compared += row.compared;
    for (std::size_t k = 0; k < tolerances; ++k) {
      count.right[k] += answered(row, row.at[k].own.front());
      count.peer[k] += best_certified(row.at[k].peer) != nullptr;
      count.ratios[k].add(row.at[k].ratio());
    }
  }
  out << "\n## By family\n\nProblems answered as they should be by `auto`"
      << (report.peer ? ", solved by the peer's best of those it was run on, geometric mean of the ratios of time" : "")
      << ".\n\n| family | problems |";
  std::string line = "\n|---|---|";
  for (const double tolerance : report.tolerances) {
    out << " `auto` at " << tolerance_text(tolerance) << " |" << (report.peer ? " peer | ratio |" : "");
    line += report.peer ? "---|---|---|" : "---|";
  }
  out << line << '\n';
  for (std::size_t f = 0; f < counts.size(); ++f) {
    out << "| " << families.all()[f] << " | " << counts[f].problems << " |";
    for (std::size_t k = 0; k < tolerances; ++k) {
      out << ' ' << counts[f].right[k] << " |";
      if (report.peer)
        out << ' ' << counts[f].peer[k] << " of " << counts[f].compared << " | " << counts[f].ratios[k].mean() << " |";
    }
    out << '\n';
  }
}

void write_failures(std::ostream& out, const std::vector<Row>& rows, const Report& report) {
  out << "\n## Where `auto` fails\n\n| tolerance | problem | contacts | ends | residual | iterations | last method |"
      << (report.peer ? " peer's best |" : "") << "\n|---|---|---|---|---|---|---|" << (report.peer ? "---|" : "") << '\n';
  for (std::size_t k = 0; k < report.tolerances.size(); ++k)
    for (const Row& row : rows) {
      const Run& run = row.at[k].own.front();
      if (answered(row, run)) continue;
      out << "| " << tolerance_text(report.tolerances[k]) << " | " << row.problem.name << " | " << count_text(row.contacts)
          << " | " << run.outcome << " | " << number("%.1e", run.residual) << " | " << run.iterations << " | " << run.finished_by
          << " |";
      if (report.peer) {
        const Run* best = best_certified(row.at[k].peer);
        out << ' '
            << (best != nullptr ? best->method + ", " + number("%.2e s", best->seconds)
                : row.compared  ? "none"
                                : "not run")
            << " |";
      }
      out << '\n';
    }
}

void write_table(std::ostream& out, const std::vector<Row>& rows, const Report& report, std::size_t k) {
  out << "\n## Every problem at " << tolerance_text(report.tolerances[k])
      << "\n\n| family | problem | n | contacts | dim | `auto` ends | residual | iterations | finished by | time |"
      << (report.peer ? " peer's best | its time | ratio | certified |" : "") << "\n|---|---|---|---|---|---|---|---|---|---|"
      << (report.peer ? "---|---|---|---|" : "") << '\n';
  for (const Row& row : rows) {
    const Outcome& outcome = row.at[k];
    const Run& first = outcome.own.front();
    out << "| " << row.problem.family << " | " << row.problem.name << " | " << row.size << " | " << count_text(row.contacts)
        << " | " << count_text(row.dimension) << " | " << first.outcome << " | "
        << (first.outcome == "infeasible" ? "" : number("%.1e", first.residual)) << " | " << first.iterations << " | "
        << first.finished_by << " | " << number("%.2e s", first.seconds) << " |";
    if (report.peer) {
      const Run* best = best_certified(outcome.peer);
      const auto certified =
          std::count_if(outcome.peer.begin(), outcome.peer.end(), [](const Run& run) { return run.certified; });
      out << ' '
          << (best           ? best->method
              : row.compared ? "none"
                             : "not run")
          << " | " << (best ? number("%.2e s", best->seconds) : "") << " | " << number("%.3f", outcome.ratio()) << " | "
          << certified << " of " << outcome.peer.size() << " |";
    }
    out << '\n';
  }
}

// Certified answers of every method by family, at every tolerance.
void write_methods(std::ostream& out, const std::vector<Row>& rows, const Report& report) {
  Names families, methods;
  std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> counts;  // tried, certified at each tolerance
  for (const Row& row : rows) {
    if (row.at.front().own.size() < 2) continue;  // only the default was tried
    const std::size_t family = families.place(row.problem.family);
    for (std::size_t k = 0; k < row.at.size(); ++k)
      for (const Run& run : row.at[k].own) {
        std::vector<int>& count = counts[{methods.place(run.method), family}];
        count.resize(1 + row.at.size());
        count[0] += k == 0;
        count[1 + k] += run.certified;
      }
  }
  out << "\n## Every method\n\nCertified answers at " << (report.tolerances.size() > 1 ? "each tolerance" : "the tolerance")
      << " / problems tried. A method that does not treat a problem, or ends without an answer, says so.\n\n| method |";
  for (const std::string& family : families.all()) out << ' ' << family << " |";
  out << "\n|---|";
  for (std::size_t k = 0; k < families.all().size(); ++k) out << "---|";
  out << '\n';
  for (std::size_t method = 0; method < methods.all().size(); ++method) {
    out << "| `" << methods.all()[method] << "` |";
    for (std::size_t family = 0; family < families.all().size(); ++family) {
      const auto found = counts.find({method, family});
      out << ' ';
      if (found != counts.end()) {
        for (std::size_t k = 1; k < found->second.size(); ++k) out << (k > 1 ? ", " : "") << found->second[k];
        out << '/' << found->second[0];
      }
      out << " |";
    }
    out << '\n';
  }
}

}  // namespace

double Outcome::ratio() const {
  const Run* other = best_certified(peer);
  return own.front().certified && other != nullptr ? own.front().seconds / other->seconds : NAN;
}

void write(std::ostream& out, const Report& report, const std::vector<Row>& rows) {
  out << "# " << report.title << "\n\nWritten by `" << report.command
      << "`; docs/benchmarks.md tells what is measured and how. Time limit of a solve: " << report.seconds << " s.\n\n";
  for (std::size_t k = 0; k < report.tolerances.size(); ++k) write_summary(out, rows, report, k);
  write_families(out, rows, report);
  write_failures(out, rows, report);
  if (report.all_methods) write_methods(out, rows, report);
  for (std::size_t k = 0; k < report.tolerances.size(); ++k) write_table(out, rows, report, k);
}

}  // namespace nonsmooth::collection
