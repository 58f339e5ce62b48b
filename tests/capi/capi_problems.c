#include "capi_problems.h"

#include <math.h>
#include <stddef.h>

#include "capi_check.h"

const double spd2[] = {2, 1, 1, 2};
const double minus2[] = {-1, -1};
const double identity3[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
static const double identity5[] = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1};
const double sliding3[] = {-1, 2, 0};
static const double sliding5[] = {-1, 2, 0, 0.5, 0};
const double half[] = {0.5};

nsm_problem* make_lcp(void) {
  const nsm_matrix M = nsm_matrix_dense(2, 2, spd2);
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_lcp(&M, minus2, &problem));
  return problem;
}

static nsm_problem* make_mlcp(void) {
  const nsm_matrix M = nsm_matrix_dense(2, 2, spd2);
  const int32_t is_complementarity[] = {0, 1};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_mlcp(&M, minus2, is_complementarity, &problem));
  return problem;
}

static nsm_problem* make_relay(void) {
  const int32_t start[] = {0, 2, 4}, index[] = {0, 1, 0, 1};
  const nsm_matrix M = nsm_matrix_csc(2, 2, start, index, spd2);
  const double lo[] = {-INFINITY, -1}, hi[] = {0.25, INFINITY};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_relay(&M, minus2, lo, hi, &problem));
  return problem;
}

static nsm_problem* make_avi(void) {
  const nsm_matrix M = nsm_matrix_dense(2, 2, spd2);
  const double h[] = {1, 1}, k[] = {1}, lo[] = {0, 0}, hi[] = {INFINITY, INFINITY};
  const nsm_matrix H = nsm_matrix_dense(1, 2, h);
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_avi(&M, minus2, &H, k, lo, hi, &problem));
  return problem;
}

static nsm_problem* make_qp(void) {
  const nsm_matrix M = nsm_matrix_dense(2, 2, spd2);
  const double h[] = {-1, -1}, k[] = {-0.5};
  const nsm_matrix H = nsm_matrix_dense(1, 2, h);
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_qp(&M, minus2, &H, k, NULL, NULL, &problem));
  return problem;
}

nsm_problem* make_friction(void) {
  const int32_t start[] = {0, 1}, index[] = {0};
  const nsm_matrix W = nsm_matrix_block_csr(3, 1, 1, start, index, identity3);
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_friction(3, &W, sliding3, half, &problem));
  return problem;
}

nsm_problem* make_global_friction(void) {
  const nsm_matrix M = nsm_matrix_dense(3, 3, identity3), H = nsm_matrix_dense(3, 3, identity3);
  const double w[] = {0, 0, 0};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_global_friction(3, &M, &H, sliding3, w, half, NULL, NULL, &problem));
  return problem;
}

static nsm_problem* make_rolling(void) {
  const nsm_matrix W = nsm_matrix_dense(5, 5, identity5);
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_rolling(5, &W, sliding5, half, half, &problem));
  return problem;
}

static nsm_problem* make_global_rolling(void) {
  const nsm_matrix M = nsm_matrix_dense(5, 5, identity5), H = nsm_matrix_dense(5, 5, identity5);
  const double w[] = {0, 0, 0, 0, 0};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_global_rolling(5, &M, &H, sliding5, w, half, half, NULL, NULL, &problem));
  return problem;
}

static nsm_problem* make_generic(void) {
  double values[64] = {0};
  const double q[] = {-1, -1, 3, -1, 2, 0, 3, -4}, mu[] = {0, 0, 0, 0.5, 0.25};
  const double lo[] = {0, 0, -1, 0, 0, 0, 0, 0}, hi[] = {0, 0, 1, 0, 0, 0, 0, 0};
  const int32_t kind[] = {NSM_BLOCK_EQUALITY, NSM_BLOCK_COMPLEMENTARITY, NSM_BLOCK_RELAY, NSM_BLOCK_FRICTION_3D, NSM_BLOCK_DISK};
  const int32_t size[] = {1, 1, 1, 3, 2};
  nsm_matrix M;
  nsm_problem* problem = NULL;
  int i;
  for (i = 0; i < 8; ++i) values[9 * i] = 1;
  M = nsm_matrix_dense(8, 8, values);
  CHECK_OK(nsm_problem_create_generic(&M, q, 5, kind, size, mu, lo, hi, &problem));
  return problem;
}

static nsm_problem* make_soclcp(void) {
  const nsm_matrix M = nsm_matrix_dense(3, 3, identity3);
  const int32_t cone_start[] = {0, 3};
  const double tau[] = {1};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_soclcp(&M, sliding3, 1, cone_start, tau, &problem));
  return problem;
}

static nsm_problem* make_plasticity(void) {
  const nsm_matrix W = nsm_matrix_dense(3, 3, identity3);
  const double eta[] = {0.5}, theta[] = {0.25};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_plasticity(&W, sliding3, eta, theta, &problem));
  return problem;
}

int32_t cubic(void* user, int64_t n, const double* z, double* F) {
  ++*(int*)user;
  F[0] = 2 * z[0] + z[1] - 1 + z[0] * z[0] * z[0];
  F[1] = z[0] + 2 * z[1] - 1;
  return n == 2 ? 0 : 1;
}

static int32_t cubic_jacobian(void* user, int64_t n, const double* z, double* values) {
  (void)user;
  values[0] = 2 + 3 * z[0] * z[0];
  values[1] = values[2] = 1;
  values[3] = 2;
  return n == 2 ? 0 : 1;
}

static int32_t disk(void* user, int64_t n, const double* x, double* p) {
  const double length = sqrt(x[0] * x[0] + x[1] * x[1]), factor = length > 0.25 ? 0.25 / length : 1;
  (void)user;
  p[0] = factor * x[0];
  p[1] = factor * x[1];
  return n == 2 ? 0 : 1;
}

int cubic_calls = 0;

static nsm_problem* make_ncp(void) {
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_ncp(2, cubic, cubic_jacobian, NULL, &cubic_calls, &problem));
  return problem;
}

static nsm_problem* make_mcp(void) {
  const double lo[] = {-INFINITY, 0}, hi[] = {0.125, INFINITY};
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_mcp(2, cubic, NULL, NULL, &cubic_calls, lo, hi, &problem));
  return problem;
}

nsm_problem* make_vi(void) {
  nsm_problem* problem = NULL;
  CHECK_OK(nsm_problem_create_vi_projection(2, cubic, cubic_jacobian, NULL, &cubic_calls, disk, &problem));
  return problem;
}

const maker makers[] = {make_lcp,       make_mlcp,
                        make_relay,     make_avi,
                        make_friction,  make_global_friction,
                        make_rolling,   make_global_rolling,
                        make_generic,   make_soclcp,
                        make_ncp,       make_mcp,
                        make_vi,        make_qp,
                        make_plasticity};
