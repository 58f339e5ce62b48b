// What the Newton methods for w = F(z) by callbacks share: steps inside C, line search on the merit of Reformulation against the
// largest of the last values (Grippo, Lampariello and Lucidi 1986), then a projected gradient step, then a perturbed restart.
#pragma once

#include "core/random.hpp"
#include "methods/frame/method.hpp"
#include "methods/newton/reformulation.hpp"
#include "problems/jacobian.hpp"

namespace nonsmooth {

class NonlinearNewton : public Method {
 public:
  void setup(const Inclusion& view, const Options& options) override;
  void update(Change) override {}  // everything is read again by solve
  Stop solve(std::span<double> z, Control& control) final;

 protected:
  // Directions are tried in turn, 0 first, each more cautious than the last.
  virtual int directions() const = 0;
  // Writes direction_ for the point z_, w_ with the values of J_ and of the reformulation there. false: none.
  virtual bool write_direction(int index, Control& control) = 0;

  const Inclusion* view_ = nullptr;
  Jacobian J_;
  Reformulation phi_;
  Vector z_, w_, direction_, gradient_;
  double merit_ = 0;
  double reduction_ = 0;  // what the last step left of the merit; 0 at a start

 private:
  bool enter(std::span<const double> z);
  bool step(Control& control);
  bool search(double smallest_step);
  bool gradient_step();
  bool restart(Control& control);
  bool is_progressing();

  double milestone_ = 0;
  int since_milestone_ = 0;
  std::int64_t restarts_ = 0, restarts_left_ = 0;
  Random random_;
  std::size_t remembered_ = 0;
  Vector history_, trial_, trial_w_, point_;
};

}  // namespace nonsmooth
