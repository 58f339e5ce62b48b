// The group /nonsmooth of an HDF5 file: any class, one dataset or group per field, matrices in their own storage.
#pragma once

#include "io/hdf5_reader.hpp"
#include "io/hdf5_writer.hpp"
#include "io/io.hpp"

namespace nonsmooth {

Problem read_native_group(const hdf5::Group& group, nsm_class problem_class);
Solution read_native_solution(const hdf5::Group& group, const Problem& problem);
void write_native_group(hdf5::NewGroup& group, const Problem& problem);

}  // namespace nonsmooth
