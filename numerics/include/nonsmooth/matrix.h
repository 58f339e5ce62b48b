/* Matrix views. The library copies what it is given: the arrays need to live only during the call. */
#ifndef NONSMOOTH_MATRIX_H
#define NONSMOOTH_MATRIX_H

#include <stdint.h>

#include "nonsmooth/status.h"

/* How a view's numbers are stored. */
typedef enum nsm_storage NSM_AS_INT_ {
  NSM_DENSE = 0,    /* column-major */
  NSM_CSC = 1,      /* compressed sparse columns */
  NSM_BLOCK_CSR = 2 /* compressed sparse rows of dense column-major blocks */
} nsm_storage;

/* One view for all storages; members a storage does not use are ignored. Indices count from 0.
 *
 * NSM_DENSE: values[leading_dimension * cols]; leading_dimension >= rows (0 stands for rows).
 *
 * NSM_CSC: start[cols + 1], index[start[cols]] = rows, values[start[cols]]. Rows need not be sorted; no row twice in a column.
 *
 * NSM_BLOCK_CSR: start[block_rows + 1], index[start[block_rows]] = block columns; blocks one after the other in values, each
 * column-major. Either block_size > 0 (square blocks of one size) with row_end = col_end = NULL, or row_end[block_rows] and
 * col_end[block_cols], the cumulative ends of the block rows and columns. */
typedef struct nsm_matrix {
  uint32_t struct_size;           /* sizeof(nsm_matrix) */
  int32_t storage;                /* nsm_storage */
  int64_t rows, cols;             /* size of the whole matrix */
  const double* values;           /* stored numbers, as the storage orders them */
  int64_t leading_dimension;      /* dense: distance of two columns; 0 stands for rows */
  const int32_t* start;           /* where each column (CSC) or block row begins */
  const int32_t* index;           /* row (CSC) or block column of each entry */
  int32_t block_size;             /* order of the blocks; 0: row_end and col_end tell */
  int64_t block_rows, block_cols; /* number of block rows and block columns */
  const int32_t* row_end;         /* cumulative ends of the block rows; NULL with block_size */
  const int32_t* col_end;         /* cumulative ends of the block columns; NULL with block_size */
} nsm_matrix;

#ifdef __cplusplus
extern "C" {
#endif

/* Views of the two common storages (arrays are borrowed, not copied). */
nsm_matrix nsm_matrix_dense(int64_t rows, int64_t cols, const double* values);
nsm_matrix nsm_matrix_csc(int64_t rows, int64_t cols, const int32_t* start, const int32_t* index, const double* values);
/* Square blocks of one size (1, 2, 3, 5 are the fast ones); rows = block_rows * block_size. */
nsm_matrix nsm_matrix_block_csr(int32_t block_size, int64_t block_rows, int64_t block_cols, const int32_t* start,
                                const int32_t* index, const double* values);

#ifdef __cplusplus
}
#endif
#endif
