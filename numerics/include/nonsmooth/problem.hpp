// Problems of the C++ wrapper; part of nonsmooth.hpp.
#ifndef NONSMOOTH_PROBLEM_HPP
#define NONSMOOTH_PROBLEM_HPP

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "nonsmooth/callables.hpp"
#include "nonsmooth/matrix.hpp"
#include "nonsmooth/nonsmooth.h"

namespace nsm {

// A solution, or the best iterate: z, and w of the same length (u for friction).
struct Solution {
  Vector z, w;  // both have Problem::size() entries; w may be empty where it was read from a file
};

struct Certificate;

// Immutable and validated; may be used by several threads at once.
class Problem {
 public:
  // w = M z + q, 0 <= w _|_ z >= 0.
  static Problem lcp(const Matrix& M, const Vector& q) {
    const nsm_matrix m = M.view();
    return make([&](nsm_problem** p) { return nsm_problem_create_lcp(&m, vector(q, M.rows(), "q"), p); });
  }

  // is_complementarity[n]: 0 marks a row with w = 0 and z free, 1 a row of complementarity.
  static Problem mlcp(const Matrix& M, const Vector& q, const Indices& is_complementarity) {
    const nsm_matrix m = M.view();
    const std::int32_t* rows = detail::data(is_complementarity, M.rows(), "is_complementarity");
    return make([&](nsm_problem** p) { return nsm_problem_create_mlcp(&m, vector(q, M.rows(), "q"), rows, p); });
  }

  // A u + C v + a = 0,  w = D u + B v + b,  0 <= w _|_ v >= 0;  z = (u, v).
  static Problem mlcp_blocks(const Matrix& A, const Matrix& B, const Matrix& C, const Matrix& D, const Vector& a,
                             const Vector& b) {
    const nsm_matrix views[] = {A.view(), B.view(), C.view(), D.view()};
    return make([&](nsm_problem** p) {
      return nsm_problem_create_mlcp_blocks(&views[0], &views[1], &views[2], &views[3], vector(a, A.rows(), "a"),
                                            vector(b, B.rows(), "b"), p);
    });
  }

  // lo <= z <= hi; bounds may be infinite.
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

  // dimension 2 or 3; u = W r + q and Coulomb's law; mu: one per contact.
  static Problem friction(std::int32_t dimension, const Matrix& W, const Vector& q, const Vector& mu) {
    const nsm_matrix w = W.view();
    const double* coefficients = vector(mu, contacts(W.rows(), dimension, 2, 3), "mu");
    return make(
        [&](nsm_problem** p) { return nsm_problem_create_friction(dimension, &w, vector(q, W.rows(), "q"), coefficients, p); });
  }

  // G and b empty: no bilateral constraints.
  static Problem global_friction(std::int32_t dimension, const Matrix& M, const Matrix& H, const Vector& f, const Vector& w,
                                 const Vector& mu, const Matrix& G = {}, const Vector& b = {}) {
    const nsm_matrix m = M.view(), h = H.view(), g = G.view();
    const double* coefficients = vector(mu, contacts(H.cols(), dimension, 2, 3), "mu");
    return make([&](nsm_problem** p) {
      return nsm_problem_create_global_friction(dimension, &m, &h, vector(f, M.rows(), "f"), vector(w, H.cols(), "w"),
                                                coefficients, pointer(G, g), detail::optional_data(b, G.cols(), "b"), p);
    });
  }

  // dimension 3 (in the plane) or 5; mu and mu_r: one per contact.
  static Problem rolling(std::int32_t dimension, const Matrix& W, const Vector& q, const Vector& mu, const Vector& mu_r) {
    const nsm_matrix w = W.view();
    const std::int64_t count = contacts(W.rows(), dimension, 3, 5);
    return make([&](nsm_problem** p) {
      return nsm_problem_create_rolling(dimension, &w, vector(q, W.rows(), "q"), vector(mu, count, "mu"),
                                        vector(mu_r, count, "mu_r"), p);
    });
  }

  // As global_friction, with rolling resistance; dimension 3 or 5.
  static Problem global_rolling(std::int32_t dimension, const Matrix& M, const Matrix& H, const Vector& f, const Vector& w,
                                const Vector& mu, const Vector& mu_r, const Matrix& G = {}, const Vector& b = {}) {
    const nsm_matrix m = M.view(), h = H.view(), g = G.view();
    const std::int64_t count = contacts(H.cols(), dimension, 3, 5);
    return make([&](nsm_problem** p) {
      return nsm_problem_create_global_rolling(dimension, &m, &h, vector(f, M.rows(), "f"), vector(w, H.cols(), "w"),
                                               vector(mu, count, "mu"), vector(mu_r, count, "mu_r"), pointer(G, g),
                                               detail::optional_data(b, G.cols(), "b"), p);
    });
  }

  // kind: values of nsm_block_kind. mu: the coefficients of friction blocks, the radii of disks; mu, lo, hi may be empty where no
  // block reads them.
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

  // cone_start: one more than cones, from 0 to n; tau: one per cone, > 0.
  static Problem soclcp(const Matrix& M, const Vector& q, const Indices& cone_start, const Vector& tau) {
    const nsm_matrix m = M.view();
    const std::int32_t* start = detail::data(cone_start, detail::length(tau) + 1, "cone_start");
    return make([&](nsm_problem** p) {
      return nsm_problem_create_soclcp(&m, vector(q, M.rows(), "q"), detail::length(tau), start, tau.data(), p);
    });
  }

