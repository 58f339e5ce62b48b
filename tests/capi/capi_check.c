#include "capi_check.h"

#include <stdio.h>
#include <string.h>

static int checks = 0;
static int failures = 0;

int check(int holds, const char* what, const char* file, int line) {
  ++checks;
  if (!holds) {
    ++failures;
    fprintf(stderr, "%s:%d: %s does not hold (last error: \"%s\")\n", file, line, what, nsm_last_error());
  }
  return holds;
}

int check_status(nsm_status status, nsm_status expected, const char* what, const char* file, int line) {
  ++checks;
  if (status != expected) {
    ++failures;
    fprintf(stderr, "%s:%d: %s gives %s (\"%s\"), expected %s\n", file, line, what, nsm_status_name(status), nsm_last_error(),
            nsm_status_name(expected));
  }
  return status == expected;
}

int message_has(const char* part) { return strstr(nsm_last_error(), part) != NULL; }

int report_checks(void) {
  printf("%d checks, %d failed\n", checks, failures);
  return failures == 0 ? 0 : 1;
}
