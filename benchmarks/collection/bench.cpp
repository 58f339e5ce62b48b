// nonsmooth-bench: methods, and other packages, on collections of problems. Every solve in a process of its own, its answer
// judged by the certificate, one line of JSON for each.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <programs/interruption.hpp>

#include "machine.hpp"
#include "program.hpp"
#include "queue.hpp"

namespace {

using namespace nonsmooth;
using namespace nonsmooth::bench;

struct Settings {
  std::vector<std::string> collections, methods{"auto"}, peers, peer_versions;
  std::vector<double> tolerances{1e-8};
  double seconds = 10, peer_seconds = 0;
  std::int64_t memory_mb = 4096, largest = INT64_MAX;
  std::size_t jobs = 1;
  std::string only, shard, machine, output;
};

constexpr const char* notes = R"(
COLLECTION is a folder (problem files in it and below: FCLIB .hdf5, .json, .dat, .mtx; INDEX.json, where there is one, gives classes, families and
answers), a file, or families:complementarity, families:friction, families:friction-large: problems that are built as they are needed.
  --methods: names; all: every one that treats the class of a problem; others: all but auto.

A run that was interrupted goes on where it stopped when the same command is given again: what RUN.jsonl has is not measured twice. A result
belongs to the bytes of its problem, the build of this program, the machine and the limits. Several processes may write to one RUN.jsonl at
the same time and share the work:
  mpirun -n 8 nonsmooth bench data --methods all -o RUN.jsonl
A method that fails at a tolerance is not run at tighter ones: the line for these says inferred_from. Time is that of setup and solve, the
shortest of up to seven runs while they take less than 0.2 s; one BLAS thread unless OPENBLAS_NUM_THREADS says otherwise.

Examples:
  nonsmooth bench data --methods all --tolerance 1e-4,1e-8 -o run.jsonl
  nonsmooth bench families:friction --methods auto --peer ./siconos-friction --peer-time-limit 1 -o run.jsonl
  nonsmooth compare run.jsonl -o report.html

Files and folders of a folder that cannot be read are named, left out and counted in the last line.

Exit codes: 0 all measured, whatever came of it, 3 wrong usage, or nothing to solve, 4 a file that was named cannot be read, or none of a folder, or
the output cannot be written, 70 internal error.)";

void add_options(CLI::App& app, Settings& settings) {
  app.add_option("COLLECTION", settings.collections, "folders, files or families:NAME")->required();
  app.add_option("--methods", settings.methods, "methods, separated by commas")->delimiter(',')->capture_default_str();
  app.add_option("--tolerance", settings.tolerances, "tolerances, separated by commas")->delimiter(',')->capture_default_str();
  app.add_option("--time-limit", settings.seconds, "of one solve, s; what has not ended by half as much again and 2 s is killed")
      ->take_last()
      ->capture_default_str();
  app.add_option("--memory-limit", settings.memory_mb, "of one solve, MB of address space beside the program's own; 0: none")
      ->take_last()
      ->capture_default_str();
  app.add_option("--jobs", settings.jobs, "solves at the same time; more than one disturb each other's times")
      ->check(positive_number())
      ->capture_default_str();
  app.add_option("--only", settings.only, "problems whose family or name contains this")->take_last();
  app.add_option("--largest", settings.largest, "problems of at most so many unknowns");
  app.add_option("--shard", settings.shard, "I/N: the I-th of N parts of the run (I = 1 .. N)");
  CLI::Option* const peer =
      app.add_option("--peer", settings.peers,
                     "program that runs the solvers of another package (benchmarks/peers); may be repeated, with "
                     "other file names")
          ->check(CLI::ExistingFile);
  app.add_option("--peer-time-limit", settings.peer_seconds, "of one solve of one of its solvers, s (default: the time limit)")
      ->needs(peer);
  app.add_option(
         "--peer-version", settings.peer_versions,
         "of the package behind a program, in the order of --peer; results are kept while it is the same (default: hash of "
         "the program)")
      ->needs(peer);
  app.add_option("--machine", settings.machine, "name of the machine in the results (default: its processor)");
  app.add_option("-o,--output", settings.output, "RUN.jsonl; without it lines go to standard output")->check(file_name());
  app.footer(notes);
}

