/* Problems: an opaque, validated, immutable copy of the data.
 *
 * Every class is one inclusion  w = M z + q,  -w in N_C(z)  with C a product of convex sets (for Coulomb friction w is first
 * changed after De Saxce). Conventions are those of docs/conventions.md: per contact [normal, tangent 1 (, tangent 2)(, rolling
 * 1, rolling 2)], u = W r + q, u_N > 0 separates; impulses N.s, velocities m/s.
 *
 * A problem may be used by several threads at once (it is never changed after its creation). */
#ifndef NONSMOOTH_PROBLEM_H
#define NONSMOOTH_PROBLEM_H

#include "nonsmooth/matrix.h"
#include "nonsmooth/status.h"

/* X(enumerator, value, id, what it is). The one list of problem classes. */
#define NSM_CLASS_LIST(X)                                                                                                        \
  X(NSM_LCP, 0, lcp, "linear complementarity: w = M z + q, 0 <= w _|_ z >= 0")                                                   \
  X(NSM_MLCP, 1, mlcp, "mixed LCP: rows of equality (w = 0, z free) and of complementarity")                                     \
  X(NSM_RELAY, 2, relay, "relay, box variational inequality: z in [lo, hi], -w in N_[lo,hi](z)")                                 \
  X(NSM_AVI, 3, avi, "affine variational inequality: z in {H z >= k, lo <= z <= hi}, -(M z + q) in N(z)")                        \
  X(NSM_FRICTION, 4, friction, "2D or 3D Coulomb friction, local: u = W r + q")                                                  \
  X(NSM_GLOBAL_FRICTION, 5, global_friction, "2D or 3D Coulomb friction, global: M v = H r + G l + f, u = H'v + w, G'v + b = 0") \
  X(NSM_ROLLING, 6, rolling, "2D or 3D friction with rolling resistance, local: u = W r + q")                                    \
  X(NSM_GLOBAL_ROLLING, 7, global_rolling, "2D or 3D friction with rolling resistance, global")                                  \
  X(NSM_GENERIC, 8, generic, "generic mechanical: blocks of equality, complementarity, relay, friction and disks")               \
  X(NSM_SOCLCP, 9, soclcp, "second-order-cone LCP: w = M z + q, K* contains w _|_ z in K, |z_T| <= tau z_N")                     \
  X(NSM_NCP, 10, ncp, "nonlinear complementarity, callbacks: 0 <= F(z) _|_ z >= 0")                                              \
  X(NSM_MCP, 11, mcp, "mixed complementarity, callbacks: z in [lo, hi], -F(z) in N_[lo,hi](z); contains F(z) = 0 and NCP")       \
  X(NSM_VI, 12, vi, "variational inequality, callbacks: z in C, -F(z) in N_C(z), C a polyhedron or given by its projection")     \
  X(NSM_QP, 13, qp, "convex quadratic programme: minimise 1/2 z'M z + q'z over {H z >= k, lo <= z <= hi}, M symmetric")          \
  X(NSM_PLASTICITY, 14, plasticity,                                                                                              \
    "plasticity, a cone of yield that dilates: u = W r + q, |r_T| <= eta r_N, u~ = u + theta |u_T|")

#define NSM_ENUMERATOR_(name, value, id, text) name = value,
/* Classes of problems. */
typedef enum nsm_class NSM_AS_INT_ { NSM_CLASS_LIST(NSM_ENUMERATOR_) NSM_CLASS_COUNT } nsm_class;
#undef NSM_ENUMERATOR_

/* Kinds of blocks of a generic mechanical problem. */
typedef enum nsm_block_kind NSM_AS_INT_ {
  NSM_BLOCK_EQUALITY = 0,        /* w = 0, z free; any size */
  NSM_BLOCK_COMPLEMENTARITY = 1, /* 0 <= w _|_ z >= 0; any size */
  NSM_BLOCK_RELAY = 2,           /* z in [lo, hi]; any size */
  NSM_BLOCK_FRICTION_2D = 3,     /* size 2 */
  NSM_BLOCK_FRICTION_3D = 4,     /* size 3 */
  NSM_BLOCK_DISK = 5             /* size 2: z in the disk |z| <= radius, -w in its normal cone: w = 0 inside, w = -lambda z with
                                    lambda >= 0 on the bound. Tresca's friction with a given bound; behind an equality of one
                                    row the law of von Mises */
} nsm_block_kind;

