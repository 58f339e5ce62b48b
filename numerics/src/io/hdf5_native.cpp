#include "io/hdf5_native.hpp"

#include "core/error.hpp"
#include "io/fclib_layout.hpp"
#include "io/native_parts.hpp"

namespace nonsmooth {
namespace {

using hdf5::Group;
using hdf5::NewGroup;

class FieldReader {
 public:
  explicit FieldReader(const Group& group) : group_(group) {}

  template <class T>
  void operator()(const Field& field, T& member) {
    if (!field.optional || group_.has(field.name)) read(field.name, member);
  }
  void read(const char* name, std::int32_t& member) { member = group_.integer(name); }
  void read(const char* name, IndexVector& member) { member = group_.integers(name); }
  void read(const char* name, Vector& member) { member = group_.reals(name); }
  void read(const char* name, Matrix& member) {
    const Group inner = group_.group(name);
    FieldReader reader(inner);
    MatrixParts parts;
    parts.storage = inner.text_attribute("storage");
    MatrixParts::visit_parts(parts, name, [&](const char* part, auto& target) { reader.read(part, target); });
    member = assemble(std::move(parts), name);
  }

 private:
  const Group& group_;
};

class Hdf5Fields {
 public:
  explicit Hdf5Fields(NewGroup& group) : group_(group) {}

  void operator()(const Field& field, std::int32_t value) { group_.integer(field.name, value); }
  void operator()(const Field& field, const IndexVector& values) { group_.integers(field.name, values); }
  void operator()(const Field& field, const Vector& values) {
    if (!field.optional || !values.empty()) group_.reals(field.name, values);
  }
  void operator()(const Field& field, const Matrix& A) {
    if (field.optional && A.empty()) return;
    NewGroup& inner = group_.group(field.name);
    const MatrixParts parts = split(A);
    inner.text_attribute("storage", parts.storage);
    Hdf5Fields writer(inner);
    MatrixParts::visit_parts(parts, field.name, [&](const char* name, const auto& part) { writer(Field{name}, part); });
  }

 private:
  NewGroup& group_;
};

void read_optional(const Group& group, const char* name, Vector& values) {
  if (group.has(name)) values = group.reals(name);
}

}  // namespace

Problem read_native_group(const Group& group, nsm_class problem_class) {
  Problem problem = empty_problem(require_class(group.text_attribute(fclib::class_attribute), problem_class));
  visit_fields(problem, FieldReader(group));
  problem.title = group.optional_text("title");
  problem.description = group.optional_text("description");
  problem.math_info = group.optional_text("math_info");
  read_optional(group, "guess", problem.guess);
  read_optional(group, "solution_z", problem.solution_z);
  read_optional(group, "solution_w", problem.solution_w);
  validate(problem);
  validate_companions(problem);
  return problem;
}

Solution read_native_solution(const Group& group, const Problem& problem) {
  Solution solution;
  read_optional(group, "solution_z", solution.z);
  read_optional(group, "solution_w", solution.w);
  if (solution.z.empty()) read_optional(group, "guess", solution.z);
  if (solution.z.empty()) fail(NSM_NOT_AVAILABLE, "the file holds neither a solution nor a guess");
  if (static_cast<std::int64_t>(solution.z.size()) != problem.size())
    fail(NSM_BAD_FILE, "the solution has %zu entries, the problem %lld unknowns", solution.z.size(), (long long)problem.size());
  require_finite(solution.z, "z");
  require_finite(solution.w, "w");
  return solution;
}

void write_native_group(NewGroup& group, const Problem& problem) {
  group.text_attribute(fclib::class_attribute, nsm_class_name(problem.problem_class()));
  visit_fields(problem, Hdf5Fields(group));
  for (const auto& [name, value] : {std::pair("title", &problem.title), std::pair("description", &problem.description),
                                    std::pair("math_info", &problem.math_info)})
    if (!value->empty()) group.text(name, *value);
  for (const auto& [name, values] : {std::pair("guess", &problem.guess), std::pair("solution_z", &problem.solution_z),
                                     std::pair("solution_w", &problem.solution_w)})
    if (!values->empty()) group.reals(name, *values);
}

}  // namespace nonsmooth
