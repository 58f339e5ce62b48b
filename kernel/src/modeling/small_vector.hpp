// Sums of vectors of a few entries, those of a system or a contact.
#pragma once

#include "nonsmooth/kernel/algebra.hpp"

namespace nonsmooth::kernel {

// out[i] := value(i). Eigen's loops begin where memory is aligned, which for a few entries costs more than the sums.
template <class Value>
void setEach(VectorView out, const Value& value) {
  for (Index i = 0; i < out.size(); ++i) out[i] = value(i);
}

}  // namespace nonsmooth::kernel
