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

#if __cplusplus < 201703L
#error "nonsmooth/nonsmooth.hpp needs C++17 (-std=c++17)"
#endif

#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "nonsmooth/callables.hpp"
#include "nonsmooth/matrix.hpp"
#include "nonsmooth/nonsmooth.h"
#include "nonsmooth/problem.hpp"

namespace nsm {

// Derivatives of a scalar loss with respect to the data of a problem.
struct Gradient {
  Vector q, mu;  // with respect to q and to the friction coefficients
};

// Options by name; what is not set has its default. Unknown names and values out of bounds throw.
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

  // Sets a number; integers and booleans are numbers too.
  Options& set(const std::string& option, double value) {
    detail::check(nsm_options_set(handle_.get(), option.c_str(), value));
    return *this;
  }
  // Sets a value written as text: a word of a choice, the name of a method, or a number.
  Options& set_text(const std::string& option, const std::string& value) {
    detail::check(nsm_options_set_text(handle_.get(), option.c_str(), value.c_str()));
    return *this;
  }
  // The value as a number.
  double get(const std::string& option) const {
    double value = 0;
    detail::check(nsm_options_get(handle_.get(), option.c_str(), &value));
    return value;
  }
  // The handle, for functions of the C interface; it stays owned by this object.
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

// What a solve ended with.
class Result {
 public:
  explicit Result(const nsm_result& values) : values_(values) {}
  // What became of the problem.
  nsm_outcome outcome() const noexcept { return static_cast<nsm_outcome>(values_.outcome); }
  // Is the solution certified?
  bool converged() const noexcept { return values_.outcome == NSM_CONVERGED; }
  // Residual of the certificate.
  double residual() const noexcept { return values_.certificate.residual; }
  // Pivots, sweeps, Newton steps ... of the method.
  std::int64_t iterations() const noexcept { return values_.iterations; }
  // Solutions found, where the method counts them; else 1 if certified, 0 if not.
  std::int64_t solutions() const noexcept { return values_.solutions; }
  // Wall-clock time of the solve.
  double seconds() const noexcept { return values_.time; }
  // Part of them: stages of auto that this solve was the first to reach.
  double setup_seconds() const noexcept { return values_.setup_time; }
  // Method at work when the solve ended: of auto, the stage.
  std::string finished_by() const { return values_.finished_by; }
  // Certificate of the iterate that Solver::solution gives.
  Certificate certificate() const { return Certificate(values_.certificate); }
  // Of the associated convex problem, with the option convex_relaxation; else -1.
  double relaxation_residual() const noexcept { return values_.relaxation_residual; }
  // All members, as the C interface has them.
  const nsm_result& values() const noexcept { return values_; }

 private:
  nsm_result values_;
};

// A method set up for one problem. Used by one thread at a time; cancel may be called from any.
class Solver {
 public:
  // Returns true to go on, false to cancel.
  using Progress = std::function<bool(std::int64_t iteration, double residual, double seconds)>;
  // Gets a line of text for what a solve tries.
  using Log = std::function<void(const char* message)>;

  // method empty: auto. The problem may be destroyed before the solver.
  explicit Solver(const Problem& problem, const std::string& method = {}) : Solver(problem, method, nullptr) {}
  Solver(const Problem& problem, const std::string& method, const Options& options) : Solver(problem, method, options.handle()) {}
  Solver(const Problem& problem, const Options& options) : Solver(problem, {}, options.handle()) {}

  // New values on the same sizes and pattern: q (global classes: w), f of a global class, mu, or all stored values of the matrix.
  void update_q(const Vector& q) { detail::check(nsm_update_q(handle(), q.data(), detail::length(q))); }
  void update_f(const Vector& f) { detail::check(nsm_update_f(handle(), f.data(), detail::length(f))); }
  void update_mu(const Vector& mu) { detail::check(nsm_update_mu(handle(), mu.data(), detail::length(mu))); }
  void update_matrix(const Matrix& M) {
    const nsm_matrix view = M.view();
    detail::check(nsm_update_matrix(handle(), &view));
  }
  // Lengths that update_q and update_mu take; 0 where the class has no such values.
  std::int64_t q_size() const { return update_sizes().first; }
  std::int64_t mu_size() const { return update_sizes().second; }
  // Starting point of the next solve; without it, the last solution.
  void warm_start(const Vector& z) { detail::check(nsm_warm_start(handle(), z.data(), detail::length(z))); }

