/* Solvers: setup -> (update, warm_start ->) solve -> solution.
 *
 * nsm_setup does all allocation, ordering and factorisation; nsm_solve by a named method allocates nothing, but to verify a proof
 * that a global problem, or one over a polyhedron, has no solution. `auto` sets a stage up when a solve first reaches it: such a
 * solve allocates (result->setup_time tells), the next that goes no further does not; with the option all_stages none does. A
 * solver keeps what it needs of the problem: the problem may be freed first. A solver is used by one thread at a time (nsm_cancel
 * may be called from any thread or signal handler); distinct solvers are independent. */
#ifndef NONSMOOTH_SOLVER_H
#define NONSMOOTH_SOLVER_H

#include <stdint.h>

#include "nonsmooth/options.h"
#include "nonsmooth/problem.h"
#include "nonsmooth/result.h"
#include "nonsmooth/status.h"

/* A method set up for one problem; opaque. */
typedef struct nsm_solver nsm_solver;

/* One row of the table of methods (numerics/src/methods/methods.def). */
typedef struct nsm_method_info {
  uint32_t struct_size;       /* set by the caller */
  const char* name;           /* what nsm_setup takes */
  const char* summary;        /* what it does */
  const char* source;         /* author, year */
  const char* safe_for;       /* for which matrices it must succeed */
  uint32_t classes;           /* bit (1 << nsm_class) for every class it treats */
  int64_t default_iterations; /* limit used when the option max_iterations is 0 */
  const char* use_for;        /* when to take it, and when rather another */
} nsm_method_info;

/* Callbacks are called on the thread that solves; they must not throw, nor call the same solver but for nsm_cancel. */

/* Called during a solve or a batch, five times a second at most: iterations so far and the least residual of the whole problem,
 * also while a method is at work on a part of it, and seconds since the solve began. Non-zero return cancels it. */
typedef int32_t (*nsm_progress_callback)(void* user, int64_t iteration, double residual, double seconds);
/* Called with a line of text for what a solve tries, and, if a method was named, for the residual at iterations that grow by a
 * tenth. The text is valid during the call. */
typedef void (*nsm_log_callback)(void* user, const char* message);

