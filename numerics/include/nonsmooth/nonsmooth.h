/* Nonsmooth: certified solvers for complementarity and friction problems. This header includes all others.
 *
 * Conventions: every function that can fail returns nsm_status and writes its outputs last; a NULL handle is an error, except for
 * the free functions. No function prints, exits, or throws; none changes global state. Strings returned are never to be freed. */
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
