// Certificates of solutions and of infeasibility, strict feasibility.
#include "nonsmooth/result.h"

#include <algorithm>
#include <cmath>

#include "capi/handles.hpp"
#include "certificate/certificate.hpp"
#include "certificate/farkas.hpp"
#include "core/index.hpp"
#include "methods/solver/slater.hpp"
#include "nonsmooth/solver.h"
#include "nonsmooth/version.h"

using namespace nonsmooth;

const char* nsm_version(void) { return NSM_VERSION_STRING; }
const char* nsm_last_error(void) { return last_error(); }
int nsm_last_errno(void) { return last_errno(); }

namespace {

// Below 0 a proof would verify that proves nothing; infinity certifies anything.
double checked_tolerance(double tolerance) {
  if (!(tolerance >= 0 && std::isfinite(tolerance)))
    fail(NSM_INVALID_VALUE, "tolerance is %g; a finite number from 0 on expected", tolerance);
  return tolerance;
}

}  // namespace

nsm_status nsm_certify(const nsm_problem* problem, const double* z, const double* w, nsm_certificate* certificate) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    const std::uint32_t room = required_room(certificate, "certificate"),
                        needed = offsetof(nsm_certificate, tolerance) + sizeof(double);
    if (room < needed) fail(NSM_INVALID_ARGUMENT, "certificate: struct_size is %u, its tolerance ends at byte %u", room, needed);
    const double tolerance = checked_tolerance(certificate->tolerance);
    auto checked = [&](const double* values, const char* name) {
      const std::span<const double> view = viewed(values, p.size(), name);
      if (const std::int64_t k = find_not_finite(view); k >= 0)
        fail(NSM_NOT_FINITE, "%s[%lld] is %g", name, static_cast<long long>(k), view[at(k)]);
      return view;
    };
    Certifier certifier(p);
    const std::span<const double> z_view = checked(z, "z");
    const std::span<const double> w_view = w == nullptr ? std::span<const double>() : checked(w, "w");
    write_struct(certifier.certify(z_view, w_view, tolerance), certificate, "certificate");
  });
}

int64_t nsm_infeasibility_size(const nsm_problem* problem) { return problem == nullptr ? 0 : proof_size(problem->problem); }

static_assert(proof_tolerance == NSM_PROOF_TOLERANCE);

nsm_status nsm_certify_infeasible(const nsm_problem* problem, const double* y, double tolerance, int32_t* verified) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    const std::span<const double> proof = viewed(y, required_proof_size(p), "y");
    required(verified, "verified") = proves_infeasible(p, proof, checked_tolerance(tolerance)) ? 1 : 0;
  });
}

nsm_status nsm_slater(const nsm_problem* problem, double* margin, double* z, int64_t size) {
  return guarded([&] {
    const Problem& p = required(problem, "problem").problem;
    double& result = required(margin, "margin");
    if (size != p.size())
      fail(NSM_INVALID_DIMENSION, "size is %lld, the problem has %lld unknowns", static_cast<long long>(size),
           static_cast<long long>(p.size()));
    Vector point(at(size));
    result = slater_margin(p, point);
    if (z != nullptr) std::copy(point.begin(), point.end(), z);
  });
}
