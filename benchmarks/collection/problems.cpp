#include "problems.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <programs/program.hpp>
#include <set>
#include <stdexcept>

namespace nonsmooth::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* answer_names[] = {"solvable", "infeasible", "unsolvable", "unknown"};

// --- families ---

std::vector<Source> family_sources(const std::string& collection, std::vector<collection::FamilyProblem> problems) {
  std::vector<Source> sources;
  for (collection::FamilyProblem& problem : problems)
    sources.push_back({collection,
                       problem.name,
                       problem.family,
                       problem.answer,
                       {""},
                       [make = std::move(problem.make)](const std::string&) { return make(); },
                       {},
                       false});
  return sources;
}

std::vector<Source> families(const std::string& collection, const std::string& name) {
  if (name == "complementarity") return family_sources(collection, collection::complementarity_families());
  if (name == "friction") return family_sources(collection, collection::friction_families());
  if (name == "friction-large") return family_sources(collection, collection::large_friction_families());
  throw programs::Failure{
      programs::usage,
      "no family " + name + ": families:complementarity, families:friction and families:friction-large are there"};
}

// --- folders ---

// Text files do not tell their class; a folder named after one does.
std::vector<std::string> classes_of_folder(const std::string& folder) {
  static const std::map<std::string, std::string> short_names = {
      {"fc2d", "friction"}, {"fc3d", "friction"}, {"gfc2d", "global_friction"}, {"gfc3d", "global_friction"}};
  const auto found = short_names.find(folder);
  const std::string name = found == short_names.end() ? folder : found->second;
  if (nsm_class_from_name(name.c_str()) == NSM_CLASS_COUNT) return {""};
  return {name};
}

// In small letters.
std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending;
}

bool is_fclib(const fs::path& path) { return ending_of(path) == ".hdf5" || ending_of(path) == ".h5"; }

bool is_problem_file(const fs::path& path) {
  if (ending_of(path) == ".mtx") return !path.stem().string().ends_with("_q");  // q of another file
  return is_fclib(path) || ending_of(path) == ".dat" || (ending_of(path) == ".json" && path.filename() != "INDEX.json");
}

struct IndexEntry {
  std::string problem_class, family;
  Answer answer = Answer::unknown;
};

// Of an entry; what is absent is empty.
std::string text_of(const json& entry, const char* field) {
  const auto found = entry.find(field);
  if (found == entry.end()) return "";
  if (!found->is_string()) throw std::runtime_error(std::string(field) + ": " + found->dump() + " is no text");
  return *found;
}

Answer answer_of_outcome(const std::string& outcome) {
  if (outcome.empty()) return Answer::unknown;
  const std::string name = outcome == "converged" ? "solvable" : outcome;
  if (std::find(std::begin(answer_names), std::end(answer_names), name) == std::end(answer_names))
    throw std::runtime_error("outcome: \"" + outcome + "\" is none of converged, infeasible, unsolvable and unknown");
  return answer_from(name);
}

std::pair<std::string, IndexEntry> entry_of(const json& entry) {
  if (!entry.is_object()) throw std::runtime_error("no object");
  const std::string file = text_of(entry, "file"), problem_class = text_of(entry, "class");
  if (file.empty()) throw std::runtime_error("file: is missing");
  const std::string family = entry.contains("family") ? text_of(entry, "family") : problem_class;
  return {file, {problem_class, family, answer_of_outcome(text_of(entry, "outcome"))}};
}

// The entries of INDEX.json in the folder, by file.
std::map<std::string, IndexEntry> index_of(const fs::path& folder) {
  std::map<std::string, IndexEntry> entries;
  const fs::path path = folder / "INDEX.json";
  if (std::error_code unknown; !fs::exists(path, unknown)) return entries;
  const std::string bytes = bytes_of(path.string());
  std::string place;
  try {
    const json index = json::parse(bytes);
    if (!index.is_object() || !index.contains("problems") || !index["problems"].is_array())
      throw std::runtime_error("no object with a list of problems");
    for (std::size_t k = 0; k < index["problems"].size(); ++k) {
      place = "problems[" + std::to_string(k) + "]: ";
      const auto& [file, entry] = entry_of(index["problems"][k]);
      entries[file] = entry;
    }
  } catch (const json::parse_error& error) {
    throw std::runtime_error(path.string() + ": no JSON at byte " + std::to_string(error.byte));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path.string() + ": " + place + error.what());
  }
  return entries;
}

// In a line of JSON, and the same when it is read again.
std::string as_utf8(const std::string& text) {
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace)).get<std::string>();
}

Source file_source(const fs::path& path, const std::string& collection, const std::string& name) {
  const std::string folder = fs::path(real_path(path.string())).parent_path().filename().string();
  Source source{as_utf8(collection), as_utf8(name), as_utf8(folder), Answer::unknown, classes_of_folder(folder), {},
                {path.string()},     false};
  if (is_fclib(path)) source.classes = {"friction", "rolling", "global_friction", "global_rolling", ""};
  if (ending_of(path) == ".mtx") {
    const fs::path q = path.parent_path() / (path.stem().string() + "_q" + path.extension().string());
    if (std::error_code unknown; fs::exists(q, unknown)) source.files.push_back(q.string());
  }
  source.make = [file = path.string()](const std::string& problem_class) { return nsm::Problem::read(file, problem_class); };
  return source;
}

void apply(const IndexEntry& entry, Source& source) {
  source.classes = {entry.problem_class};
  source.family = entry.family;
  source.answer = entry.answer;
}

// What keeps a folder from being listed.
std::error_code error_of_listing(const fs::path& folder) {
  std::error_code error;
  const fs::directory_iterator entries(folder, error);
  return error;
}

