// Siconos text files: one grammar per class. The files do not name their class, so that all grammars are tried.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/error.hpp"
#include "core/index.hpp"
#include "io/dat_matrix.hpp"
#include "io/generic_kinds.hpp"
#include "io/io.hpp"
#include "io/lexer.hpp"

namespace nonsmooth {
namespace {

std::int64_t length(const Vector& v) { return static_cast<std::int64_t>(v.size()); }

void require_shape(const Lexer& in, const Matrix& matrix, std::int64_t rows, std::int64_t cols, const char* name) {
  if (matrix.rows() == rows && matrix.cols() == cols) return;
  in.refuse(NSM_BAD_FILE, name,
            text("the matrix is %lld x %lld, the sizes stated before it ask for %lld x %lld", (long long)matrix.rows(),
                 (long long)matrix.cols(), (long long)rows, (long long)cols));
}

Matrix read_square(Lexer& in, std::int64_t order, const char* name) {
  Matrix matrix = read_dat_matrix(in, name);
  require_shape(in, matrix, order, order, name);
  return matrix;
}

// The order is stated by the matrix alone.
Matrix read_square(Lexer& in, const char* name) {
  Matrix matrix = read_dat_matrix(in, name);
  if (matrix.rows() != matrix.cols() || matrix.rows() == 0)
    in.refuse(NSM_BAD_FILE, name,
              text("the matrix is %lld x %lld: not square or empty", (long long)matrix.rows(), (long long)matrix.cols()));
  return matrix;
}

template <class T>
void read_order_and_system(Lexer& in, T& problem) {
  const std::int64_t n = in.integer("n", 1, largest_index);
  problem.M = read_square(in, n, "M");
  problem.q = in.reals(n, "q");
}

ProblemData read_lcp(Lexer& in) {
  Lcp problem;
  read_order_and_system(in, problem);
  return problem;
}

ProblemData read_relay(Lexer& in) {
  Relay problem;
  read_order_and_system(in, problem);
  problem.lo = in.reals(length(problem.q), "lo");
  problem.hi = in.reals(length(problem.q), "hi");
  return problem;
}

// Our own form: n ; M ; q ; lo ; hi ; m ; then H and k if m > 0. That of Siconos ends after q.
template <class Data>
ProblemData read_on_polyhedron(Lexer& in) {
  Data problem;
  read_order_and_system(in, problem);
  const std::int64_t n = length(problem.q);
  if (in.peek().empty()) in.refuse(NSM_BAD_FILE, "lo", "the file ends after q and does not state the set of the AVI");
  problem.set.lo = in.reals(n, "lo");
  problem.set.hi = in.reals(n, "hi");
  const std::int64_t rows = in.integer("m", 0, largest_index);
  if (rows == 0) return problem;
  problem.set.H = read_dat_matrix(in, "H");
  require_shape(in, problem.set.H, rows, n, "H");
  problem.set.k = in.reals(rows, "k");
  return problem;
}

DenseMatrix read_row_by_row(Lexer& in, std::int64_t rows, std::int64_t cols, const char* name) {
  const Vector values = in.reals(rows * cols, name);
  DenseMatrix matrix{rows, cols, Vector(values.size())};
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) matrix.values[at(i + j * rows)] = values[at(i * cols + j)];
  return matrix;
}

Mlcp read_mlcp_parts(Lexer& in, std::int64_t n, std::int64_t m) {
  const Matrix A(read_row_by_row(in, n, n, "A"), "A");
  const Matrix B(read_row_by_row(in, m, m, "B"), "B");
  const Matrix C(read_row_by_row(in, n, m, "C"), "C");
  const Matrix D(read_row_by_row(in, m, n, "D"), "D");
  const Vector a = in.reals(n, "a"), b = in.reals(m, "b");
  return Mlcp::from_blocks(A, B, C, D, a, b);
}

// Starts of the row blocks up to the order, then one 0 (equality) or 1 (complementarity) per block; both kinds may alternate.
IndexVector read_row_kinds(Lexer& in, std::int64_t n, std::int64_t m) {
  IndexVector starts{in.integer("blocksRows", 0, 0, 0)};
  while (starts.back() < n + m)
    starts.push_back(in.integer("blocksRows", starts.back() + 1, n + m, static_cast<std::int64_t>(starts.size())));
  IndexVector kinds;
  for (std::size_t block = 0; block + 1 < starts.size(); ++block)
    kinds.resize(at(starts[block + 1]), in.integer("blocksIsComp", 0, 1, static_cast<std::int64_t>(block)));
  const auto equalities = std::count(kinds.begin(), kinds.end(), 0);
  if (equalities != n)
    in.refuse(NSM_BAD_FILE, "blocksIsComp", text("%lld rows of equality, n = %lld", (long long)equalities, (long long)n));
  return kinds;
}

void read_mlcp_sizes(Lexer& in, std::int64_t& n, std::int64_t& m) {
  n = in.integer("n", 0, largest_index);
  m = in.integer("m", 0, largest_index);
  if (n + m == 0) in.refuse(NSM_BAD_FILE, "n + m", "the problem has no unknowns");
  in.require_words(n + m, "M");
}

// Old files end with what Siconos once found, all but the last number: n + m unknowns and m - 1 slacks. Not a field of the
// problem.
void skip_mlcp_solution(Lexer& in, std::int64_t n, std::int64_t m) {
  double number = 0;
  if (parse_real(in.peek(), number)) in.reals(n + 2 * m - 1, "solution");
}

ProblemData read_mlcp(Lexer& in) {
  const bool whole = in.integer("st1", 0, 1) != 0, parts = in.integer("st2", 0, 1) != 0;
  if (!whole && !parts) in.refuse(NSM_BAD_FILE, "st2", "st1 and st2 are 0: the file holds no matrix");
  std::int64_t n = 0, m = 0;
  read_mlcp_sizes(in, n, m);
  Mlcp problem;
  if (whole) {
    problem.is_complementarity = read_row_kinds(in, n, m);
    problem.M = read_square(in, n + m, "M");
    problem.q = in.reals(n + m, "q");
  }
  if (!parts) return problem;
  // A file that holds both forms must be complete, but M is the one with all digits.
  Mlcp from_parts = read_mlcp_parts(in, n, m);
  skip_mlcp_solution(in, n, m);
  return whole ? problem : from_parts;
}

ProblemData read_mlcp_without_header(Lexer& in) {
  std::int64_t n = 0, m = 0;
  read_mlcp_sizes(in, n, m);
  const std::int32_t rows = in.integer("number of rows", 0, largest_index);
  if (rows != n + m)
    in.refuse(NSM_BAD_FILE, "number of rows", text("%d rows for %lld unknowns: M is not square", rows, (long long)(n + m)));
  return read_mlcp_parts(in, n, m);
}

struct ContactCount {
  std::int32_t dimension = 0;
  std::int64_t count = 0;
  std::int64_t rows() const { return dimension * count; }
};

ContactCount read_contacts(Lexer& in, std::int32_t planar, std::int32_t spatial, std::int64_t least) {
  ContactCount contacts;
  contacts.dimension = in.integer("dimension", planar, spatial);
  if (contacts.dimension != planar && contacts.dimension != spatial)
    in.refuse(NSM_BAD_FILE, "dimension", text("%d is neither %d nor %d", contacts.dimension, planar, spatial));
  contacts.count = in.integer("number of contacts", least, largest_index);
  return contacts;
}

template <class T>
ContactCount read_local(Lexer& in, std::int32_t planar, std::int32_t spatial, T& problem) {
  const ContactCount contacts = read_contacts(in, planar, spatial, 1);
  problem.dimension = contacts.dimension;
  problem.W = read_square(in, contacts.rows(), "W");
  problem.q = in.reals(contacts.rows(), "q");
  problem.mu = in.reals(contacts.count, "mu");
  return contacts;
}

template <class T>
ContactCount read_global(Lexer& in, std::int32_t planar, std::int32_t spatial, T& problem) {
  const ContactCount contacts = read_contacts(in, planar, spatial, 0);
  problem.dimension = contacts.dimension;
  problem.M = read_square(in, "M");
  problem.H = read_dat_matrix(in, "H");
  require_shape(in, problem.H, problem.M.rows(), contacts.rows(), "H");
  problem.f = in.reals(problem.M.rows(), "f");
  problem.w = in.reals(contacts.rows(), "w");
  problem.mu = in.reals(contacts.count, "mu");
  return contacts;
}

ProblemData read_friction(Lexer& in) {
  Friction problem;
  read_local(in, 2, 3, problem);
  return problem;
}

ProblemData read_rolling(Lexer& in) {
  Rolling problem;
  problem.mu_r = in.reals(read_local(in, 3, 5, problem).count, "mu_r");
  return problem;
}

ProblemData read_global_friction(Lexer& in) {
  GlobalFriction problem;
  read_global(in, 2, 3, problem);
  return problem;
}

ProblemData read_global_rolling(Lexer& in) {
  GlobalRolling problem;
  problem.mu_r = in.reals(read_global(in, 3, 5, problem).count, "mu_r");
  return problem;
}

ProblemData read_soclcp(Lexer& in) {
  Soclcp problem;
  const std::int64_t n = in.integer("n", 1, largest_index), cones = in.integer("number of cones", 1, n);
  problem.M = read_square(in, n, "M");
  problem.q = in.reals(n, "q");
  problem.cone_start = in.integers(cones + 1, "cone_start", 0, n);
  problem.tau = in.reals(cones, "tau");
  return problem;
}

ProblemData read_plasticity_of(Lexer& in, std::int64_t cones) {
  Plasticity problem;
  problem.W = read_square(in, 3 * cones, "W");
  problem.q = in.reals(3 * cones, "q");
  problem.eta = in.reals(cones, "eta");
  problem.theta = in.reals(cones, "theta");
  return problem;
}

std::int64_t read_number_of_cones(Lexer& in) {
  in.integer("dimension", 3, 3);
  return in.integer("number of cones", 1, largest_index / 3);
}

// The same layout for two classes.
void require_model(Lexer& in, std::int32_t wanted) {
  if (in.integer("type of model", drucker_prager, von_mises) == wanted) return;
  in.refuse(NSM_BAD_FILE, "type of model",
            wanted == von_mises ? text("%d, a cone of yield, is a problem of class plasticity", drucker_prager)
                                : text("%d, disks of given radius, is a problem of class generic", von_mises));
}

ProblemData read_plasticity(Lexer& in) {
  const std::int64_t cones = read_number_of_cones(in);
  require_model(in, drucker_prager);
  return read_plasticity_of(in, cones);
}

// The law of von Mises: the first row is free, the others lie in a disk of the radius sigma_y.
ProblemData read_von_mises(Lexer& in) {
  const std::int64_t points = read_number_of_cones(in);
  require_model(in, von_mises);
  Generic problem;
  problem.M = read_square(in, 3 * points, "W");
  problem.q = in.reals(3 * points, "q");
  for (const double radius : in.reals(points, "sigma_y")) {
    for (const nsm_block_kind kind : {NSM_BLOCK_EQUALITY, NSM_BLOCK_DISK}) problem.block_kind.push_back(kind);
    for (const std::int32_t size : {1, 2}) problem.block_size.push_back(size);
    for (const double mu : {0.0, radius}) problem.mu.push_back(mu);
  }
  return problem;
}

// Older files have no type of model: the number of rows is the second of the matrix. Rolling friction in the plane has the same
// layout, so that the class has to be given.
ProblemData read_plasticity_without_type(Lexer& in) {
  const std::int64_t cones = read_number_of_cones(in);
  Lexer ahead = in;
  ahead.integer("storage", 0, 2);
  if (ahead.integer("rows", 0, largest_index) != 3 * cones) in.refuse(NSM_BAD_FILE, "W", "no matrix of three rows for each cone");
  return read_plasticity_of(in, cones);
}

// Only a remark may follow the last field, on a line of its own.
bool is_at_end(Lexer& in) {
  const std::string_view word = in.peek();
  double number = 0;
  return word.empty() || (!parse_real(word, number) && in.next_word_is_on_a_new_line());
}

void require_end(Lexer& in) {
  if (!is_at_end(in)) in.refuse(NSM_BAD_FILE, "end", "'" + std::string(in.peek().substr(0, 40)) + "' follows the last field");
}

void read_relay_bounds(Lexer& in, Generic& problem, std::int64_t start, std::int64_t size) {
  const std::int64_t n = length(problem.q);
  problem.lo.resize(at(n), -HUGE_VAL);
  problem.hi.resize(at(n), HUGE_VAL);
  for (Vector* bounds : {&problem.lo, &problem.hi})
    for (std::int64_t i = start; i < start + size; ++i) (*bounds)[at(i)] = in.real(bounds == &problem.lo ? "lo" : "hi", i);
}

// One block: kind, its size unless the block structure of M gives it, coefficients. Returns the row after it.
std::int64_t read_generic_block(Lexer& in, Generic& problem, const BlockCsrMatrix* blocks, std::int64_t start) {
  const auto index = static_cast<std::int64_t>(problem.block_kind.size());
  const std::int32_t number = in.integer("block type", 0, largest_index, index);
  const std::optional<nsm_block_kind> kind = generic_kind_from_dat(number);
  if (!kind)
    in.refuse(NSM_BAD_FILE, "block type", text("%d is none of 0 LCP, 2 equality, 3 friction 2D, 4 friction 3D, 9 relay", number),
              index);
  const std::int32_t size = blocks ? blocks->row_end[at(index)] - static_cast<std::int32_t>(start)
                                   : in.integer("block size", 1, length(problem.q) - start, index);
  problem.block_kind.push_back(*kind);
  problem.block_size.push_back(size);
  problem.mu.push_back(0);
  if (const std::int32_t required = required_size(*kind); required != 0 && size != required)
    in.refuse(NSM_BAD_FILE, "block type", text("a block of %d rows cannot be friction of dimension %d", size, required), index);
  if (is_friction(*kind)) problem.mu.back() = in.real("mu", index);
  if (*kind == NSM_BLOCK_RELAY) read_relay_bounds(in, problem, start, size);
  return start + size;
}

void read_generic_blocks(Lexer& in, Generic& problem, const BlockCsrMatrix* blocks) {
  const std::int64_t n = length(problem.q);
  for (std::int64_t row = 0; row < n;) row = read_generic_block(in, problem, blocks, row);
  require_end(in);
}

// Refuses what reads to its end as Siconos writes it, without mu of 2D friction and bounds of relays. Only files that do not fit
// our grammar come here. None that lacks something fits it unless a mu of it is an integer: the bounds of a row take two words,
// of which one at most is a mu, so that blocks would be missing at the end.
void refuse_lost_coefficients(Lexer in, const BlockCsrMatrix& blocks) {
  std::optional<Lexer> place;  // of the first block that lacks something
  nsm_block_kind lacking = NSM_BLOCK_RELAY;
  std::size_t first = 0;
  for (std::size_t k = 0; k < blocks.row_end.size(); ++k) {
    std::int64_t number = 0;
    double mu = 0;
    if (!parse_integer(in.peek(), number)) return;
    in.accept(in.peek());
    const std::optional<nsm_block_kind> kind = generic_kind_from_dat(number);
    if (!kind) return;
    if (!place && (kind == NSM_BLOCK_RELAY || kind == NSM_BLOCK_FRICTION_2D)) {
      place = in;
      lacking = *kind;
      first = k;
    }
    if (kind != NSM_BLOCK_FRICTION_3D) continue;
    if (!parse_real(in.peek(), mu)) return;
    in.accept(in.peek());
  }
  if (!place || !is_at_end(in)) return;
  if (lacking == NSM_BLOCK_RELAY)
    place->refuse(NSM_BAD_FILE, "lo", "the file has no bounds for this relay block", first == 0 ? 0 : blocks.row_end[first - 1]);
  place->refuse(NSM_BAD_FILE, "mu", "the file has no friction coefficient for this block of 2D friction",
                static_cast<std::int64_t>(first));
}

ProblemData read_generic(Lexer& in) {
  Generic problem;
  problem.M = read_square(in, "M");
  problem.q = in.reals(problem.M.rows(), "q");
  const BlockCsrMatrix* blocks = problem.M.block_csr();
  if (blocks && blocks->row_end != blocks->col_end) in.refuse(NSM_BAD_FILE, "M", "the block rows and columns differ");
  const Lexer tail = in;
  try {
    read_generic_blocks(in, problem, blocks);
  } catch (const Error&) {
    if (blocks) refuse_lost_coefficients(tail, *blocks);
    throw;
  }
  if (std::none_of(problem.block_kind.begin(), problem.block_kind.end(), is_friction)) problem.mu.clear();
  return problem;
}

struct Grammar {
  nsm_class problem_class;
  ProblemData (*read)(Lexer& in);
  bool may_end_with_flag = false;  // old files end with 0 or 1 (isComplete)
  bool last_resort = false;        // tried only when nothing else fits
};

// Where two grammars fail at the same place, the message of the first is given.
constexpr Grammar grammars[] = {
    {NSM_LCP, read_lcp},
    {NSM_RELAY, read_relay},
    {NSM_FRICTION, read_friction, true},
    {NSM_GLOBAL_FRICTION, read_global_friction, true},
    {NSM_ROLLING, read_rolling},
    {NSM_GLOBAL_ROLLING, read_global_rolling},
    {NSM_MLCP, read_mlcp},
    {NSM_MLCP, read_mlcp_without_header},
    {NSM_GENERIC, read_generic},
    {NSM_SOCLCP, read_soclcp},
    {NSM_PLASTICITY, read_plasticity},
    {NSM_GENERIC, read_von_mises},
    {NSM_AVI, read_on_polyhedron<Avi>, false, true},
    {NSM_QP, read_on_polyhedron<Qp>, false, true},
    {NSM_PLASTICITY, read_plasticity_without_type, false, true},
};

struct Attempt {
  const Grammar* grammar = nullptr;
  ProblemData data;
  bool ends_with_flag = false;
};

// Takes a last 0 or 1. True if it cannot be a coefficient: the real before it is written with an exponent, as machines write all
// reals.
bool take_flag(Lexer& in) {
  const std::string_view coefficient = in.last();
  return (in.accept("0") || in.accept("1")) && coefficient.find_first_of("eE") != std::string_view::npos;
}

struct Search {
  std::vector<Attempt> fits;
  std::optional<Error> furthest;
  std::size_t furthest_position = 0;

