// C++17 wrapper of the C interface: handles free themselves, failures throw nsm::Error. Header only, no dependency but the
// library.
//
//   const nsm::Problem problem = nsm::Problem::lcp(nsm::Matrix::dense(2, 2, {2, 1, 1, 2}), {-1, -1});
//   nsm::Solver solver(problem);
//   if (solver.solve().converged()) use(solver.solution().z);
//
// The headers of the C interface say what each function does; here stands only what differs.
#ifndef NONSMOOTH_NONSMOOTH_HPP
#define NONSMOOTH_NONSMOOTH_HPP

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "nonsmooth/nonsmooth.h"

namespace nsm {

using Vector = std::vector<double>;
using Indices = std::vector<std::int32_t>;

// A call that did not work. What became of the problem is no error: see Result::outcome().
class Error : public std::runtime_error {
 public:
  Error(nsm_status status, const std::string& message) : std::runtime_error(message), status_(status) {}
  nsm_status status() const noexcept { return status_; }

 private:
  nsm_status status_;
};

inline const char* name(nsm_status status) { return nsm_status_name(status); }
inline const char* name(nsm_outcome outcome) { return nsm_outcome_name(outcome); }
inline const char* name(nsm_class problem_class) { return nsm_class_name(problem_class); }
inline const char* text(nsm_verdict verdict) { return nsm_verdict_text(verdict); }
inline std::string version() { return nsm_version(); }

namespace detail {

inline void check(nsm_status status) {
  if (status == NSM_OK) return;
  const std::string message = nsm_last_error();
  throw Error(status, message.empty() ? nsm_status_text(status) : message);
}

// The C interface cannot see the length of an array: it is checked here.
template <class T>
const T* data(const std::vector<T>& values, std::int64_t length, const char* what) {
  if (static_cast<std::int64_t>(values.size()) != length)
    throw Error(NSM_INVALID_DIMENSION, std::string(what) + " has " + std::to_string(values.size()) + " entries, " +
                                           std::to_string(length) + " expected");
  return values.data();
}

template <class T>
const T* optional_data(const std::vector<T>& values, std::int64_t length, const char* what) {
  return values.empty() ? nullptr : data(values, length, what);
}

inline std::int64_t length(const Vector& values) { return static_cast<std::int64_t>(values.size()); }
inline const char* null_if_empty(const std::string& value) { return value.empty() ? nullptr : value.c_str(); }

struct ProblemDeleter {
  void operator()(nsm_problem* problem) const noexcept { nsm_problem_free(&problem); }
};
struct OptionsDeleter {
  void operator()(nsm_options* options) const noexcept { nsm_options_free(&options); }
};
struct SolverDeleter {
  void operator()(nsm_solver* solver) const noexcept { nsm_free(&solver); }
};

}  // namespace detail

// A matrix in one of the three storages; owns its arrays.
class Matrix {
 public:
  Matrix() = default;  // 0 x 0: absent

  // values: column-major, rows * cols of them.
  static Matrix dense(std::int64_t rows, std::int64_t cols, Vector values) {
    // A product that overflows cannot be the length of a vector either.
    const bool overflows = require_count(rows) > 0 && require_count(cols) > INT64_MAX / rows;
    detail::data(values, overflows ? INT64_MAX : rows * cols, "values");
    Matrix result(rows, cols, {}, {}, std::move(values));
    result.kind_ = NSM_DENSE;
    return result;
  }

  static Matrix csc(std::int64_t rows, std::int64_t cols, Indices start, Indices index, Vector values) {
    detail::data(start, require_count(cols) + 1, "start");
    detail::data(index, start.back(), "index");
    detail::data(values, start.back(), "values");
    Matrix result(rows, cols, std::move(start), std::move(index), std::move(values));
    result.kind_ = NSM_CSC;
    return result;
  }

