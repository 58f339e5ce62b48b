/* Solves w = M z + q, 0 <= w _|_ z >= 0 with M = [2 1; 1 2], q = (-1, -1). */
#include <stdio.h>

#include "nonsmooth/nonsmooth.h"

int main(void) {
  const double values[] = {2, 1, 1, 2}, q[] = {-1, -1};
  const nsm_matrix M = nsm_matrix_dense(2, 2, values);
  nsm_problem* problem = NULL;
  nsm_solver* solver = NULL;
  nsm_result result = NSM_RESULT_INIT;
  double z[2] = {0, 0};
  int failed = nsm_problem_create_lcp(&M, q, &problem) || nsm_setup(problem, NULL, NULL, &solver) || nsm_solve(solver, &result) ||
               nsm_solution(solver, z, NULL, 2);
  if (failed)
    fprintf(stderr, "%s\n", nsm_last_error());
  else
    printf("%s z = %g %g\n", nsm_outcome_name((nsm_outcome)result.outcome), z[0], z[1]);
  nsm_free(&solver);
  nsm_problem_free(&problem);
  return failed;
}
