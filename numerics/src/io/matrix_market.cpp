// Matrix Market (Boisvert, Pozo, Remington 1996): coordinate and array, real and integer, general, symmetric and skew-symmetric.
#include <algorithm>
#include <cctype>
#include <cmath>

#include "core/error.hpp"
#include "core/index.hpp"
#include "io/io.hpp"
#include "io/lexer.hpp"
#include "linalg/triplets.hpp"

namespace nonsmooth {
namespace {

enum class Symmetry { general, symmetric, skew };

struct Banner {
  bool coordinate = false;
  Symmetry symmetry = Symmetry::general;
  std::int64_t rows = 0, cols = 0, entries = 0;

  double mirrored(double x) const { return symmetry == Symmetry::skew ? -x : x; }
};

std::string take_lower_case_word(Lexer& line) {
  std::string word(line.peek());
  line.accept(word);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word;
}

// Position of the word in the list, or an error that shows the list.
std::size_t choose(Lexer& line, const char* name, const char* what, std::initializer_list<const char*> choices) {
  const std::string word = take_lower_case_word(line);
  std::string known;
  for (const char* const* choice = choices.begin(); choice != choices.end(); ++choice) {
    if (word == *choice) return at(choice - choices.begin());
    known += std::string(known.empty() ? "" : ", ") + *choice;
  }
  line.refuse(NSM_BAD_FILE, name, std::string("the ") + what + " '" + word.substr(0, 40) + "' is none of " + known);
}

// `total` is the size of all files of the problem: an order beyond it is a lie.
Banner read_header(Lexer& in, const char* name, std::size_t total) {
  Banner header;
  const std::string banner(in.take_line());
  Lexer line(banner);
  choose(line, name, "banner", {"%%matrixmarket"});
  choose(line, name, "object", {"matrix"});
  header.coordinate = choose(line, name, "layout", {"array", "coordinate"}) == 1;
  choose(line, name, "field", {"real", "double", "integer"});
  header.symmetry = static_cast<Symmetry>(choose(line, name, "symmetry", {"general", "symmetric", "skew-symmetric"}));
  while (in.peek().starts_with('%')) in.take_line();
  header.rows = in.integer(name, 1, largest_index);
  header.cols = in.integer(name, 1, largest_index);
  for (const std::int64_t size : {header.rows, header.cols})
    if (at(size) > total)
      in.refuse(NSM_BAD_FILE, name, text("size %lld announced in files of %zu bytes", (long long)size, total));
  if (header.symmetry != Symmetry::general && header.rows != header.cols)
    in.refuse(NSM_BAD_FILE, name, text("symmetric, but %lld x %lld", (long long)header.rows, (long long)header.cols));
  if (header.coordinate) {
    header.entries = in.integer(name, 0, largest_index);
    in.require_words(3 * header.entries, name);
  }
  return header;
}

// Of a symmetric matrix only the lower triangle is stored; of a skew one without the diagonal.
void require_stored_triangle(const Lexer& in, const Banner& header, std::int64_t i, std::int64_t j, const char* name) {
  if (header.symmetry == Symmetry::general || i > j || (header.symmetry == Symmetry::symmetric && i == j)) return;
  const char* what = i == j ? "a skew-symmetric matrix is on the diagonal, which is zero"
                            : "a symmetric or skew-symmetric matrix is not below the diagonal";
  in.refuse(NSM_INVALID_STRUCTURE, name, text("entry (%lld, %lld) of %s", (long long)i + 1, (long long)j + 1, what));
}

// What is not finite is told with its line: who checks the problem counts from 0.
double read_entry(Lexer& in, const char* name) {
  const double x = in.real(name);
  if (!std::isfinite(x)) in.refuse(NSM_NOT_FINITE, name, "'" + std::string(in.last().substr(0, 40)) + "' is not finite");
  return x;
}

// Said here, since the file counts from 1, and matrices from 0. `places`: those that the file gives, column by column.
void require_no_entry_twice(std::vector<std::int64_t> places, std::int64_t rows, const char* name) {
  if (!std::is_sorted(places.begin(), places.end())) std::sort(places.begin(), places.end());
  const auto twice = std::adjacent_find(places.begin(), places.end());
  if (twice != places.end())
    fail(NSM_INVALID_STRUCTURE, "%s: entry (%lld, %lld) stands twice", name, (long long)(*twice % rows + 1),
         (long long)(*twice / rows + 1));
}

Matrix read_coordinate(Lexer& in, const Banner& header, const char* name) {
  Triplets entries;
  std::vector<std::int64_t> places;
  for (std::int64_t k = 0; k < header.entries; ++k) {
    const std::int32_t i = in.entry_index(name, "row", 1, header.rows);
    const std::int32_t j = in.entry_index(name, "column", 1, header.cols);
    require_stored_triangle(in, header, i, j, name);
    places.push_back(j * header.rows + i);
    const double x = read_entry(in, name);
    entries.add(i, j, x);
    if (header.symmetry != Symmetry::general && i != j) entries.add(j, i, header.mirrored(x));
  }
  require_no_entry_twice(std::move(places), header.rows, name);
  return entries.to_matrix(header.rows, header.cols, name);
}

Matrix read_array(Lexer& in, const Banner& header, const char* name) {
  const std::int64_t n = header.rows, m = header.cols;
  const bool general = header.symmetry == Symmetry::general;
  const std::int64_t first = header.symmetry == Symmetry::skew ? 1 : 0;  // of a column, below its diagonal
  in.require_words(general ? n * m : n * (n + 1) / 2 - first * n, name);
  DenseMatrix matrix{n, m, Vector(at(n * m))};
  for (std::int64_t j = 0; j < m; ++j)
    for (std::int64_t i = general ? 0 : j + first; i < n; ++i) {
      const double x = read_entry(in, name);
      if (!general) matrix.values[at(j + i * n)] = header.mirrored(x);
      matrix.values[at(i + j * n)] = x;
    }
  return Matrix(std::move(matrix), name);
}

Matrix read_matrix(std::string_view bytes, const char* name, std::size_t total) {
  Lexer in(bytes);
  const Banner header = read_header(in, name, total);
  Matrix matrix = header.coordinate ? read_coordinate(in, header, name) : read_array(in, header, name);
  if (!in.peek().empty()) in.refuse(NSM_BAD_FILE, name, "'" + std::string(in.peek().substr(0, 40)) + "' follows the last entry");
  return matrix;
}

std::string format_matrix(const Matrix& matrix) {
  const bool array = matrix.dense() != nullptr;
  std::string out = std::string("%%MatrixMarket matrix ") + (array ? "array" : "coordinate") + " real general\n";
  out += std::to_string(matrix.rows()) + ' ' + std::to_string(matrix.cols());
  if (!array) out += ' ' + std::to_string(matrix.values().size());
  out += '\n';
  for_each_entry(matrix, [&](std::int64_t i, std::int64_t j, double x) {
    if (!array) out += std::to_string(i + 1) + ' ' + std::to_string(j + 1) + ' ';
    append_real(out, x);
    out += '\n';
  });
  return out;
}

}  // namespace

Problem parse_matrix_market(std::string_view m_bytes, std::string_view q_bytes, nsm_class problem_class) {
  if (problem_class != NSM_CLASS_COUNT && problem_class != NSM_LCP)
    fail(NSM_UNKNOWN_FORMAT, "Matrix Market files hold M and q of an lcp, not a problem of class %s",
         nsm_class_name(problem_class));
  if (q_bytes.empty()) fail(NSM_BAD_FILE, "q is missing: a Matrix Market problem is M in NAME.mtx and q in NAME_q.mtx");
  const std::size_t total = m_bytes.size() + q_bytes.size();
  Lcp problem;
  problem.M = read_matrix(m_bytes, "M", total);
  const Matrix q = read_matrix(q_bytes, "q", total);
  if (q.cols() != 1) fail(NSM_BAD_FILE, "q is %lld x %lld, one column expected", (long long)q.rows(), (long long)q.cols());
  problem.q = to_dense(q).values;
  return Problem{std::move(problem), {}, {}, {}, {}, {}, {}};
}

MatrixMarketFiles format_matrix_market(const Problem& problem) {
  const Lcp* lcp = std::get_if<Lcp>(&problem.data);
  if (!lcp)
    fail(NSM_UNKNOWN_FORMAT, "Matrix Market files hold an lcp only, the problem is of class %s",
         nsm_class_name(problem.problem_class()));
  const auto n = static_cast<std::int64_t>(lcp->q.size());
  return {format_matrix(lcp->M), format_matrix(Matrix(DenseMatrix{n, 1, lcp->q}, "q"))};
}

}  // namespace nonsmooth
