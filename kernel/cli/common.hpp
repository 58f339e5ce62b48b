// What the parts of nonsmooth-simulate share: exit codes and failures. The codes are those of the command nonsmooth.
#pragma once

#include <cstddef>
#include <programs/program.hpp>
#include <string>

namespace cli {

namespace programs = nonsmooth::programs;
using programs::Failure;

enum ExitCode {
  success = programs::success,  // every step certified
  not_certified = 1,            // a step was not, or the run ended at one
  usage = programs::usage,
  bad_file = programs::bad_file,
  interrupted = 5  // as a solve that is
};

// "1 system", "2 systems".
inline std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace cli
