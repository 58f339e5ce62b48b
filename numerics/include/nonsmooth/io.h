/* Files. The format is found by content, not by name; docs/formats.md describes each. Every write goes to a temporary file that
 * is renamed when complete: an existing file is replaced whole or left alone (devices, pipes and open files are written in
 * place).
 *
 * Reading: NSM_FILE_ERROR for a file that cannot be read, NSM_UNKNOWN_FORMAT where its content is none of ours, NSM_BAD_FILE
 * where it breaks the rules of its format, NSM_AMBIGUOUS where it fits several classes, and the errors of the creators in
 * problem.h for its data. Writing: NSM_FILE_ERROR, NSM_NOT_FINITE for a solution or a proof with NaN or infinities.
 * nsm_last_error() names the file; after NSM_FILE_ERROR nsm_last_errno() tells why. Outputs stay as they were where a call fails,
 * but *problem, which becomes NULL. Several threads may read and write distinct files at the same time. */
#ifndef NONSMOOTH_IO_H
#define NONSMOOTH_IO_H

#include <stdint.h>

#include "nonsmooth/problem.h"
#include "nonsmooth/result.h"
#include "nonsmooth/status.h"

/* X(enumerator, value, short name, file ending, text). The one list of formats. */
#define NSM_FORMAT_LIST(X)                                                                                                   \
  X(NSM_FORMAT_JSON, 0, "json", ".json", "native JSON: every class, numbers round-trip to the bit")                          \
  X(NSM_FORMAT_FCLIB, 1, "fclib", ".hdf5", "FCLIB HDF5: friction and rolling friction; other classes in a group of our own") \
  X(NSM_FORMAT_DAT, 2, "dat", ".dat", "the text files of Siconos")                                                           \
  X(NSM_FORMAT_MATRIX_MARKET, 3, "mtx", ".mtx", "Matrix Market: M in NAME.mtx, q in NAME_q.mtx (LCP)")

#define NSM_ENUMERATOR_(name, value, id, ending, text) name = value,
/* Formats of problem files. */
typedef enum nsm_format NSM_AS_INT_ { NSM_FORMAT_LIST(NSM_ENUMERATOR_) NSM_FORMAT_COUNT } nsm_format;
#undef NSM_ENUMERATOR_

#ifdef __cplusplus
extern "C" {
#endif

/* problem_class: NULL finds the class by content; a name of NSM_CLASS_LIST decides where several fit (and must fit). *problem is
 * the caller's, to be freed by nsm_problem_free. */
nsm_status nsm_problem_read(const char* path, const char* problem_class, nsm_problem** problem);
/* The same from memory; `name` is used in messages only. */
nsm_status nsm_problem_read_memory(const void* data, int64_t size, const char* name, const char* problem_class,
                                   nsm_problem** problem);
/* format NULL: by the ending of the path (.json .hdf5 .h5 .dat .mtx); else a short name of NSM_FORMAT_LIST. NSM_UNSUPPORTED for
 * classes with callbacks, NSM_UNKNOWN_FORMAT for another ending or name and for a format that cannot hold the problem. */
nsm_status nsm_problem_write(const nsm_problem* problem, const char* path, const char* format);

/* Solutions: native JSON {"format": "nonsmooth-solution", ...}, or the solution, else the guess, in a problem file: native JSON,
 * or the /solution and /guesses/1 groups of an FCLIB file. NSM_NOT_AVAILABLE if it holds neither. z and w have
 * nsm_problem_size(problem) entries; *has_w becomes 1 if the file held w, else 0 and w stays as it was. w may be NULL. */
nsm_status nsm_solution_read(const nsm_problem* problem, const char* path, double* z, double* w, int32_t* has_w);
/* result may be NULL; `method` may be NULL; both are kept in a JSON file for the reader's information (FCLIB has no place for
 * them). An HDF5 file holds this problem and its solution, and nothing else that stood in it before. */
nsm_status nsm_solution_write(const nsm_problem* problem, const char* path, const double* z, const double* w, const char* method,
                              const nsm_result* result);

/* The proof that there is no solution (nsm_infeasibility_certificate), as a native JSON solution file (.json) without z; y has
 * nsm_infeasibility_size(problem) entries; where that is 0 writing gives NSM_UNSUPPORTED. Reading a file that holds a solution
 * instead: NSM_NOT_AVAILABLE, and the other way round. */
nsm_status nsm_infeasibility_write(const nsm_problem* problem, const char* path, const double* y, const char* method);
nsm_status nsm_infeasibility_read(const nsm_problem* problem, const char* path, double* y);

/* A starting point that came with the problem file (`guess`, FCLIB /guesses/1): z[nsm_problem_size]. NSM_NOT_AVAILABLE if there
 * is none. */
nsm_status nsm_problem_guess(const nsm_problem* problem, double* z);

#ifdef __cplusplus
}
#endif
#endif