  // An exception thrown by a callback comes out here; it ends the solve, but for that of a log.
  Result solve() {
    nsm_result result = NSM_RESULT_INIT;
    callbacks().thrown = nullptr;
    end(nsm_solve(handle(), &result));
    return Result(result);
  }

  // What the last solve, of a batch its last problem, ended with.
  Result last_result() const {
    nsm_result result = NSM_RESULT_INIT;
    detail::check(nsm_last_result(handle(), &result));
    return Result(result);
  }
  // Problems that differ in what update_q takes alone, one behind the other; z: starting points, then solutions.
  std::vector<nsm_outcome> solve_batch(std::int64_t count, const Vector& q, Vector& z) {
    detail::data(z, count * size_, "z");
    std::vector<std::int32_t> outcome(static_cast<std::size_t>(count));
    callbacks().thrown = nullptr;
    end(nsm_solve_batch(handle(), count, nullptr, detail::data(q, count * q_size(), "q"), z.data(), nullptr, outcome.data(),
                        nullptr));
    std::vector<nsm_outcome> outcomes;
    for (std::int32_t value : outcome) outcomes.push_back(static_cast<nsm_outcome>(value));
    return outcomes;
  }
  // d(z, w)/d(q, mu) (dq, dmu) at the last solution; dmu empty: 0.
  Solution differentiate(const Vector& dq, const Vector& dmu = {}) const {
    Solution change{Vector(unknowns()), Vector(unknowns())};
    detail::check(nsm_differentiate(handle(), detail::data(dq, q_size(), "dq"), q_size(),
                                    detail::optional_data(dmu, mu_size(), "dmu"), mu_size(), change.z.data(), change.w.data(),
                                    size_));
    return change;
  }
  // The gradient by q and mu of a loss with the gradients gz and gw by the solution; each may be empty: 0.
  Gradient gradient(const Vector& gz, const Vector& gw) const {
    Gradient gradient{Vector(static_cast<std::size_t>(q_size())), Vector(static_cast<std::size_t>(mu_size()))};
    detail::check(nsm_differentiate_transposed(handle(), detail::optional_data(gz, size_, "gz"),
                                               detail::optional_data(gw, size_, "gw"), size_, gradient.q.data(), q_size(),
                                               gradient.mu.empty() ? nullptr : gradient.mu.data(), mu_size()));
    return gradient;
  }

  // Best iterate of the last solve.
  Solution solution() const {
    Solution solution{Vector(unknowns()), Vector(unknowns())};
    detail::check(nsm_solution(handle(), solution.z.data(), solution.w.data(), size_));
    return solution;
  }
  // Further solutions, where the method lists them (enumeration): index 0 .. result.solutions() - 1.
  Solution solution_at(std::int64_t index) const {
    Solution solution{Vector(unknowns()), Vector(unknowns())};
    end(nsm_solution_at(handle(), index, solution.z.data(), solution.w.data(), size_));
    return solution;
  }
  // The verified proof of an outcome NSM_INFEASIBLE.
  Vector infeasibility_certificate() const {
    Vector y(static_cast<std::size_t>(proof_size_));
    detail::check(nsm_infeasibility_certificate(handle(), y.data(), proof_size_));
    return y;
  }

  // Who is told of progress, and who of what a solve tries; empty: nobody. They may throw: the exception comes out of the solve.
  void set_progress(Progress progress) {
    callbacks().progress = std::move(progress);
    nsm_set_progress(handle(), callbacks_->progress ? &Callbacks::on_progress : nullptr, callbacks_.get());
  }
  void set_log(Log log) {
    callbacks().log = std::move(log);
    nsm_set_log(handle(), callbacks_->log ? &Callbacks::on_log : nullptr, callbacks_.get());
  }
  // From any thread.
  void cancel() noexcept { nsm_cancel(handle()); }
  // Name of the method in use.
  std::string method() const { return nsm_solver_method(handle()); }

