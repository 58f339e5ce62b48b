// Files.
#include "nonsmooth/io.h"

#include "capi/handles.hpp"
#include "certificate/farkas.hpp"
#include "core/index.hpp"
#include "io/io.hpp"

using namespace nonsmooth;

namespace {

nsm_class class_from(const char* name) {
  if (name == nullptr) return NSM_CLASS_COUNT;
  const nsm_class c = nsm_class_from_name(name);
  if (c == NSM_CLASS_COUNT) fail(NSM_INVALID_ARGUMENT, "no problem class is named %s", name);
  return c;
}

}  // namespace

nsm_status nsm_problem_read(const char* path, const char* problem_class, nsm_problem** problem) {
  return guarded([&] {
    required(problem, "problem") = nullptr;
    auto read = std::make_unique<nsm_problem>();
    read->problem = read_problem(&required(path, "path"), class_from(problem_class));
    *problem = read.release();
  });
}

nsm_status nsm_problem_read_memory(const void* data, int64_t size, const char* name, const char* problem_class,
                                   nsm_problem** problem) {
  return guarded([&] {
    required(problem, "problem") = nullptr;
    if (size < 0) fail(NSM_INVALID_DIMENSION, "size is %lld", static_cast<long long>(size));
    const char* bytes = size > 0 ? &required(static_cast<const char*>(data), "data") : "";
    auto read = std::make_unique<nsm_problem>();
    read->problem = read_problem_memory({bytes, at(size)}, name == nullptr ? "memory" : name, class_from(problem_class));
    *problem = read.release();
  });
}

nsm_status nsm_problem_write(const nsm_problem* problem, const char* path, const char* format) {
  return guarded([&] {
    const std::string target = &required(path, "path");
    const Problem& p = required(problem, "problem").problem;
    write_problem(p, target, format == nullptr ? format_from_path(target) : format_from_name(format));
  });
}

nsm_status nsm_solution_read(const nsm_problem* problem, const char* path, double* z, double* w, int32_t* has_w) {
  return guarded([&] {
    const Solution solution = read_solution(required(problem, "problem").problem, &required(path, "path"));
    if (!solution.infeasibility.empty()) fail(NSM_NOT_AVAILABLE, "%s holds a proof of infeasibility, no solution", path);
    required(z, "z");
    required(has_w, "has_w") = solution.w.empty() ? 0 : 1;
    std::copy(solution.z.begin(), solution.z.end(), z);
    if (w != nullptr) std::copy(solution.w.begin(), solution.w.end(), w);
  });
}

nsm_status nsm_solution_write(const nsm_problem* problem, const char* path, const double* z, const double* w, const char* method,
                              const nsm_result* result) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    const std::span<const double> w_view = w == nullptr ? std::span<const double>() : viewed(w, p.size(), "w");
    write_solution(p, &required(path, "path"), viewed(z, p.size(), "z"), w_view, method, result);
  });
}

nsm_status nsm_infeasibility_write(const nsm_problem* problem, const char* path, const double* y, const char* method) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    write_infeasibility(p, &required(path, "path"), viewed(y, required_proof_size(p), "y"), method);
  });
}

nsm_status nsm_infeasibility_read(const nsm_problem* problem, const char* path, double* y) {
  return guarded([&] {
    const Solution solution = read_solution(required(problem, "problem").problem, &required(path, "path"));
    if (solution.infeasibility.empty()) fail(NSM_NOT_AVAILABLE, "%s holds no proof of infeasibility", path);
    std::copy(solution.infeasibility.begin(), solution.infeasibility.end(), &required(y, "y"));
  });
}

nsm_status nsm_problem_guess(const nsm_problem* problem, double* z) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    if (p.guess.empty()) fail(NSM_NOT_AVAILABLE, "the problem came without a guess");
    std::copy(p.guess.begin(), p.guess.end(), &required(z, "z"));
  });
}
