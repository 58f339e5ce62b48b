/* Options: one table (numerics/src/methods/frame/options.def) feeds the setters, their checks, `nonsmooth options` and the
 * documentation. A handle is not thread-safe; distinct handles are independent. */
#ifndef NONSMOOTH_OPTIONS_H
#define NONSMOOTH_OPTIONS_H

#include <stdint.h>

#include "nonsmooth/status.h"

/* Type of an option's value. */
typedef enum nsm_option_type NSM_AS_INT_ {
  NSM_OPTION_REAL = 0,    /* a number */
  NSM_OPTION_INTEGER = 1, /* a whole number */
  NSM_OPTION_BOOLEAN = 2, /* 0 or 1 */
  NSM_OPTION_CHOICE = 3,  /* one of several words; the value is the position of the word, from 0 */
  NSM_OPTION_METHOD = 4   /* row of the table of methods; as text its name */
} nsm_option_type;

/* One row of the table of options. */
typedef struct nsm_option_info {
  uint32_t struct_size;               /* set by the caller */
  const char* name;                   /* what nsm_options_set takes */
  int32_t type;                       /* nsm_option_type; all but reals are held exactly in a double */
  double default_value, lower, upper; /* value when not set; bounds, within which values are accepted */
  const char* unit;                   /* "-", "s" ... */
  const char* methods;                /* "all", or the methods that read it, separated by spaces */
  const char* help;                   /* what it means */
  const char* choices;                /* of a choice: its words, separated by spaces, the default first; else NULL */
} nsm_option_info;

/* Values of options; opaque. What is not set has its default. */
typedef struct nsm_options nsm_options;

#ifdef __cplusplus
extern "C" {
#endif

/* All options at their defaults. */
nsm_status nsm_options_create(nsm_options** options);
/* NSM_INVALID_OPTION for an unknown name or a value out of bounds. */
nsm_status nsm_options_set(nsm_options* options, const char* name, double value);
/* Value as text: a number, true/false for a boolean, the word for a choice, the name of a method. */
nsm_status nsm_options_set_text(nsm_options* options, const char* name, const char* value);
/* The value as a number. */
nsm_status nsm_options_get(const nsm_options* options, const char* name, double* value);
/* Frees and sets the pointer to NULL. NULL and pointer to NULL are fine. */
void nsm_options_free(nsm_options** options);

/* The table: rows 0 .. count - 1. */
int64_t nsm_option_count(void);
nsm_status nsm_option_describe(int64_t index, nsm_option_info* info);

#ifdef __cplusplus
}
#endif
#endif
