/* Five firms choose their production z_i >= 0 (Murphy, Sherali and Soyster 1982): 0 <= F(z) _|_ z >= 0, where F_i is firm i's
 * marginal cost less its marginal revenue. */
#include <math.h>
#include <nonsmooth/nonsmooth.h>
#include <stdio.h>

typedef struct market {
  double cost[5], beta[5], gamma;
} market;

static int32_t marginal_loss(void* user, int64_t n, const double* z, double* F) {
  const market* m = (const market*)user;
  double total = 0, price;
  int64_t i;
  for (i = 0; i < n; ++i) total += z[i];
  if (total <= 0) return 1; /* no price without supply: the library tries elsewhere */
  price = pow(5000 / total, 1 / m->gamma);
  for (i = 0; i < n; ++i) F[i] = m->cost[i] + pow(z[i] / 5, 1 / m->beta[i]) - price * (1 - z[i] / (m->gamma * total));
  return 0;
}

static int fail(void) {
  fprintf(stderr, "%s\n", nsm_last_error());
  return 1;
}

int main(void) {
  market m = {{10, 8, 6, 4, 2}, {1.2, 1.1, 1.0, 0.9, 0.8}, 1.1};
  const double start[5] = {10, 10, 10, 10, 10};
  nsm_problem* problem = NULL;
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  double z[5];
  /* No Jacobian: finite differences. m must outlive the solver. */
  if (nsm_problem_create_ncp(5, marginal_loss, NULL, NULL, &m, &problem) != NSM_OK) return fail();
  if (nsm_setup(problem, NULL, NULL, &solver) != NSM_OK) return fail();
  if (nsm_warm_start(solver, start, 5) != NSM_OK) return fail();
  if (nsm_solve(solver, &result) != NSM_OK) return fail();
  nsm_solution(solver, z, NULL, 5);
  printf("%s, residual %.1e: %.3f %.3f %.3f %.3f %.3f\n", nsm_outcome_text((nsm_outcome)result.outcome),
         result.certificate.residual, z[0], z[1], z[2], z[3], z[4]); /* 36.933 41.818 43.707 42.659 39.179 */
  nsm_free(&solver);
  nsm_problem_free(&problem);
  return result.outcome == NSM_CONVERGED && fabs(z[2] - 43.707) < 1e-3 ? 0 : 1;
}
