/* Library version. The shared library's SONAME carries the major version, before 1.0 the minor one too (libnonsmooth.so.0.1):
 * until then a minor version may change the interface. */
#ifndef NONSMOOTH_VERSION_H
#define NONSMOOTH_VERSION_H

/* Grows with changes that break programs. */
#define NSM_VERSION_MAJOR 0
/* Grows with additions; while the major version is 0, with changes that break programs too. */
#define NSM_VERSION_MINOR 1
/* Grows with corrections. */
#define NSM_VERSION_PATCH 0
/* All three as text. */
#define NSM_VERSION_STRING "0.1.0"

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library that is loaded (the macros tell the one compiled against). Never NULL; do not free. */
const char* nsm_version(void);

#ifdef __cplusplus
}
#endif
#endif
