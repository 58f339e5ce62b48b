#include "runs.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "../support/child_process.hpp"

namespace nonsmooth::collection {
namespace {

namespace fs = std::filesystem;

// JSON has no NaN.
double number_or_nan(const nlohmann::json& value) { return value.is_number() ? value.get<double>() : NAN; }

nlohmann::json to_json(const Run& run) {
  return {{"method", run.method},   {"outcome", run.outcome},       {"finished_by", run.finished_by}, {"residual", run.residual},
          {"seconds", run.seconds}, {"iterations", run.iterations}, {"certified", run.certified}};
}

Run run_from(const nlohmann::json& value) {
  return {value.at("method"),
          value.at("outcome"),
          value.value("finished_by", ""),
          number_or_nan(value.at("residual")),
          number_or_nan(value.at("seconds")),
          value.value("iterations", std::int64_t{0}),
          value.at("certified")};
}

// Changes with every build: what a method does depends on all of it. A peer's results are kept until the file is deleted.
std::string version_of(const fs::path& program) {
  return std::to_string(fs::last_write_time(fs::canonical(program)).time_since_epoch().count());
}

std::uint64_t hash_of(const std::string& text) {  // FNV-1a
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

std::string key_of(std::initializer_list<std::string> parts, const Limits& limits) {
  std::ostringstream key;
  for (const std::string& part : parts) key << part << ' ';
  key << limits.tolerance << ' ' << limits.seconds;
  return key.str();
}

// Repeated while that takes less than a fifth of a second, so that the shortest run is found.
Run solve(const nsm::Problem& problem, const std::string& method, const Limits& limits) {
  Run run{method, "", "", NAN, HUGE_VAL, 0, false};
  const double start = now();
  for (int k = 0; k < 7 && (k == 0 || now() - start < 0.2); ++k) {
    try {
      const double begin = now();
      nsm::Options options;
      options.set("tolerance", limits.tolerance);
      options.set("time_limit", limits.seconds);
      nsm::Solver solver(problem, method, options);
      const nsm::Result result = solver.solve();
      run.seconds = std::min(run.seconds, now() - begin);
      run.outcome = nsm::name(result.outcome());
      run.finished_by = result.finished_by();
      run.residual = result.certificate().residual;
      run.iterations = result.iterations();
      run.certified = result.outcome() == NSM_CONVERGED || result.outcome() == NSM_INFEASIBLE;
    } catch (const nsm::Error& error) {
      run.outcome = nsm::name(error.status());
      return run;
    }
  }
  return run;
}

}  // namespace

const Run* best_certified(const std::vector<Run>& runs) {
  const Run* best = nullptr;
  for (const Run& run : runs)
    if (run.certified && (best == nullptr || run.seconds < best->seconds)) best = &run;
  return best;
}

Records::Records(const std::string& path) : path_(path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const nlohmann::json entry = nlohmann::json::parse(line, nullptr, false);  // the last line of a killed run may be half
    if (!entry.is_discarded()) values_[entry.at("key")] = entry.at("value");
  }
}

const nlohmann::json* Records::find(const std::string& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? nullptr : &found->second;
}

void Records::add(const std::string& key, const nlohmann::json& value) {
  values_[key] = value;
  if (path_.empty()) return;
  std::ofstream file(path_, std::ios::app);
  file << nlohmann::json{{"key", key}, {"value", value}}.dump() << '\n';
}

Run run_method(const nsm::Problem& problem, const std::string& name, const std::string& method, const Limits& limits,
               Records& records) {
  static const std::string version = version_of("/proc/self/exe");
  const std::string key = key_of({name, nsm::name(problem.problem_class()), method, version}, limits);
  if (const nlohmann::json* known = records.find(key)) return run_from(*known);
  // Beside the limit: setup is not cut, and a check of the limit may come late.
  const ChildAnswer answer = in_child(1.5 * limits.seconds + 2, [&] { return to_json(solve(problem, method, limits)).dump(); });
  Run run{method, answer.end == ChildAnswer::End::crashed ? "crashed" : "hung", "", NAN, NAN, 0, false};
  if (answer.end == ChildAnswer::End::answered) run = run_from(nlohmann::json::parse(answer.text));
  records.add(key, to_json(run));
  return run;
}

std::optional<PeerRuns> run_peer(const nsm::Problem& problem, const std::string& peer, const std::vector<double>& tolerances,
                                 double seconds, bool may_measure, Records& records) {
  PeerRuns runs(tolerances.size());
  const fs::path file = fs::temp_directory_path() / ("nonsmooth-compare-" + std::to_string(getpid()) + ".dat");
  try {
    problem.write(file.string());
  } catch (const nsm::Error& error) {
    std::cerr << "  not for the peer: " << error.what() << '\n';
    return runs;
  }
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::string type = nsm::name(problem.problem_class());
  std::ostringstream arguments;
  arguments << ' ' << type << ' ' << file.string() << ' ' << seconds;
  for (const double tolerance : tolerances) arguments << ' ' << tolerance;
  const std::string key =
      key_of({std::to_string(hash_of(bytes)), type, fs::path(peer).filename().string()}, {tolerances.back(), seconds});
  nlohmann::json lines = nlohmann::json::array();
  if (const nlohmann::json* known = records.find(key)) {
    lines = *known;
  } else if (!may_measure) {
    fs::remove(file);
    return std::nullopt;
  } else {
    std::FILE* pipe = popen((peer + arguments.str()).c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot run " + peer);
    char line[512];
    while (std::fgets(line, sizeof line, pipe) != nullptr) lines.push_back(nlohmann::json::parse(line));
    pclose(pipe);
    records.add(key, lines);
  }
  fs::remove(file);
  for (const nlohmann::json& line : lines) {
    const double tolerance = line.at("tolerance");
    for (std::size_t k = 0; k < tolerances.size(); ++k)
      if (std::abs(tolerance - tolerances[k]) <= 1e-3 * tolerances[k]) runs[k].push_back(run_from(line));
  }
  return runs;
}

}  // namespace nonsmooth::collection
