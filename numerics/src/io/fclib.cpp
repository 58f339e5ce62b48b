// Reads FCLIB HDF5 files.
#include <algorithm>
#include <numeric>
#include <optional>

#include "core/error.hpp"
#include "core/index.hpp"
#include "io/fclib_bilateral.hpp"
#include "io/fclib_layout.hpp"
#include "io/hdf5_native.hpp"
#include "io/hdf5_reader.hpp"
#include "io/io.hpp"
#include "io/native_parts.hpp"

namespace nonsmooth {
namespace {

using fclib::RootGroup;
using hdf5::Group;

// --- matrices ---

constexpr std::int32_t csc_mark = -1, csr_mark = -2;  // of `nz`; otherwise it counts the entries of a triplet matrix

struct Entries {
  IndexVector p, i;
  Vector x;
};

// The first `count` entries of an array that may be longer.
template <class T>
void take_first(std::vector<T>& values, std::int32_t count, const std::string& path) {
  if (static_cast<std::int64_t>(values.size()) < count)
    fail(NSM_BAD_FILE, "%s has %zu entries, %d announced", path.c_str(), values.size(), count);
  values.resize(at(count));
}

Matrix from_triplet_arrays(const Group& group, Entries entries, std::int32_t count, std::int64_t rows, std::int64_t cols,
                           const char* name) {
  take_first(entries.i, count, group.path_of("i"));
  take_first(entries.p, count, group.path_of("p"));
  take_first(entries.x, count, group.path_of("x"));
  return Matrix::from_triplets(rows, cols, entries.i, entries.p, entries.x, name);
}

// Columns compressed; the matrix by rows is the transpose of what its arrays say by columns.
Matrix from_compressed_arrays(const Group& group, Entries entries, std::int64_t lines, std::int64_t width, std::int32_t nzmax,
                              const char* name) {
  if (static_cast<std::int64_t>(entries.p.size()) != lines + 1)
    fail(NSM_BAD_FILE, "%s has %zu entries, %lld expected", group.path_of("p").c_str(), entries.p.size(), (long long)lines + 1);
  const std::int32_t count = entries.p.back();
  if (count < 0 || count > nzmax) fail(NSM_BAD_FILE, "%s ends at %d, nzmax is %d", group.path_of("p").c_str(), count, nzmax);
  take_first(entries.i, count, group.path_of("i"));
  take_first(entries.x, count, group.path_of("x"));
  return Matrix(CscMatrix{width, lines, std::move(entries.p), std::move(entries.i), std::move(entries.x)}, name);
}

Matrix transpose(const CscMatrix& A, const char* name) {
  CscMatrix T{A.cols, A.rows, IndexVector(at(A.rows + 1), 0), IndexVector(A.row_index.size()), Vector(A.values.size())};
  for (const std::int32_t row : A.row_index) ++T.col_start[at(row) + 1];
  std::partial_sum(T.col_start.begin(), T.col_start.end(), T.col_start.begin());
  IndexVector next(T.col_start.begin(), T.col_start.end() - 1);
  for (std::int64_t j = 0; j < A.cols; ++j)
    for_each_entry_of_column(A, j, [&](std::int64_t i, std::int64_t, double value) {
      const std::size_t place = at(next[at(i)]++);
      T.row_index[place] = static_cast<std::int32_t>(j);
      T.values[place] = value;
    });
  return Matrix(std::move(T), name);
}

// The sizes are those of the vectors that go with the matrix, so that a size announced is never believed without its data.
Matrix read_matrix(const Group& parent, const char* name, std::size_t rows, std::size_t cols) {
  const Group group = parent.group(name);
  const std::int32_t nzmax = group.integer("nzmax"), nz = group.integer("nz");
  const std::int32_t m = group.integer("m"), n = group.integer("n");
  if (m < 0 || n < 0 || nzmax < 0)
    fail(NSM_BAD_FILE, "%s: m = %d, n = %d, nzmax = %d: negative", parent.path_of(name).c_str(), m, n, nzmax);
  if (at(m) != rows || at(n) != cols)
    fail(NSM_INVALID_DIMENSION, "%s is %d x %d, the vectors need %zu x %zu", parent.path_of(name).c_str(), m, n, rows, cols);
  Entries entries{group.integers("p"), group.integers("i"), group.reals("x")};
  if (nz == csc_mark) return from_compressed_arrays(group, std::move(entries), n, m, nzmax, name);
  if (nz == csr_mark) return transpose(*from_compressed_arrays(group, std::move(entries), m, n, nzmax, name).csc(), name);
  if (nz < 0 || nz > nzmax)
    fail(NSM_BAD_FILE, "%s = %d is none of -2, -1, 0 .. nzmax = %d", group.path_of("nz").c_str(), nz, nzmax);
  return from_triplet_arrays(group, std::move(entries), nz, m, n, name);
}

// --- problems ---

void read_contact_data(const Group& root, std::int32_t& dimension, Vector& mu) {
  dimension = root.integer("spacedim");
  mu = root.group("vectors").reals("mu");
}

ProblemData read_local(const Group& root, bool rolling) {
  const Group vectors = root.group("vectors");
  Rolling problem;
  read_contact_data(root, problem.dimension, problem.mu);
  problem.q = vectors.reals("q");
  problem.W = read_matrix(root, "W", problem.q.size(), problem.q.size());
  if (!rolling) return Friction{problem.dimension, std::move(problem.W), std::move(problem.q), std::move(problem.mu)};
  problem.mu_r = vectors.reals("mu_r");
  return problem;
}

bool has_bilateral_part(const Group& local) {
  return local.has("V") || local.has("R") || (local.has("vectors") && local.group("vectors").has("s"));
}

ProblemData read_bilateral_local(const Group& root) {
  const Group vectors = root.group("vectors");
  if (vectors.has("mu_r"))
    fail(NSM_UNSUPPORTED, "%s: rolling friction beside a bilateral part (V, R, s) is not treated; the global form is",
         vectors.path_of("mu_r").c_str());
  if (!root.has("V") || !root.has("R") || !vectors.has("s"))
    fail(NSM_BAD_FILE, "%s: V, R and vectors/s need each other", root.path_of("").c_str());
  fclib::BilateralLocal parts;
  Problem contacts;
  contacts.data = read_local(root, false);
  validate(contacts);
  parts.contacts = std::move(std::get<Friction>(contacts.data));
  parts.s = vectors.reals("s");
  require_finite(parts.s, vectors.path_of("s").c_str());
  parts.V = read_matrix(root, "V", parts.contacts.q.size(), parts.s.size());
  parts.R = read_matrix(root, "R", parts.s.size(), parts.s.size());
  return fclib::join(parts);
}

void read_global(const Group& root, GlobalContactData& problem) {
  const Group vectors = root.group("vectors");
  read_contact_data(root, problem.dimension, problem.mu);
  problem.f = vectors.reals("f");
  problem.w = vectors.reals("w");
  problem.M = read_matrix(root, "M", problem.f.size(), problem.f.size());
  problem.H = read_matrix(root, "H", problem.f.size(), problem.w.size());
  if (root.has("G") != vectors.has("b")) fail(NSM_BAD_FILE, "%s: G and vectors/b need each other", root.path_of("").c_str());
  if (!root.has("G")) return;
  problem.b = vectors.reals("b");
  problem.G = read_matrix(root, "G", problem.f.size(), problem.b.size());
}

ProblemData read_data(const Group& root, nsm_class problem_class) {
  switch (problem_class) {
    case NSM_GLOBAL_FRICTION: {
      if (root.group("vectors").has("mu_r"))
        fail(NSM_BAD_FILE, "%s/vectors/mu_r: rolling friction belongs in /fclib_global_rolling", root.path_of("").c_str());
      GlobalFriction problem;
      read_global(root, problem);
      return problem;
    }
    case NSM_GLOBAL_ROLLING: {
      GlobalRolling problem;
      read_global(root, problem);
      problem.mu_r = root.group("vectors").reals("mu_r");
      return problem;
    }
    case NSM_GENERIC: return read_bilateral_local(root);
    default: return read_local(root, problem_class == NSM_ROLLING);
  }
}

// --- starting points and solutions ---

// The sizes of (v, l, r) in z. Local problems have no v, and l only with a bilateral part.
struct PartSizes {
  std::size_t v = 0, l = 0, r = 0;
};

PartSizes part_sizes(const Problem& problem) {
  if (const GlobalContactData* p = global_data(problem)) return {p->f.size(), p->b.size(), p->w.size()};
  const Generic* generic = std::get_if<Generic>(&problem.data);
  const std::size_t l = generic != nullptr ? at(fclib::bilateral_rows(*generic)) : 0;
  return {0, l, at(problem.size()) - l};
}

Vector read_part(const Group& group, const char* name, std::size_t size) {
  if (size == 0) return {};
  Vector values = group.reals(name);
  if (values.size() != size)
    fail(NSM_BAD_FILE, "%s has %zu entries, %zu expected", group.path_of(name).c_str(), values.size(), size);
  require_finite(values, group.path_of(name).c_str());
  return values;
}

bool all_zero(const Vector& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

// z = (v, l, r); w = (0, 0, u), its first parts vanishing at a solution. w stays empty without u.
// A point without v is one of the local problem in the same file.
std::optional<Solution> read_point(const Group& group, const Problem& problem) {
  const PartSizes sizes = part_sizes(problem);
  if (sizes.v > 0 && !group.has("v")) return std::nullopt;
  Solution point;
  point.z = read_part(group, "v", sizes.v);
  for (const auto& [name, size] : {std::pair("l", sizes.l), std::pair("r", sizes.r)}) {
    const Vector part = read_part(group, name, size);
    point.z.insert(point.z.end(), part.begin(), part.end());
  }
  if (!group.has("u")) return point;
  const Vector u = read_part(group, "u", sizes.r);
  point.w.assign(sizes.v + sizes.l, 0.0);
  point.w.insert(point.w.end(), u.begin(), u.end());
  return point;
}

// Where z is not zero, zeros for u are what writers leave that do not know it.
std::optional<Solution> read_solution_group(const Group& root, const Problem& problem) {
  if (!root.has("solution")) return std::nullopt;
  std::optional<Solution> solution = read_point(root.group("solution"), problem);
  if (solution && all_zero(solution->w)) solution->w.clear();
  return solution;
}

// Files with zeros for a solution abound: they hold none. Bodies that part have zero reactions too, but they move.
bool holds_something(const Solution& solution) { return !all_zero(solution.z) || !solution.w.empty(); }

std::optional<Solution> read_first_guess(const Group& root, const Problem& problem) {
  if (!root.has("guesses")) return std::nullopt;
  const Group guesses = root.group("guesses");
  if (!guesses.has("1")) return std::nullopt;
  return read_point(guesses.group("1"), problem);
}

void read_companions(const Group& root, Problem& problem) {
  std::optional<Solution> solution = read_solution_group(root, problem), guess = read_first_guess(root, problem);
  if (solution && holds_something(*solution)) {
    problem.solution_z = std::move(solution->z);
    problem.solution_w = std::move(solution->w);
  }
  if (guess && !all_zero(guess->z)) problem.guess = std::move(guess->z);
}

// --- which problem of the file ---

nsm_class class_in(const Group& root, const RootGroup& layout) {
  if (layout.plain == layout.rolling) return layout.plain;
  const Group group = root.group(layout.name);
  if (has_bilateral_part(group)) return NSM_GENERIC;
  return group.has("vectors") && group.group("vectors").has("mu_r") ? layout.rolling : layout.plain;
}

Problem read_fclib_group(const Group& root, const RootGroup& layout, nsm_class problem_class) {
  const Group group = root.group(layout.name);
  Problem problem;
  problem.data = read_data(group, problem_class);
  if (group.has("info")) {
    const Group info = group.group("info");
    problem.title = info.optional_text("title");
    problem.description = info.optional_text("description");
    problem.math_info = info.optional_text("math_info");
  }
  validate(problem);
  read_companions(root, problem);
  return problem;
}

}  // namespace

Problem parse_fclib(std::string_view bytes, nsm_class problem_class) {
  const hdf5::Image image(bytes);
  const Group root = image.root();
  std::string found;
  for (const RootGroup& layout : fclib::root_groups) {
    if (!root.has(layout.name)) continue;
    const nsm_class present = class_in(root, layout);
    if (problem_class == NSM_CLASS_COUNT || problem_class == present) return read_fclib_group(root, layout, present);
    found += (found.empty() ? "" : ", ") + std::string(nsm_class_name(present));
  }
  if (root.has(fclib::native_group)) return read_native_group(root.group(fclib::native_group), problem_class);
  if (found.empty())
    fail(NSM_UNKNOWN_FORMAT, "HDF5, but no group fclib_local, fclib_global, fclib_global_rolling or nonsmooth in it");
  fail(NSM_BAD_FILE, "the file holds problems of class %s, %s was asked for", found.c_str(), nsm_class_name(problem_class));
}

// /solution unless it is all zeros, velocities too; else the first guess, whose w is of no use; else the zeros.
Solution parse_solution_fclib(const Problem& problem, std::string_view bytes) {
  const hdf5::Image image(bytes);
  const Group root = image.root();
  if (root.has(fclib::native_group)) return read_native_solution(root.group(fclib::native_group), problem);
  std::optional<Solution> solution = read_solution_group(root, problem);
  if (solution && holds_something(*solution)) return std::move(*solution);
  if (std::optional<Solution> guess = read_first_guess(root, problem)) return {std::move(guess->z), {}, {}};
  if (!solution) fail(NSM_NOT_AVAILABLE, "the file holds neither /solution nor /guesses/1");
  return std::move(*solution);
}

}  // namespace nonsmooth
