// What the examples share: every step must be certified, and figures must be those of analysis or of a reference.
#ifndef NONSMOOTH_KERNEL_EXAMPLE_HPP
#define NONSMOOTH_KERNEL_EXAMPLE_HPP

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <nonsmooth/kernel/kernel.hpp>
#include <stdexcept>
#include <string>

// Options of a command line, "--name value" each, beginning with their defaults.
class Options {
 public:
  Options(std::map<std::string, std::string> defaults, int count, char** arguments) : values_(std::move(defaults)) {
    for (int k = 1; k < count; k += 2) {
      const auto known = values_.find(arguments[k]);
      if (known == values_.end() || k + 1 == count) refuse(arguments[k], known != values_.end());
      known->second = arguments[k + 1];
    }
  }
  const std::string& text(const std::string& name) const { return values_.at(name); }
  double number(const std::string& name) const {
    char* end = nullptr;
    const double value = std::strtod(text(name).c_str(), &end);
    if (end == text(name).c_str() || *end != 0) throw std::runtime_error(name + ": \"" + text(name) + "\" is not a number");
    return value;
  }
  int count(const std::string& name, int least) const {
    const double value = number(name);
    if (!(value >= least && value <= 1e9) || value != std::floor(value))
      throw std::runtime_error(name + ": " + text(name) + " is not a whole number from " + std::to_string(least));
    return static_cast<int>(value);
  }

 private:
  [[noreturn]] void refuse(const std::string& word, bool known) const {
    std::string all;
    for (const auto& [name, value] : values_) all += " " + name;
    throw std::runtime_error(known ? word + " has no value" : word + ": no option; there are" + all);
  }
  std::map<std::string, std::string> values_;
};

// What has ended a program: told on stderr. The exit code.
inline int told(const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}

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
