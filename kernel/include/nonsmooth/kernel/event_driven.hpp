// Event-driven simulations.
#ifndef NONSMOOTH_KERNEL_EVENT_DRIVEN_HPP
#define NONSMOOTH_KERNEL_EVENT_DRIVEN_HPP

#include <array>
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
  SlidingEnds,  // it sticks
  Reversal,     // it slides the other way
  Undetermined  // neither force nor acceleration of separation: it stays closed until its force would pull
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
  EventDriven(Link<NonSmoothDynamicalSystem> model, Link<TimeDiscretisation> discretisation);
  explicit EventDriven(Link<NonSmoothDynamicalSystem> model);
  explicit EventDriven(Link<TimeDiscretisation> discretisation);
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
  bool hasNextEvent() const override;
  double startingTime() const override { return events_.startingTime(); }
  // Of the next event; once computeOneStep has processed it, of the one that follows.
  double nextTime() const override { return events_.nextTime(); }
  // Smooth motion up to the next event; nonsmooth ones found on the way are scheduled.
  void advanceToEvent();
  // Everything that happens at the next event; its end becomes the start of the next interval.
  void processEvents() { events_.processEvents(); }
  // Both; the status is that of the event.
  StepStatus computeOneStep() override;
  void run(const std::function<void(const Simulation&, const StepStatus&)>& each = nullptr) override;

  // The parts of it, at the instant that was reached. Smooth motion from tinit to tend: tout is where it ended. iout: 1 on the
  // first call; 2 without a root, 3 with a root at tout.
  void integrate(double& tinit, double& tend, double& tout, int& iout);
  void updateOutput(int level_min, int level_max);
  void updateIndexSets();
  SolveReport computeOneStepNSProblem(const std::string& name);
  void update(int level);
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

  // What happened to contacts, the last ones, oldest first; how many of a kind in all.
  const std::deque<ContactRecord>& eventLog() const { return log_; }
  long count(ContactEvent kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  // Entries kept.
  void setEventLogLength(std::size_t length) { log_length_ = length; }
  // Called with each entry of the log, when the contacts have been settled.
  void setEventCallback(std::function<void(const EventDriven&, const ContactRecord&)> callback) {
    on_event_ = std::move(callback);
  }
  // Called for every nonsmooth event with the state before it (true) and after it (false), for every other event once (false).
  // After a nonsmooth event the state before it is still found as that of the start of the step (Motion::old, yOld).
  void setTrajectoryCallback(std::function<void(const EventDriven&, bool before)> callback) { on_state_ = std::move(callback); }

  // By events and their manager.
  void process(Event& event);
  void processInstant();
  void processNonSmoothEvent();

 private:
  friend class EventsManager;
  bool hasBegun() const override { return events_.processed() > 0; }
  struct Contact;
  struct Function;
  struct Work;
  EventDrivenOSI& integrator() const { return *osi_; }
  void begin();
  void prepareRun();
  void requireMotionTo(double time) const;
  double instant() const;
  double normalVelocity(int index) const;
  void initializeFirst();
  void requireNoOverlap(bool changed = false) const;
  void requireSameEnd() const;
  void putBack();
  void beginStep();
  void takeBack();
  void moveToEvent();
  void perform(Event& event);
  void processChange();
  void startAnew();
  void openTornContacts();
  bool stepDrifts();
  void tell(bool before);
  void announce();
  void noteState();
  void noteParameters();
  bool hasChanged() const;
  void forgetFired();
  bool approaching() const;
  bool restsAt(int index) const;
  bool isNoFlight(const Contact& contact, double approach, double restitution) const;
  void findAccumulations();
  void solveImpacts();
  void solveContacts();
  void decide(int index, double force_zero, double acceleration_zero);
  void settleClosed();
  void writeLog();
  void log(const ContactRecord& record);
  void buildFunctions();
  double zeroOf(const Function& function) const;
  double presentValue(const Function& function, double time);
  double valueAt(const Function& function, double time);
  VectorView rateAt(InteractionRecord& record, double time);
  double gapRateAt(const Function& function, double time);
  void evaluateForces(double time);
  void searchStep();
  void fire(std::size_t function, double time, bool at_once);
  double instantAbove(const Function& function, double start, double end);
  bool hidesFlight(double start, double end);
  void inspect(std::size_t k, double start, double end);
  void inspectReturn(std::size_t k, double start, double end, double value);
  void inspectDip(std::size_t k, double start, double end, double value, double rate);

  std::shared_ptr<EventsManager> events_owner_ = std::make_shared<EventsManager>(*this);
  EventsManager& events_ = *events_owner_;
  EventDrivenOSI* osi_ = nullptr;
  std::unique_ptr<Work> work_;
  double tolerance_ = 1e-12, accumulation_tolerance_ = -1, projection_tolerance_ = -1;
  double velocity_zero_ = 1e-12;
  std::deque<ContactRecord> log_;
  std::size_t log_length_ = 1000;
  std::array<long, 9> counts_{};
  std::function<void(const EventDriven&, const ContactRecord&)> on_event_;
  std::function<void(const EventDriven&, bool)> on_state_;
};

}  // namespace nonsmooth::kernel
#endif
