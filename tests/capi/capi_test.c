/* The whole C interface from a C99 program. Usage: capi_test FOLDER, where it may write. Returns 0, or 1 and says what failed. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "capi_check.h"
#include "capi_problems.h"

static const char* folder = ".";

static void test_texts(void) {
  int k;
  CHECK(strcmp(nsm_version(), NSM_VERSION_STRING) == 0);
  CHECK(strcmp(nsm_status_name(NSM_NOT_FINITE), "not_finite") == 0);
  CHECK(strcmp(nsm_outcome_name(NSM_RAY), "ray") == 0);
  CHECK(strcmp(nsm_status_name((nsm_status)99), "unknown") == 0);
  CHECK(strcmp(nsm_outcome_name((nsm_outcome)99), "unknown") == 0);
  for (k = 0; k < (int)NSM_STATUS_COUNT; ++k) CHECK(strlen(nsm_status_text((nsm_status)k)) > 0);
  for (k = 0; k < (int)NSM_OUTCOME_COUNT; ++k) CHECK(strlen(nsm_outcome_text((nsm_outcome)k)) > 0);
  for (k = 0; k < (int)NSM_CLASS_COUNT; ++k) {
    CHECK(nsm_class_from_name(nsm_class_name((nsm_class)k)) == (nsm_class)k);
    CHECK(strlen(nsm_class_text((nsm_class)k)) > 0);
  }
  CHECK(nsm_class_from_name("no such class") == NSM_CLASS_COUNT);
  CHECK(nsm_class_from_name(NULL) == NSM_CLASS_COUNT);
  CHECK(strcmp(nsm_verdict_text(NSM_CERTIFIED), "certified") == 0);
}

static void test_tables(void) {
  int64_t k;
  nsm_method_info method;
  nsm_option_info option;
  CHECK(nsm_method_count() > 0);
  CHECK(nsm_option_count() > 0);
  for (k = 0; k < nsm_method_count(); ++k) {
    memset(&method, 0, sizeof method);
    method.struct_size = (uint32_t)sizeof method;
    CHECK_OK(nsm_method_describe(k, &method));
    CHECK(method.name != NULL && strlen(method.name) > 0);
    CHECK(method.summary != NULL && method.source != NULL && method.safe_for != NULL);
    CHECK(method.classes != 0);
    CHECK(method.default_iterations > 0);
  }
  for (k = 0; k < nsm_option_count(); ++k) {
    memset(&option, 0, sizeof option);
    option.struct_size = (uint32_t)sizeof option;
    CHECK_OK(nsm_option_describe(k, &option));
    CHECK(option.name != NULL && strlen(option.name) > 0);
    CHECK(option.lower <= option.default_value && option.default_value <= option.upper);
    CHECK(option.unit != NULL && option.methods != NULL && option.help != NULL);
  }
  method.struct_size = (uint32_t)sizeof method;
  option.struct_size = (uint32_t)sizeof option;
  CHECK(nsm_method_describe(-1, &method) != NSM_OK);
  CHECK(nsm_method_describe(nsm_method_count(), &method) != NSM_OK);
  CHECK(nsm_option_describe(nsm_option_count(), &option) != NSM_OK);
  CHECK(nsm_option_describe(0, NULL) != NSM_OK);
}

/* Every row of the table of options: its default, both bounds where finite, values beyond them. */
static void test_options(void) {
  int64_t k;
  nsm_options* options = NULL;
  double value = 0;
  CHECK_OK(nsm_options_create(&options));
  for (k = 0; k < nsm_option_count(); ++k) {
    nsm_option_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = (uint32_t)sizeof info;
    if (!CHECK_OK(nsm_option_describe(k, &info))) continue;
    CHECK_OK(nsm_options_get(options, info.name, &value));
    CHECK(value == info.default_value);
    CHECK_OK(nsm_options_set(options, info.name, info.default_value));
    if (isfinite(info.lower)) CHECK_STATUS(NSM_INVALID_OPTION, nsm_options_set(options, info.name, info.lower - 1));
    CHECK_STATUS(NSM_INVALID_OPTION, nsm_options_set(options, info.name, NAN));
    CHECK(message_has(info.name));
    CHECK_STATUS(NSM_INVALID_OPTION, nsm_options_set_text(options, info.name, "not a value"));
    CHECK(message_has(info.type == NSM_OPTION_METHOD    ? "is no method"
                      : info.type == NSM_OPTION_BOOLEAN ? "true or false"
                      : info.type == NSM_OPTION_CHOICE  ? "is none of"
                                                        : "is no number"));
    CHECK_OK(nsm_options_get(options, info.name, &value));
    CHECK(value == info.default_value);
  }
  CHECK_OK(nsm_options_set(options, "tolerance", 1e-6));
  CHECK_OK(nsm_options_set_text(options, "tolerance", "1e-7"));
  CHECK_OK(nsm_options_get(options, "tolerance", &value));
  CHECK(value == 1e-7);
  CHECK_STATUS(NSM_INVALID_OPTION, nsm_options_set(options, "no_such_option", 1));
  CHECK(message_has("no_such_option"));
  CHECK(nsm_options_set(NULL, "tolerance", 1) != NSM_OK);
  CHECK(nsm_options_set(options, NULL, 1) != NSM_OK);
  CHECK(nsm_options_create(NULL) != NSM_OK);
  nsm_options_free(&options);
  CHECK(options == NULL);
  nsm_options_free(&options);
  nsm_options_free(NULL);
}

