// Contacts whose equations of motion are rows of the problem, [M -G -H; G' 0 0; H' 0 0] z + q: the global problem that it is, by
// its reactions, which most methods suit better than the rows that were kept.
#pragma once

#include "methods/frame/inner_solver.hpp"
#include "problems/reduction.hpp"

namespace nonsmooth {

class KeptMotion final : public Method {
 public:
  // Throws Error where the rows are no such equations.
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change change) override;
  Stop solve(std::span<double> z, Control& control) override;
  std::span<const double> infeasibility_ray() const override { return ray_; }
  const char* finished_by() const override { return inner_.method().finished_by(); }

 private:
  void order_rows();
  void read_matrices();
  void read_vectors();
  void read_coefficients();
  void keep_ray(const Control& control);

  const Inclusion* view_ = nullptr;
  Options options_;
  std::int64_t motions_ = 0, joints_ = 0;
  IndexVector order_;  // rows of the problem, those of motions, joints, contacts one after the other
  IndexVector place_;  // of every row in that order
  GlobalFriction data_;
  std::unique_ptr<Reduction> reduction_;
  Inclusion reduced_;
  InnerSolver inner_;
  Vector local_, all_, candidate_, proof_, workspace_;
  std::span<const double> ray_;
};

}  // namespace nonsmooth
