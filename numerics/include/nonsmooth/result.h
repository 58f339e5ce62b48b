/* Certificates and results. */
#ifndef NONSMOOTH_RESULT_H
#define NONSMOOTH_RESULT_H

#include <stdint.h>

#include "nonsmooth/problem.h"
#include "nonsmooth/status.h"

/* What a certificate says. */
typedef enum nsm_verdict NSM_AS_INT_ {
  NSM_NOT_CERTIFIED = 0,    /* neither of the two below */
  NSM_CERTIFIED = 1,        /* residual <= tolerance, rounding floor <= max(1e-6, tolerance) */
  NSM_WORKING_PRECISION = 2 /* tolerance below the rounding floor; met by the blocks that are above their own floors, together */
} nsm_verdict;

/* What an independent recomputation from the original data says about (z, w). docs/conventions.md has the formulas.
 * |q| is the free term of the relation that gives w: q itself, and w of the problem for the global classes. nsm_result has one
 * inside, so that this struct does not grow while a version of the library's interface lasts. */
typedef struct nsm_certificate {
  uint32_t struct_size;  /* set by the caller (NSM_CERTIFICATE_INIT does) */
  double tolerance;      /* in: what `verdict` is measured against */
  int32_t verdict;       /* nsm_verdict */
  double residual;       /* the figure: natural map |z - P_C(z - w)|_2 / max(1, |q|_2), global: the larger of it and `dynamics` */
  double rounding_floor; /* 64 eps (|M||z| + |q|), cones also |z|, in the units of `residual` */
  double natural_map;    /* natural-map part alone */
  double dynamics;       /* global: relative residual of M v = H r + G l + f and of G'v + b = 0; else 0 */
  double infeasibility;  /* distance of z to C, and of w to the dual cone where there is one, absolute */
  double complementarity;      /* sum of |z.w| over the blocks, absolute; power or work in mechanical classes */
  double w_defect;             /* |w given - w recomputed|_2 / max(1, |q|_2); 0 if no w was given */
  int64_t worst_block;         /* contact, cone or row (generic: block) of the problem with the largest part; -1 if none */
  double worst_block_residual; /* its part, absolute */
  double fclib_merit;          /* for comparison only: FCLIB's MERIT_1 |natural map| (friction classes); else 0 */
  double siconos_error;        /* for comparison only: natural map over max(|q|, |z|, |w|) */
} nsm_certificate;

/* Initial value of an nsm_certificate: tolerance 1e-8, no verdict. */
#define NSM_CERTIFICATE_INIT \
  { (uint32_t)sizeof(nsm_certificate), 1e-8, 0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0 }

/* What a solve ended with. */
typedef struct nsm_result {
  uint32_t struct_size;        /* set by the caller (NSM_RESULT_INIT does) */
  int32_t outcome;             /* nsm_outcome; -1: nothing has been solved */
  int64_t iterations;          /* pivots, sweeps, Newton steps ... of the method */
  double time;                 /* s, of nsm_solve */
  int64_t solutions;           /* found, where the method counts them; else 1 if certified, 0 if not */
  nsm_certificate certificate; /* of the iterate that nsm_solution gives */
  /* Name of the method at work when the solve ended: of auto, the stage, or auto for its own exchanges and pivots on small
   * problems and its steps from contacts that stick, slide or are open as before; lives as long as the library. */
  const char* finished_by;
  /* With the option convex_relaxation: residual of the associated convex problem at that iterate, whatever the outcome, which is
   * that of the friction problem; else -1. */
  double relaxation_residual;
  double setup_time; /* s, part of `time`: stages of auto that this solve was the first to reach; > 0 if it allocated */
} nsm_result;

/* Initial value of an nsm_result: its outcome is none, so that a call that fails leaves nothing that looks converged. */
#define NSM_RESULT_INIT \
  { (uint32_t)sizeof(nsm_result), -1, 0, 0, 0, NSM_CERTIFICATE_INIT, "", -1, 0 }

#ifdef __cplusplus
extern "C" {
#endif

/* Certifies z (and w, if not NULL) against the problem's own data; knows no solver. z and w have nsm_problem_size() entries. w of
 * friction classes is u (De Saxce's change is made inside). NaN: NSM_NOT_FINITE; tolerance < 0 or infinite: NSM_INVALID_VALUE. */
nsm_status nsm_certify(const nsm_problem* problem, const double* z, const double* w, nsm_certificate* certificate);

/* Proofs that a problem has no solution are y, one number per row, >= 0 but where said:
 *   LCP, and SOCLCP with cones of one row alone: M'y <= 0, up to the rounding of its sums, and q'y < 0, by more than `tolerance`
 *     of its terms;
 *   MLCP, generic, friction and rolling, plasticity with theta = eta: the same, with y of any sign on equalities and 0 on
 *     tangents and disks, and M'y in the polar cone of each contact (docs/conventions.md): normals that close;
 *   global friction and rolling: y = (y_l, y_r) with G y_l + H y_r = 0 and b'y_l + w'y_r < 0, y_r as for friction: no motion
 *     opens all contacts;
 *   AVI, QP and VI with rows H: no z in the box has y'H z >= y'k.
 * The length of y; 0 for problems without such a proof. */
int64_t nsm_infeasibility_size(const nsm_problem* problem);
/* Does y[nsm_infeasibility_size] prove it? *verified becomes 1 or 0. NSM_UNSUPPORTED where that size is 0. tolerance as above. */
nsm_status nsm_certify_infeasible(const nsm_problem* problem, const double* y, double tolerance, int32_t* verified);
/* The `tolerance` by which methods judge their proofs. */
#define NSM_PROOF_TOLERANCE 1e-9

/* Slater's condition of a friction problem: is there a z with u_N > mu |u_T| at every contact (u = W r + q, or u = H'v + w with
 * G'v + b = 0)? Then it has a solution (Acary, Cadoux, Lemarechal and Malick 2011). *margin is the least u_N - mu |u_T| of the z
 * found, recomputed from the data: positive, beyond rounding, if the condition holds; otherwise none was found, which proves
 * nothing; minus infinity, and z = 0, where no point met the equations. z[nsm_problem_size] may be NULL. NSM_UNSUPPORTED for
 * other classes than friction and global_friction. */
nsm_status nsm_slater(const nsm_problem* problem, double* margin, double* z, int64_t size);

/* "certified", "working precision", "not certified". */
const char* nsm_verdict_text(nsm_verdict verdict);

#ifdef __cplusplus
}
#endif
#endif