int rank() {
  for (const char* variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"})
    if (const char* value = std::getenv(variable)) return std::atoi(value);
  return -1;
}

// A line names its problem by collection and file: two files may not have the same name in the same one.
void check_names(const std::vector<Source>& sources) {
  std::map<std::pair<std::string, std::string>, std::string> paths;
  for (const Source& source : sources) {
    if (source.files.empty()) continue;
    const std::string path = real_path(source.files[0]);
    const std::string& first = paths.emplace(std::pair(source.collection, source.name), path).first->second;
    if (first != path)
      throw CLI::ValidationError("COLLECTION", first + " and " + path + " would both be " + source.name + " of " +
                                                   source.collection +
                                                   " (give the folder above both, or measure them in two runs)");
  }
}

std::vector<Source> all_sources(const Settings& settings) {
  std::vector<Source> all;
  for (const std::string& collection : settings.collections)
    for (Source& source : sources_of(collection))
      if ((source.family + " " + source.name).find(settings.only) != std::string::npos) all.push_back(std::move(source));
  if (all.empty())
    throw CLI::ValidationError("COLLECTION",
                               "nothing to solve: no problem found" +
                                   (settings.only.empty() ? "" : " with '" + settings.only + "' in its family or name"));
  check_names(all);
  return all;
}

// In children: a file that crashes a reader does not end the run. What cannot be read is named and left out.
std::vector<std::vector<Facts>> describe_all(const std::vector<Source>& sources, const Settings& settings, Progress& progress) {
  std::vector<std::vector<Facts>> facts(sources.size());
  struct Running {
    std::size_t source;
    std::unique_ptr<Child> child;
  };
  std::vector<Running> running;
  std::size_t next = 0, done = 0;
  progress.begin("problems", sources.size());
  while (next < sources.size() || !running.empty()) {
    for (; next < sources.size() && running.size() < settings.jobs; ++next)
      running.push_back({next, std::make_unique<Child>(ChildLimits{120, settings.memory_mb << 20, 0}, [&](const Parent& parent) {
                           nlohmann::json forms = nlohmann::json::array();
                           try {
                             for (const Facts& form : describe(sources[next])) forms.push_back(to_json(form));
                             parent.send(forms.dump());
                           } catch (const std::exception& error) {
                             parent.send(
                                 nlohmann::json(error.what()).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
                           }
                         })});
    std::vector<Child*> children;
    for (const Running& one : running) children.push_back(one.child.get());
    Child::wait(children);
    for (std::size_t k = running.size(); k-- > 0;) {
      if (!running[k].child->ended()) continue;
      const Running one = std::move(running[k]);
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(k));
      progress.show(++done, sources[one.source].name);
      const nlohmann::json forms = nlohmann::json::parse(one.child->answer().text, nullptr, false);
      if (forms.is_array()) {
        for (const nlohmann::json& form : forms) facts[one.source].push_back(facts_from(form));
        continue;
      }
      progress.clear();
      std::fprintf(stderr, "nonsmooth bench: left out: %s: %s\n", sources[one.source].name.c_str(),
                   forms.is_string() ? forms.get<std::string>().c_str() : "reading it does not end, or ends in a crash");
    }
  }
  return facts;
}

// Those of the list that treat the class.
std::vector<std::string> methods_for(const std::string& problem_class, const std::vector<std::string>& list) {
  const nsm_class number = nsm_class_from_name(problem_class.c_str());
  const auto listed = [&](const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const std::string& word) {
      return word == name || word == "all" || (word == "others" && name != "auto");
    });
  };
  std::vector<std::string> methods;
  for (const nsm_method_info& info : nsm::methods())
    if (listed(info.name) && (info.classes >> number & 1u) != 0) methods.emplace_back(info.name);
  return methods;
}

void check_methods(const std::vector<std::string>& list) {
  const std::vector<nsm_method_info> methods = nsm::methods();
  for (const std::string& word : list)
    if (word != "all" && word != "others" &&
        std::none_of(methods.begin(), methods.end(), [&](const nsm_method_info& info) { return word == info.name; }))
      throw CLI::ValidationError("--methods", "no method '" + word + "' (nonsmooth methods lists them)");
}

