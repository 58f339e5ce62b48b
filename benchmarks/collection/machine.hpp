// Who measures: the build and the machine, which are part of a measurement's key, and how fast the machine is at the moment.
#pragma once

#include <string>

namespace nonsmooth::bench {

std::string build_of(const std::string& program);  // hash of the file
std::string machine_name();                        // processor and how many of them

// Time of a fixed piece of work: products of a dense matrix of 512 kB with a vector. The shortest of a few; takes about 5 ms.
double calibration_seconds();

// OpenBLAS reads the environment when it is loaded: runs this program anew, with one thread of BLAS, unless the caller has chosen
// a number, and with the kernels of this processor. Children, among them other packages, inherit both.
void set_openblas_for_children(char** arguments);

// Lets OpenBLAS map its working memory (128 MB), which children inherit: under a limit that leaves no room for it, it asks for
// ever.
void map_blas_buffer();

}  // namespace nonsmooth::bench
