// A plugin, as a user writes it.
#include <nonsmooth/kernel/plugin.hpp>

static void spring(double, int n, const double* q, const double*, double* out, int nz, double* z) {
  for (int k = 0; k < n; ++k) out[k] = (nz > 0 ? z[0] : 1.0) * q[k];
}
NONSMOOTH_PLUGIN_MOTION(spring)

static void gravity(double, int, double* out, int, double*) { out[0] = -9.81; }
NONSMOOTH_PLUGIN_TIME(gravity)

// Adds to the zeros that out holds on entry.
static void one(double, int n, double* out, int, double*) {
  for (int k = 0; k < n; ++k) out[k] += 1;
}
NONSMOOTH_PLUGIN_TIME(one)

static void decay(double, int n, const double* x, double* out, int, double*) {
  for (int k = 0; k < n; ++k) out[k] = -x[k];
}
NONSMOOTH_PLUGIN_STATE(decay)

static void unit(int n, const double*, double* out, int, double*) {
  for (int k = 0; k < n; ++k) out[k * (n + 1)] = 1;
}
NONSMOOTH_PLUGIN_CONFIGURATION(unit)

static void height(int, const double* q, double* out, int, double*) { out[0] = q[0]; }
NONSMOOTH_PLUGIN_CONFIGURATION(height)
