// Friction that jams: impacts whose law has no solution, and forces that have none.
#include <algorithm>
#include <cmath>

#include "events/event_driven_work.hpp"

namespace nonsmooth::kernel {
namespace {

// As long as it lives, whatever is thrown.
class Foresight {
 public:
  Foresight(EventDrivenOSI& integrator, double seconds) : integrator_(integrator) { integrator_.setForesight(seconds); }
  ~Foresight() { integrator_.setForesight(0); }
  Foresight(const Foresight&) = delete;
  Foresight& operator=(const Foresight&) = delete;

 private:
  EventDrivenOSI& integrator_;
};

}  // namespace

// Contacts that friction wedges against each other may leave Newton's law without a solution: whatever the impulses, some
// velocity stays below the rebound that restitution asks for. Without restitution there is one, for all bodies of the contacts
// may stop. That there is none is not proven here: what has not been certified counts as such, and the log tells.
SolveReport EventDriven::Work::solveImpact(std::vector<char>& plastic) {
  integrator().setPlastic(plastic);
  SolveReport report = solve("impact");
  const bool rebounds = std::any_of(index_sets_[1].begin(), index_sets_[1].end(), [&](int index) {
    const NonSmoothLaw& law = *model_.recordAt(index).law;
    return plastic[static_cast<std::size_t>(index)] == 0 && (law.restitution(0) > 0 || law.restitution(1) > 0);
  });
  if (!report.certified && rebounds) {
    std::fill(plastic.begin(), plastic.end(), 1);
    integrator().setPlastic(plastic);
    updateOutput(1, 1);  // where it has left outputs of its own
    report = solve("impact");
    jammed_ = report.certified;
  }
  accept("impact", report);
  return report;
}

// Friction of contacts that slide may leave no accelerations that obey the laws (Painleve's paradox). Then velocities jump,
// though nothing collides: by the impulses that a time step has, however short it is. It is taken so long that what it asks for
// stands out from the tolerance of the problem; what it changes velocities by beside the jump is taken back.
void EventDriven::Work::jump(int jumps) {
  constexpr double noticeable = 1e3;
  const double rate = simulation_.oneStepNSProblem("acceleration").q().cwiseAbs().maxCoeff();
  const double gained = noticeable * velocity_zero_ * std::pow(10.0, jumps / 2);
  std::vector<char> plastic(contacts_.size(), 1);
  // Closed contacts are at rest, as the accelerations have it.
  integrator().motion().projectVelocities(events_.startingTime());
  updateOutput(1, 1);
  {
    const Foresight foresight(integrator(), gained / rate);
    solveImpact(plastic);
  }
  jammed_ = true;
  std::vector<ClosedContact> pressed;
  for (const int index : index_sets_[1]) {
    const InteractionRecord& record = model_.recordAt(index);
    const VectorView impulse = model_.outputs().view(Output::lambda1, record.y), v = model_.outputs().view(Output::y1, record.y);
    const bool bilateral = record.law->kind() == LawKind::EqualityCondition, frictionless = record.law->mu() == 0;
    if (!bilateral && impulse[0] <= 0) continue;
    const bool slides = !frictionless && v.tail(v.size() - 1).norm() > 10 * velocity_zero_;
    pressed.push_back({index, bilateral      ? ContactMode::Bilateral
                              : frictionless ? ContactMode::Frictionless
                              : slides       ? ContactMode::Sliding
                                             : ContactMode::Sticking});
  }
  update(1);
  addImpulses();
  integrator().motion().setClosed(pressed);
  integrator().motion().projectVelocities(events_.startingTime());
  updateOutput(1, 1);
  repeatImpacts(plastic);
}

}  // namespace nonsmooth::kernel