static void check_description(const nsm_problem* problem, nsm_class expected) {
  nsm_description description;
  memset(&description, 0, sizeof description);
  description.struct_size = (uint32_t)sizeof description;
  CHECK_OK(nsm_problem_describe(problem, &description));
  CHECK(description.problem_class == (int32_t)expected);
  CHECK(description.size == nsm_problem_size(problem));
  CHECK(description.rows == description.cols && description.rows > 0);
  CHECK(description.eigenvalue_min > 0.99 && description.eigenvalue_min <= description.eigenvalue_max);
  CHECK(description.symmetry_defect == 0);
  CHECK(description.q_norm > 0);
}

/* Solves with the method named; the result must be certified, also when asked again from outside. */
static void check_solve(const nsm_problem* problem, const char* method, double* z, double* w) {
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  const int64_t n = nsm_problem_size(problem);
  if (!CHECK_OK(nsm_setup(problem, method, NULL, &solver))) return;
  CHECK(strcmp(nsm_solver_method(solver), method) == 0);
  CHECK_OK(nsm_solve(solver, &result));
  if (!CHECK(result.outcome == NSM_CONVERGED))
    fprintf(stderr, "  method %s: %s\n", method, nsm_outcome_name((nsm_outcome)result.outcome));
  CHECK(result.certificate.residual <= 1e-8);
  CHECK(result.iterations >= 0 && result.time >= 0 && result.solutions >= 1);
  CHECK_OK(nsm_solution(solver, z, w, n));
  CHECK_OK(nsm_certify(problem, z, w, &certificate));
  CHECK(certificate.verdict == NSM_CERTIFIED);
  CHECK(certificate.residual <= 1e-8);
  nsm_free(&solver);
}

static void test_classes(void) {
  int k;
  double z[16], w[16];
  for (k = 0; k < (int)NSM_CLASS_COUNT; ++k) {
    nsm_problem* problem = makers[k]();
    if (problem == NULL) continue;
    CHECK(nsm_problem_class(problem) == (nsm_class)k);
    CHECK(strcmp(nsm_problem_title(problem), "") == 0);
    CHECK_STATUS(NSM_NOT_AVAILABLE, nsm_problem_guess(problem, z));
    check_description(problem, (nsm_class)k);
    if (CHECK(strlen(nsm_default_method(problem)) > 0)) check_solve(problem, nsm_default_method(problem), z, w);
    nsm_problem_free(&problem);
    CHECK(problem == NULL);
  }
}

