/* Checks that are counted, and say where they failed. */
#ifndef TESTS_CAPI_CAPI_CHECK_H
#define TESTS_CAPI_CAPI_CHECK_H

#include "nonsmooth/nonsmooth.h"

#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
#define CHECK_OK(call) check_status((call), NSM_OK, #call, __FILE__, __LINE__)
#define CHECK_STATUS(expected, call) check_status((call), (expected), #call, __FILE__, __LINE__)

int check(int holds, const char* what, const char* file, int line);
int check_status(nsm_status status, nsm_status expected, const char* what, const char* file, int line);
/* Whether the last error's text has this part. */
int message_has(const char* part);
/* Prints how many checks there were; 1 if any failed, else 0. */
int report_checks(void);

#endif