  // Square blocks of one size, each column-major.
  static Matrix block_csr(std::int32_t block_size, std::int64_t block_rows, std::int64_t block_cols, Indices start, Indices index,
                          Vector values) {
    detail::data(start, require_count(block_rows) + 1, "start");
    detail::data(index, start.back(), "index");
    detail::data(values, std::int64_t{block_size} * block_size * start.back(), "values");
    Matrix result(block_size * block_rows, block_size * block_cols, std::move(start), std::move(index), std::move(values));
    result.kind_ = NSM_BLOCK_CSR;
    result.block_size_ = block_size;
    result.block_rows_ = block_rows;
    result.block_cols_ = block_cols;
    return result;
  }

  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t cols() const noexcept { return cols_; }
  bool empty() const noexcept { return rows_ == 0 && cols_ == 0; }

  // Borrows this matrix.
  nsm_matrix view() const {
    switch (kind_) {
      case NSM_CSC: return nsm_matrix_csc(rows_, cols_, start_.data(), index_.data(), values_.data());
      case NSM_BLOCK_CSR:
        return nsm_matrix_block_csr(block_size_, block_rows_, block_cols_, start_.data(), index_.data(), values_.data());
      default: return nsm_matrix_dense(rows_, cols_, values_.data());
    }
  }

 private:
  static std::int64_t require_count(std::int64_t value) {
    if (value < 0) throw Error(NSM_INVALID_DIMENSION, "a matrix has a negative size");
    return value;
  }
  Matrix(std::int64_t rows, std::int64_t cols, Indices start, Indices index, Vector values)
      : rows_(rows), cols_(cols), start_(std::move(start)), index_(std::move(index)), values_(std::move(values)) {}

  nsm_storage kind_ = NSM_DENSE;
  std::int64_t rows_ = 0, cols_ = 0;
  std::int32_t block_size_ = 0;
  std::int64_t block_rows_ = 0, block_cols_ = 0;
  Indices start_, index_;
  Vector values_;
};

struct Solution {
  Vector z, w;
};

// Immutable and validated; may be used by several threads at once.
class Problem {
 public:
  static Problem lcp(const Matrix& M, const Vector& q) {
    const nsm_matrix m = M.view();
    return make([&](nsm_problem** p) { return nsm_problem_create_lcp(&m, vector(q, M.rows(), "q"), p); });
  }

  static Problem mlcp(const Matrix& M, const Vector& q, const Indices& is_complementarity) {
    const nsm_matrix m = M.view();
    const std::int32_t* rows = detail::data(is_complementarity, M.rows(), "is_complementarity");
    return make([&](nsm_problem** p) { return nsm_problem_create_mlcp(&m, vector(q, M.rows(), "q"), rows, p); });
  }

  static Problem mlcp_blocks(const Matrix& A, const Matrix& B, const Matrix& C, const Matrix& D, const Vector& a,
                             const Vector& b) {
    const nsm_matrix views[] = {A.view(), B.view(), C.view(), D.view()};
    return make([&](nsm_problem** p) {
      return nsm_problem_create_mlcp_blocks(&views[0], &views[1], &views[2], &views[3], vector(a, A.rows(), "a"),
                                            vector(b, B.rows(), "b"), p);
    });
  }

  static Problem relay(const Matrix& M, const Vector& q, const Vector& lo, const Vector& hi) {
    const nsm_matrix m = M.view();
    return make([&](nsm_problem** p) {
      return nsm_problem_create_relay(&m, vector(q, M.rows(), "q"), vector(lo, M.rows(), "lo"), vector(hi, M.rows(), "hi"), p);
    });
  }

  // H empty: box only. lo, hi empty: no bounds.
  static Problem avi(const Matrix& M, const Vector& q, const Matrix& H, const Vector& k, const Vector& lo = {},
                     const Vector& hi = {}) {
    const nsm_matrix m = M.view(), h = H.view();
    return make([&](nsm_problem** p) {
      return nsm_problem_create_avi(&m, vector(q, M.rows(), "q"), pointer(H, h), detail::optional_data(k, H.rows(), "k"),
                                    detail::optional_data(lo, M.rows(), "lo"), detail::optional_data(hi, M.rows(), "hi"), p);
    });
  }

