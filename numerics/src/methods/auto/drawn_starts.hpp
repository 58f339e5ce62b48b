// A method from many starts that are drawn: where M is indefinite, or friction is so large that several solutions stand beside
// each other, a method reaches those around which its steps are attracted, and what one start misses the next may find
// (multistart, Rinnooy Kan and Timmer 1987). The same starts in every solve, so that equal problems have equal bits.
#pragma once

#include <cstdint>
#include <memory>

#include "core/random.hpp"
#include "methods/frame/method.hpp"

namespace nonsmooth {

class DrawnStarts final : public Method {
 public:
  // So many starts of a method of the table, each with so many iterations.
  DrawnStarts(const char* method, std::int64_t starts, std::int64_t iterations);
  void share(std::shared_ptr<NewtonSystem>& system) override { method_->share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  bool updates_in_place() const override { return method_->updates_in_place(); }
  Stop solve(std::span<double> z, Control& control) override;

 private:
  double draw();
  void draw_start(std::span<double> z);
  void read_size();

  std::unique_ptr<Method> method_;
  std::int64_t starts_ = 0, iterations_ = 0;
  const Inclusion* view_ = nullptr;
  double matrix_size_ = 0;
  Random random_;
  Vector point_;
};

}  // namespace nonsmooth