static void test_mlcp_blocks(void) {
  const double a11[] = {2}, b22[] = {2}, c12[] = {1}, d21[] = {1}, a[] = {-1}, b[] = {-1}, nan[] = {NAN};
  const nsm_matrix A = nsm_matrix_dense(1, 1, a11), B = nsm_matrix_dense(1, 1, b22);
  const nsm_matrix C = nsm_matrix_dense(1, 1, c12);
  nsm_matrix D = nsm_matrix_dense(1, 1, d21);
  nsm_problem* problem = NULL;
  double z[2] = {0, 0}, w[2];
  CHECK_OK(nsm_problem_create_mlcp_blocks(&A, &B, &C, &D, a, b, &problem));
  check_solve(problem, nsm_default_method(problem), z, w);
  CHECK(fabs(z[0] - 1.0 / 3) < 1e-7 && fabs(z[1] - 1.0 / 3) < 1e-7);
  nsm_problem_free(&problem);
  CHECK_STATUS(NSM_NOT_FINITE, nsm_problem_create_mlcp_blocks(&A, &B, &C, &D, a, nan, &problem));
  CHECK(message_has("b[0] is nan"));
  D = nsm_matrix_dense(1, 1, nan);
  CHECK_STATUS(NSM_NOT_FINITE, nsm_problem_create_mlcp_blocks(&A, &B, &C, &D, a, b, &problem));
  CHECK(message_has("D(0, 0) is nan"));
}

/* M is symmetric positive definite: every method that lists the LCP must solve it. */
static void test_lcp_methods(void) {
  nsm_problem* problem = make_lcp();
  int64_t k;
  for (k = 0; k < nsm_method_count(); ++k) {
    nsm_method_info info;
    double z[2] = {0, 0}, w[2] = {0, 0};
    memset(&info, 0, sizeof info);
    info.struct_size = (uint32_t)sizeof info;
    if (!CHECK_OK(nsm_method_describe(k, &info)) || !(info.classes & (1u << NSM_LCP))) continue;
    if (strcmp(info.name, "projected_multigrid") == 0) continue; /* treats grids only */
    check_solve(problem, info.name, z, w);
    CHECK(fabs(z[0] - 1.0 / 3) < 1e-7 && fabs(z[1] - 1.0 / 3) < 1e-7);
  }
  nsm_problem_free(&problem);
}

static void test_lifecycle(void) {
  nsm_problem* problem = make_lcp();
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  const double q[] = {-3, -3}, values[] = {1, 0, 0, 1}, start[] = {1, 1};
  const nsm_matrix M = nsm_matrix_dense(2, 2, values);
  double z[2] = {0, 0}, w[2];
  CHECK_OK(nsm_setup(problem, NULL, NULL, &solver));
  CHECK(strcmp(nsm_solver_method(solver), nsm_default_method(problem)) == 0);
  nsm_problem_free(&problem); /* the solver goes on without it */
  CHECK_STATUS(NSM_NOT_AVAILABLE, nsm_solution(solver, z, w, 2));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK_OK(nsm_solution(solver, z, NULL, 2));
  CHECK(fabs(z[0] - 1.0 / 3) < 1e-7);
  CHECK_OK(nsm_update_q(solver, q, 2));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK_OK(nsm_solution(solver, z, w, 2));
  CHECK(fabs(z[0] - 1) < 1e-7);
  CHECK_OK(nsm_update_matrix(solver, &M));
  CHECK_OK(nsm_warm_start(solver, start, 2));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK(result.outcome == NSM_CONVERGED);
  CHECK_OK(nsm_solution(solver, z, w, 2));
  CHECK(fabs(z[0] - 3) < 1e-7);
  CHECK(nsm_solution(solver, z, w, 3) != NSM_OK);
  CHECK(nsm_update_q(solver, q, 1) != NSM_OK);
  CHECK(nsm_warm_start(solver, start, 5) != NSM_OK);
  CHECK(nsm_update_mu(solver, q, 2) != NSM_OK); /* an LCP has none */
  CHECK(nsm_solve(solver, NULL) != NSM_OK);
  nsm_free(&solver);
  CHECK(solver == NULL);
  nsm_free(&solver);
  nsm_free(NULL);
}

