#include "solve.hpp"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

namespace nonsmooth::bench {
namespace {

using nlohmann::json;

// JSON has no NaN.
json or_null(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

double number_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

// Numbers that no measurement gives; a time that is not known is NaN.
void require_possible(const Solve& solve) {
  bool possible = solve.limits.tolerance > 0 && std::isfinite(solve.limits.tolerance) && solve.limits.seconds > 0;
  for (const double seconds : {solve.read, solve.setup, solve.solve, solve.calibration}) possible &= !(seconds < 0);
  for (const std::int64_t count : {solve.facts.size, solve.facts.contacts, solve.iterations, solve.peak_memory})
    possible &= count >= 0;
  if (!possible) throw std::invalid_argument("a line with numbers that no solve has");
}

}  // namespace

bool Solve::right() const {
  switch (answer) {
    case Answer::solvable: return outcome == "converged" || (peer && certified);
    case Answer::infeasible: return outcome == "infeasible";
    case Answer::unsolvable: return !certified && !crashed();
    default: return certified;
  }
}

bool better(const Solve& a, const Solve& b) { return a.certified != b.certified ? a.certified : a.seconds() < b.seconds(); }

json to_json(const Solve& solve) {
  json line = {{"problem", solve.problem},
               {"collection", solve.collection},
               {"family", solve.family},
               {"answer", name_of(solve.answer)},
               {"class", solve.facts.problem_class},
               {"size", solve.facts.size},
               {"contacts", solve.facts.contacts},
               {"dimension", solve.facts.dimension},
               {"hash", solve.facts.hash},
               {"method", solve.method},
               {"tolerance", solve.limits.tolerance},
               {"time_limit", solve.limits.seconds},
               {"memory_limit", solve.limits.memory},
               {"outcome", solve.outcome},
               {"certified", solve.certified},
               {"residual", or_null(solve.residual)},
               {"iterations", solve.iterations},
               {"finished_by", solve.finished_by},
               {"phases", {{"read", or_null(solve.read)}, {"setup", or_null(solve.setup)}, {"solve", or_null(solve.solve)}}},
               {"calibration", or_null(solve.calibration)},
               {"peak_memory", solve.peak_memory},
               {"version", solve.version},
               {"build", solve.build},
               {"machine", solve.machine}};
  if (!solve.detail.empty()) line["detail"] = solve.detail;
  if (solve.peer) line["peer"] = true;
  if (!solve.solver_of.empty()) line["solver_of"] = solve.solver_of;
  if (solve.inferred_from > 0) line["inferred_from"] = solve.inferred_from;
  return line;
}

Solve solve_from(const json& line) {
  Solve solve;
  solve.problem = line.at("problem");
  solve.collection = line.at("collection");
  solve.family = line.at("family");
  solve.answer = answer_from(line.at("answer"));
  solve.facts = facts_from(line);
  solve.method = line.at("method");
  solve.solver_of = line.value("solver_of", "");
  solve.peer = line.value("peer", false);
  solve.limits = {line.at("tolerance"), line.at("time_limit"), line.at("memory_limit")};
  solve.version = line.at("version");
  solve.build = line.at("build");
  solve.machine = line.at("machine");
  solve.outcome = line.at("outcome");
  solve.detail = line.value("detail", "");
  solve.finished_by = line.at("finished_by");
  solve.certified = line.at("certified");
  solve.residual = number_of(line, "residual");
  solve.iterations = line.at("iterations");
  const json& phases = line.at("phases");
  solve.read = number_of(phases, "read");
  solve.setup = number_of(phases, "setup");
  solve.solve = number_of(phases, "solve");
  solve.calibration = number_of(line, "calibration");
  solve.peak_memory = line.at("peak_memory");
  solve.inferred_from = line.value("inferred_from", 0.0);
  require_possible(solve);
  return solve;
}

std::string shortest_text(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string key_of(const Solve& solve) {
  std::ostringstream key;
  for (const std::string& part :
       {solve.collection, solve.problem, solve.facts.problem_class, solve.facts.hash, solve.method, solve.build, solve.machine})
    key << part << '\n';
  key << shortest_text(solve.limits.tolerance) << ' ' << shortest_text(solve.limits.seconds) << ' ' << solve.limits.memory;
  return key.str();
}

}  // namespace nonsmooth::bench
