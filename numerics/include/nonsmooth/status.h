/* Two levels of result.
 *
 * nsm_status  says whether the *call* worked (every function that can fail returns it);
 * nsm_outcome says what became of the *problem* (nsm_result.outcome).
 *
 * Each list below is the one place where a value, its name and its text stand. Values are never renumbered; new ones are
 * appended. */
#ifndef NONSMOOTH_STATUS_H
#define NONSMOOTH_STATUS_H

/* Of every enumeration: C may pass a value that has no name, which C++ may only read where the type is stated. */
#ifdef __cplusplus
#define NSM_AS_INT_ : int
#else
#define NSM_AS_INT_
#endif

/* X(enumerator, value, short name, text) */
#define NSM_STATUS_LIST(X)                                                                                             \
  X(NSM_OK, 0, "ok", "success")                                                                                        \
  X(NSM_INVALID_ARGUMENT, 1, "invalid_argument", "an argument is NULL or outside its range")                           \
  X(NSM_INVALID_DIMENSION, 2, "invalid_dimension", "sizes are negative, zero or do not fit together")                  \
  X(NSM_INVALID_STRUCTURE, 3, "invalid_structure", "a sparse index is out of range, out of order or given twice")      \
  X(NSM_NOT_FINITE, 4, "not_finite", "the data hold a NaN or an infinity")                                             \
  X(NSM_INVALID_VALUE, 5, "invalid_value", "a number violates the definition of the problem (mu < 0, lo > hi ...)")    \
  X(NSM_INVALID_OPTION, 6, "invalid_option", "no option of that name, or its value is outside its bounds")             \
  X(NSM_UNKNOWN_METHOD, 7, "unknown_method", "no method of that name")                                                 \
  X(NSM_UNSUPPORTED, 8, "unsupported", "the method does not treat this problem")                                       \
  X(NSM_TOO_LARGE, 9, "too_large", "a size exceeds what the method or the index type can hold")                        \
  X(NSM_OUT_OF_MEMORY, 10, "out_of_memory", "an allocation failed")                                                    \
  X(NSM_FILE_ERROR, 11, "file_error", "a file cannot be opened, read or written")                                      \
  X(NSM_UNKNOWN_FORMAT, 12, "unknown_format", "the file is in no known format, or the format cannot hold the problem") \
  X(NSM_BAD_FILE, 13, "bad_file", "the file breaks the rules of its format")                                           \
  X(NSM_AMBIGUOUS, 14, "ambiguous", "the file fits several problem classes: name one")                                 \
  X(NSM_NOT_AVAILABLE, 15, "not_available", "what was asked for does not exist (yet)")                                 \
  X(NSM_INTERNAL, 16, "internal", "an error inside the library: please report it")

/* X(enumerator, value, short name, text). Only the certificate module writes the first two. */
#define NSM_OUTCOME_LIST(X)                                                                                 \
  X(NSM_CONVERGED, 0, "converged", "certified: the residual meets the tolerance, or its rounding floor")    \
  X(NSM_INFEASIBLE, 1, "infeasible", "the problem has no solution: certificate verified")                   \
  X(NSM_RAY, 2, "ray", "ended on a secondary ray: neither a solution nor a proof that there is none")       \
  X(NSM_ITERATION_LIMIT, 3, "iteration_limit", "the iteration limit was reached; the best iterate is kept") \
  X(NSM_TIME_LIMIT, 4, "time_limit", "the time limit was reached; the best iterate is kept")                \
  X(NSM_STALLED, 5, "stalled", "no further progress; the best iterate is kept")                             \
  X(NSM_CANCELLED, 6, "cancelled", "cancelled by the caller; the best iterate is kept")                     \
  X(NSM_BREAKDOWN, 7, "breakdown", "the method cannot go on (singular block, overflow); best iterate is kept")

#define NSM_ENUMERATOR_(name, value, id, text) name = value,
/* What a call returns: did it work? */
typedef enum nsm_status NSM_AS_INT_ { NSM_STATUS_LIST(NSM_ENUMERATOR_) NSM_STATUS_COUNT } nsm_status;
/* What became of the problem. */
typedef enum nsm_outcome NSM_AS_INT_ { NSM_OUTCOME_LIST(NSM_ENUMERATOR_) NSM_OUTCOME_COUNT } nsm_outcome;
#undef NSM_ENUMERATOR_

#ifdef __cplusplus
extern "C" {
#endif

/* Short name ("not_finite") and text of a value; "unknown" for a value outside the list. Never NULL; do not free. Thread-safe. */
const char* nsm_status_name(nsm_status status);
const char* nsm_status_text(nsm_status status);
const char* nsm_outcome_name(nsm_outcome outcome);
const char* nsm_outcome_text(nsm_outcome outcome);

/* What went wrong in the last call of this thread that did not return NSM_OK: names the field and the value.
 * Empty string when nothing has failed yet. Valid until the next failing call of the same thread. */
const char* nsm_last_error(void);
/* errno of that call, where the system refused it something: ENOENT of NSM_FILE_ERROR for a file that is not there. Else 0. */
int nsm_last_errno(void);

#ifdef __cplusplus
}
#endif
#endif