static void test_update_mu(void) {
  nsm_problem* problem = make_friction();
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  const double sticking[] = {3}, negative[] = {-1};
  double r[3], u[3];
  CHECK_OK(nsm_setup(problem, NULL, NULL, &solver));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK_OK(nsm_solution(solver, r, u, 3));
  CHECK(fabs(r[0] - 1) < 1e-7 && fabs(r[1] + 0.5) < 1e-7 && fabs(u[1] - 1.5) < 1e-7);
  CHECK_OK(nsm_update_mu(solver, sticking, 1));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK_OK(nsm_solution(solver, r, u, 3));
  CHECK(fabs(r[1] + 2) < 1e-7 && fabs(u[1]) < 1e-7);
  CHECK_STATUS(NSM_INVALID_VALUE, nsm_update_mu(solver, negative, 1));
  nsm_free(&solver);
  nsm_problem_free(&problem);
}

/* A body of mass 1 on a plane: v = r + f, u = v. */
static void test_update_f(void) {
  nsm_problem *problem = make_global_friction(), *local = make_friction();
  nsm_solver *solver = NULL, *other = NULL;
  nsm_result result = NSM_RESULT_INIT;
  const double sticking[] = {-1, 0.25, 0}, bad[] = {-1, NAN, 0};
  int64_t q_size = 0, mu_size = 0;
  double z[6], w[6];
  CHECK_OK(nsm_setup(problem, NULL, NULL, &solver));
  CHECK_OK(nsm_update_sizes(solver, &q_size, &mu_size));
  CHECK(q_size == 3 && mu_size == 1);
  CHECK_OK(nsm_update_sizes(solver, NULL, NULL));
  CHECK_STATUS(NSM_INVALID_ARGUMENT, nsm_update_sizes(NULL, &q_size, &mu_size));
  CHECK_OK(nsm_solve(solver, &result));
  CHECK_OK(nsm_solution(solver, z, w, 6));
  CHECK(fabs(z[1] - 1.5) < 1e-7 && fabs(z[3] - 1) < 1e-7 && fabs(z[4] + 0.5) < 1e-7);
  CHECK_OK(nsm_update_f(solver, sticking, 3));
  CHECK_STATUS(NSM_NOT_AVAILABLE, nsm_differentiate(solver, sticking, 3, NULL, 1, z, NULL, 6)); /* of other values */
  CHECK_STATUS(NSM_NOT_FINITE, nsm_update_f(solver, bad, 3));
  CHECK(message_has("f[1]"));
  CHECK_STATUS(NSM_INVALID_DIMENSION, nsm_update_f(solver, sticking, 6));
  CHECK(message_has("f has 6 entries, 3 expected"));
  CHECK(nsm_update_f(solver, NULL, 3) != NSM_OK);
  CHECK(nsm_update_f(NULL, sticking, 3) != NSM_OK);
  CHECK_OK(nsm_solve(solver, &result));
  CHECK(result.outcome == NSM_CONVERGED);
  CHECK_OK(nsm_solution(solver, z, w, 6));
  CHECK(fabs(z[1]) < 1e-7 && fabs(z[3] - 1) < 1e-7 && fabs(z[4] + 0.25) < 1e-7);
  CHECK_OK(nsm_setup(local, NULL, NULL, &other));
  CHECK_STATUS(NSM_UNSUPPORTED, nsm_update_f(other, sticking, 3));
  CHECK(message_has("problems of class friction have no f"));
  nsm_free(&other);
  nsm_free(&solver);
  nsm_problem_free(&local);
  nsm_problem_free(&problem);
}

