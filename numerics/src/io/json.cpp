// Native JSON: every class and storage; numbers round-trip to the bit (shortest decimal form, -0.0 kept).
#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "io/io.hpp"
#include "io/json_document.hpp"
#include "io/json_writer.hpp"
#include "io/native_parts.hpp"

namespace nonsmooth {
namespace {

constexpr std::int32_t format_version = 1;
constexpr const char* problem_format = "nonsmooth-problem";
constexpr const char* solution_format = "nonsmooth-solution";

std::int32_t to_int32(double value, const std::string& place) {
  if (!(value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max()) ||
      value != std::floor(value))
    fail(NSM_BAD_FILE, "%s is %.17g, not a 32-bit integer", place.c_str(), value);
  return static_cast<std::int32_t>(value);
}

// Takes the members of one object by name; what nobody took is an unknown field.
class Members {
 public:
  // prefix: "M." in front of the names of the parts of M, or empty.
  Members(JsonValue& object, std::string prefix) : object_(&object), prefix_(std::move(prefix)) {}

  JsonValue* find(const char* name) {
    taken_.insert(name);
    return const_cast<JsonValue*>(object_->find(name));
  }
  JsonValue* find(const char* name, JsonValue::Kind kind, const char* expected) {
    JsonValue* value = find(name);
    if (value != nullptr && value->kind != kind) fail(NSM_BAD_FILE, "%s%s is not %s", prefix_.c_str(), name, expected);
    return value;
  }
  bool read(const char* name, std::int32_t& member) {
    const JsonValue* value = find(name, JsonValue::Kind::number, "a number");
    if (value != nullptr) member = to_int32(value->number, prefix_ + name);
    return value != nullptr;
  }
  bool read(const char* name, std::string& member) {
    JsonValue* value = find(name, JsonValue::Kind::text, "a string");
    if (value != nullptr) member = std::move(value->text);
    return value != nullptr;
  }
  bool read(const char* name, Vector& member) {
    JsonValue* value = find(name, JsonValue::Kind::numbers, "an array of numbers");
    if (value != nullptr) member = std::move(value->numbers);
    return value != nullptr;
  }
  bool read(const char* name, IndexVector& member) {
    JsonValue* value = find(name, JsonValue::Kind::numbers, "an array of integers");
    if (value == nullptr) return false;
    member.reserve(value->numbers.size());
    for (std::size_t k = 0; k < value->numbers.size(); ++k)
      member.push_back(to_int32(value->numbers[k], prefix_ + name + "[" + std::to_string(k) + "]"));
    return true;
  }
  bool read(const char* name, Matrix& member) {
    JsonValue* value = find(name, JsonValue::Kind::object, (std::string("a matrix: ") + matrix_form).c_str());
    if (value == nullptr) return false;
    Members inner(*value, prefix_ + name + ".");
    MatrixParts parts;
    inner.require("storage", parts.storage);
    MatrixParts::visit_parts(parts, name, [&](const char* part, auto& target) { inner.require(part, target); });
    inner.require_nothing_else();
    member = assemble(std::move(parts), name);
    return true;
  }
  template <class T>
  void require(const char* name, T& member) {
    if (!read(name, member)) fail(NSM_BAD_FILE, "field %s%s is missing", prefix_.c_str(), name);
  }
  void skip(std::initializer_list<const char*> names) {
    for (const char* name : names) taken_.insert(name);
  }
  void require_nothing_else() const {
    for (const auto& [name, value] : object_->members)
      if (taken_.count(name) == 0) fail(NSM_BAD_FILE, "unknown field %s%.60s", prefix_.c_str(), name.c_str());
  }

 private:
  JsonValue* object_;
  std::string prefix_;
  std::set<std::string, std::less<>> taken_;
};

void require_version(Members& members) {
  std::int32_t version = 0;
  members.require("version", version);
  if (version != format_version) fail(NSM_BAD_FILE, "version is %d; this library reads %d", version, format_version);
}

void read_mlcp_blocks(Members& members, Mlcp& mlcp) {
  Matrix A, B, C, D;
  Vector a, b;
  members.require("A", A);
  members.require("B", B);
  members.require("C", C);
  members.require("D", D);
  members.require("a", a);
  members.require("b", b);
  mlcp = Mlcp::from_blocks(A, B, C, D, a, b);
}

void read_solution_pair(Members& members, Vector& z, Vector& w) {
  JsonValue* object = members.find("solution", JsonValue::Kind::object, "an object with z and w");
  if (object == nullptr) return;
  Members inner(*object, "solution.");
  inner.require("z", z);
  inner.read("w", w);
  inner.require_nothing_else();
}

// Fields of a problem, one per line; a matrix is an object with one part per line.
class JsonFields {
 public:
  explicit JsonFields(JsonWriter& writer) : writer_(writer) {}

