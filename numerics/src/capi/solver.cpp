// The table of methods; solvers: set up, updated, solved, asked.
#include "nonsmooth/solver.h"

#include <algorithm>

#include "capi/handles.hpp"
#include "core/checked.hpp"
#include "core/index.hpp"
#include "methods/frame/method.hpp"

using namespace nonsmooth;

namespace {

void copy_out(std::span<const double> from, double* to) {
  if (to != nullptr) std::copy(from.begin(), from.end(), to);
}

// One that has a result; const as the handle is.
template <class Handle>
auto& solved(Handle* solver) {
  auto& s = required(solver, "solver").solver;
  if (!s.has_solution()) fail(NSM_NOT_AVAILABLE, "no solve has come to its end");
  return s;
}

void require_problem_size(const Solver& solver, std::int64_t size) {
  if (size != solver.size())
    fail(NSM_INVALID_DIMENSION, "size is %lld, the problem has %lld unknowns", static_cast<long long>(size),
         static_cast<long long>(solver.size()));
}

void require_sizes(const Solver& solver, std::int64_t q_size, std::int64_t mu_size, bool mu_given, std::int64_t size) {
  require_problem_size(solver, size);
  if (q_size != solver.q_size())
    fail(NSM_INVALID_DIMENSION, "q_size is %lld, that of nsm_update_q is %lld", static_cast<long long>(q_size),
         static_cast<long long>(solver.q_size()));
  if (mu_given && mu_size != solver.mu_size())
    fail(NSM_INVALID_DIMENSION, "mu_size is %lld, that of nsm_update_mu is %lld", static_cast<long long>(mu_size),
         static_cast<long long>(solver.mu_size()));
}

// Empty where the caller gives or wants nothing.
std::span<const double> optional(const double* values, std::int64_t size) {
  return values == nullptr ? std::span<const double>() : std::span<const double>(values, at(size));
}
Vector buffer(const double* wanted, std::int64_t size) { return Vector(wanted == nullptr ? 0 : at(size)); }

}  // namespace

int64_t nsm_method_count(void) { return static_cast<int64_t>(method_table().size()); }

nsm_status nsm_method_describe(int64_t index, nsm_method_info* info) {
  return guarded([&] { write_struct(method_table()[checked_row(index, method_table().size())]->info, info, "info"); });
}

const char* nsm_default_method(const nsm_problem* problem) {
  const MethodEntry* entry = problem == nullptr ? nullptr : default_method(problem->problem);
  return entry == nullptr ? "" : entry->info.name;
}

nsm_status nsm_setup(const nsm_problem* problem, const char* method, const nsm_options* options, nsm_solver** solver) {
  return guarded([&] {
    required(solver, "solver") = nullptr;
    const Options defaults;
    *solver = new nsm_solver(required(problem, "problem").problem, method, options == nullptr ? defaults : options->options);
  });
}

nsm_status nsm_update_q(nsm_solver* solver, const double* q, int64_t size) {
  return guarded([&] { required(solver, "solver").solver.update_q(viewed(q, size, "q")); });
}

nsm_status nsm_update_f(nsm_solver* solver, const double* f, int64_t size) {
  return guarded([&] { required(solver, "solver").solver.update_f(viewed(f, size, "f")); });
}

nsm_status nsm_update_mu(nsm_solver* solver, const double* mu, int64_t size) {
  return guarded([&] { required(solver, "solver").solver.update_mu(viewed(mu, size, "mu")); });
}

nsm_status nsm_update_matrix(nsm_solver* solver, const nsm_matrix* M) {
  return guarded([&] { required(solver, "solver").solver.update_matrix(required(M, "M")); });
}

nsm_status nsm_update_sizes(const nsm_solver* solver, int64_t* q_size, int64_t* mu_size) {
  return guarded([&] {
    const Solver& s = required(solver, "solver").solver;
    if (q_size != nullptr) *q_size = s.has_q() ? s.q_size() : 0;
    if (mu_size != nullptr) *mu_size = s.mu_size();
  });
}

nsm_status nsm_warm_start(nsm_solver* solver, const double* z, int64_t size) {
  return guarded([&] { required(solver, "solver").solver.warm_start(viewed(z, size, "z")); });
}

nsm_status nsm_solve(nsm_solver* solver, nsm_result* result) {
  return guarded([&] {
    required_room(result, "result");  // before the work, not after it
    Solver& s = required(solver, "solver").solver;
    write_struct(s.solve(), result, "result");
    if (s.ran_out_of_memory()) throw std::bad_alloc();
  });
}