static int32_t count_progress(void* user, int64_t iteration, double residual, double seconds) {
  (void)iteration;
  (void)residual;
  (void)seconds;
  ++*(int*)user;
  return 0;
}

static void count_log(void* user, const char* message) {
  if (message != NULL) ++*(int*)user;
}

static void test_callbacks_and_cancel(void) {
  nsm_problem* problem = make_friction();
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  int calls = 0, messages = 0;
  CHECK_OK(nsm_setup(problem, NULL, NULL, &solver));
  nsm_set_progress(solver, count_progress, &calls);
  nsm_set_log(solver, count_log, &messages);
  CHECK_OK(nsm_solve(solver, &result));
  nsm_set_progress(solver, NULL, NULL);
  nsm_set_log(solver, NULL, NULL);
  nsm_cancel(solver);
  CHECK_OK(nsm_solve(solver, &result));
  CHECK(result.outcome == NSM_CANCELLED || result.outcome == NSM_CONVERGED);
  CHECK_OK(nsm_solve(solver, &result)); /* the request was for one solve only */
  CHECK(result.outcome == NSM_CONVERGED);
  nsm_set_progress(NULL, count_progress, NULL);
  nsm_set_log(NULL, count_log, NULL);
  nsm_cancel(NULL);
  nsm_free(&solver);
  nsm_problem_free(&problem);
}

static void test_certificates(void) {
  nsm_problem* problem = make_lcp();
  nsm_certificate certificate = NSM_CERTIFICATE_INIT;
  const double wrong[] = {0, 0}, not_finite[] = {0, NAN}, none[] = {-1, -1, -1, -1}, y[] = {1, 0}, normal[] = {1, 0, 0};
  nsm_matrix M;
  int32_t verified = -1;
  int k;
  CHECK_OK(nsm_certify(problem, wrong, NULL, &certificate));
  CHECK(certificate.verdict == NSM_NOT_CERTIFIED);
  CHECK(fabs(certificate.residual - 1) < 1e-15); /* |z - max(0, z - w)| = sqrt(2), over |q| = sqrt(2) */
  CHECK_STATUS(NSM_NOT_FINITE, nsm_certify(problem, not_finite, NULL, &certificate));
  CHECK(nsm_certify(problem, NULL, NULL, &certificate) != NSM_OK);
  CHECK(nsm_certify(NULL, wrong, NULL, &certificate) != NSM_OK);
  CHECK(nsm_certify(problem, wrong, NULL, NULL) != NSM_OK);
  for (k = 0; k < 3; ++k) { /* by an infinite tolerance, or one below 0 of a proof, anything would be certified */
    const double senseless[] = {-1, NAN, INFINITY};
    certificate.tolerance = senseless[k];
    CHECK_STATUS(NSM_INVALID_VALUE, nsm_certify(problem, wrong, NULL, &certificate));
    CHECK(strstr(nsm_last_error(), "tolerance is ") != NULL);
    CHECK_STATUS(NSM_INVALID_VALUE, nsm_certify_infeasible(problem, y, senseless[k], &verified));
  }
  CHECK_OK(nsm_certify_infeasible(problem, y, 1e-8, &verified));
  CHECK(verified == 0);
  nsm_problem_free(&problem);
  M = nsm_matrix_dense(2, 2, none); /* w = -(z1 + z2) - 1 is negative for all z >= 0 */
  CHECK_OK(nsm_problem_create_lcp(&M, minus2, &problem));
  CHECK_OK(nsm_certify_infeasible(problem, y, 1e-8, &verified));
  CHECK(verified == 1);
  nsm_problem_free(&problem);
  problem = make_friction(); /* W = I: bodies give way */
  CHECK(nsm_infeasibility_size(problem) == 3);
  CHECK_OK(nsm_certify_infeasible(problem, normal, 1e-8, &verified));
  CHECK(verified == 0);
  nsm_problem_free(&problem);
  M = nsm_matrix_dense(2, 2, spd2);
  CHECK_OK(nsm_problem_create_relay(&M, minus2, wrong, y, &problem)); /* a box is never empty */
  CHECK_STATUS(NSM_UNSUPPORTED, nsm_certify_infeasible(problem, y, 1e-8, &verified));
  nsm_problem_free(&problem);
}