  // As avi; M symmetric positive semidefinite.
  static Problem qp(const Matrix& M, const Vector& q, const Matrix& H = {}, const Vector& k = {}, const Vector& lo = {},
                    const Vector& hi = {}) {
    const nsm_matrix m = M.view(), h = H.view();
    return make([&](nsm_problem** p) {
      return nsm_problem_create_qp(&m, vector(q, M.rows(), "q"), pointer(H, h), detail::optional_data(k, H.rows(), "k"),
                                   detail::optional_data(lo, M.rows(), "lo"), detail::optional_data(hi, M.rows(), "hi"), p);
    });
  }

  static Problem friction(std::int32_t dimension, const Matrix& W, const Vector& q, const Vector& mu) {
    const nsm_matrix w = W.view();
    const double* coefficients = vector(mu, contacts(W.rows(), dimension), "mu");
    return make(
        [&](nsm_problem** p) { return nsm_problem_create_friction(dimension, &w, vector(q, W.rows(), "q"), coefficients, p); });
  }

  // G and b empty: no bilateral constraints.
  static Problem global_friction(std::int32_t dimension, const Matrix& M, const Matrix& H, const Vector& f, const Vector& w,
                                 const Vector& mu, const Matrix& G = {}, const Vector& b = {}) {
    const nsm_matrix m = M.view(), h = H.view(), g = G.view();
    const double* coefficients = vector(mu, contacts(H.cols(), dimension), "mu");
    return make([&](nsm_problem** p) {
      return nsm_problem_create_global_friction(dimension, &m, &h, vector(f, M.rows(), "f"), vector(w, H.cols(), "w"),
                                                coefficients, pointer(G, g), detail::optional_data(b, G.cols(), "b"), p);
    });
  }

  static Problem rolling(std::int32_t dimension, const Matrix& W, const Vector& q, const Vector& mu, const Vector& mu_r) {
    const nsm_matrix w = W.view();
    const std::int64_t count = contacts(W.rows(), dimension);
    return make([&](nsm_problem** p) {
      return nsm_problem_create_rolling(dimension, &w, vector(q, W.rows(), "q"), vector(mu, count, "mu"),
                                        vector(mu_r, count, "mu_r"), p);
    });
  }

  static Problem global_rolling(std::int32_t dimension, const Matrix& M, const Matrix& H, const Vector& f, const Vector& w,
                                const Vector& mu, const Vector& mu_r, const Matrix& G = {}, const Vector& b = {}) {
    const nsm_matrix m = M.view(), h = H.view(), g = G.view();
    const std::int64_t count = contacts(H.cols(), dimension);
    return make([&](nsm_problem** p) {
      return nsm_problem_create_global_rolling(dimension, &m, &h, vector(f, M.rows(), "f"), vector(w, H.cols(), "w"),
                                               vector(mu, count, "mu"), vector(mu_r, count, "mu_r"), pointer(G, g),
                                               detail::optional_data(b, G.cols(), "b"), p);
    });
  }

  // kind: values of nsm_block_kind. mu, lo, hi may be empty where no block reads them.
  static Problem generic(const Matrix& M, const Vector& q, const Indices& kind, const Indices& size, const Vector& mu = {},
                         const Vector& lo = {}, const Vector& hi = {}) {
    const nsm_matrix m = M.view();
    const auto blocks = static_cast<std::int64_t>(kind.size());
    const std::int32_t* sizes = detail::data(size, blocks, "size");
    return make([&](nsm_problem** p) {
      return nsm_problem_create_generic(&m, vector(q, M.rows(), "q"), blocks, kind.data(), sizes,
                                        detail::optional_data(mu, blocks, "mu"), detail::optional_data(lo, M.rows(), "lo"),
                                        detail::optional_data(hi, M.rows(), "hi"), p);
    });
  }

  static Problem soclcp(const Matrix& M, const Vector& q, const Indices& cone_start, const Vector& tau) {
    const nsm_matrix m = M.view();
    const std::int32_t* start = detail::data(cone_start, detail::length(tau) + 1, "cone_start");
    return make([&](nsm_problem** p) {
      return nsm_problem_create_soclcp(&m, vector(q, M.rows(), "q"), detail::length(tau), start, tau.data(), p);
    });
  }

