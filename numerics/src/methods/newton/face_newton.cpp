#include "methods/newton/face_newton.hpp"

#include <cfloat>
#include <cmath>
#include <utility>

namespace nonsmooth {
namespace {

constexpr double slow = 0.1, growth_limit = 10;  // of the residual, in one step
constexpr std::size_t cheap_order = 12;          // of a factor that costs less than the step it saves
constexpr int most_face_steps = 12;
constexpr int leaps = 3;  // the first steps, which may lead far off: where they end the right face is often seen

}  // namespace

Stop FaceNewton::follow(std::span<double> z, std::span<double> w, std::span<const double> s, Control& control) {
  evaluate(z);
  double last = control.residual(), before_last = HUGE_VAL, share = 0;  // share: what the last step has left of the residual
  for (int k = 0; k < most_face_steps; ++k) {
    if (face_.take(z, w, s)) evaluate(z);
    if (k == 1 && leads_nowhere(control)) return Stop::none;
    // Across solves only a factor that would be the same bit by bit: equal starts are to give equal bits, whatever was solved
    // before.
    const bool known = factored_ && (k == 0 ? face_.is_same() : face_.has_same_statuses());
    const double kept = face_.directions().size() <= cheap_order ? 0 : slow;
    if (!known || share > kept) {
      factored_ = factorise();
      face_.remember();
      if (!factored_) return Stop::none;
    }
    step(z);
    face_.stay_on(z);
    evaluate(z);
    if (const Stop stop = control.check(++iteration_, z, w); stop != Stop::none) return stop;
    if (control.residual() == before_last) return Stop::none;  // to and fro between two faces
    share = control.residual() / last;
    before_last = std::exchange(last, control.residual());
    const double limit = k < leaps ? DBL_MAX : growth_limit * control.best_residual();
    if (!(last <= limit)) return Stop::none;
  }
  return Stop::none;
}

}  // namespace nonsmooth
