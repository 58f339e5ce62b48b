// Files, INDEX.json and PROBLEMS.md. The C API creates problems without a title or a solution: both are put into the text of the
// native JSON, which is then read back and written in the format the file name asks for.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "../../support/page.hpp"
#include "collection.hpp"

namespace nonsmooth::collection {
namespace {

namespace fs = std::filesystem;

// The texts of the collection need no escapes.
std::string quoted(const std::string& text) {
  for (char c : text)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20) throw std::runtime_error("a text needs escapes: " + text);
  return '"' + text + '"';
}

std::string number(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string numbers(const nsm::Vector& values) {
  std::string text = "[";
  for (std::size_t k = 0; k < values.size(); ++k) text += (k > 0 ? ", " : "") + number(values[k]);
  return text + "]";
}

std::string read_text(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The problem with its title, its source and its solution.
nsm::Problem annotated(const Entry& entry, const fs::path& scratch) {
  entry.problem.write(scratch.string(), "json");
  std::string text = read_text(scratch);
  fs::remove(scratch);
  std::string head = "{\n  \"title\": " + quoted(entry.title) + ",\n  \"description\": " + quoted(entry.source) + ",";
  if (!entry.solution.z.empty()) {
    head += "\n  \"solution\": {\"z\": " + numbers(entry.solution.z);
    if (!entry.solution.w.empty()) head += ", \"w\": " + numbers(entry.solution.w);
    head += "},";
  }
  text.replace(0, 1, head);
  return nsm::Problem::read_memory(text.data(), static_cast<std::int64_t>(text.size()), entry.file);
}

// Of the formats, only the native JSON has room for one beside the problem.
bool keeps_solution(const Entry& entry) { return !entry.solution.z.empty() && entry.file.ends_with(".json"); }

std::int64_t contacts_of(const Entry& entry) {
  if (entry.contacts >= 0) return entry.contacts;
  const nsm_description description = entry.problem.describe();
  return description.dimension > 0 ? description.blocks : 0;
}

std::string index_lines(const Entry& entry) {
  std::string text = "    {\"file\": " + quoted(entry.file) + ", \"class\": " + quoted(nsm::name(entry.problem.problem_class())) +
                     ", \"family\": " + quoted(entry.family) + ", \"size\": " + std::to_string(entry.problem.size()) +
                     ", \"contacts\": " + std::to_string(contacts_of(entry)) + (entry.basic ? ", \"basic\": true" : "") +
                     (entry.effort == Effort::slow ? ", \"slow\": true" : "") +
                     (entry.effort == Effort::open ? ", \"open\": true" : "");
  if (!entry.method.empty()) text += ", \"method\": " + quoted(entry.method);
  text += ",\n     \"outcome\": " + quoted(entry.outcome) + ", \"tolerance\": " + number(entry.tolerance);
  text += std::string(", \"solution\": ") + (keeps_solution(entry) ? "true" : "false") + ", \"unique\": ";
  text += entry.unique.answer;
  if (!entry.unique.because.empty()) text += ", \"because\": " + quoted(std::string(entry.unique.because));
  return text + ",\n     \"title\": " + quoted(entry.title) + ",\n     \"source\": " + quoted(entry.source) + "}";
}

std::string table_row(const Entry& entry) {
  const std::int64_t contacts = contacts_of(entry);
  const bool solvable = entry.outcome == "converged";
  std::string known = solvable ? (entry.solution.z.empty() ? "" : "solution") : entry.outcome;
  if (entry.unique.answer == "true") known += known.empty() ? "unique" : ", unique";
  return "| " + entry.file + " | " + nsm::name(entry.problem.problem_class()) + " | " + std::to_string(entry.problem.size()) +
         " | " + (contacts > 0 ? std::to_string(contacts) : "") + " | " + known + " | " + entry.title + " |\n";
}

}  // namespace

void Collection::add(const Entry& entry) {
  const fs::path path = fs::path(folder_) / entry.file;
  for (const Row& row : rows_)
    if (row.text.starts_with("| " + entry.file + " ")) throw std::runtime_error(entry.file + " is there twice");
  annotated(entry, path.string() + ".tmp").write(path.string());
  index_.push_back(index_lines(entry));
  rows_.push_back({entry.family, table_row(entry)});
}

void Collection::write_index() const {
  std::string index = "{\n  \"format\": \"nonsmooth-collection\",\n  \"version\": 1,\n  \"problems\": [\n";
  for (std::size_t k = 0; k < index_.size(); ++k) index += index_[k] + (k + 1 < index_.size() ? ",\n" : "\n");
  write_whole(folder_ + "/INDEX.json", index + "  ]\n}\n");

  std::vector<std::string> families;
  for (const Row& row : rows_)
    if (std::find(families.begin(), families.end(), row.family) == families.end()) families.push_back(row.family);
  std::string tables = "# " + std::to_string(rows_.size()) + " problems in " + std::to_string(families.size()) +
                       " families\n\nWritten by `nonsmooth-generate`, as `INDEX.json`, which tells more. Known: a solution is in "
                       "the file; it is the "
                       "only one; or there is none.\n";
  for (const std::string& family : families) {
    tables += "\n## " + family + "\n\n| file | class | unknowns | contacts | known | what |\n|---|---|---|---|---|---|\n";
    for (const Row& row : rows_)
      if (row.family == family) tables += row.text;
  }
  write_whole(folder_ + "/PROBLEMS.md", tables);
}

}  // namespace nonsmooth::collection
