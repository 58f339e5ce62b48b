// What the parts of nonsmooth-simulate share: exit codes and failures. The codes are those of the command nonsmooth.
#pragma once

#include <cstddef>
#include <string>

namespace cli {

enum ExitCode {
  success = 0,        // every step certified
  not_certified = 1,  // a step was not, or the run ended at one
  usage = 3,
  bad_file = 4,  // any trouble with a file that is read or written
  internal = 70  // also: out of memory
};

// Ends the program: one line on stderr, and the exit code.
struct Failure {
  ExitCode code;
  std::string message;
};

// "1 system", "2 systems".
inline std::string counted(std::size_t number, const char* what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace cli