static void test_bad_data(void) {
  nsm_matrix M = nsm_matrix_dense(2, 2, spd2);
  const nsm_matrix W = nsm_matrix_dense(3, 3, identity3);
  const nsm_matrix wide = nsm_matrix_dense(1, 2, spd2);
  const double q_nan[] = {0, NAN}, lo[] = {1, 0}, hi[] = {0, 1}, mu[] = {-0.5};
  const int32_t start[] = {0, 1, 2}, index[] = {0, 7};
  const nsm_matrix outside = nsm_matrix_csc(2, 2, start, index, spd2);
  nsm_problem* problem = (nsm_problem*)&M; /* must be set to NULL */
  CHECK_STATUS(NSM_NOT_FINITE, nsm_problem_create_lcp(&M, q_nan, &problem));
  CHECK(problem == NULL);
  CHECK(message_has("q[1]"));
  CHECK_STATUS(NSM_INVALID_DIMENSION, nsm_problem_create_lcp(&wide, minus2, &problem));
  CHECK_STATUS(NSM_INVALID_STRUCTURE, nsm_problem_create_lcp(&outside, minus2, &problem));
  CHECK_STATUS(NSM_INVALID_VALUE, nsm_problem_create_relay(&M, minus2, lo, hi, &problem));
  CHECK(message_has("lo[0]"));
  CHECK_STATUS(NSM_INVALID_VALUE, nsm_problem_create_friction(3, &W, sliding3, mu, &problem));
  CHECK(message_has("mu[0]"));
  CHECK_STATUS(NSM_INVALID_VALUE, nsm_problem_create_friction(4, &W, sliding3, half, &problem));
  CHECK(nsm_problem_create_lcp(NULL, minus2, &problem) != NSM_OK);
  CHECK(nsm_problem_create_lcp(&M, NULL, &problem) != NSM_OK);
  CHECK(nsm_problem_create_lcp(&M, minus2, NULL) != NSM_OK);
  M.struct_size = 0;
  CHECK_STATUS(NSM_INVALID_ARGUMENT, nsm_problem_create_lcp(&M, minus2, &problem));
  CHECK(problem == NULL);
  CHECK(nsm_problem_size(NULL) == 0);
  nsm_problem_free(&problem);
  nsm_problem_free(NULL);
}

static void test_bad_setup(void) {
  nsm_problem* problem = make_lcp();
  nsm_solver* solver = NULL;
  int64_t k;
  CHECK_STATUS(NSM_UNKNOWN_METHOD, nsm_setup(problem, "no_such_method", NULL, &solver));
  CHECK(solver == NULL && message_has("no_such_method"));
  CHECK(nsm_setup(NULL, NULL, NULL, &solver) != NSM_OK);
  CHECK(nsm_setup(problem, NULL, NULL, NULL) != NSM_OK);
  for (k = 0; k < nsm_method_count(); ++k) {
    nsm_method_info info;
    memset(&info, 0, sizeof info);
    info.struct_size = (uint32_t)sizeof info;
    if (!CHECK_OK(nsm_method_describe(k, &info)) || (info.classes & (1u << NSM_LCP))) continue;
    CHECK_STATUS(NSM_UNSUPPORTED, nsm_setup(problem, info.name, NULL, &solver));
  }
  nsm_problem_free(&problem);
  problem = make_friction(); /* in space: the tangential parts are disks */
  CHECK_STATUS(NSM_UNSUPPORTED, nsm_setup(problem, "projected_conjugate_gradient", NULL, &solver));
  CHECK(message_has("disks"));
  nsm_problem_free(&problem);
}

