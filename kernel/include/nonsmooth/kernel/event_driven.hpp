// Event-driven simulations.
#ifndef NONSMOOTH_KERNEL_EVENT_DRIVEN_HPP
#define NONSMOOTH_KERNEL_EVENT_DRIVEN_HPP

#include <deque>

#include "nonsmooth/kernel/event_driven_osi.hpp"
#include "nonsmooth/kernel/events.hpp"
#include "nonsmooth/kernel/simulation.hpp"

namespace nonsmooth::kernel {

// What a nonsmooth event did to one contact.
enum class ContactEvent {
  Impact,        // and the contact opened again
  Closing,       // it stays closed
  Opening,       // its force came to zero
  Accumulation,  // impacts without end up to `until`: the contact closes, y' = 0
  Grazing,       // it touched without an impact and parted again
  SlidingBegins,
  SlidingEnds,   // it sticks
  Reversal,      // it slides the other way
  Undetermined,  // neither force nor acceleration of separation: it stays closed until its force would pull
  Jammed         // friction wedged it: an impact without a certified solution with restitution, taken without; or a jump
};
// Its name, for tables and messages.
const char* name(ContactEvent kind);

// One entry of the event log.
struct ContactRecord {
  // Instant [s].
  double time = 0;
  // What happened.
  ContactEvent kind = ContactEvent::Impact;
  // To which interaction.
  InteractionHandle interaction;
  double velocityBefore = 0, velocityAfter = 0;  // normal
  double impulse = 0;                            // normal
  double until = 0;                              // of an accumulation: its last instant
};

// Smooth motion between events, located as roots of functions of the state:
//   gap y of a contact that is open; normal force of one that is closed; mu times the normal force less the tangential one of one
//   that sticks; sliding velocity of one that slides.
// At a nonsmooth event, in this order: outputs and index sets; "impact", repeated while closed contacts approach each other;
// "acceleration", after which each contact that had come to rest (index set 2) stays closed or opens.
// Index sets: 0 all, 1 closed, 2 closed and at rest.
// States, parameters z, operators and relations may be changed between two events, as in events of one's own: at the start of the
// next one smooth motion begins anew, after an impact where a closed contact now approaches. The final time stays once an event
// has been processed. Events and callbacks may link and remove interactions and systems. A step that throws leaves the state of
// its start, and its event to come: the next one does it again.
class EventDriven : public Simulation {
 public:
  // With the instants given here, or by setTimeDiscretisation; the one that takes these alone is of their model.
  EventDriven(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation);
  explicit EventDriven(Link<NonSmoothDynamicalSystem> model);
  explicit EventDriven(Link<TimeDiscretisation> discretisation);
  // With its integrator and its problems "impact" and "acceleration" too.
  EventDriven(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation, Link<EventDrivenOSI> integrator,
              Link<OneStepNSProblem> impact, Link<OneStepNSProblem> acceleration);
  ~EventDriven() override;
  const char* className() const override { return "EventDriven"; }
  const char* simulationClass() const override { return "EventDriven"; }

  // The events of the run, for inserting one's own.
  const std::shared_ptr<EventsManager>& eventsManager() const { return events_owner_; }
  EventsManager* getEventsManagerPtr() const { return &events_; }

  // Another final time is taken up as long as no event has been processed.
  void initialize() override;
  // Is there an event before the final time?
  bool hasNextEvent() const override;
  // Instant of the event processed last, from which smooth motion goes on [s].
  double startingTime() const override { return events_.startingTime(); }
  // Of the next event; once computeOneStep has processed it, of the one that follows.
  double nextTime() const override { return events_.nextTime(); }
  // Smooth motion up to the next event; nonsmooth ones found on the way are scheduled.
  void advanceToEvent() override;
  // Everything that happens at the next event; its end becomes the start of the next interval.
  void processEvents() override { events_.processEvents(); }
  // Both; the status is that of the event.
  StepStatus computeOneStep() override;
  // All events that are left, up to the final time; calls `each` after every one.
  void run(const std::function<void(const Simulation&, const StepStatus&)>& each = nullptr) override;

  // The parts of it, at the instant that was reached. Smooth motion from tinit to tend: tout is where it ended. iout: 1 on the
  // first call; 2 without a root, 3 with a root at tout.
  void integrate(double& tinit, double& tend, double& tout, int& iout);
  // Outputs of the levels 0: y = h; 1: y' = C v + dh/dt; 2: y'' and lambda[2] with the closed contacts.
  using Simulation::updateOutput;
  void updateOutput(int level_min, int level_max) override;
  // Which contacts are closed (index set 1), and which of these rest (2).
  void updateIndexSets() override;
  // Solves "impact" for the closed contacts, "acceleration" for those at rest.
  SolveReport computeOneStepNSProblem(const std::string& name) override;
  // Inputs from the multipliers of that level, then velocities (1) or accelerations (2), outputs, and which contacts rest.
  void update(int level) override;
  // After "acceleration": contacts that press stay closed, those that separate open and leave index set 2.
  void updateIndexSetsWithDoubleCondition();
  // The present state becomes that of the start of an interval, from which smooth motion begins anew.
  void nextStep() override;

  // Below these a gap [m] or, times the greatest velocity of the contacts where that is above 1, a velocity [m/s] is zero.
  void setToleranceED(double tolerance);
  // Accumulations of impacts are jumped where what is left of them is shorter than that [s]; default 1e-5 times what has passed
  // since their first impact; 0: never.
  void setAccumulationTolerance(double seconds);
  // Closed contacts drift off by the errors of integration; beyond that they are put back at an instant of the time
  // discretisation, along the directions of least mass. Default: the integrator's (1e-10, or never); infinity: never.
  void setProjectionTolerance(double tolerance);

  // What happened to contacts, the last ones, oldest first.
  const std::deque<ContactRecord>& eventLog() const;
  // How many of a kind in all.
  long count(ContactEvent kind) const;
  // Entries kept.
  void setEventLogLength(std::size_t length);
  // Called with each entry of the log, when the contacts have been settled.
  void setEventCallback(std::function<void(const EventDriven&, const ContactRecord&)> callback);
  // Called for every nonsmooth event with the state before it (true) and after it (false), for every other event once (false).
  // After a nonsmooth event the state before it is still found as that of the start of the step (Motion::old, yOld).
  void setTrajectoryCallback(std::function<void(const EventDriven&, bool before)> callback);

  // Called by the manager, with the event that is due: all of a step after its smooth motion.
  void process(Event& event);
  // Called by events of their kind: outputs at an instant, with what drift asks for; impacts, and who stays closed.
  void processInstant();
  void processNonSmoothEvent();

 private:
  friend class EventsManager;
  class Work;
  bool hasBegun() const override { return events_.processed() > 0; }
  void checkPolicy(FailurePolicy policy) const override;

  std::shared_ptr<EventsManager> events_owner_ = std::make_shared<EventsManager>(*this);
  EventsManager& events_ = *events_owner_;
  std::unique_ptr<Work> work_;
};

}  // namespace nonsmooth::kernel
#endif