nsm_status nsm_solve_batch(nsm_solver* solver, int64_t count, const double* values, const double* q, double* z, double* w,
                           int32_t* outcome, double* residual) {
  return guarded([&] {
    Solver& s = required(solver, "solver").solver;
    if (count < 0) fail(NSM_INVALID_ARGUMENT, "count is %lld", static_cast<long long>(count));
    if (count == 0) return;
    required(q, "q");
    required(z, "z");
    const auto n = at(s.size()), rows = at(s.q_size());
    const auto entries = at(s.value_count());
    const std::int64_t widest = std::max({s.size(), s.q_size(), values != nullptr ? s.value_count() : 0});
    checked_mul(checked_mul(count, widest, "count"), sizeof(double), "count");
    const auto item = [&](std::int64_t index) {
      const auto k = at(index);
      Solver::BatchItem one{{}, {q + k * rows, rows}, {z + k * n, n}, {}};
      if (values != nullptr) one.values = {values + k * entries, entries};
      if (w != nullptr) one.w = {w + k * n, n};
      return one;
    };
    for (std::int64_t k = 0; k < count; ++k) s.check(item(k), k);
    const ControlledCall call(s.control());  // a batch that is cancelled is so to its end
    for (std::int64_t k = 0; k < count; ++k) {
      const nsm_result& result = s.solve(item(k), k);
      if (outcome != nullptr) outcome[k] = result.outcome;
      if (residual != nullptr) residual[k] = result.certificate.residual;
      if (s.ran_out_of_memory()) throw std::bad_alloc();
      s.control().check_clock();  // small problems end before they ask
    }
  });
}

nsm_status nsm_last_result(const nsm_solver* solver, nsm_result* result) {
  return guarded([&] {
    const Solver& s = solved(solver);
    write_struct(s.last_result(), result, "result");
  });
}

nsm_status nsm_solution(const nsm_solver* solver, double* z, double* w, int64_t size) {
  return guarded([&] {
    const Solver& s = solved(solver);
    require_problem_size(s, size);
    copy_out(s.z(), z);
    copy_out(s.w(), w);
  });
}

nsm_status nsm_differentiate(nsm_solver* solver, const double* dq, int64_t q_size, const double* dmu, int64_t mu_size, double* dz,
                             double* dw, int64_t size) {
  return guarded([&] {
    Solver& s = required(solver, "solver").solver;
    require_sizes(s, q_size, mu_size, dmu != nullptr, size);
    const Vector zero(dq == nullptr ? at(q_size) : 0);
    Vector z = buffer(dz, size), w = buffer(dw, size);  // the results may go where the arguments are
    s.differentiate(dq == nullptr ? std::span<const double>(zero) : optional(dq, q_size), optional(dmu, mu_size), z, w);
    copy_out(z, dz);
    copy_out(w, dw);
  });
}

nsm_status nsm_differentiate_transposed(nsm_solver* solver, const double* gz, const double* gw, int64_t size, double* gq,
                                        int64_t q_size, double* gmu, int64_t mu_size) {
  return guarded([&] {
    Solver& s = required(solver, "solver").solver;
    require_sizes(s, q_size, mu_size, gmu != nullptr, size);
    Vector q(at(q_size)), mu = buffer(gmu, mu_size);
    s.differentiate_transposed(optional(gz, size), optional(gw, size), q, mu);
    copy_out(q, gq);
    copy_out(mu, gmu);
  });
}

nsm_status nsm_solution_at(nsm_solver* solver, int64_t index, double* z, double* w, int64_t size) {
  return guarded([&] {
    Solver& s = solved(solver);
    require_problem_size(s, size);
    if (index < 0 || index >= s.stored_solutions())
      fail(NSM_NOT_AVAILABLE, "solution %lld of %lld stored", static_cast<long long>(index),
           static_cast<long long>(s.stored_solutions()));
    const auto n = at(size);
    Vector z_copy(n), w_copy(n);
    s.solution_at(index, z_copy, w_copy);
    copy_out(z_copy, z);
    copy_out(w_copy, w);
  });
}

nsm_status nsm_infeasibility_certificate(const nsm_solver* solver, double* y, int64_t size) {
  return guarded([&] {
    const Solver& s = required(solver, "solver").solver;
    if (s.infeasibility_ray().empty()) fail(NSM_NOT_AVAILABLE, "the last solve did not end as infeasible");
    const std::span<const double> proof = s.infeasibility_ray();
    if (size != static_cast<std::int64_t>(proof.size()))
      fail(NSM_INVALID_DIMENSION, "size is %lld, the proof has %zu entries", static_cast<long long>(size), proof.size());
    copy_out(proof, &required(y, "y"));
  });
}

void nsm_set_progress(nsm_solver* solver, nsm_progress_callback callback, void* user) {
  if (solver == nullptr) return;
  solver->solver.control().progress = callback;
  solver->solver.control().progress_user = user;
}

void nsm_set_log(nsm_solver* solver, nsm_log_callback callback, void* user) {
  if (solver == nullptr) return;
  solver->solver.control().log_callback = callback;
  solver->solver.control().log_user = user;
}

void nsm_cancel(nsm_solver* solver) {
  if (solver != nullptr) solver->solver.control().cancelled.store(true);
}

const char* nsm_solver_method(const nsm_solver* solver) { return solver == nullptr ? "" : solver->solver.method_name(); }

void nsm_free(nsm_solver** solver) {
  if (solver == nullptr) return;
  delete *solver;
  *solver = nullptr;
}
