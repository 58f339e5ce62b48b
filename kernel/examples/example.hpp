// What the examples share: every step must be certified, and figures must be those of analysis or of a reference.
#ifndef NONSMOOTH_KERNEL_EXAMPLE_HPP
#define NONSMOOTH_KERNEL_EXAMPLE_HPP

#include <cmath>
#include <cstdio>
#include <memory>
#include <nonsmooth/kernel/kernel.hpp>

class Report {
 public:
  // To be called after each step.
  void step(const nonsmooth::kernel::StepStatus& status) {
    ++steps_;
    if (!status.solve.certified || !status.newtonConverged) ++failed_;
  }
  void figure(const char* what, double value, double expected, double tolerance) {
    const bool met = std::abs(value - expected) <= tolerance;
    std::printf("%s: %.9g, expected %.9g +- %.1e%s\n", what, value, expected, tolerance, met ? "" : "  MISSED");
    met_ = met_ && met;
  }
  // For the end of main: 0 if all is well, else 1.
  int exitCode() const {
    std::printf("%ld steps, %ld of them not certified\n", steps_, failed_);
    return met_ && failed_ == 0 ? 0 : 1;
  }

 private:
  long steps_ = 0, failed_ = 0;
  bool met_ = true;
};

#endif