  void operator()(const Field& field, std::int32_t value) { writer_.integer(field.name, value); }
  void operator()(const Field& field, const Vector& values) {
    if (!field.optional || !values.empty()) writer_.numbers(field.name, values);
  }
  void operator()(const Field& field, const IndexVector& values) {
    if (std::string_view(field.name) == "block_kind")
      writer_.names(field.name, values, block_kind_names);
    else
      writer_.integers(field.name, values);
  }
  void operator()(const Field& field, const Matrix& A) {
    if (field.optional && A.empty()) return;
    const MatrixParts parts = split(A);
    writer_.open(field.name);
    writer_.string("storage", parts.storage);
    MatrixParts::visit_parts(parts, field.name, [&](const char* name, const auto& part) { (*this)(Field{name}, part); });
    writer_.close();
  }

 private:
  JsonWriter& writer_;
};

}  // namespace

Problem parse_json(std::string_view bytes, nsm_class problem_class) {
  JsonValue root = parse_json_document(bytes);
  Members members(root, "");
  std::string format, name;
  members.require("format", format);
  if (format != problem_format) fail(NSM_BAD_FILE, "format is \"%.40s\", not \"%s\"", format.c_str(), problem_format);
  require_version(members);
  members.require("class", name);
  Problem problem = empty_problem(require_class(name, problem_class));
  members.read("title", problem.title);
  members.read("description", problem.description);
  members.read("math_info", problem.math_info);
  Mlcp* mlcp = std::get_if<Mlcp>(&problem.data);
  if (mlcp != nullptr && root.find("M") == nullptr && root.find("A") != nullptr) {
    read_mlcp_blocks(members, *mlcp);
  } else {
    visit_fields(problem, [&](const Field& field, auto& member) {
      if (!members.read(field.name, member) && !field.optional) fail(NSM_BAD_FILE, "field %s is missing", field.name);
    });
  }
  members.read("guess", problem.guess);
  read_solution_pair(members, problem.solution_z, problem.solution_w);
  members.require_nothing_else();
  validate(problem);
  validate_companions(problem);
  return problem;
}

std::string format_json(const Problem& problem) {
  require_storable(problem.problem_class());
  JsonWriter writer;
  writer.string("format", problem_format);
  writer.integer("version", format_version);
  writer.string("class", nsm_class_name(problem.problem_class()));
  if (!problem.title.empty()) writer.string("title", problem.title);
  if (!problem.description.empty()) writer.string("description", problem.description);
  if (!problem.math_info.empty()) writer.string("math_info", problem.math_info);
  visit_fields(problem, JsonFields(writer));
  if (!problem.guess.empty()) writer.numbers("guess", problem.guess);
  if (!problem.solution_z.empty()) {
    writer.open("solution");
    writer.numbers("z", problem.solution_z);
    if (!problem.solution_w.empty()) writer.numbers("w", problem.solution_w);
    writer.close();
  }
  return writer.finish();
}

// A problem file that came with a solution or a starting point will do, too.
Solution parse_solution_json(std::string_view bytes) {
  JsonValue root = parse_json_document(bytes);
  Members members(root, "");
  std::string format;
  members.require("format", format);
  require_version(members);
  Solution solution;
  if (format == problem_format) {
    read_solution_pair(members, solution.z, solution.w);
    if (solution.z.empty() && !members.read("guess", solution.z))
      fail(NSM_NOT_AVAILABLE, "the problem file holds neither a solution nor a guess");
  } else if (format == solution_format) {
    members.skip({"class", "method", "outcome", "residual", "iterations", "time"});  // for the reader's information only
    if (!members.read("infeasibility_certificate", solution.infeasibility)) {
      members.require("z", solution.z);
      members.read("w", solution.w);
    }
    members.require_nothing_else();
  } else {
    fail(NSM_BAD_FILE, "format is \"%.40s\", not \"%s\"", format.c_str(), solution_format);
  }
  require_finite(solution.z, "z");
  require_finite(solution.w, "w");
  require_finite(solution.infeasibility, "infeasibility_certificate");
  return solution;
}

namespace {

void write_solution_head(JsonWriter& writer, const Problem& problem, const char* method) {
  writer.string("format", solution_format);
  writer.integer("version", format_version);
  writer.string("class", nsm_class_name(problem.problem_class()));
  if (method != nullptr) writer.string("method", method);
}

}  // namespace

std::string format_infeasibility_json(const Problem& problem, std::span<const double> y, const char* method) {
  JsonWriter writer;
  write_solution_head(writer, problem, method);
  writer.string("outcome", nsm_outcome_name(NSM_INFEASIBLE));
  writer.numbers("infeasibility_certificate", y);
  return writer.finish();
}

std::string format_solution_json(const Problem& problem, std::span<const double> z, std::span<const double> w, const char* method,
                                 const nsm_result* result) {
  JsonWriter writer;
  write_solution_head(writer, problem, method);
  if (result != nullptr) {
    writer.string("outcome", nsm_outcome_name(static_cast<nsm_outcome>(result->outcome)));
    if (std::isfinite(result->certificate.residual)) writer.number("residual", result->certificate.residual);
    writer.integer("iterations", result->iterations);
    writer.number("time", result->time);
  }
  writer.numbers("z", z);
  if (!w.empty()) writer.numbers("w", w);
  return writer.finish();
}

}  // namespace nonsmooth