  void attempt(const Grammar& grammar, std::string_view bytes) {
    Lexer in(bytes);
    try {
      Attempt attempt{&grammar, grammar.read(in)};
      attempt.ends_with_flag = grammar.may_end_with_flag && take_flag(in);
      require_end(in);
      fits.push_back(std::move(attempt));
    } catch (const Error& error) {
      if (furthest && in.position() <= furthest_position) return;
      furthest_position = in.position();
      furthest = Error(error.status(), std::string("as ") + nsm_class_name(grammar.problem_class) + ": " + error.message());
    }
  }

  // The flag of an old friction file also reads as the rolling coefficient of its only contact.
  void drop_rolling_that_is_a_flag() {
    if (std::none_of(fits.begin(), fits.end(), [](const Attempt& fit) { return fit.ends_with_flag; })) return;
    std::erase_if(fits, [](const Attempt& fit) {
      return fit.grammar->problem_class == NSM_ROLLING || fit.grammar->problem_class == NSM_GLOBAL_ROLLING;
    });
  }

  [[noreturn]] void refuse_several() const {
    std::string names;
    for (const Attempt& fit : fits)
      names += (names.empty() ? "" : " and ") + std::string(nsm_class_name(fit.grammar->problem_class));
    throw Error(NSM_AMBIGUOUS, "the file fits " + names + ": name the class (--class)");
  }
};

// Every grammar starts with three integers.
void require_integers_at_the_start(std::string_view bytes) {
  Lexer in(bytes);
  std::int64_t number = 0;
  for (int k = 0; k < 3 && !in.peek().empty(); ++k, in.accept(in.peek()))
    if (!parse_integer(in.peek(), number))
      fail(NSM_UNKNOWN_FORMAT, "the file is neither HDF5, JSON, Matrix Market nor a .dat file");
}

}  // namespace

Problem parse_dat(std::string_view bytes, nsm_class problem_class) {
  require_storable(problem_class);
  if (Lexer(bytes).peek().empty()) fail(NSM_BAD_FILE, "the file is empty");
  const bool any_class = problem_class == NSM_CLASS_COUNT;
  if (any_class) require_integers_at_the_start(bytes);
  Search search;
  for (const Grammar& grammar : grammars) {
    const bool wanted = any_class ? !grammar.last_resort || search.fits.empty() : grammar.problem_class == problem_class;
    if (wanted) search.attempt(grammar, bytes);
  }
  if (any_class) search.drop_rolling_that_is_a_flag();
  if (search.fits.empty()) throw *search.furthest;
  if (search.fits.size() > 1) search.refuse_several();
  Problem problem;
  problem.data = std::move(search.fits.front().data);
  return problem;
}

}  // namespace nonsmooth