/* Writes, reads back and compares the residual at a point that is no solution: it must not change in a single bit. */
static void check_round_trip(const nsm_problem* problem, const char* format, const char* ending) {
  char path[600];
  nsm_problem* copy = NULL;
  nsm_certificate before = NSM_CERTIFICATE_INIT, after = NSM_CERTIFICATE_INIT;
  const double z[16] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6};
  const char* name = nsm_class_name(nsm_problem_class(problem));
  snprintf(path, sizeof path, "%s/capi_%s%s", folder, name, ending);
  if (!CHECK_OK(nsm_problem_write(problem, path, format))) return;
  if (!CHECK_OK(nsm_problem_read(path, name, &copy))) return;
  CHECK(nsm_problem_class(copy) == nsm_problem_class(problem));
  CHECK(nsm_problem_size(copy) == nsm_problem_size(problem));
  CHECK_OK(nsm_certify(problem, z, NULL, &before));
  CHECK_OK(nsm_certify(copy, z, NULL, &after));
  CHECK(before.residual == after.residual);
  nsm_problem_free(&copy);
  remove(path);
}

static void test_files(void) {
  int k;
  for (k = 0; k < (int)NSM_CLASS_COUNT; ++k) {
    nsm_problem* problem = makers[k]();
    if (nsm_class_storable((nsm_class)k)) {
      check_round_trip(problem, NULL, ".json");
      check_round_trip(problem, "fclib", ".hdf5");
    } else {
      CHECK_STATUS(NSM_UNSUPPORTED, nsm_problem_write(problem, "callbacks.json", NULL));
      CHECK_STATUS(NSM_UNSUPPORTED, nsm_problem_write(problem, "callbacks.mtx", NULL));
    }
    nsm_problem_free(&problem);
  }
}

static void test_bad_files(void) {
  char path[600];
  nsm_problem* problem = NULL;
  const char text[] = "{\"format\": \"nonsmooth-problem\", \"version\": 1, \"class\": \"lcp\"";
  CHECK_STATUS(NSM_FILE_ERROR, nsm_problem_read("/no/such/file", NULL, &problem));
  CHECK(problem == NULL && message_has("/no/such/file") && nsm_last_errno() == ENOENT);
  CHECK_STATUS(NSM_BAD_FILE, nsm_problem_read_memory(text, (int64_t)strlen(text), "text", NULL, &problem));
  CHECK(nsm_last_errno() == 0);
  CHECK(nsm_problem_read_memory(text, -1, "text", NULL, &problem) != NSM_OK);
  CHECK(nsm_problem_read_memory("", 0, "empty", NULL, &problem) != NSM_OK);
  CHECK(nsm_problem_read(NULL, NULL, &problem) != NSM_OK);
  problem = make_lcp();
  snprintf(path, sizeof path, "%s/capi_lcp.unknown", folder);
  CHECK_STATUS(NSM_UNKNOWN_FORMAT, nsm_problem_write(problem, path, NULL));
  CHECK(nsm_problem_write(problem, path, "no_such_format") != NSM_OK);
  CHECK_STATUS(NSM_FILE_ERROR, nsm_problem_write(problem, "/no/such/folder/problem.json", NULL));
  nsm_problem_free(&problem);
}