// The problem files of a folder and those below it. With an index, those that it names too, be they there or not. What cannot be
// followed, such as a link to a folder above or a folder that cannot be listed, is among them: reading it fails, which names it.
std::vector<fs::path> problem_paths(const fs::path& folder, const std::map<std::string, IndexEntry>& index) {
  std::set<fs::path> paths;
  for (const auto& [file, entry] : index) paths.insert(folder / file);
  if (const std::error_code error = error_of_listing(folder))
    throw std::runtime_error(folder.string() + ": cannot be read: " + error.message());
  constexpr auto follow = fs::directory_options::follow_directory_symlink | fs::directory_options::skip_permission_denied;
  std::error_code failed, unknown;
  // An index tells all problems: folders below hold something else (models).
  const bool searches_below = !fs::exists(folder / "INDEX.json", unknown);
  for (fs::recursive_directory_iterator entry(folder, follow), end; entry != end; entry.increment(failed)) {
    const fs::file_status status = entry->status(unknown);
    const bool leads_up =
        entry->is_symlink() && fs::is_directory(status) &&
        (fs::canonical(entry->path().parent_path()) / "").string().starts_with((fs::canonical(entry->path()) / "").string());
    const bool closed = fs::is_directory(status) && searches_below && !leads_up && error_of_listing(entry->path());
    if (leads_up || closed || (fs::is_directory(status) && !searches_below)) entry.disable_recursion_pending();
    const bool lost = !fs::exists(status) && is_problem_file(entry->path());
    if (leads_up || closed || lost || (fs::is_regular_file(status) && is_problem_file(entry->path())))
      paths.insert(entry->path());
  }
  if (failed) throw std::runtime_error(folder.string() + ": cannot be searched: " + failed.message());
  return {paths.begin(), paths.end()};
}

std::vector<Source> folder_sources(const fs::path& folder) {
  const std::string collection = fs::canonical(folder).filename().string();
  std::map<fs::path, std::map<std::string, IndexEntry>> indices;
  indices[folder] = index_of(folder);
  std::vector<Source> sources;
  for (const fs::path& path : problem_paths(folder, indices[folder])) {
    const fs::path parent = path.parent_path();
    if (!indices.contains(parent)) indices[parent] = index_of(parent);
    sources.push_back(file_source(path, collection, path.lexically_relative(folder).generic_string()));
    const auto& index = indices[parent];
    if (const auto entry = index.find(path.filename().string()); entry != index.end()) apply(entry->second, sources.back());
  }
  return sources;
}

std::string hash_of_problem(const Source& source, const nsm::Problem& problem) {
  std::uint64_t hash = hash_of("");
  if (!source.files.empty()) {
    for (const std::string& file : source.files) hash = hash_of(bytes_of(file), hash);
    return hex(hash);
  }
  const fs::path file = fs::temp_directory_path() / ("nonsmooth-bench-" + std::to_string(getpid()) + ".json");
  problem.write(file.string());
  hash = hash_of(bytes_of(file.string()));
  fs::remove(file);
  return hex(hash);
}

}  // namespace

const char* name_of(Answer answer) { return answer_names[static_cast<std::size_t>(answer)]; }

Answer answer_from(const std::string& name) {
  const auto* const found = std::find(std::begin(answer_names), std::end(answer_names), name);
  return found == std::end(answer_names) ? Answer::unknown : static_cast<Answer>(found - std::begin(answer_names));
}

std::string real_path(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? fs::absolute(path).lexically_normal() : real).string();
}

std::vector<Source> sources_of(const std::string& collection) {
  constexpr const char* mark = "families:";
  if (collection.starts_with(mark)) return families(collection, collection.substr(std::string(mark).size()));
  if (fs::is_directory(collection)) return folder_sources(collection);
  if (!fs::is_regular_file(collection)) throw std::runtime_error(collection + ": no such file or folder");
  const fs::path path(collection);
  std::vector<Source> one{file_source(path, fs::canonical(path).parent_path().filename().string(), path.filename().string())};
  const auto index = index_of(path.parent_path());
  if (const auto entry = index.find(path.filename().string()); entry != index.end()) apply(entry->second, one[0]);
  one[0].named = true;
  return one;
}

std::vector<Facts> describe(const Source& source) {
  std::vector<Facts> forms;
  std::string refusal;
  for (const std::string& problem_class : source.classes) try {
      if (problem_class.empty() && !forms.empty()) break;
      const nsm::Problem problem = source.make(problem_class);
      const nsm_description description = problem.describe();
      const bool contacts = description.dimension > 0;
      forms.push_back({nsm::name(problem.problem_class()), hash_of_problem(source, problem), problem.size(),
                       contacts ? description.blocks : 0, contacts ? description.dimension : 0});
    } catch (const nsm::Error& error) {
      refusal = error.what();
      // Whoever reports it names the file.
      if (!source.files.empty() && refusal.starts_with(source.files[0] + ": ")) refusal.erase(0, source.files[0].size() + 2);
    }
  if (forms.empty()) throw std::runtime_error(refusal);
  return forms;
}

nlohmann::json to_json(const Facts& facts) {
  return {{"class", facts.problem_class},
          {"hash", facts.hash},
          {"size", facts.size},
          {"contacts", facts.contacts},
          {"dimension", facts.dimension}};
}

Facts facts_from(const nlohmann::json& value) {
  return {value.at("class"), value.at("hash"), value.at("size"), value.at("contacts"), value.at("dimension")};
}

std::uint64_t hash_of(const std::string& bytes, std::uint64_t seed) {
  for (const char c : bytes) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return seed;
}

std::string hex(std::uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::string bytes_of(const std::string& file) {
  if (fs::is_directory(file)) throw std::runtime_error(file + ": is a folder");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error(file + ": cannot be read: " + std::strerror(errno));
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace nonsmooth::bench
