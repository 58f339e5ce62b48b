// Entry points: finds the format by content and puts the name of the file before every message.
#include "io/io.hpp"

#include <filesystem>

#include "certificate/farkas.hpp"
#include "core/error.hpp"
#include "io/native_parts.hpp"

namespace nonsmooth {
namespace {

// Editors of Windows put one before UTF-8 texts.
std::string_view without_byte_order_mark(std::string_view bytes) {
  return bytes.starts_with("\xef\xbb\xbf") ? bytes.substr(3) : bytes;
}

nsm_format format_of_content(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\x89HDF\r\n\x1a\n"sv)) return NSM_FORMAT_FCLIB;
  if (bytes.starts_with("%%MatrixMarket"sv)) return NSM_FORMAT_MATRIX_MARKET;
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{' ? NSM_FORMAT_JSON : NSM_FORMAT_DAT;
}

// NAME.mtx -> NAME_q.mtx
std::string path_of_q(const std::string& path) {
  std::filesystem::path q(path);
  return q.replace_filename(q.stem().string() + "_q" + q.extension().string()).string();
}

// Two files cannot go to a device or a pipe, not even to one that stands for a file.
void require_room_for_q(const std::string& path) {
  std::error_code unreadable;
  const auto type = std::filesystem::status(path, unreadable).type();
  const bool is_file = type == std::filesystem::file_type::regular && open_file_in(path) < 0;
  if (is_file || type == std::filesystem::file_type::not_found || type == std::filesystem::file_type::directory) return;
  fail(NSM_FILE_ERROR, "Matrix Market files come in pairs, M and q: a device or a pipe cannot take both");
}

template <class Action>
auto with_name(const std::string& name, Action&& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw Error(error.status(), name + ": " + error.message());
  }
}

Problem validated(Problem problem) {
  validate(problem);
  return problem;
}

// Once: that a quadratic programme is convex takes longer to find out than reading it. Formats that hold more than the problem
// validate it before they read that.
Problem parse(std::string_view file, std::string_view q_file, nsm_class problem_class) {
  const std::string_view bytes = without_byte_order_mark(file), q_bytes = without_byte_order_mark(q_file);
  switch (format_of_content(bytes)) {
    case NSM_FORMAT_FCLIB: return parse_fclib(bytes, problem_class);
    case NSM_FORMAT_JSON: return parse_json(bytes, problem_class);
    case NSM_FORMAT_MATRIX_MARKET: return validated(parse_matrix_market(bytes, q_bytes, problem_class));
    default: return validated(parse_dat(bytes, problem_class));
  }
}

void require_size(const Vector& values, std::int64_t size, const char* name) {
  if (static_cast<std::int64_t>(values.size()) != size)
    fail(NSM_INVALID_DIMENSION, "%s of the solution has %zu entries, the problem has %lld", name, values.size(), (long long)size);
}

Solution parse_solution(const Problem& problem, std::string_view file) {
  const std::string_view bytes = without_byte_order_mark(file);
  if (bytes.empty()) fail(NSM_BAD_FILE, "the file is empty");
  const nsm_format format = format_of_content(bytes);
  if (format != NSM_FORMAT_FCLIB && format != NSM_FORMAT_JSON) fail(NSM_UNKNOWN_FORMAT, "a solution is a JSON or an FCLIB file");
  Solution solution = format == NSM_FORMAT_FCLIB ? parse_solution_fclib(problem, bytes) : parse_solution_json(bytes);
  if (!solution.infeasibility.empty()) {
    require_size(solution.infeasibility, proof_size(problem), "infeasibility_certificate");
    return solution;
  }
  require_size(solution.z, problem.size(), "z");
  if (!solution.w.empty()) require_size(solution.w, problem.size(), "w");
  return solution;
}

}  // namespace

void require_storable(nsm_class problem_class) {
  if (!is_storable(problem_class))
    fail(NSM_UNSUPPORTED, "problems of class %s have callbacks, which no file can hold", nsm_class_name(problem_class));
}

Problem read_problem(const std::string& path, nsm_class problem_class) {
  const std::string bytes = read_file(path);
  const bool wants_q = format_of_content(without_byte_order_mark(bytes)) == NSM_FORMAT_MATRIX_MARKET;
  const std::string q_bytes = wants_q ? read_file(path_of_q(path)) : std::string();
  return with_name(path, [&] { return parse(bytes, q_bytes, problem_class); });
}

Problem read_problem_memory(std::string_view bytes, const std::string& name, nsm_class problem_class) {
  return with_name(name, [&] { return parse(bytes, {}, problem_class); });
}

void write_problem(const Problem& problem, const std::string& path, nsm_format format) {
  with_name(path, [&] { require_storable(problem.problem_class()); });  // in any format
  if (format == NSM_FORMAT_MATRIX_MARKET) {
    with_name(path, [&] { require_room_for_q(path); });
    const MatrixMarketFiles files = with_name(path, [&] { return format_matrix_market(problem); });
    const FileToWrite both[] = {{path_of_q(path), files.q}, {path, files.m}};
    write_files_atomically(both);
    return;
  }
  const std::string bytes = with_name(path, [&] {
    return format == NSM_FORMAT_FCLIB ? format_fclib(problem)
           : format == NSM_FORMAT_DAT ? format_dat(problem)
                                      : format_json(problem);
  });
  write_file_atomically(path, bytes);
}

Solution read_solution(const Problem& problem, const std::string& path) {
  const std::string bytes = read_file(path);
  return with_name(path, [&] { return parse_solution(problem, bytes); });
}

void write_solution(const Problem& problem, const std::string& path, std::span<const double> z, std::span<const double> w,
                    const char* method, const nsm_result* result) {
  const nsm_format format = solution_format_from_path(path);
  const std::string bytes = with_name(path, [&] {
    require_finite(z, "z");  // what no reader takes
    require_finite(w, "w");
    if (format == NSM_FORMAT_JSON) return format_solution_json(problem, z, w, method, result);
    Problem solved = problem;
    solved.solution_z.assign(z.begin(), z.end());
    solved.solution_w.assign(w.begin(), w.end());
    return format_fclib(solved);
  });
  write_file_atomically(path, bytes);
}

void write_infeasibility(const Problem& problem, const std::string& path, std::span<const double> y, const char* method) {
  if (solution_format_from_path(path) != NSM_FORMAT_JSON)
    fail(NSM_UNKNOWN_FORMAT, "%s: a proof that there is no solution is written as .json", path.c_str());
  const std::string bytes = with_name(path, [&] {
    require_finite(y, "infeasibility_certificate");
    return format_infeasibility_json(problem, y, method);
  });
  write_file_atomically(path, bytes);
}

}  // namespace nonsmooth
