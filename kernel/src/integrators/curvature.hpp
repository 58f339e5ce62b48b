// What accelerations of outputs have beside C v'.
#ifndef NONSMOOTH_KERNEL_INTEGRATORS_CURVATURE_HPP
#define NONSMOOTH_KERNEL_INTEGRATORS_CURVATURE_HPP

#include "nonsmooth/kernel/nsds.hpp"

namespace nonsmooth::kernel {

// out [rows] := d/dt (C v + dh/dt) with v held, at the present state: y'' = C v' + out. From the relation where it knows, else by
// differences of fourth order along the motion.
void curvature(NonSmoothDynamicalSystem& model, const InteractionRecord& record, double time, VectorView out);

}  // namespace nonsmooth::kernel
#endif
