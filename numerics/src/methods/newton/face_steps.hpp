// Steps from face to face (face_newton.hpp) of contacts of any number, on the factors that all of Newton's methods take: from the
// solution of the step before, or from where sweeps have ended, mostly one or two lead to the solution.
#pragma once

#include "methods/frame/method.hpp"
#include "methods/newton/face_newton.hpp"
#include "methods/newton/newton_system.hpp"

namespace nonsmooth {

class FaceSteps final : public Method, private FaceNewton {
 public:
  void share(std::shared_ptr<NewtonSystem>& system) override { system_ = NewtonSystem::share(system); }
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;

 private:
  void read_scales();
  void evaluate(std::span<const double> z) override;
  bool factorise() override;
  void step(std::span<double> z) override;
  bool leads_nowhere(const Control& control) const override;
  void write_contact(std::size_t block, std::span<const FaceDirection> directions);
  void write_disk(std::size_t block, const FaceDirection& turning);

  const Inclusion* view_ = nullptr;
  std::shared_ptr<NewtonSystem> system_ = std::make_shared<NewtonSystem>();
  std::int64_t factorisation_ = 0;  // of the last face
  Vector scale_, w_, step_;
};

}  // namespace nonsmooth