// A line names its solver by the file name of the program, or by that of the method.
void check_name(const Peer& peer, const std::vector<Peer>& others) {
  const std::string renaming = " (a link of another name will do)";
  for (const nsm_method_info& info : nsm::methods())
    if (peer.name == info.name)
      throw CLI::ValidationError("--peer", peer.program + " has the name of the method " + peer.name + renaming);
  for (const Peer& other : others)
    if (peer.name == other.name)
      throw CLI::ValidationError("--peer", other.program + " and " + peer.program + " would both be " + peer.name + renaming);
}

std::vector<Peer> peers_of(const Settings& settings) {
  if (settings.peer_versions.size() > settings.peers.size())
    throw CLI::ValidationError("--peer-version", "'" + settings.peer_versions.back() + "' is of no --peer");
  std::vector<Peer> peers;
  for (const std::string& program : settings.peers) {
    if (access(program.c_str(), X_OK) != 0) throw CLI::ValidationError("--peer", program + ": " + std::strerror(errno));
    const Peer peer{std::filesystem::path(program).filename().string(), std::filesystem::absolute(program).string(),
                    peers.size() < settings.peer_versions.size() ? settings.peer_versions[peers.size()] : build_of(program),
                    settings.peer_seconds > 0 ? settings.peer_seconds : settings.seconds};
    check_name(peer, peers);
    peers.push_back(peer);
  }
  return peers;
}

std::vector<Item> items_of(const Settings& settings, const std::vector<Source>& sources,
                           const std::vector<std::vector<Facts>>& facts, const std::vector<Peer>& peers) {
  const std::string build = build_of("/proc/self/exe");
  const std::string machine = settings.machine.empty() ? machine_name() : settings.machine;
  std::vector<Item> items;
  for (std::size_t s = 0; s < sources.size(); ++s)
    for (const Facts& form : facts[s]) {
      if (form.size > settings.largest) continue;
      Item item{&sources[s], {}};
      item.asked.collection = sources[s].collection;
      item.asked.problem = sources[s].name;
      item.asked.family = sources[s].family;
      item.asked.answer = sources[s].answer;
      item.asked.facts = form;
      item.asked.limits = {0, settings.seconds, settings.memory_mb << 20};
      item.asked.version = nsm_version();
      item.asked.build = build;
      item.asked.machine = machine;
      for (const std::string& method : methods_for(form.problem_class, settings.methods)) {
        item.asked.method = method;
        items.push_back(item);
      }
      for (const Peer& peer : peers) {
        item.peer = &peer;
        item.asked.method = peer.name;
        item.asked.peer = true;
        item.asked.version.clear();
        item.asked.build = peer.build;
        item.asked.limits.seconds = peer.seconds;
        items.push_back(item);
      }
    }
  return items;
}

struct Shard {
  std::size_t part = 1, parts = 1;
};

// Digits alone: scanf takes -3 for a large number.
Shard shard_from(const std::string& text) {
  Shard shard;
  if (text.empty()) return shard;
  const char* const end = text.data() + text.size();
  const auto [slash, no_part] = std::from_chars(text.data(), end, shard.part);
  const bool has_parts = no_part == std::errc() && slash != end && *slash == '/';
  const auto [rest, no_parts] = std::from_chars(has_parts ? slash + 1 : end, end, shard.parts);
  if (no_parts != std::errc() || rest != end || shard.part < 1 || shard.part > shard.parts)
    throw CLI::ValidationError("--shard", "'" + text + "' is not I/N with 1 <= I <= N");
  return shard;
}

std::vector<Item> shard_of(const std::vector<Item>& items, const Shard& shard) {
  std::vector<Item> mine;
  for (std::size_t k = shard.part - 1; k < items.size(); k += shard.parts) mine.push_back(items[k]);
  return mine;
}

struct LeftOut {
  std::size_t problems = 0;
  bool named = false;  // one of them, on the command line
};

LeftOut left_out_of(const std::vector<Source>& sources, const std::vector<std::vector<Facts>>& facts) {
  LeftOut result;
  for (std::size_t s = 0; s < sources.size(); ++s)
    if (facts[s].empty()) {
      ++result.problems;
      result.named |= sources[s].named;
    }
  return result;
}

void check_work(const std::vector<Item>& items, const LeftOut& left_out) {
  if (!items.empty()) return;
  if (left_out.problems > 0) throw std::runtime_error("nothing to solve: no problem can be read that is asked for");
  throw CLI::ValidationError(
      "COLLECTION", "nothing to solve: no problem, within --only and --largest, of a class that one of the methods treats");
}

