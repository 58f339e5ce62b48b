// The checksum of HDF5's newer structures: lookup3 (Jenkins 2006, public domain).
#pragma once

#include <cstdint>
#include <string_view>

namespace nonsmooth::hdf5 {

std::uint32_t checksum(std::string_view bytes);

}  // namespace nonsmooth::hdf5
