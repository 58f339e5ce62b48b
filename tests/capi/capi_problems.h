/* One small problem of every class, each with a solution. */
#ifndef TESTS_CAPI_CAPI_PROBLEMS_H
#define TESTS_CAPI_CAPI_PROBLEMS_H

#include "nonsmooth/nonsmooth.h"

extern const double spd2[4], minus2[2], identity3[9], half[1];
extern const double sliding3[3]; /* falls, and slides faster than friction can stop */

nsm_problem* make_lcp(void);
nsm_problem* make_friction(void);
nsm_problem* make_global_friction(void);
nsm_problem* make_vi(void);

/* F = (z0 + z0^3 + ..., ...), counting its calls in *user. */
int32_t cubic(void* user, int64_t n, const double* z, double* F);
extern int cubic_calls;

typedef nsm_problem* (*maker)(void);
enum { maker_count = NSM_CLASS_COUNT };
extern const maker makers[maker_count];

#endif