  // problem_class empty: found by content.
  static Problem read(const std::string& path, const std::string& problem_class = {}) {
    return make([&](nsm_problem** p) { return nsm_problem_read(path.c_str(), detail::null_if_empty(problem_class), p); });
  }
  static Problem read_memory(const void* bytes, std::int64_t size, const std::string& name,
                             const std::string& problem_class = {}) {
    return make([&](nsm_problem** p) {
      return nsm_problem_read_memory(bytes, size, name.c_str(), detail::null_if_empty(problem_class), p);
    });
  }
  // format empty: by the ending of the path.
  void write(const std::string& path, const std::string& format = {}) const {
    detail::check(nsm_problem_write(handle(), path.c_str(), detail::null_if_empty(format)));
  }

  Solution read_solution(const std::string& path) const {
    Solution solution{Vector(unknowns()), Vector(unknowns())};
    std::int32_t has_w = 0;
    detail::check(nsm_solution_read(handle(), path.c_str(), solution.z.data(), solution.w.data(), &has_w));
    if (has_w == 0) solution.w.clear();
    return solution;
  }
  // The proof of infeasibility in a solution file, if it holds one.
  std::optional<Vector> read_infeasibility(const std::string& path) const {
    Vector y(static_cast<std::size_t>(infeasibility_size()));
    const nsm_status status = nsm_infeasibility_read(handle(), path.c_str(), y.data());
    if (status == NSM_NOT_AVAILABLE) return std::nullopt;
    detail::check(status);
    return y;
  }
  // The starting point that came with the file, if there was one.
  std::optional<Vector> guess() const {
    Vector z(unknowns());
    const nsm_status status = nsm_problem_guess(handle(), z.data());
    if (status == NSM_NOT_AVAILABLE) return std::nullopt;
    detail::check(status);
    return z;
  }

  nsm_class problem_class() const noexcept { return nsm_problem_class(handle()); }
  std::int64_t size() const noexcept { return nsm_problem_size(handle()); }
  // Length of a proof that there is no solution; 0 where there is no such proof.
  std::int64_t infeasibility_size() const noexcept { return nsm_infeasibility_size(handle()); }
  std::string title() const { return nsm_problem_title(handle()); }
  std::string default_method() const { return nsm_default_method(handle()); }
  nsm_description describe() const {
    nsm_description description = {};
    description.struct_size = static_cast<std::uint32_t>(sizeof description);
    detail::check(nsm_problem_describe(handle(), &description));
    return description;
  }

  const nsm_problem* handle() const noexcept { return handle_.get(); }

 private:
  explicit Problem(nsm_problem* handle) : handle_(handle) {}

  template <class Create>
  static Problem make(Create&& create) {
    nsm_problem* handle = nullptr;
    detail::check(create(&handle));
    return Problem(handle);
  }
  static const double* vector(const Vector& values, std::int64_t length, const char* what) {
    return detail::data(values, length, what);
  }
  static const nsm_matrix* pointer(const Matrix& matrix, const nsm_matrix& view) { return matrix.empty() ? nullptr : &view; }
  static std::int64_t contacts(std::int64_t rows, std::int32_t dimension) {
    if (dimension <= 0) throw Error(NSM_INVALID_VALUE, "dimension is " + std::to_string(dimension));
    return rows / dimension;
  }
  std::size_t unknowns() const noexcept { return static_cast<std::size_t>(size()); }

  std::unique_ptr<nsm_problem, detail::ProblemDeleter> handle_;
};

class Options {
 public:
  Options() {
    nsm_options* handle = nullptr;
    detail::check(nsm_options_create(&handle));
    handle_.reset(handle);
  }
  Options(std::initializer_list<std::pair<const char*, double>> values) : Options() {
    for (const auto& [option, value] : values) set(option, value);
  }

