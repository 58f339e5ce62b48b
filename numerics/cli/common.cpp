#include "common.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace cli {
namespace {

bool is_internal(nsm_status status) { return status == NSM_OUT_OF_MEMORY || status == NSM_INTERNAL; }

[[noreturn]] void fail(nsm_status status, ExitCode code, std::string message) {
  throw Failure{is_internal(status) ? internal : code, std::move(message)};
}

// What a pipe holds, which can be read once only; nothing of other files. The library reads devices, or refuses them.
std::optional<std::string> contents_of_pipe(const std::string& path) {
  std::error_code unknown;
  const std::filesystem::file_status status = std::filesystem::status(path, unknown);
  if (!is_other(status) || is_character_file(status)) return {};
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

void require_file(nsm_status status, const std::string& file) {
  if (status == NSM_OK) return;
  const std::string message = nsm_last_error();
  const bool named = file.empty() || message.find(file) != std::string::npos;
  fail(status, bad_file, named ? message : file + ": " + message);
}

void require_usage(nsm_status status) {
  if (status == NSM_OK) return;
  const char* list = status == NSM_UNKNOWN_METHOD   ? " (see `nonsmooth methods`)"
                     : status == NSM_INVALID_OPTION ? " (see `nonsmooth options`)"
                                                    : "";
  fail(status, usage, std::string(nsm_last_error()) + list);
}

ProblemHandle read_problem(const std::string& path, const std::string& problem_class) {
  return ProblemFile(path).read(problem_class);
}

std::string path_of_q(const std::string& path) {
  std::filesystem::path q(path);
  return q.replace_filename(q.stem().string() + "_q" + q.extension().string()).string();
}

ProblemFile::ProblemFile(std::string path) : path_(std::move(path)), contents_(contents_of_pipe(path_)) {}

nsm_status ProblemFile::try_to_read(const char* problem_class, nsm_problem** problem) const {
  if (!contents_) return nsm_problem_read(path_.c_str(), problem_class, problem);
  const auto size = static_cast<int64_t>(contents_->size());
  return nsm_problem_read_memory(contents_->data(), size, path_.c_str(), problem_class, problem);
}

ProblemHandle ProblemFile::read(const std::string& problem_class) const {
  nsm_problem* problem = nullptr;
  require_file(try_to_read(problem_class.empty() ? nullptr : problem_class.c_str(), &problem), path_);
  return ProblemHandle(problem);
}

bool ProblemFile::begins_with(std::string_view mark) const {
  if (contents_) return contents_->starts_with(mark);
  if (std::error_code unknown; !std::filesystem::is_regular_file(path_, unknown)) return false;
  std::string start(mark.size(), '\0');
  std::ifstream(path_, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  return start == mark;
}

std::string ProblemFile::file_of_q() const {
  const std::string mark = "%%MatrixMarket", byte_order_mark = "\xef\xbb\xbf";
  return begins_with(mark) || begins_with(byte_order_mark + mark) ? path_of_q(path_) : std::string();
}

std::vector<nsm_class> ProblemFile::other_forms(nsm_class known) const {
  std::vector<nsm_class> forms;
  if (!begins_with("\x89HDF")) return forms;
  for (const nsm_class form : {NSM_FRICTION, NSM_ROLLING, NSM_GLOBAL_FRICTION, NSM_GLOBAL_ROLLING}) {
    nsm_problem* other = nullptr;
    if (form == known || try_to_read(nsm_class_name(form), &other) != NSM_OK) continue;
    nsm_problem_free(&other);
    forms.push_back(form);
  }
  return forms;
}

SolutionFile::SolutionFile(std::string path) : path_(std::move(path)), readable_path_(path_) {
  const std::optional<std::string> contents = contents_of_pipe(path_);
  if (!contents) return;
  file_.reset(std::tmpfile());
  if (!file_ || std::fwrite(contents->data(), 1, contents->size(), file_.get()) != contents->size() ||
      std::fflush(file_.get()) != 0)
    throw Failure{bad_file, path_ + ": cannot be kept in a temporary file: " + std::strerror(errno)};
  readable_path_ = "/proc/self/fd/" + std::to_string(fileno(file_.get()));
}

void SolutionFile::require(nsm_status status) const {
  if (status == NSM_OK) return;
  std::string message = nsm_last_error();
  if (const std::size_t place = message.find(readable_path_); place != std::string::npos)
    message.replace(place, readable_path_.size(), path_);
  else
    message.insert(0, path_ + ": ");
  fail(status, bad_file, message);
}

Point SolutionFile::read_point(const nsm_problem* problem) const {
  const auto size = static_cast<std::size_t>(nsm_problem_size(problem));
  Point point{std::vector<double>(size), std::vector<double>(size)};
  int32_t has_w = 0;
  require(nsm_solution_read(problem, readable_path_.c_str(), point.z.data(), point.w.data(), &has_w));
  point.has_w = has_w != 0;
  return point;
}

bool SolutionFile::read_proof(const nsm_problem* problem, std::vector<double>& y) const {
  y.resize(static_cast<std::size_t>(nsm_infeasibility_size(problem)));
  const nsm_status status = nsm_infeasibility_read(problem, readable_path_.c_str(), y.data());
  if (status != NSM_NOT_AVAILABLE) require(status);
  return status == NSM_OK;
}

void print_json(const nlohmann::ordered_json& object) {
  const std::string line = object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::printf("%s\n", line.c_str());
}

nlohmann::ordered_json certificate_json(const nsm_certificate& certificate) {
  return {{"verdict", nsm_verdict_text(static_cast<nsm_verdict>(certificate.verdict))},
          {"residual", certificate.residual},
          {"tolerance", certificate.tolerance},
          {"rounding_floor", certificate.rounding_floor},
          {"natural_map", certificate.natural_map},
          {"dynamics", certificate.dynamics},
          {"infeasibility", certificate.infeasibility},
          {"complementarity", certificate.complementarity},
          {"w_defect", certificate.w_defect},
          {"worst_block", certificate.worst_block},
          {"worst_block_residual", certificate.worst_block_residual},
          {"fclib_merit", certificate.fclib_merit},
          {"siconos_error", certificate.siconos_error}};
}

void print_certificate(const nsm_certificate& certificate) {
  // docs/conventions.md, "The verdict"
  const bool is_lost_in_rounding = !is_certified(certificate) && certificate.residual <= certificate.tolerance;
  std::printf("%s: residual %.17g, tolerance %g, rounding floor %.2g%s\n",
              nsm_verdict_text(static_cast<nsm_verdict>(certificate.verdict)), certificate.residual, certificate.tolerance,
              certificate.rounding_floor, is_lost_in_rounding ? ": too high for a residual to say anything" : "");
}

bool is_certified(const nsm_certificate& certificate) { return certificate.verdict != NSM_NOT_CERTIFIED; }

bool is_read_by(const nsm_option_info& info, const std::string& method) {
  std::istringstream words(info.methods);
  for (std::string word; words >> word;)
    if (word == "all" || word == method) return true;
  return false;
}

nsm_option_info option_at(int64_t index) {
  nsm_option_info info{};
  info.struct_size = sizeof info;
  require_usage(nsm_option_describe(index, &info));
  return info;
}

void add_class_option(CLI::App& command, std::string& problem_class) {
  std::vector<std::string> names;
  for (int k = 0; k < NSM_CLASS_COUNT; ++k)
    if (nsm_class_storable(static_cast<nsm_class>(k)) != 0) names.emplace_back(nsm_class_name(static_cast<nsm_class>(k)));
  command.add_option("--class", problem_class, "problem class, where the file fits several")->check(CLI::IsMember(names));
}

}  // namespace cli