// What the library refuses would be the outcome of every row.
void check_limits(const Settings& settings) {
  nsm::Options options;
  const auto check = [&](const char* flag, const char* option, double value) {
    try {
      options.set(option, value);
    } catch (const nsm::Error& error) {
      throw CLI::ValidationError(flag, error.what());
    }
  };
  for (const double tolerance : settings.tolerances) check("--tolerance", "tolerance", tolerance);
  check("--time-limit", "time_limit", settings.seconds);
  // A peer whose OpenBLAS cannot have its working memory asks for it without end.
  const std::int64_t least_memory_mb = settings.peers.empty() ? 16 : 256, most_memory_mb = std::int64_t{1} << 30;
  if (settings.memory_mb != 0 && (settings.memory_mb < least_memory_mb || settings.memory_mb > most_memory_mb))
    throw CLI::ValidationError("--memory-limit", std::to_string(settings.memory_mb) + " is neither 0 nor between " +
                                                     std::to_string(least_memory_mb) + " and " + std::to_string(most_memory_mb) +
                                                     (settings.peers.empty() ? "" : ", with --peer"));
  for (const double tolerance : settings.tolerances)
    if (!(tolerance > 0)) throw CLI::ValidationError("--tolerance", shortest_text(tolerance) + " is not positive");
  if (!(settings.seconds > 0)) throw CLI::ValidationError("--time-limit", shortest_text(settings.seconds) + " is not positive");
  if (!(settings.peer_seconds >= 0 && std::isfinite(settings.peer_seconds)))
    throw CLI::ValidationError("--peer-time-limit", shortest_text(settings.peer_seconds) + " is not positive and finite");
}

// What runs has files of its own, which go with it.
void run_until_interrupted(Queue& queue, std::size_t jobs, Progress& progress) {
  {
    const programs::Interruptible while_it_runs;
    queue.run(jobs, programs::is_interrupted);
  }
  progress.clear();
  if (!programs::is_interrupted()) return;
  std::fputs("nonsmooth bench: interrupted; the same command goes on\n", stderr);
  programs::end_by_signal();
}

int run(const Settings& settings) {
  check_limits(settings);
  check_methods(settings.methods);
  if (rank() >= 0 && settings.output.empty())
    throw CLI::ValidationError("--output", "is needed under MPI: it is what the ranks share");
  const Shard shard = shard_from(settings.shard);
  const std::vector<Peer> peers = peers_of(settings);
  const bool talks = rank() <= 0;
  const std::vector<Source> sources = all_sources(settings);
  RunFile file(settings.output);
  Progress progress(talks && !(settings.output.empty() && isatty(STDOUT_FILENO) != 0));
  const std::vector<std::vector<Facts>> facts = describe_all(sources, settings, progress);
  progress.clear();
  const LeftOut left_out = left_out_of(sources, facts);
  const std::vector<Item> items = items_of(settings, sources, facts, peers);
  check_work(items, left_out);
  Queue queue(shard_of(items, shard), settings.tolerances, file, progress);
  if (talks && queue.of_others() > 0)
    std::fprintf(stderr,
                 "nonsmooth bench: %zu lines of %s are of another build or another machine: they stay, and are measured anew\n",
                 queue.of_others(), settings.output.c_str());
  progress.begin("solves", queue.total());
  const double start = now();
  run_until_interrupted(queue, settings.jobs, progress);
  const std::size_t missing = settings.output.empty() ? 0 : queue.missing();
  std::fprintf(stderr, "nonsmooth bench: %zu solves: %zu known, %zu run, %zu inferred from looser tolerances", queue.total(),
               queue.known_at_start(), queue.measured(), queue.inferred());
  if (missing > 0) std::fprintf(stderr, ", %zu in other hands", missing);
  if (left_out.problems > 0) std::fprintf(stderr, ", %zu problems left out", left_out.problems);
  std::fprintf(stderr, "; %s\n", duration_text(now() - start).c_str());
  return left_out.named ? bad_file : success;
}

}  // namespace

int main(int count, char** arguments) {
  set_openblas_for_children(arguments);
  map_blas_buffer();
  Settings settings;
  CLI::App app{"Methods, and other packages, on collections of problems: one line of JSON per solve.", "nonsmooth bench"};
  add_options(app, settings);
  return run_program(app, count, arguments, [&] { return run(settings); });
}
