// Files and INDEX.json. The C API creates problems without a title or a solution: both are put into the text of the native JSON,
// which is then read back and written in the format the file name asks for.
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

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

void write_text(const fs::path& path, const std::string& text) {
  std::ofstream stream(path, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path.string());
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

std::string index_line(const Entry& entry) {
  std::string line = "    {\"file\": " + quoted(entry.file) + ", \"class\": " + quoted(nsm::name(entry.problem.problem_class())) +
                     ", \"size\": " + std::to_string(entry.problem.size()) + ", \"contacts\": " + std::to_string(entry.contacts);
  if (!entry.method.empty()) line += ", \"method\": " + quoted(entry.method);
  line += ", \"outcome\": " + quoted(entry.outcome) + ", \"tolerance\": " + number(entry.tolerance);
  line += std::string(", \"solution\": ") + (keeps_solution(entry) ? "true" : "false");
  return line + ",\n     \"title\": " + quoted(entry.title) + ",\n     \"source\": " + quoted(entry.source) + "}";
}

}  // namespace

void write_collection(const Entries& entries, const std::string& folder) {
  std::string index = "{\n  \"format\": \"nonsmooth-collection\",\n  \"version\": 1,\n  \"problems\": [\n";
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const fs::path path = fs::path(folder) / entries[k].file;
    annotated(entries[k], path.string() + ".tmp").write(path.string());
    index += index_line(entries[k]) + (k + 1 < entries.size() ? ",\n" : "\n");
  }
  write_text(fs::path(folder) / "INDEX.json", index + "  ]\n}\n");
}

}  // namespace nonsmooth::collection