  Options& set(const std::string& option, double value) {
    detail::check(nsm_options_set(handle_.get(), option.c_str(), value));
    return *this;
  }
  Options& set_text(const std::string& option, const std::string& value) {
    detail::check(nsm_options_set_text(handle_.get(), option.c_str(), value.c_str()));
    return *this;
  }
  double get(const std::string& option) const {
    double value = 0;
    detail::check(nsm_options_get(handle_.get(), option.c_str(), &value));
    return value;
  }
  const nsm_options* handle() const noexcept { return handle_.get(); }

 private:
  std::unique_ptr<nsm_options, detail::OptionsDeleter> handle_;
};

// All figures are members of nsm_certificate.
struct Certificate : nsm_certificate {
  Certificate() : nsm_certificate NSM_CERTIFICATE_INIT {}
  explicit Certificate(const nsm_certificate& values) : nsm_certificate(values) {}
  // The residual meets the tolerance, or is at the rounding floor where the tolerance lies below it.
  bool certified() const noexcept { return verdict == NSM_CERTIFIED || verdict == NSM_WORKING_PRECISION; }
};

class Result {
 public:
  explicit Result(const nsm_result& values) : values_(values) {}
  nsm_outcome outcome() const noexcept { return static_cast<nsm_outcome>(values_.outcome); }
  bool converged() const noexcept { return values_.outcome == NSM_CONVERGED; }
  double residual() const noexcept { return values_.certificate.residual; }
  std::int64_t iterations() const noexcept { return values_.iterations; }
  std::int64_t solutions() const noexcept { return values_.solutions; }
  double seconds() const noexcept { return values_.time; }
  Certificate certificate() const { return Certificate(values_.certificate); }
  const nsm_result& values() const noexcept { return values_; }

 private:
  nsm_result values_;
};

class Solver {
 public:
  // Returns true to go on, false to cancel.
  using Progress = std::function<bool(std::int64_t iteration, double residual, double seconds)>;
  using Log = std::function<void(const char* message)>;

  // method empty: auto. The problem may be destroyed before the solver.
  explicit Solver(const Problem& problem, const std::string& method = {}) : Solver(problem, method, nullptr) {}
  Solver(const Problem& problem, const std::string& method, const Options& options) : Solver(problem, method, options.handle()) {}
  Solver(const Problem& problem, const Options& options) : Solver(problem, {}, options.handle()) {}

  void update_q(const Vector& q) { detail::check(nsm_update_q(handle(), q.data(), detail::length(q))); }
  void update_mu(const Vector& mu) { detail::check(nsm_update_mu(handle(), mu.data(), detail::length(mu))); }
  void update_matrix(const Matrix& M) {
    const nsm_matrix view = M.view();
    detail::check(nsm_update_matrix(handle(), &view));
  }
  void warm_start(const Vector& z) { detail::check(nsm_warm_start(handle(), z.data(), detail::length(z))); }

  // An exception thrown by a callback ends the solve and comes out here.
  Result solve() {
    nsm_result result = NSM_RESULT_INIT;
    callbacks_->thrown = nullptr;
    detail::check(nsm_solve(handle(), &result));
    if (callbacks_->thrown) std::rethrow_exception(callbacks_->thrown);
    return Result(result);
  }

  Solution solution() const {
    Solution solution{Vector(unknowns()), Vector(unknowns())};
    detail::check(nsm_solution(handle(), solution.z.data(), solution.w.data(), size_));
    return solution;
  }
  Solution solution_at(std::int64_t index) const {
    Solution solution{Vector(unknowns()), Vector(unknowns())};
    detail::check(nsm_solution_at(handle(), index, solution.z.data(), solution.w.data(), size_));
    return solution;
  }
  Vector infeasibility_certificate() const {
    Vector y(static_cast<std::size_t>(proof_size_));
    detail::check(nsm_infeasibility_certificate(handle(), y.data(), proof_size_));
    return y;
  }

  void set_progress(Progress progress) {
    callbacks_->progress = std::move(progress);
    nsm_set_progress(handle(), callbacks_->progress ? &Callbacks::on_progress : nullptr, callbacks_.get());
  }
  void set_log(Log log) {
    callbacks_->log = std::move(log);
    nsm_set_log(handle(), callbacks_->log ? &Callbacks::on_log : nullptr, callbacks_.get());
  }
  // From any thread.
  void cancel() noexcept { nsm_cancel(handle()); }
  std::string method() const { return nsm_solver_method(handle()); }

