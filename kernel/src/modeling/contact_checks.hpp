// What relations of contacts check, in the plane and in space.
#pragma once

#include "nonsmooth/kernel/error.hpp"

namespace nonsmooth::kernel {

inline void requireRows(Index law, Index relation, const char* name) {
  if (law != relation)
    fail("a %s has %lld rows, its law has %lld", name, static_cast<long long>(relation), static_cast<long long>(law));
}

// What a geometry has computed: a Contact or a PlanarContact.
template <class AnyContact>
void requireFiniteContact(const AnyContact& contact, double time) {
  requireFinite(&contact.gap, 1, "the gap of a contact", -1, time);
  requireFinite(contact.normal.data(), contact.normal.size(), "the normal of a contact", -1, time);
  requireFinite(contact.surfaceVelocity.data(), contact.surfaceVelocity.size(), "the velocity of the surface of a contact", -1,
                time);
}

}  // namespace nonsmooth::kernel
