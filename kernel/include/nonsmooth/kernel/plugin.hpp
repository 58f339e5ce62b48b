// User functions taken by name from a shared library: ds->setComputeFInt("myPlugin", "myFunction").
//
// A plugin is a shared library (myPlugin.so) whose C functions are exported with one of the macros below, which checks the
// signature when the plugin is compiled and writes it beside the function; the kernel compares it when it loads the function.
//
//   #include <nonsmooth/kernel/plugin.hpp>
//   static void gravity(double t, int n, const double* q, const double* v, double* out, int nz, double* z) { ... }
//   NONSMOOTH_PLUGIN_MOTION(gravity)
//
// Of all signatures: z are the nz parameters of the system or relation; `out` holds zeros on entry and takes a matrix column by
// column. Functions h and g of relations get lambda in the place of v. Functions must not throw.
#ifndef NONSMOOTH_KERNEL_PLUGIN_HPP
#define NONSMOOTH_KERNEL_PLUGIN_HPP

namespace nonsmooth::kernel::plugin {

extern "C" {
// A, b, FExt, MExt; C, D, F, e, B of linear relations. n is the number of rows of the result.
typedef void TimeFunction(double t, int n, double* out, int nz, double* z);
// f, Jacobianfx, n is the length of x; h, G and hdot of relations h(t, q), n is the length of q.
typedef void StateFunction(double t, int n, const double* x, double* out, int nz, double* z);
// FInt, FGyr, their Jacobians; h, g and theirs; Gdot of relations h(q), with t = 0. n is the length of q (of a rigid body 7, v
// has 6 entries then), or of the states x that a relation links, one after the other.
typedef void MotionFunction(double t, int n, const double* q, const double* v, double* out, int nz, double* z);
// Mass; h and G of relations h(q); n is the length of q.
typedef void ConfigurationFunction(int n, const double* q, double* out, int nz, double* z);
}

}  // namespace nonsmooth::kernel::plugin

#define NONSMOOTH_PLUGIN_EXPORT_(Kind, function)                                                           \
  extern "C" {                                                                                             \
  extern const char function##_signature[] __attribute__((visibility("default")));                         \
  extern nonsmooth::kernel::plugin::Kind* const function##_pointer __attribute__((visibility("default"))); \
  const char function##_signature[] = #Kind;                                                               \
  nonsmooth::kernel::plugin::Kind* const function##_pointer = &function;                                   \
  }

// Exports, beside a function of time, what the kernel checks when it loads that function.
#define NONSMOOTH_PLUGIN_TIME(function) NONSMOOTH_PLUGIN_EXPORT_(TimeFunction, function)
// The same for functions of time and state x.
#define NONSMOOTH_PLUGIN_STATE(function) NONSMOOTH_PLUGIN_EXPORT_(StateFunction, function)
// The same for functions of time, q and v.
#define NONSMOOTH_PLUGIN_MOTION(function) NONSMOOTH_PLUGIN_EXPORT_(MotionFunction, function)
// The same for functions of q.
#define NONSMOOTH_PLUGIN_CONFIGURATION(function) NONSMOOTH_PLUGIN_EXPORT_(ConfigurationFunction, function)

#endif