  nsm_solver* handle() const noexcept { return handle_.get(); }

 private:
  // At a fixed address, so that a solver can be moved. No exception may cross the C interface.
  struct Callbacks {
    Progress progress;
    Log log;
    std::exception_ptr thrown;

    static std::int32_t on_progress(void* user, std::int64_t iteration, double residual, double seconds) noexcept {
      auto& self = *static_cast<Callbacks*>(user);
      try {
        return self.progress(iteration, residual, seconds) ? 0 : 1;
      } catch (...) {
        self.thrown = std::current_exception();
        return 1;
      }
    }
    static void on_log(void* user, const char* message) noexcept {
      auto& self = *static_cast<Callbacks*>(user);
      try {
        self.log(message);
      } catch (...) {
        self.thrown = std::current_exception();
      }
    }
  };

  Solver(const Problem& problem, const std::string& method, const nsm_options* options)
      : callbacks_(std::make_unique<Callbacks>()), size_(problem.size()), proof_size_(problem.infeasibility_size()) {
    nsm_solver* handle = nullptr;
    detail::check(nsm_setup(problem.handle(), detail::null_if_empty(method), options, &handle));
    handle_.reset(handle);
  }
  std::size_t unknowns() const noexcept { return static_cast<std::size_t>(size_); }

  std::unique_ptr<Callbacks> callbacks_;  // outlives the handle
  std::unique_ptr<nsm_solver, detail::SolverDeleter> handle_;
  std::int64_t size_ = 0, proof_size_ = 0;
};

// w empty: recomputed from z.
inline Certificate certify(const Problem& problem, const Vector& z, const Vector& w = {}, double tolerance = 1e-8) {
  Certificate certificate;
  certificate.tolerance = tolerance;
  detail::check(nsm_certify(problem.handle(), detail::data(z, problem.size(), "z"), detail::optional_data(w, problem.size(), "w"),
                            &certificate));
  return certificate;
}

// Does y prove that the problem has no solution?
inline bool certify_infeasible(const Problem& problem, const Vector& y, double tolerance = 1e-8) {
  std::int32_t verified = 0;
  detail::check(
      nsm_certify_infeasible(problem.handle(), detail::data(y, problem.infeasibility_size(), "y"), tolerance, &verified));
  return verified != 0;
}

inline void write_solution(const Problem& problem, const std::string& path, const Solution& solution,
                           const std::string& method = {}, const Result* result = nullptr) {
  detail::check(nsm_solution_write(problem.handle(), path.c_str(), detail::data(solution.z, problem.size(), "z"),
                                   detail::optional_data(solution.w, problem.size(), "w"), detail::null_if_empty(method),
                                   result ? &result->values() : nullptr));
}

inline void write_infeasibility(const Problem& problem, const std::string& path, const Vector& y,
                                const std::string& method = {}) {
  detail::check(nsm_infeasibility_write(problem.handle(), path.c_str(), detail::data(y, problem.infeasibility_size(), "y"),
                                        detail::null_if_empty(method)));
}

// The tables of methods and of options.
inline std::vector<nsm_method_info> methods() {
  std::vector<nsm_method_info> rows(static_cast<std::size_t>(nsm_method_count()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].struct_size = static_cast<std::uint32_t>(sizeof(nsm_method_info));
    detail::check(nsm_method_describe(static_cast<std::int64_t>(k), &rows[k]));
  }
  return rows;
}
inline std::vector<nsm_option_info> options() {
  std::vector<nsm_option_info> rows(static_cast<std::size_t>(nsm_option_count()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].struct_size = static_cast<std::uint32_t>(sizeof(nsm_option_info));
    detail::check(nsm_option_describe(static_cast<std::int64_t>(k), &rows[k]));
  }
  return rows;
}

}  // namespace nsm

#endif