  // The handle, for functions of the C interface; it stays owned by this object.
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
        if (!self.thrown) self.thrown = std::current_exception();
      }
    }
  };

  Solver(const Problem& problem, const std::string& method, const nsm_options* options)
      : callbacks_(std::make_unique<Callbacks>()),
        callables_(problem.callables_),
        size_(problem.size()),
        proof_size_(problem.infeasibility_size()) {
    nsm_solver* handle = nullptr;
    detail::check(nsm_setup(problem.handle(), detail::null_if_empty(method), options, &handle));
    handle_.reset(handle);
    problem.rethrow();
  }
  // Of a call that has called back: what was thrown there comes first, since it may have made the call fail.
  void end(nsm_status status) const {
    if (callables_) callables_->rethrow();
    detail::check(status);
    if (std::exception_ptr thrown = std::exchange(callbacks().thrown, nullptr)) std::rethrow_exception(thrown);
  }
  std::pair<std::int64_t, std::int64_t> update_sizes() const {
    std::pair<std::int64_t, std::int64_t> sizes;
    detail::check(nsm_update_sizes(handle(), &sizes.first, &sizes.second));
    return sizes;
  }
  std::size_t unknowns() const noexcept { return static_cast<std::size_t>(size_); }
  Callbacks& callbacks() const {
    if (!callbacks_) throw Error(NSM_INVALID_ARGUMENT, "the solver is empty: it was moved from");
    return *callbacks_;
  }

  std::unique_ptr<Callbacks> callbacks_;  // these outlive the handle
  std::shared_ptr<detail::Callables> callables_;
  std::unique_ptr<nsm_solver, detail::SolverDeleter> handle_;
  std::int64_t size_ = 0, proof_size_ = 0;
};

// w empty: recomputed from z.
inline Certificate certify(const Problem& problem, const Vector& z, const Vector& w = {}, double tolerance = 1e-8) {
  Certificate certificate;
  certificate.tolerance = tolerance;
  detail::check(nsm_certify(problem.handle(), detail::data(z, problem.size(), "z"), detail::optional_data(w, problem.size(), "w"),
                            &certificate));
  problem.rethrow();
  return certificate;
}

// What was found of Slater's condition.
struct Slater {
  double margin = 0;  // positive: it holds
  Vector z;           // the point with that margin
};

// Looks for a point of a friction problem that meets Slater's condition; nsm_slater says more.
inline Slater slater(const Problem& problem) {
  Slater found;
  found.z.resize(static_cast<std::size_t>(problem.size()));
  detail::check(nsm_slater(problem.handle(), &found.margin, found.z.data(), problem.size()));
  return found;
}

// Does y prove that the problem has no solution?
inline bool certify_infeasible(const Problem& problem, const Vector& y, double tolerance = NSM_PROOF_TOLERANCE) {
  std::int32_t verified = 0;
  detail::check(
      nsm_certify_infeasible(problem.handle(), detail::data(y, problem.infeasibility_size(), "y"), tolerance, &verified));
  problem.rethrow();
  return verified != 0;
}

// Writes a solution file in native JSON, or into an FCLIB file; method and result are for its readers.
inline void write_solution(const Problem& problem, const std::string& path, const Solution& solution,
                           const std::string& method = {}, const Result* result = nullptr) {
  detail::check(nsm_solution_write(problem.handle(), path.c_str(), detail::data(solution.z, problem.size(), "z"),
                                   detail::optional_data(solution.w, problem.size(), "w"), detail::null_if_empty(method),
                                   result ? &result->values() : nullptr));
}

// Writes a proof that there is no solution, as a solution file without z.
inline void write_infeasibility(const Problem& problem, const std::string& path, const Vector& y,
                                const std::string& method = {}) {
  detail::check(nsm_infeasibility_write(problem.handle(), path.c_str(), detail::data(y, problem.infeasibility_size(), "y"),
                                        detail::null_if_empty(method)));
}

// The tables of methods and of options.
inline std::vector<nsm_method_info> methods() { return detail::table(nsm_method_count(), nsm_method_describe); }
inline std::vector<nsm_option_info> options() { return detail::table(nsm_option_count(), nsm_option_describe); }

}  // namespace nsm

#endif
