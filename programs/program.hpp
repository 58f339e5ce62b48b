// What our programs have in common: how they begin and end.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <string>

namespace nonsmooth::programs {

// Those of all that are installed, which have others beside them. Part of their interface: scripts rely on them.
enum ExitCode {
  success = 0,
  usage = 3,
  bad_file = 4,  // any trouble with a file that is read or written
  internal = 70  // also: out of memory
};

// Ends the program: one line on stderr, and the exit code.
struct Failure {
  int code;
  std::string message;
};

// Texts of files, which may come from anybody: without what would begin a line or tell the terminal something.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (const auto code = static_cast<unsigned char>(c); code < 0x20 || code == 0x7f) c = ' ';
  return text;
}

// A file that is opened takes the number of a stream that is closed (2>&-), and messages would be written into it. What is opened
// in its place is open for the other direction: what is written to a closed stream fails as it did.
inline void replace_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

// The code that run() returns, or that of what it throws, which is said on stderr behind the name; of_errors: of exceptions that
// are no Failure. Output that does not arrive is no success.
template <class Run>
int run_program(const std::string& name, const Run& run, int of_errors = internal) {
  replace_closed_streams();
  const auto report = [&](int code, const std::string& message) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s: %s\n", name.c_str(), one_line(message).c_str());
    return code;
  };
  try {
    const int code = run();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0 || !std::cout.flush())
      return report(bad_file, std::string("stdout: ") + std::strerror(errno));
    return code;
  } catch (const Failure& failure) {
    return report(failure.code, failure.message);
  } catch (const std::bad_alloc&) {
    return report(internal, "out of memory");
  } catch (const std::exception& error) {
    return report(of_errors, error.what());
  }
}

}  // namespace nonsmooth::programs