/* A problem; opaque. */
typedef struct nsm_problem nsm_problem;

/* Callbacks of the nonlinear classes. `user` is the pointer given at creation; z and x are read only; n is the number of
 * unknowns. A non-zero return says that the function cannot be evaluated there: a line search backs off. So does a NaN or an
 * infinity among the values. Callbacks must always give the same values for the same z, must not throw or jump out, and must not
 * call the library with the handle at work.
 *
 * They are called from nsm_problem_describe, nsm_setup, nsm_solve, nsm_solution_at, nsm_certify and nsm_certify_infeasible, on
 * the calling thread. Solvers of one problem at work in several threads call them at the same time.
 *
 * F is asked for at points of C; beside them at the z given to nsm_certify and next to such points: steps of finite differences
 * (1.5e-8 max(1, |z_j|), downwards at an upper bound, else upwards, the other way where F fails; 6e-6 |z_j| both ways, between
 * the bounds, where |z_j| is small and a row of F depends on it) and, for sets that are no boxes, of the rounding floor (1e-6
 * relative). */
typedef int32_t (*nsm_function)(void* user, int64_t n, const double* z, double* F);
/* dF_i/dz_j for every entry (i, j) of the pattern, in the pattern's order; a dense one is column-major, n * n values. Where a
 * column is not finite, as for a root at 0, finite differences of F take its place. */
typedef int32_t (*nsm_jacobian)(void* user, int64_t n, const double* z, double* values);
/* p = the point of C next to x, in the Euclidean norm. x and p do not overlap. */
typedef int32_t (*nsm_projection)(void* user, int64_t n, const double* x, double* p);

