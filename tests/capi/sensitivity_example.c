/* A box is thrown onto a floor; how much friction must there be for it to leave with a given speed? */
#include <math.h>
#include <stdio.h>

#include "nonsmooth/nonsmooth.h"

static int fail(void) {
  fprintf(stderr, "%s\n", nsm_last_error());
  return 1;
}

int main(void) {
  /* One contact, [normal, tangent 1, tangent 2]; unit mass: u = r + q. */
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-2, 3, 4}, wanted = 4.2;
  double mu = 0.1, u[3], gradient = 0;
  int step;
  nsm_matrix view = nsm_matrix_dense(3, 3, W);
  nsm_problem* problem = NULL;
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  if (nsm_problem_create_friction(3, &view, q, &mu, &problem) != NSM_OK) return fail();
  if (nsm_setup(problem, NULL, NULL, &solver) != NSM_OK) return fail();
  for (step = 0; step < 20; ++step) { /* Newton's method on |u_T| - wanted = 0, with its derivative by mu */
    double speed, gw[3] = {0, 0, 0};
    if (nsm_update_mu(solver, &mu, 1) != NSM_OK || nsm_solve(solver, &result) != NSM_OK) return fail();
    nsm_solution(solver, NULL, u, 3);
    speed = sqrt(u[1] * u[1] + u[2] * u[2]);
    if (fabs(speed - wanted) < 1e-9) break;
    gw[1] = u[1] / speed;
    gw[2] = u[2] / speed;
    if (nsm_differentiate_transposed(solver, NULL, gw, 3, NULL, 3, &gradient, 1) != NSM_OK) return fail();
    mu -= (speed - wanted) / gradient;
  }
  printf("mu = %.6f leaves a speed of %.6f\n", mu, sqrt(u[1] * u[1] + u[2] * u[2])); /* 0.4: 5 - 2 mu */
  nsm_free(&solver);
  nsm_problem_free(&problem);
  return fabs(mu - 0.4) < 1e-6 ? 0 : 1;
}
