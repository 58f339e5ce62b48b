/* Nonsmooth: certified solvers for complementarity and friction problems. This header includes all others.
 *
 * Conventions: every function that can fail returns nsm_status and refuses a NULL handle. The others take NULL: what is asked
 * answers 0 or "", what is set or freed does nothing. Inputs come before outputs; the size of an output array follows it. No
 * function prints, exits, or throws; none changes global state, but for rand() while a large matrix is ordered (the guide to the
 * C interface). Strings returned are never to be freed. */
#ifndef NONSMOOTH_NONSMOOTH_H
#define NONSMOOTH_NONSMOOTH_H

#include "nonsmooth/io.h"
#include "nonsmooth/matrix.h"
#include "nonsmooth/options.h"
#include "nonsmooth/problem.h"
#include "nonsmooth/result.h"
#include "nonsmooth/solver.h"
#include "nonsmooth/status.h"
#include "nonsmooth/version.h"

#endif
