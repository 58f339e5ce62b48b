// What the algorithms for multiple impacts work on: the contacts closed at an instant, coupled by M = H Mass^-1 H'.
#pragma once

#include <cmath>
#include <cstdint>

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// Symmetric, in compressed rows: a contact and its neighbours. The arrays belong to the caller.
struct ContactMatrix {
  Index size = 0;
  const std::int32_t *start = nullptr, *column = nullptr;
  const double* value = nullptr;

  double timesRow(Index i, const Vector& x) const {
    double sum = 0;
    for (std::int32_t k = start[i]; k < start[i + 1]; ++k) sum += value[k] * x[column[k]];
    return sum;
  }
  double absoluteTimesRow(Index i, const Vector& x) const {
    double sum = 0;
    for (std::int32_t k = start[i]; k < start[i + 1]; ++k) sum += std::abs(value[k] * x[column[k]]);
    return sum;
  }
  double diagonal(Index i) const {
    for (std::int32_t k = start[i]; k < start[i + 1]; ++k)
      if (column[k] == i) return value[k];
    return 0;
  }
};

// Force = stiffness * indentation ^ exponent under compression; the work given back is restitution^2 of the work done.
struct ContactLaw {
  double restitution = 1, stiffness = 1, exponent = 1.5;
};

// BiStiffness: unloading follows a stiffer curve from the force that loading has reached. MonoStiffness: it follows the curve of
// loading and breaks off when its share of the work has been given back.
enum class Compliance { BiStiffness, MonoStiffness };

struct ContactNetwork {
  ContactMatrix M;
  const ContactLaw* laws = nullptr;
  Compliance compliance = Compliance::BiStiffness;
};

// How an integration over impulses ended.
enum class ImpactOutcome { Finished, StepLimit, StepVanished, NotFinite };

}  // namespace nonsmooth::kernel