  // Cones of three rows that yield at eta and dilate by eta - theta; eta, theta: one per cone.
  static Problem plasticity(const Matrix& W, const Vector& q, const Vector& eta, const Vector& theta) {
    const nsm_matrix w = W.view();
    const std::int64_t cones = W.rows() / 3;
    return make([&](nsm_problem** p) {
      return nsm_problem_create_plasticity(&w, vector(q, W.rows(), "q"), vector(eta, cones, "eta"), vector(theta, cones, "theta"),
                                           p);
    });
  }

  // Nonlinear classes. A callable writes its values and returns true, or false where it cannot be evaluated. It may throw: the
  // exception comes out of the call that asked for the value (Solver::solve, certify, ...). Callables are copied, shared by the
  // problem and its solvers, and called by several threads at once if solvers are at work there.
  using Function = detail::Callables::Function;

  // jacobian empty: finite differences. pattern empty: dense, values column-major; else the values in the pattern's order.
  static Problem ncp(std::int64_t n, Function F, Function jacobian = {}, const Matrix& pattern = {}) {
    return make_with(std::move(F), std::move(jacobian), {}, pattern, [&](auto F_, auto J, auto p, void* user, auto** out) {
      return nsm_problem_create_ncp(n, F_, J, p, user, out);
    });
  }
  // lo, hi empty: no bounds on that side.
  static Problem mcp(std::int64_t n, Function F, const Vector& lo, const Vector& hi, Function jacobian = {},
                     const Matrix& pattern = {}) {
    return make_with(std::move(F), std::move(jacobian), {}, pattern, [&](auto F_, auto J, auto p, void* user, auto** out) {
      return nsm_problem_create_mcp(n, F_, J, p, user, detail::optional_bounds(lo, n, "lo"), detail::optional_bounds(hi, n, "hi"),
                                    out);
    });
  }
  // C = {H x >= k, lo <= x <= hi}; H, k, lo, hi may be empty.
  static Problem vi(std::int64_t n, Function F, const Matrix& H, const Vector& k, const Vector& lo = {}, const Vector& hi = {},
                    Function jacobian = {}, const Matrix& pattern = {}) {
    const nsm_matrix h = H.view();
    return make_with(std::move(F), std::move(jacobian), {}, pattern, [&](auto F_, auto J, auto p, void* user, auto** out) {
      return nsm_problem_create_vi(n, F_, J, p, user, pointer(H, h), detail::optional_data(k, H.rows(), "k"),
                                   detail::optional_bounds(lo, n, "lo"), detail::optional_bounds(hi, n, "hi"), out);
    });
  }
  // projection writes the point of C next to its argument.
  static Problem vi_projection(std::int64_t n, Function F, Function projection, Function jacobian = {},
                               const Matrix& pattern = {}) {
    const auto project = projection ? &detail::Callables::project : nullptr;
    return make_with(std::move(F), std::move(jacobian), std::move(projection), pattern,
                     [&](auto F_, auto J, auto p, void* user, auto** out) {
                       return nsm_problem_create_vi_projection(n, F_, J, p, user, project, out);
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

  // A solution file, or the solution, else the guess, in a problem file; w is empty where the file has none.
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

  // Class; length of z and of w.
  nsm_class problem_class() const noexcept { return nsm_problem_class(handle()); }
  std::int64_t size() const noexcept { return nsm_problem_size(handle()); }
  // Length of a proof that there is no solution; 0 where there is no such proof.
  std::int64_t infeasibility_size() const noexcept { return nsm_infeasibility_size(handle()); }
  // Title kept with the problem; empty if there is none.
  std::string title() const { return nsm_problem_title(handle()); }
  // What a Solver takes where no method is named.
  std::string default_method() const { return nsm_default_method(handle()); }
  // Sizes, symmetry, eigenvalues, friction coefficients.
  nsm_description describe() const {
    nsm_description description = {};
    description.struct_size = static_cast<std::uint32_t>(sizeof description);
    detail::check(nsm_problem_describe(handle(), &description));
    rethrow();
    return description;
  }

  // The handle, for functions of the C interface; it stays owned by this object.
  const nsm_problem* handle() const noexcept { return handle_.get(); }

 private:
  friend class Solver;
  friend Certificate certify(const Problem& problem, const Vector& z, const Vector& w, double tolerance);
  friend bool certify_infeasible(const Problem& problem, const Vector& y, double tolerance);

  explicit Problem(nsm_problem* handle) : handle_(handle) {}

  template <class Create>
  static Problem make_with(Function F, Function jacobian, Function projection, const Matrix& pattern, Create&& create) {
    auto callables = std::make_shared<detail::Callables>();
    callables->F = std::move(F);
    callables->jacobian = std::move(jacobian);
    callables->projection = std::move(projection);
    const nsm_matrix structure = pattern.view();
    Problem problem = make([&](nsm_problem** out) {
      return create(callables->F ? &detail::Callables::evaluate : nullptr,
                    callables->jacobian ? &detail::Callables::differentiate : nullptr, pointer(pattern, structure),
                    callables.get(), out);
    });
    callables->rethrow();
    problem.callables_ = std::move(callables);
    return problem;
  }
  void rethrow() const {
    if (callables_) callables_->rethrow();
  }

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
  static std::int64_t contacts(std::int64_t rows, std::int32_t dimension, std::int32_t planar, std::int32_t spatial) {
    if (dimension == planar || dimension == spatial) return rows / dimension;
    const std::string expected = std::to_string(planar) + " or " + std::to_string(spatial) + " expected";
    throw Error(NSM_INVALID_VALUE, "dimension is " + std::to_string(dimension) + "; " + expected);
  }
  std::size_t unknowns() const noexcept { return static_cast<std::size_t>(size()); }

  std::shared_ptr<detail::Callables> callables_;  // outlives the handle
  std::unique_ptr<nsm_problem, detail::ProblemDeleter> handle_;
};

}  // namespace nsm

#endif
