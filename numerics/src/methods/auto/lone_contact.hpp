// A problem of one contact with Coulomb's friction is the one-block problem of a sweep, and has its exact solution
// (sets/coulomb_cone.hpp). One with rolling friction of which a part sticks is such a contact once that part is eliminated.
#pragma once

#include "methods/frame/control.hpp"
#include "problems/inclusion.hpp"

namespace nonsmooth {

bool is_lone_contact(const Inclusion& view);
// One iteration. Stop::stalled with z where it ended if that is not exact: W is singular or indefinite, or the contact has no or
// several solutions; with z as it was where both parts of a contact with rolling friction slide. Allocates nothing; where there
// are bodies W has been formed before.
Stop solve_lone_contact(const Inclusion& view, std::span<double> z, Control& control);

}  // namespace nonsmooth
