// Contact problems of rigid bodies as linear complementarity problems.
#pragma once

#include <nonsmooth/nonsmooth.hpp>

#include "rigid_bodies.hpp"

namespace nonsmooth::collection {

// The normal parts alone: singular where bodies are held by more contacts than they need.
nsm::Problem frictionless_lcp(const LocalData& data);

// Friction pyramid (Stewart and Trinkle 1996; Anitescu and Potra 1997): per contact a normal impulse, impulses along +- each
// tangent, and the slack of mu r_N - sum of these. Three directions of the plane give 4 rows, those of space 6.
nsm::Problem friction_lcp(const LocalData& data);

}  // namespace nonsmooth::collection