#ifdef __cplusplus
extern "C" {
#endif

/* The table of methods: rows 0 .. count - 1. */
int64_t nsm_method_count(void);
nsm_status nsm_method_describe(int64_t index, nsm_method_info* info);
/* Name of the method that nsm_setup takes for this problem when it is given none. Never NULL; "" if no method treats it. */
const char* nsm_default_method(const nsm_problem* problem);

/* method NULL: nsm_default_method(problem), which is "auto". options NULL: all defaults; they are copied. NSM_UNKNOWN_METHOD;
 * NSM_UNSUPPORTED where the method does not treat the problem, NSM_TOO_LARGE where it is too large for it, NSM_INVALID_VALUE
 * where M of a global problem is singular: *solver is NULL then. */
nsm_status nsm_setup(const nsm_problem* problem, const char* method, const nsm_options* options, nsm_solver** solver);

/* New values on the same sizes and pattern; the solver's copy of the problem changes, the problem does not.
 * update_q: q (global classes: w, with f unchanged). update_f: the forces f of the global classes, whose factors stay.
 * update_mu: the friction coefficients of all contacts, of generic problems one for each block (of disks the radius), finite and
 * >= 0 where none is read too; mu_r stays. update_matrix: all stored values of M or W, in the storage given at creation; another
 * storage, size or pattern: NSM_INVALID_STRUCTURE. NSM_UNSUPPORTED where the class has no such values. Values that are refused
 * leave the solver as it was. */
nsm_status nsm_update_q(nsm_solver* solver, const double* q, int64_t size);
nsm_status nsm_update_f(nsm_solver* solver, const double* f, int64_t size);
nsm_status nsm_update_mu(nsm_solver* solver, const double* mu, int64_t size);
nsm_status nsm_update_matrix(nsm_solver* solver, const nsm_matrix* M);
/* Sizes that nsm_update_q and nsm_update_mu take, 0 where the class has no such values; either may be NULL. */
nsm_status nsm_update_sizes(const nsm_solver* solver, int64_t* q_size, int64_t* mu_size);

/* Starting point of the next solve; size is nsm_problem_size(). Without it the first solve starts from 0, a later one from what
 * the last has ended at; where the residual of that is above 0.1, from 0 if 0 has the smaller one (not of nonlinear classes,
 * whose start is projected on C). Until the next solve nsm_solution gives what it gave. */
nsm_status nsm_warm_start(nsm_solver* solver, const double* z, int64_t size);

/* NSM_OK whenever the call worked, whatever became of the problem: result->outcome says that. NSM_OUT_OF_MEMORY if a stage of
 * auto could not be set up: result and nsm_solution then hold the best iterate, and the next solve tries again. NSM_INVALID_VALUE
 * naming the entry if the option check_jacobian finds a wrong derivative; nothing is solved then. */
nsm_status nsm_solve(nsm_solver* solver, nsm_result* result);

/* Many small problems of one size and pattern, one after the other: `count` right-hand sides q [count][size of update_q] and, if
 * `values` is not NULL, as many matrices [count][stored values of M or W]. z [count][size] gives the starting points (0, or the
 * solutions of the last step) and receives the solutions; w [count][size], outcome [count] (nsm_outcome) and residual [count] may
 * be NULL. Values stand in the order of the matrix given at creation, entry after entry, dense columns without a gap. NaN or
 * infinity anywhere: NSM_NOT_FINITE naming the problem, and nothing is solved. A matrix that is refused, as by nsm_update_matrix,
 * ends the batch with its status, naming the problem; those before it are solved. Once cancelled, by nsm_cancel or the progress
 * callback, all problems left end as NSM_CANCELLED, but those that start at a solution. The solver keeps the last problem. */
nsm_status nsm_solve_batch(nsm_solver* solver, int64_t count, const double* values, const double* q, double* z, double* w,
                           int32_t* outcome, double* residual);

/* What the last solve ended with, of a batch that of its last problem: `nsm_solve` has told it already, `nsm_solve_batch` has
 * not. NSM_NOT_AVAILABLE before the first solve and after a call of nsm_solve that has failed. */
nsm_status nsm_last_result(const nsm_solver* solver, nsm_result* result);

/* How the certified solution of the last solve moves with q and mu, through the equations of the present statuses: each contact
 * open, sticking or sliding, each bounded row or disk at its bound or inside. For LCP, mixed LCP, relay, AVI and QP over a box,
 * friction, rolling friction, local and global, and generic problems; others: NSM_UNSUPPORTED. q_size and mu_size are those of
 * nsm_update_q and nsm_update_mu.
 *
 * nsm_differentiate: (dz, dw) = d(z, w)/d(q, mu) (dq, dmu). nsm_differentiate_transposed: (gq, gmu) = (d(z, w)/d(q, mu))' (gz,
 * gw), the gradient of a loss whose gradient by (z, w) is (gz, gw). Arguments that are NULL count as 0, results that are NULL are
 * not wanted; results may be where the arguments are. The first call after a solve factorises, all others use its factors.
 *
 * NSM_NOT_AVAILABLE where there is no derivative: no certified solution, values updated since; a row or contact between two
 * statuses (named); a singular system. Hyperstatic contacts make it singular: their reactions are not unique, but their
 * velocities are, so that dw or gw alone (dz, gz NULL) have an answer for up to 300 free directions, and for dq that bodies can
 * follow, such as H' dv: other dq are NSM_NOT_AVAILABLE, and the part of gq they would multiply is arbitrary. */
nsm_status nsm_differentiate(nsm_solver* solver, const double* dq, int64_t q_size, const double* dmu, int64_t mu_size, double* dz,
                             double* dw, int64_t size);
nsm_status nsm_differentiate_transposed(nsm_solver* solver, const double* gz, const double* gw, int64_t size, double* gq,
                                        int64_t q_size, double* gmu, int64_t mu_size);

/* Copies of the best iterate of the last solve; z or w may be NULL. NSM_NOT_AVAILABLE as nsm_last_result. */
nsm_status nsm_solution(const nsm_solver* solver, double* z, double* w, int64_t size);
/* Further solutions, where the method lists them (enumeration): index 0 .. result.solutions - 1, but no more than the option
 * solution_limit keeps; beyond: NSM_NOT_AVAILABLE. w is computed anew: ask before values are updated. */
nsm_status nsm_solution_at(nsm_solver* solver, int64_t index, double* z, double* w, int64_t size);
/* The verified y of an outcome NSM_INFEASIBLE; size is nsm_infeasibility_size of the problem. NSM_NOT_AVAILABLE after any other
 * outcome. */
nsm_status nsm_infeasibility_certificate(const nsm_solver* solver, double* y, int64_t size);

/* Who is told of progress, and who of what a solve tries; NULL: nobody. `user` is handed to the callback. */
void nsm_set_progress(nsm_solver* solver, nsm_progress_callback callback, void* user);
void nsm_set_log(nsm_solver* solver, nsm_log_callback callback, void* user);
/* Ends a running solve or batch with NSM_CANCELLED at its next check; if none runs, the next one. Thread-safe,
 * async-signal-safe. Cleared when the solve or batch ends. */
void nsm_cancel(nsm_solver* solver);
/* Name of the method in use. */
const char* nsm_solver_method(const nsm_solver* solver);

/* Frees and sets the pointer to NULL. NULL and pointer to NULL are fine. */
void nsm_free(nsm_solver** solver);

#ifdef __cplusplus
}
#endif
#endif