#ifdef __cplusplus
extern "C" {
#endif

/* Creators copy and validate. On failure *problem is NULL and nsm_last_error() names the field, the index and the value.
 * A vector's length follows from the matrices and counts: square brackets give it. NULL is allowed where said. Units are the
 * caller's, as long as w = M z + q has those of q; those named for friction are the usual ones, no value is read as having them.
 */

/* M (n x n), q[n]. */
nsm_status nsm_problem_create_lcp(const nsm_matrix* M, const double* q, nsm_problem** problem);

/* M (n x n), q[n]; is_complementarity[n]: 0 marks an equality row (w_i = 0, z_i free), 1 a complementarity row. */
nsm_status nsm_problem_create_mlcp(const nsm_matrix* M, const double* q, const int32_t* is_complementarity,
                                   nsm_problem** problem);
/* A u + C v + a = 0,  w = D u + B v + b,  0 <= w _|_ v >= 0:  A n x n, B m x m, C n x m, D m x n, a[n], b[m];
 * z = (u, v). */
nsm_status nsm_problem_create_mlcp_blocks(const nsm_matrix* A, const nsm_matrix* B, const nsm_matrix* C, const nsm_matrix* D,
                                          const double* a, const double* b, nsm_problem** problem);

/* M (n x n), q[n]; lo[n] <= hi[n]; -INFINITY and INFINITY are allowed. */
nsm_status nsm_problem_create_relay(const nsm_matrix* M, const double* q, const double* lo, const double* hi,
                                    nsm_problem** problem);

/* M (n x n), q[n]; H (m x n) and k[m] may be NULL (box only); lo[n] and hi[n] may be NULL (no bounds). An equality is a pair of
 * opposite rows of H. */
nsm_status nsm_problem_create_avi(const nsm_matrix* M, const double* q, const nsm_matrix* H, const double* k, const double* lo,
                                  const double* hi, nsm_problem** problem);

/* Minimise 1/2 z'M z + q'z over the set of nsm_problem_create_avi; M symmetric positive semidefinite. w = M z + q is the
 * gradient. */
nsm_status nsm_problem_create_qp(const nsm_matrix* M, const double* q, const nsm_matrix* H, const double* k, const double* lo,
                                 const double* hi, nsm_problem** problem);

/* dimension 2 or 3; W (n x n), n = dimension * contacts [1/kg]; q[n], the relative velocities without impulses [m/s];
 * mu[contacts] >= 0. */
nsm_status nsm_problem_create_friction(int32_t dimension, const nsm_matrix* W, const double* q, const double* mu,
                                       nsm_problem** problem);

/* M (n x n) v = H (n x d) r + G (n x p) l + f[n],  u = H'v + w[d],  G'v + b[p] = 0;  d = dimension * contacts, dimension 2 or 3;
 * mu[contacts] >= 0; G and b may be NULL. In the usual units M [kg], f [N.s], the impulses of the smooth forces and M times the
 * velocities before; w and b [m/s], the parts of the relative velocities that v does not give: restitution, moving obstacles.
 * Solutions are z = (v, l, r) and w = (M v - H r - G l - f, G'v + b, u). */
nsm_status nsm_problem_create_global_friction(int32_t dimension, const nsm_matrix* M, const nsm_matrix* H, const double* f,
                                              const double* w, const double* mu, const nsm_matrix* G, const double* b,
                                              nsm_problem** problem);

/* dimension 5 (3D: N T1 T2 R1 R2) or 3 (2D: N T R); |r_T| <= mu r_N and |r_R| <= mu_r r_N. W and q as in
 * nsm_problem_create_friction; mu[contacts] >= 0, mu_r[contacts] >= 0 [m]. Global: data and solutions as in
 * nsm_problem_create_global_friction. */
nsm_status nsm_problem_create_rolling(int32_t dimension, const nsm_matrix* W, const double* q, const double* mu,
                                      const double* mu_r, nsm_problem** problem);
nsm_status nsm_problem_create_global_rolling(int32_t dimension, const nsm_matrix* M, const nsm_matrix* H, const double* f,
                                             const double* w, const double* mu, const double* mu_r, const nsm_matrix* G,
                                             const double* b, nsm_problem** problem);

/* M (n x n), q[n], n the sum of the sizes; kind[blocks] (nsm_block_kind), size[blocks], mu[blocks]: of friction blocks the
 * coefficient >= 0, of disks the radius >= 0 in the unit of z; it may be NULL if there is none of either; lo[n], hi[n] are read
 * on relay blocks and may be NULL if there is none. */
nsm_status nsm_problem_create_generic(const nsm_matrix* M, const double* q, int64_t blocks, const int32_t* kind,
                                      const int32_t* size, const double* mu, const double* lo, const double* hi,
                                      nsm_problem** problem);

/* M (n x n), q[n]; cone_start[cones + 1], increasing from 0 to n; tau[cones] > 0. */
nsm_status nsm_problem_create_soclcp(const nsm_matrix* M, const double* q, int64_t cones, const int32_t* cone_start,
                                     const double* tau, nsm_problem** problem);

/* W (n x n), n = 3 * cones; q[n]; eta[cones] >= theta[cones] >= 0. Per cone r = (r_N, r_T1, r_T2): |r_T| <= eta r_N,
 * u~ = u + theta |u_T| e_N in the dual cone, u~ . r = 0, so that u_N = (eta - theta) |u_T| where it yields: theta = eta is
 * Coulomb's law, theta = 0 the associated one. In the plane of strain r are stresses (minus the mean one and what cohesion adds
 * to it, the deviatoric ones) and u rates of plastic strain. */
nsm_status nsm_problem_create_plasticity(const nsm_matrix* W, const double* q, const double* eta, const double* theta,
                                         nsm_problem** problem);

/* --- Nonlinear problems, by callbacks ---
 *
 * jacobian NULL: finite differences; with a sparse pattern by groups of columns. pattern NULL: dense; else the structure of the
 * Jacobian, n x n, NSM_DENSE or NSM_CSC; its values are not read and may be NULL. The pattern and the bounds are copied. `user`
 * and what is behind it belong to the caller: they must outlive the problem and every solver made from it. What is behind it may
 * change between two solves. The option check_jacobian compares the Jacobian with differences of F before each solve.
 * No file can hold such a problem: see nsm_class_storable. Their solutions can be written. */

/* 0 <= F(z) _|_ z >= 0 */
nsm_status nsm_problem_create_ncp(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                  nsm_problem** problem);

/* lo[n] <= z <= hi[n], and F_i(z) = 0 inside, >= 0 at lo_i, <= 0 at hi_i. NULL: no bounds on that side; -INFINITY and INFINITY
 * are allowed. A row without bounds is an equation F_i(z) = 0. */
nsm_status nsm_problem_create_mcp(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                  const double* lo, const double* hi, nsm_problem** problem);

/* z in C = {x : H x >= k, lo <= x <= hi},  F(z)'(x - z) >= 0 for all x in C; H (m x n) with k[m], lo[n], hi[n] may be
 * NULL as in avi. */
nsm_status nsm_problem_create_vi(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern, void* user,
                                 const nsm_matrix* H, const double* k, const double* lo, const double* hi, nsm_problem** problem);

/* The same on any closed convex C, given by its projection, which gets the same `user`. */
nsm_status nsm_problem_create_vi_projection(int64_t n, nsm_function F, nsm_jacobian jacobian, const nsm_matrix* pattern,
                                            void* user, nsm_projection projection, nsm_problem** problem);

/* Facts about a problem. Nonlinear classes: the matrix is the Jacobian at P_C(0) (zeros if it cannot be evaluated there), q_norm
 * is |F(P_C(0))|_2. Fields are appended only. */
typedef struct nsm_description {
  uint32_t struct_size;   /* set by the caller: sizeof(nsm_description) */
  int32_t problem_class;  /* nsm_class */
  int64_t size;           /* length of z and of w */
  int64_t equalities;     /* rows with w = 0 */
  int64_t blocks;         /* sets in the product C: contacts, cones, bounded rows ... */
  int32_t dimension;      /* of one contact; 0 where there is none */
  int32_t storage;        /* nsm_storage of the main matrix (M or W) */
  int64_t rows, cols;     /* of the main matrix */
  int64_t nonzeros;       /* stored entries of the main matrix */
  double symmetry_defect; /* |M - M'|_F / |M|_F */
  double eigenvalue_min;  /* the least eigenvalue of (M + M')/2; see eigenvalue_min_estimated */
  double eigenvalue_max;  /* the largest; exact to rounding up to order 300, an estimate from below beyond */
  double q_norm;          /* |q|_2 (global classes: |f|_2) */
  double mu_min, mu_max;  /* 0, 0 where there is no friction */
  /* 1: eigenvalue_min is the least that some steps of Lanczos have seen, and there may be smaller ones: M is larger than 300 and
   * its factors would take seconds, or a negative one was seen, of which there may be others. */
  int32_t eigenvalue_min_estimated;
} nsm_description;

/* Fills *description, whose struct_size the caller has set. */
nsm_status nsm_problem_describe(const nsm_problem* problem, nsm_description* description);
/* Class and length of z without the cost of the estimates. A NULL problem has size 0. */
nsm_class nsm_problem_class(const nsm_problem* problem);
int64_t nsm_problem_size(const nsm_problem* problem);
/* Title kept with the problem (FCLIB files have one); empty if none. Valid as long as the problem. */
const char* nsm_problem_title(const nsm_problem* problem);

/* Short name ("global_friction"), text; value of a name, NSM_CLASS_COUNT if there is none. Thread-safe. */
const char* nsm_class_name(nsm_class problem_class);
const char* nsm_class_text(nsm_class problem_class);
nsm_class nsm_class_from_name(const char* name);
/* 1 if files can hold problems of this class, 0 if they have callbacks or there is no such class. */
int32_t nsm_class_storable(nsm_class problem_class);

/* Frees and sets the pointer to NULL. NULL and pointer to NULL are fine. */
void nsm_problem_free(nsm_problem** problem);

#ifdef __cplusplus
}
#endif
#endif