static void test_solution_files(void) {
  char path[600];
  nsm_problem* problem = make_lcp();
  const double z[] = {0.1, 0.2}, w[] = {0.3, 1.0 / 3};
  double z_read[2] = {0, 0}, w_read[2] = {0, 0};
  int32_t has_w = -1;
  snprintf(path, sizeof path, "%s/capi_solution.json", folder);
  CHECK_OK(nsm_solution_write(problem, path, z, w, "by hand", NULL));
  CHECK_OK(nsm_solution_read(problem, path, z_read, w_read, &has_w));
  CHECK(has_w == 1 && memcmp(z, z_read, sizeof z) == 0 && memcmp(w, w_read, sizeof w) == 0);
  z_read[0] = w_read[0] = 7; /* a call that fails writes nothing */
  CHECK_STATUS(NSM_INVALID_ARGUMENT, nsm_solution_read(problem, path, z_read, w_read, NULL));
  CHECK_STATUS(NSM_INVALID_ARGUMENT, nsm_solution_read(problem, path, NULL, w_read, &has_w));
  CHECK(z_read[0] == 7 && w_read[0] == 7);
  CHECK_OK(nsm_solution_write(problem, path, z, NULL, NULL, NULL));
  CHECK_OK(nsm_solution_read(problem, path, z_read, w_read, &has_w));
  CHECK(has_w == 0);
  remove(path);
  CHECK_STATUS(NSM_FILE_ERROR, nsm_solution_read(problem, path, z_read, w_read, &has_w));
  nsm_problem_free(&problem);
}

static void test_proof_files(void) {
  char path[600];
  nsm_problem *problem = make_lcp(), *without = make_vi();
  const double y[] = {1, 2};
  double y_read[2] = {0, 0}, z[2];
  int32_t has_w;
  snprintf(path, sizeof path, "%s/capi_proof.json", folder);
  CHECK_OK(nsm_infeasibility_write(problem, path, y, NULL));
  CHECK_STATUS(NSM_NOT_AVAILABLE, nsm_solution_read(problem, path, z, NULL, &has_w));
  CHECK_OK(nsm_infeasibility_read(problem, path, y_read));
  CHECK(memcmp(y, y_read, sizeof y) == 0);
  CHECK(nsm_infeasibility_size(without) == 0);
  CHECK_STATUS(NSM_UNSUPPORTED, nsm_infeasibility_write(without, path, NULL, NULL));
  CHECK_STATUS(NSM_UNSUPPORTED, nsm_certify_infeasible(without, NULL, NSM_PROOF_TOLERANCE, &has_w));
  CHECK_OK(nsm_infeasibility_read(problem, path, y_read)); /* the file is left alone */
  remove(path);
  nsm_problem_free(&problem);
  nsm_problem_free(&without);
}

/* The callbacks are called, and see the pointer they came with. */
static void test_nonlinear(void) {
  const double lo[] = {0, 0}, hi[] = {1, -1};
  nsm_problem* problem = make_vi();
  double z[2], w[2];
  cubic_calls = 0;
  check_solve(problem, nsm_default_method(problem), z, w);
  CHECK(cubic_calls > 0);
  CHECK(fabs(z[0] * z[0] + z[1] * z[1] - 0.0625) < 1e-8);
  CHECK(fabs(z[0] * w[1] - z[1] * w[0]) < 1e-7); /* w is along -z */
  nsm_problem_free(&problem);
  CHECK_STATUS(NSM_INVALID_VALUE, nsm_problem_create_mcp(2, cubic, NULL, NULL, &cubic_calls, lo, hi, &problem));
  CHECK(problem == NULL && message_has("lo[1]"));
  /* A dense Jacobian that no memory can address is too large, not an error inside the library. */
  CHECK_STATUS(NSM_TOO_LARGE, nsm_problem_create_ncp(2000000000, cubic, NULL, NULL, &cubic_calls, &problem));
  CHECK(problem == NULL);
}

int main(int argc, char** argv) {
  if (argc > 1) folder = argv[1];
  CHECK(strcmp(nsm_last_error(), "") == 0);
  test_texts();
  test_tables();
  test_options();
  test_classes();
  test_mlcp_blocks();
  test_lcp_methods();
  test_lifecycle();
  test_update_mu();
  test_update_f();
  test_callbacks_and_cancel();
  test_certificates();
  test_bad_data();
  test_bad_setup();
  test_files();
  test_bad_files();
  test_solution_files();
  test_proof_files();
  test_nonlinear();
  return report_checks();
}
